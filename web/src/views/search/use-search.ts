import { useEffect, useState } from 'preact/hooks';
import { asProblem } from '../../answer.js';
import { call, type Problem } from '../../api.js';
import type { SearchAnswer } from '../../api-records.js';
import { live, online } from '../../live.js';
import { token } from '../../session.js';
import { useStore } from '../../store.js';

export interface Filters {
  readonly formats: readonly string[];
  readonly content_types: readonly string[];
  readonly path: string;
}

interface Found {
  readonly answer: SearchAnswer | null;
  readonly problem: Problem | null;
  readonly busy: boolean;
  /** Meaning was asked for, and words answered: the model is loading, or cannot be had. */
  readonly lacksMeaning: boolean;
}

const NOTHING: Found = { answer: null, problem: null, busy: false, lacksMeaning: false };

/** Then meaning is asked again, if the model was not ready. */
const MODEL_AGAIN_MS = 2500;

/** A pause this long means that the question is whole: then meaning is asked, too, which takes a model a moment. */
const PAUSE_MS = 280;

/** Words at once with every keystroke, words and meaning when the person pauses. Answers of older questions are dropped. */
export function useSearch(query: string, filters: Filters): Found {
  const [found, setFound] = useState<Found>(NOTHING);
  const isOnline = useStore(online);
  const key = useStore(token);
  const library = useStore(live);
  const byMeaning = library?.vectors.model != null;
  const asked = JSON.stringify({ query: query.trim(), ...given(filters) });
  useEffect(() => {
    const input = JSON.parse(asked) as { query: string };
    if (input.query === '') {
      setFound(NOTHING);
      return undefined;
    }
    const stop = new AbortController();
    const common = { ...input, limit: 12, context: 'none', explain: true };
    const ask = async (more: object): Promise<SearchAnswer | null> => {
      try {
        const answer = await call<SearchAnswer>('search', { ...common, ...more }, { signal: stop.signal });
        return stop.signal.aborted ? null : answer;
      } catch (error) {
        if (!stop.signal.aborted)
          setFound((before) => ({ ...before, problem: asProblem(error), busy: false }));
        return null;
      }
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    let hasMeaning = false;
    const askMeaning = async (): Promise<void> => {
      const answer = await ask({});
      if (answer === null) return;
      hasMeaning = true;
      const lacksMeaning = answer.mode === 'keyword';
      setFound({ answer, problem: null, busy: false, lacksMeaning });
      if (lacksMeaning) timer = setTimeout(() => void askMeaning(), MODEL_AGAIN_MS);
    };
    setFound((before) => ({ ...before, busy: true }));
    void ask({ mode: 'keyword', prefix: true }).then((answer) => {
      // Meaning knows more: an answer by words that comes later must not replace it.
      if (answer !== null && !hasMeaning)
        setFound({ answer, problem: null, busy: false, lacksMeaning: false });
    });
    if (byMeaning) timer = setTimeout(() => void askMeaning(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [asked, isOnline, key, byMeaning]);
  return found;
}

const given = ({ formats, content_types, path }: Filters) => ({
  filter: {
    ...(formats.length > 0 && { file_types: formats }),
    ...(content_types.length > 0 && { content_types }),
    ...(path !== '' && { path }),
  },
});
