import { createHash, timingSafeEqual } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { StrataError } from '../../model/errors.js';
import type { AccessLevel, Principal } from '../../tools/access/principal.js';

const TOKEN_LEVELS: readonly AccessLevel[] = ['read', 'write'];

/** Finds the principal behind a bearer token; null for a token nobody has. */
export interface TokenBook {
  readonly size: number;
  principalOf(token: string): Principal | null;
}

/** Short tokens can be guessed over the network: 16 characters of a random alphabet are about 80 bits or more. */
const SHORTEST_TOKEN = 16;

const digest = (token: string): Buffer => createHash('sha256').update(token).digest();

/**
 * A token file has one line per token: `TOKEN NAME LEVEL` (level `read` or `write`; `#` starts a comment).
 * Only digests stay in memory, and all are compared, so the time taken tells nothing about any token.
 */
export function tokenBook(text: string, origin = 'the token file'): TokenBook {
  const entries: { key: Buffer; principal: Principal }[] = [];
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.replace(/#.*$/, '').trim();
    if (line === '') continue;
    const [token = '', name = `token-${index + 1}`, level = 'read', ...rest] = line.split(/\s+/);
    const access = TOKEN_LEVELS.find((known) => known === level);
    if (access === undefined || rest.length > 0) {
      throw new StrataError(
        'INVALID_ARGUMENT',
        `${origin}, line ${index + 1}: expected "TOKEN NAME LEVEL" with a level of ${TOKEN_LEVELS.join(' or ')}`,
      );
    }
    if (token.length < SHORTEST_TOKEN) {
      throw new StrataError(
        'INVALID_ARGUMENT',
        `${origin}, line ${index + 1}: the token has fewer than ${SHORTEST_TOKEN} characters; take a random one`,
      );
    }
    const key = digest(token);
    entries.push({ key, principal: { kind: 'token', name, access, key: key.toString('hex') } });
  }
  return {
    size: entries.length,
    principalOf(token) {
      const key = digest(token);
      let found: Principal | null = null;
      for (const entry of entries) if (timingSafeEqual(entry.key, key)) found = entry.principal;
      return found;
    },
  };
}

/** Reads a token file; says so (through `warn`) when others on this machine can read it too. */
export function readTokenFile(path: string, warn: (line: string) => void): TokenBook {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new StrataError(
      'FILE_UNREADABLE',
      `${path}: the token file cannot be read (${(cause as NodeJS.ErrnoException).code}); make one with a line a token: TOKEN NAME read|write`,
      {
        cause,
      },
    );
  }
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) {
    warn(`${path} can be read by others on this machine; \`chmod 600\` it`);
  }
  const book = tokenBook(text, path);
  if (book.size === 0) throw new StrataError('INVALID_ARGUMENT', `${path}: the token file holds no token`);
  return book;
}
