import { useEffect, useState } from 'preact/hooks';
import { asProblem, useAnswer } from '../../answer.js';
import { call, type Problem } from '../../api.js';
import type { SourceState } from '../../api-records.js';
import { useT } from '../../i18n/i18n.js';
import { oneLine } from '../../parts/plain.js';
import { ProblemBox } from '../../parts/problem-box.js';
import { Ticked } from '../../parts/ticked.js';

interface Listed {
  readonly id: string;
  readonly title: string;
  readonly source_path: string;
  readonly format: string;
  readonly updated_at: string;
  readonly chunk_count: number;
  readonly state: SourceState;
  readonly pending: boolean;
}

interface Page {
  readonly documents: readonly Listed[];
  readonly next: string | null;
}

const STEP = 50;

export function DocumentTable({ filter, mayWrite }: { readonly filter: object; readonly mayWrite: boolean }) {
  const t = useT();
  const [limit, setLimit] = useState(STEP);
  const key = JSON.stringify(filter);
  useEffect(() => setLimit(STEP), [key]);
  const { answer, problem, again } = useAnswer<Page>(
    'documents',
    { limit: Math.min(500, limit), filter },
    { follows: true },
  );
  const [failed, setFailed] = useState<Problem | null>(null);
  const act = (work: Promise<unknown>): void => {
    setFailed(null);
    work.then(again, (error: unknown) => setFailed(asProblem(error)));
  };
  if (problem && answer === null) return <ProblemBox problem={problem} again={again} />;
  if (answer === null) return <p class="loading">{t('shell.loading')}</p>;
  if (answer.documents.length === 0)
    return (
      <p class="none">
        <strong>{t('library.none')}</strong>{' '}
        {mayWrite ? <Ticked text={t('library.none.next')} /> : t('library.none.reader')}
      </p>
    );
  return (
    <>
      {failed && <ProblemBox problem={failed} />}
      <table class="documents">
        <thead>
          <tr>
            <th>{t('library.column.title')}</th>
            <th>{t('library.column.format')}</th>
            <th class="amount">{t('library.column.chunks')}</th>
            <th>{t('library.column.changed')}</th>
            <th>{t('library.column.state')}</th>
            {mayWrite && <th>{t('library.column.actions')}</th>}
          </tr>
        </thead>
        <tbody>
          {answer.documents.map((document) => (
            <Row key={document.id} document={document} mayWrite={mayWrite} act={act} />
          ))}
        </tbody>
      </table>
      {answer.next !== null && limit < 500 && (
        <button type="button" onClick={() => setLimit(limit + STEP * 2)}>
          {t('library.more')}
        </button>
      )}
    </>
  );
}

function Row({
  document,
  mayWrite,
  act,
}: {
  readonly document: Listed;
  readonly mayWrite: boolean;
  readonly act: (work: Promise<unknown>) => void;
}) {
  const t = useT();
  const { id, title, source_path, format, chunk_count, updated_at, state, pending } = document;
  const shown = pending && state === 'same' ? 'pending' : state;
  const remove = (): void => {
    if (confirm(t('library.remove.sure', { title: oneLine(title) }))) act(call('remove', { targets: [id] }));
  };
  return (
    <tr>
      <td>
        <a href={`/document/${id}`}>{oneLine(title)}</a>
        <span class="path">{oneLine(source_path)}</span>
      </td>
      <td>{format}</td>
      <td class="amount">{chunk_count.toLocaleString()}</td>
      <td>{updated_at.slice(0, 10)}</td>
      <td>
        <span class={`badge ${shown}`}>{t(`state.${shown}`)}</span>
      </td>
      {mayWrite && (
        <td class="actions">
          {state !== 'unknown' && (
            <button type="button" class="quiet" onClick={() => act(call('read-again', { documents: [id] }))}>
              {t('library.again')}
            </button>
          )}
          <button type="button" class="quiet" onClick={remove}>
            {t('library.remove')}
          </button>
        </td>
      )}
    </tr>
  );
}
