import { useState } from 'preact/hooks';
import { asProblem } from '../../answer.js';
import { call, type Problem } from '../../api.js';
import { useT } from '../../i18n/i18n.js';
import { oneLine } from '../../parts/plain.js';
import { ProblemBox } from '../../parts/problem-box.js';
import type { Cut } from './cut-pane.js';

interface Near {
  readonly model: string;
  readonly matrix: readonly (readonly number[])[];
}

const MOST = 16;

/** How near texts are to each other in the model's eyes, as a heat map. */
export function Similarity({ cut }: { readonly cut: Cut | null }) {
  const t = useT();
  const [own, setOwn] = useState('');
  const [near, setNear] = useState<(Near & { texts: readonly string[] }) | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const run = async (): Promise<void> => {
    const lines = own
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    const passages =
      cut?.chunks.map(({ start_position: from, end_position: to }) => cut.text.slice(from, to)) ?? [];
    const texts = (lines.length > 0 ? lines : passages).slice(0, MOST).map((text) => text.slice(0, 4000));
    if (texts.length === 0) return;
    setBusy(true);
    setProblem(null);
    try {
      setNear({ ...(await call<Near>('similarity', { texts })), texts });
    } catch (error) {
      setProblem(asProblem(error));
    }
    setBusy(false);
  };
  return (
    <section class="similarity">
      <h2>{t('play.similarity')}</h2>
      <div class="row-of">
        <textarea
          aria-label={t('play.similarity.own')}
          placeholder={t('play.similarity.own')}
          rows={3}
          value={own}
          onInput={(event) => setOwn(event.currentTarget.value)}
        />
        <button type="button" class="main" disabled={busy} onClick={() => void run()}>
          {t('play.similarity.run')}
        </button>
      </div>
      {problem && <ProblemBox problem={problem} />}
      {near && (
        <>
          <table class="heat">
            <tbody>
              {near.matrix.map((row, y) => (
                <tr key={`${y}`}>
                  <th scope="row" title={oneLine(near.texts[y]!)}>
                    {oneLine(near.texts[y]!).slice(0, 40)}
                  </th>
                  {row.map((value, x) => (
                    <td
                      key={`${x}`}
                      class={value > 0.55 ? 'near' : ''}
                      style={{ '--heat': `${Math.round(Math.max(0, value) * 100)}%` }}
                    >
                      {value.toFixed(2)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          <p class="hint">{t('play.similarity.note', { model: near.model })}</p>
        </>
      )}
    </section>
  );
}
