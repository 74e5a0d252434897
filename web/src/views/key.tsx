import { useState } from 'preact/hooks';
import { asProblem } from '../answer.js';
import { type Problem, tryKey } from '../api.js';
import { useT } from '../i18n/i18n.js';
import { plain } from '../parts/plain.js';
import { ProblemBox } from '../parts/problem-box.js';
import { Ticked } from '../parts/ticked.js';
import { refusal } from '../session.js';
import { useStore } from '../store.js';

/** Where a person puts in the key that a server asks for. */
export function KeyView({ why }: { readonly why: 'missing' | 'refused' }) {
  const t = useT();
  const said = useStore(refusal);
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState<Problem | null>(null);
  const enter = (event: Event): void => {
    event.preventDefault();
    if (key.trim() === '') return;
    tryKey(key.trim()).then(
      () => setProblem(null),
      (error: unknown) => setProblem(asProblem(error)),
    );
  };
  return (
    <form class="key-form" onSubmit={enter}>
      <h1>{t('key.title')}</h1>
      <p role={why === 'refused' ? 'alert' : undefined}>
        <Ticked text={t(`key.${why}`)} />
      </p>
      {why === 'refused' && said !== null && <p class="said">{plain(said)}</p>}
      <label>
        {t('key.label')}
        <input
          type="password"
          autocomplete="off"
          value={key}
          maxLength={1000}
          onInput={(event) => setKey(event.currentTarget.value)}
        />
      </label>
      {problem && <ProblemBox problem={problem} />}
      <button type="submit" class="main">
        {t('key.enter')}
      </button>
    </form>
  );
}
