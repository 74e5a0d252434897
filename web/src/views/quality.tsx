import { useState } from 'preact/hooks';
import { asProblem, useAnswer } from '../answer.js';
import { call, type Problem, type Progress } from '../api.js';
import type { Who } from '../api-records.js';
import { useT } from '../i18n/i18n.js';
import { oneLine } from '../parts/plain.js';
import { ProblemBox } from '../parts/problem-box.js';
import { Ticked } from '../parts/ticked.js';

const MODES = ['hybrid', 'keyword', 'tfidf', 'vector'] as const;
const FIGURES = [
  ['ndcg_10', 'nDCG@10'],
  ['recall_10', 'recall@10'],
  ['mrr_10', 'MRR@10'],
  ['hit_1', 'hit@1'],
  ['hit_5', 'hit@5'],
] as const;

type Row = Readonly<
  Record<(typeof FIGURES)[number][0] | 'queries' | 'documents' | 'chunks' | 'ms_per_query', number>
> & {
  readonly set: string;
  readonly mode: (typeof MODES)[number];
};

interface Measured {
  readonly rows: readonly Row[];
  readonly failed: readonly {
    readonly mode: (typeof MODES)[number];
    readonly query_id: string;
    readonly query: string;
    readonly ranking: readonly string[];
  }[];
}

/** `eval` on a set: the figures per mode, and the questions that failed. */
export function Quality() {
  const t = useT();
  const { answer: who } = useAnswer<Who>('who', {});
  const [folder, setFolder] = useState('');
  const [modes, setModes] = useState<readonly string[]>(['keyword']);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [measured, setMeasured] = useState<Measured | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const run = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (folder.trim() === '' || modes.length === 0) return;
    setProblem(null);
    setMeasured(null);
    setProgress({ stage: t('shell.loading'), done: 0 });
    try {
      setMeasured(
        await call<Measured>('evaluate', { folder: folder.trim(), modes }, { onProgress: setProgress }),
      );
    } catch (error) {
      setProblem(asProblem(error));
    }
    setProgress(null);
  };
  return (
    <div class="page quality">
      <h1>{t('quality.title')}</h1>
      <p>{t('quality.intro')}</p>
      {who !== null && who.access !== 'owner' ? (
        <p class="none">
          <Ticked text={t('quality.owner')} />
        </p>
      ) : (
        <form class="row-of" onSubmit={(event) => void run(event)}>
          <input
            type="text"
            value={folder}
            aria-label={t('quality.folder')}
            placeholder={t('quality.folder')}
            onInput={(event) => setFolder(event.currentTarget.value)}
          />
          <fieldset class="filters">
            <legend class="hidden">{t('quality.modes')}</legend>
            {MODES.map((mode) => (
              <button
                key={mode}
                type="button"
                class={modes.includes(mode) ? 'chip on' : 'chip'}
                aria-pressed={modes.includes(mode)}
                onClick={() =>
                  setModes(modes.includes(mode) ? modes.filter((one) => one !== mode) : [...modes, mode])
                }
              >
                {t(`search.mode.${mode}`)}
              </button>
            ))}
          </fieldset>
          <button type="submit" class="main" disabled={progress !== null}>
            {t('quality.run')}
          </button>
        </form>
      )}
      {progress && (
        <p aria-live="polite">
          <progress
            max={progress.total ?? 1}
            {...(progress.total !== undefined && { value: progress.done })}
            aria-label={oneLine(progress.stage)}
          />{' '}
          {oneLine(progress.stage)}
        </p>
      )}
      {problem && <ProblemBox problem={problem} />}
      {measured && <Figures measured={measured} />}
    </div>
  );
}

function Figures({ measured }: { readonly measured: Measured }) {
  const t = useT();
  return (
    <>
      <section class="figures">
        <h2>{t('quality.figures')}</h2>
        {measured.rows[0] && (
          <p class="hint">
            {oneLine(measured.rows[0].set)}:{' '}
            {t('quality.facts', {
              queries: measured.rows[0].queries,
              documents: measured.rows[0].documents,
              chunks: measured.rows[0].chunks,
            })}
          </p>
        )}
        {measured.rows.map((row) => (
          <div key={row.mode} class="mode">
            <h3>
              {t(`search.mode.${row.mode}`)} <span class="hint">{row.ms_per_query.toFixed(1)} ms</span>
            </h3>
            {FIGURES.map(([name, label]) => (
              <div key={name} class="figure">
                <span>{label}</span>
                <meter min={0} max={1} value={row[name]} aria-label={`${label} ${row[name].toFixed(3)}`} />
                <b>{row[name].toFixed(3)}</b>
              </div>
            ))}
          </div>
        ))}
      </section>
      <section>
        <h2>{t('quality.failed')}</h2>
        {measured.failed.length === 0 ? (
          <p>{t('quality.failed.none')}</p>
        ) : (
          <table class="documents">
            <thead>
              <tr>
                <th>{t('quality.mode')}</th>
                <th>{t('quality.question')}</th>
                <th>{t('quality.came')}</th>
              </tr>
            </thead>
            <tbody>
              {measured.failed.map(({ mode, query_id, query, ranking }) => (
                <tr key={`${mode} ${query_id}`}>
                  <td>{t(`search.mode.${mode}`)}</td>
                  <td>{oneLine(query)}</td>
                  <td class="path">{ranking.slice(0, 3).map(oneLine).join(', ') || '—'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
    </>
  );
}
