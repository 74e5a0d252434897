import { store } from './store.js';

/**
 * Who looks: the token that every request carries. It stays in this tab only, and for this address and port only: other
 * servers on the same machine never see it, and no page of another origin can send it.
 */
const KEY = 'strata-token';

export const token = store<string | null>(sessionStorage.getItem(KEY));

/** Set when the server has refused what we have: the page asks for another. */
export const needsKey = store<'never' | 'missing' | 'refused'>('never');

/** Why the server has refused it; whoever holds a key that has expired is told so. */
export const refusal = store<string | null>(null);

export function useKey(value: string): void {
  sessionStorage.setItem(KEY, value);
  token.set(value);
  needsKey.set('never');
}

export function forgetKey(): void {
  sessionStorage.removeItem(KEY);
  token.set(null);
}

/** The code behind the `#` that `strata open` puts there; taken out of the address before anything else happens. */
export function takeCode(): string | null {
  const match = /^#code=([\w-]+)$/.exec(location.hash);
  if (match === null) return null;
  history.replaceState(null, '', location.pathname + location.search);
  return match[1]!;
}
