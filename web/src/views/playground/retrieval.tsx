import { useState } from 'preact/hooks';
import { asProblem } from '../../answer.js';
import { call, type Problem } from '../../api.js';
import type { ChannelEvidence } from '../../api-records.js';
import { useT } from '../../i18n/i18n.js';
import { Evidence } from '../../parts/evidence.js';
import { plain, titleText } from '../../parts/plain.js';
import { ProblemBox } from '../../parts/problem-box.js';
import type { Settings } from './cut-pane.js';

interface Found {
  readonly mode: 'hybrid' | 'keyword' | 'tfidf' | 'vector';
  readonly notices: readonly string[];
  readonly passages: readonly {
    readonly content: string;
    readonly title_path: readonly string[];
    readonly score: number;
    readonly explain: readonly ChannelEvidence[];
  }[];
}

/** A question against the text alone: its passages in order, with what speaks for each. */
export function Retrieval({ text, settings }: { readonly text: string; readonly settings: Settings }) {
  const t = useT();
  const [found, setFound] = useState<Found | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const ask = async (event: Event): Promise<void> => {
    event.preventDefault();
    // The field keeps its own value: nothing that is drawn around it can put an older one in its place.
    const asked = String(new FormData(event.currentTarget as HTMLFormElement).get('question') ?? '');
    if (asked.trim() === '') return;
    setBusy(true);
    setProblem(null);
    const { strategy, max, overlap } = settings;
    const sizes = strategy === 'h2' ? {} : { max, overlap };
    try {
      setFound(
        await call<Found>('search-text', {
          text: text.slice(0, 200_000),
          question: asked,
          strategy,
          ...sizes,
        }),
      );
    } catch (error) {
      setProblem(asProblem(error));
    }
    setBusy(false);
  };
  return (
    <section class="retrieval">
      <h2>{t('play.retrieval')}</h2>
      <form class="row-of" onSubmit={(event) => void ask(event)}>
        <input
          type="search"
          name="question"
          aria-label={t('play.question')}
          placeholder={t('play.question')}
          maxLength={10_000}
        />
        <button type="submit" class="main" disabled={busy}>
          {t('play.ask')}
        </button>
      </form>
      {problem && <ProblemBox problem={problem} />}
      {found && (
        <div aria-live="polite">
          <p class="hint">{t('search.by', { mode: t(`search.mode.${found.mode}`) })}</p>
          {found.passages.length === 0 && <p>{t('play.nothing')}</p>}
          <ol class="ranked">
            {found.passages.map((passage, at) => (
              <li key={`${at}`}>
                <p class="about">
                  <b>{at + 1}</b> {passage.title_path.map(titleText).join(' › ')}{' '}
                  <Evidence explain={passage.explain} /> {passage.score.toFixed(3)}
                </p>
                <p class="content">{plain(passage.content)}</p>
              </li>
            ))}
          </ol>
        </div>
      )}
    </section>
  );
}
