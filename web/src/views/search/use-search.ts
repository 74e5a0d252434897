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
}

/** A pause this long means that the question is whole: then meaning is asked, too, which takes a model a moment. */
const PAUSE_MS = 280;

/** Words at once with every keystroke, words and meaning when the person pauses. Answers of older questions are dropped. */
export function useSearch(query: string, filters: Filters): Found {
  const [found, setFound] = useState<Found>({ answer: null, problem: null, busy: false });
  const isOnline = useStore(online);
  const key = useStore(token);
  const library = useStore(live);
  const byMeaning = library?.vectors.model != null;
  const asked = JSON.stringify({ query: query.trim(), ...given(filters) });
  useEffect(() => {
    const input = JSON.parse(asked) as { query: string };
    if (input.query === '') {
      setFound({ answer: null, problem: null, busy: false });
      return undefined;
    }
    const stop = new AbortController();
    const common = { ...input, limit: 12, context: 'none', explain: true };
    const ask = (more: object): Promise<void> =>
      call<SearchAnswer>('search', { ...common, ...more }, { signal: stop.signal }).then(
        (answer) => {
          if (!stop.signal.aborted) setFound({ answer, problem: null, busy: false });
        },
        (error: unknown) => {
          if (!stop.signal.aborted)
            setFound((before) => ({ ...before, problem: asProblem(error), busy: false }));
        },
      );
    setFound((before) => ({ ...before, busy: true }));
    void ask({ mode: 'keyword', prefix: true });
    const timer = byMeaning ? setTimeout(() => void ask({}), PAUSE_MS) : undefined;
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
