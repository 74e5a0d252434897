import { useCallback, useEffect, useState } from 'preact/hooks';
import { call, Problem } from './api.js';
import { live, online } from './live.js';
import { token } from './session.js';
import { useStore } from './store.js';

export interface Asked<A> {
  readonly answer: A | null;
  readonly problem: Problem | null;
  readonly loading: boolean;
  again(): void;
}

export const asProblem = (error: unknown): Problem =>
  error instanceof Problem
    ? error
    : new Problem('INTERNAL', error instanceof Error ? error.message : String(error));

/**
 * What an operation answers, asked again when its input changes, when the server is back after it was gone, and, where
 * `follows` says so, when the library has changed. The last answer stays until the next is there. Null input asks nothing.
 */
export function useAnswer<A>(name: string, input: object | null, { follows = false } = {}): Asked<A> {
  const [state, setState] = useState<Omit<Asked<A>, 'again'>>({
    answer: null,
    problem: null,
    loading: input !== null,
  });
  const [turn, setTurn] = useState(0);
  const isOnline = useStore(online);
  const key = useStore(token);
  const generation = useStore(live)?.generation;
  const question = input === null ? null : JSON.stringify(input);
  useEffect(() => {
    if (question === null) {
      setState({ answer: null, problem: null, loading: false });
      return undefined;
    }
    const stop = new AbortController();
    setState((before) => ({ ...before, loading: true }));
    call<A>(name, JSON.parse(question) as object, { signal: stop.signal }).then(
      (answer) => !stop.signal.aborted && setState({ answer, problem: null, loading: false }),
      (error: unknown) =>
        !stop.signal.aborted &&
        setState((before) => ({ ...before, problem: asProblem(error), loading: false })),
    );
    return () => stop.abort();
  }, [name, question, turn, isOnline, key, follows ? generation : 0]);
  const again = useCallback(() => setTurn((count) => count + 1), []);
  return { ...state, again };
}
