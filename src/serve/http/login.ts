import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Principal } from '../../tools/access/principal.js';
import type { TokenBook } from './token-file.js';

/**
 * How a person gets from `strata open` into the page: the address that opens holds a code behind its `#`, which browsers
 * send to nobody. The page hands it in once and gets a token for as long as this server runs. No cookie: those of one
 * address are sent to every port of it, so a page of another program on this machine would get it too.
 */
export interface Login {
  /** Good once, and for a few minutes. */
  readonly code: string;
  /** The token, or null for a code that is wrong, used or too old. */
  redeem(code: string): string | null;
  readonly tokens: TokenBook;
}

const GOOD_FOR_MS = 10 * 60_000;
const BYTES = 32;

const random = (): string => randomBytes(BYTES).toString('base64url');
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

export function createLogin(principal: Principal, now: () => number = Date.now): Login {
  const code = random();
  const until = now() + GOOD_FOR_MS;
  let token: Buffer | null = null;
  return {
    code,
    redeem(given) {
      if (token !== null || now() > until || !timingSafeEqual(digest(given), digest(code))) return null;
      const made = random();
      token = digest(made);
      return made;
    },
    tokens: {
      size: 1,
      principalOf: (given) => (token !== null && timingSafeEqual(digest(given), token) ? principal : null),
    },
  };
}

/** The principals of two books: of a token file, and of whoever opened the page. */
export const bothBooks = (first: TokenBook, second: TokenBook): TokenBook => ({
  size: first.size + second.size,
  principalOf: (token) => first.principalOf(token) ?? second.principalOf(token),
});
