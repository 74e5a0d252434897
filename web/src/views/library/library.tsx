import { useEffect, useState } from 'preact/hooks';
import { useAnswer } from '../../answer.js';
import { call } from '../../api.js';
import type { Count, Overview, Who } from '../../api-records.js';
import { useT } from '../../i18n/i18n.js';
import { useSaid } from '../../i18n/said.js';
import { live } from '../../live.js';
import { oneLine } from '../../parts/plain.js';
import { ProblemBox } from '../../parts/problem-box.js';
import { Ticked } from '../../parts/ticked.js';
import { place, setParams } from '../../router.js';
import { useStore } from '../../store.js';
import { AddPanel } from './add-panel.js';
import { DocumentTable } from './document-table.js';
import { LengthPlot } from './length-plot.js';

/** What the library holds: facts, what is in it by folder, format and collection, and the documents. */
export function Library() {
  const t = useT();
  const { params } = useStore(place);
  const { answer: overview, problem, again } = useAnswer<Overview>('overview', {}, { follows: true });
  const { answer: who } = useAnswer<Who>('who', {});
  const mayWrite = who !== null && who.access !== 'read';
  const filter = {
    ...(params.get('in') && { path: params.get('in') }),
    ...(params.get('format') && { file_types: [params.get('format')] }),
    ...(params.get('collection') && { collections: [params.get('collection')] }),
  };
  return (
    <div class="page library">
      <h1>{t('library.title')}</h1>
      <Facts mayWrite={mayWrite} />
      {problem && <ProblemBox problem={problem} again={again} />}
      {mayWrite && <AddPanel />}
      <div class="split">
        <aside>
          {overview && (
            <>
              <Counts title={t('library.by.folder')} name="in" counts={overview.folders} />
              <Counts title={t('library.by.format')} name="format" counts={overview.formats} />
              <Counts title={t('library.by.collection')} name="collection" counts={overview.collections} />
              <LengthPlot lengths={overview.lengths} />
            </>
          )}
        </aside>
        <div>
          <PathFilter />
          <DocumentTable filter={filter} mayWrite={mayWrite} />
          {overview && overview.failures.length > 0 && (
            <Failures failures={overview.failures} mayWrite={mayWrite} onRead={again} />
          )}
        </div>
      </div>
    </div>
  );
}

function Facts({ mayWrite }: { readonly mayWrite: boolean }) {
  const t = useT();
  const said = useSaid();
  const library = useStore(live);
  if (library === null) return null;
  const { documents, chunks, vectors } = library;
  const total = vectors.embedded + vectors.pending;
  const share =
    vectors.model === null
      ? t('library.nomeaning')
      : `${total === 0 ? 100 : Math.floor((100 * vectors.embedded) / total)} %`;
  return (
    <>
      <dl class="facts-row">
        <div>
          <dt>{t('library.documents')}</dt>
          <dd>{documents.toLocaleString()}</dd>
        </div>
        <div>
          <dt>{t('library.chunks')}</dt>
          <dd>{chunks.toLocaleString()}</dd>
        </div>
        <div>
          <dt>{t('library.meaning')}</dt>
          <dd>{share}</dd>
        </div>
      </dl>
      {vectors.reason !== undefined && (
        <p class="hint">
          <Ticked text={oneLine(said(vectors.reason))} />
        </p>
      )}
      {mayWrite && vectors.model !== null && vectors.pending > 0 && (
        <button type="button" class="link" onClick={() => void call('embed').catch(() => {})}>
          {t('library.embed')}
        </button>
      )}
    </>
  );
}

const SHOWN = 12;

/** One way to divide the library; a click shows only that part. */
function Counts({
  title,
  name,
  counts,
}: {
  readonly title: string;
  readonly name: string;
  readonly counts: readonly Count[];
}) {
  const t = useT();
  const { params } = useStore(place);
  const [all, setAll] = useState(false);
  const chosen = params.get(name);
  if (counts.length === 0) return null;
  const most = Math.max(...counts.map(({ documents }) => documents));
  return (
    <section class="counts">
      <h2>{title}</h2>
      <ul>
        {counts.slice(0, all ? counts.length : SHOWN).map((count) => (
          <li key={count.name}>
            <button
              type="button"
              aria-pressed={chosen === count.name}
              onClick={() => setParams({ [name]: chosen === count.name ? null : count.name })}
            >
              <span class="name">{oneLine(count.name)}</span>
              <span class="number">{count.documents.toLocaleString()}</span>
              <span class="share" style={{ width: `${(100 * count.documents) / most}%` }} />
            </button>
          </li>
        ))}
      </ul>
      {counts.length > SHOWN && !all && (
        <button type="button" class="quiet" onClick={() => setAll(true)}>
          {t('library.more')}
        </button>
      )}
    </section>
  );
}

function PathFilter() {
  const t = useT();
  const { params } = useStore(place);
  const kept = params.get('in') ?? '';
  const [path, setPath] = useState(kept);
  useEffect(() => setPath(kept), [kept]);
  useEffect(() => {
    const timer = setTimeout(() => path !== kept && setParams({ in: path }), 250);
    return () => clearTimeout(timer);
  }, [path]);
  return (
    <input
      type="search"
      class="path-filter"
      aria-label={t('library.filter')}
      placeholder={t('library.filter')}
      value={path}
      onInput={(event) => setPath(event.currentTarget.value)}
    />
  );
}

function Failures({
  failures,
  mayWrite,
  onRead,
}: {
  readonly failures: Overview['failures'];
  readonly mayWrite: boolean;
  readonly onRead: () => void;
}) {
  const t = useT();
  const said = useSaid();
  const readAgain = (path: string): void =>
    void call('add', { paths: [path], force: true, embed: false }).then(onRead, onRead);
  return (
    <section class="failures">
      <h2>{t('library.failures')}</h2>
      <p class="hint">{t('library.failed.next')}</p>
      <ul>
        {failures.slice(0, 200).map(({ source_path, reason }) => (
          <li key={source_path}>
            <span class="badge failed">{t('state.failed')}</span>{' '}
            {oneLine(said(reason.startsWith(source_path) ? reason : `${source_path}: ${reason}`))}{' '}
            {mayWrite && (
              <button type="button" class="link" onClick={() => readAgain(source_path)}>
                {t('library.again')}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
