import { StrataError } from '../errors.js';
import type { Json } from './json.js';

/** JSON pointers (RFC 6901): `/paths/~1users/0`. `~` is written `~0` and `/` is written `~1`. */

/** The reference tokens of a pointer, unescaped. The empty pointer has none: it is the whole document. */
export function parsePointer(pointer: string): string[] {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) throw invalid(pointer, 'it must be empty or start with "/"');
  if (/~(?![01])/.test(pointer)) throw invalid(pointer, '"~" must be followed by 0 or 1');
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export const formatPointer = (tokens: readonly (string | number)[]): string =>
  tokens.map((token) => `/${escapeToken(String(token))}`).join('');

export const escapeToken = (token: string): string =>
  /[~/]/.test(token) ? token.replaceAll('~', '~0').replaceAll('/', '~1') : token;

/** The value there, or undefined where there is none. `-` is the place after an array's end: there is nothing. */
export function resolvePointer(document: Json, pointer: string): Json | undefined {
  let at: Json | undefined = document;
  for (const token of parsePointer(pointer)) {
    if (isArray(at)) at = /^(?:0|[1-9]\d*)$/.test(token) ? at[Number(token)] : undefined;
    else if (typeof at === 'object' && at !== null) at = Object.hasOwn(at, token) ? at[token] : undefined;
    else return undefined;
  }
  return at;
}

/** Every string in a document with its pointer, in document order, without recursion. */
export function* stringNodes(document: Json, base = ''): Generator<{ pointer: string; value: string }> {
  const stack: { pointer: string; value: Json }[] = [{ pointer: base, value: document }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { pointer, value } = next;
    if (typeof value === 'string') yield { pointer, value };
    else if (typeof value === 'object' && value !== null) {
      const entries = isArray(value) ? [...value.entries()] : Object.entries(value);
      for (const [key, inner] of entries.reverse()) {
        stack.push({ pointer: `${pointer}/${escapeToken(String(key))}`, value: inner });
      }
    }
  }
}

const isArray = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

const invalid = (pointer: string, problem: string): StrataError =>
  new StrataError('INVALID_ARGUMENT', `"${pointer}" is no JSON pointer: ${problem}`);
