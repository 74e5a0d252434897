import type { Problem } from '../api.js';
import { useT } from '../i18n/i18n.js';
import { useSaid } from '../i18n/said.js';
import { plain } from './plain.js';
import { problemWords } from './problem-words.js';
import { Ticked } from './ticked.js';

/** What went wrong in words, what to do next, and what the server said. */
export function ProblemBox({ problem, again }: { readonly problem: Problem; readonly again?: () => void }) {
  const t = useT();
  const said = useSaid();
  const { what, next } = problemWords(problem, t);
  return (
    <div class="problem" role="alert">
      <p>
        <strong>{what}</strong> <Ticked text={next} />
      </p>
      {problem.code !== 'OFFLINE' && <p class="said">{plain(said(problem.message))}</p>}
      {again && (
        <button type="button" onClick={again}>
          {t('problem.again')}
        </button>
      )}
    </div>
  );
}
