import { fill, type Translations, translationsNow } from './language.js';

/**
 * Errors, notices and stages of progress are written by parts that know nothing of languages, and arrive filled in. Their
 * template is found again by its fixed parts, and what was filled in is kept (or is a message itself: `a.pdf: reason`).
 * Only the fixed words of ours can match, each part found by `indexOf`, one after the other: a hostile path costs no more
 * than its length.
 */
export function translate(message: string): string {
  const table = translationsNow();
  return messageIn(table, compiled(table), message, NESTED_MOST);
}

/** `file: reason (hint)` is three deep. */
const NESTED_MOST = 4;

/** `{1} files` counts: a folder called `my files` is none of them. */
const COUNT = /^\{1\} (?!(?:is|was|has) )[a-z]+( [a-z]+)?$/;

interface Template {
  readonly key: string;
  readonly parts: readonly string[];
  /** Of the fixed words: where several templates fit, the one that leaves least to chance is meant. */
  readonly weight: number;
}

const known = new WeakMap<Translations, readonly Template[]>();

function compiled(table: Translations): readonly Template[] {
  let templates = known.get(table);
  if (templates === undefined) {
    templates = Object.keys(table)
      .filter((key) => key.includes('{1}'))
      .map((key) => ({ key, parts: key.split(/\{\d\}/), weight: key.replace(/\{\d\}/g, '').length }))
      .sort((a, b) => b.weight - a.weight);
    known.set(table, templates);
  }
  return templates;
}

function messageIn(
  table: Translations,
  templates: readonly Template[],
  message: string,
  depth: number,
): string {
  // A word by itself is a message of ours only where nothing was filled in: a file may be called `store`.
  if (Object.hasOwn(table, message) && (depth === NESTED_MOST || message.includes(' ')))
    return table[message] as string;
  if (depth === 0) return message;
  for (const { key, parts } of templates) {
    const values = valuesOf(message, parts);
    if (values === null || (COUNT.test(key) && !/^[\d,.]+$/.test(values[0] as string))) continue;
    const inner = values.map((value) => messageIn(table, templates, value, depth - 1));
    return fill(table[key] ?? key, inner);
  }
  return message;
}

/** What stands between the fixed parts, or null where they are not all there in this order. */
function valuesOf(message: string, parts: readonly string[]): string[] | null {
  const [first = '', ...rest] = parts;
  const last = rest.pop() ?? '';
  if (!message.startsWith(first) || !message.endsWith(last)) return null;
  const values: string[] = [];
  const end = message.length - last.length;
  let at = first.length;
  for (const part of rest) {
    const next = message.indexOf(part, at + 1);
    if (next === -1 || next + part.length > end) return null;
    values.push(message.slice(at, next));
    at = next + part.length;
  }
  if (at > end) return null;
  values.push(message.slice(at, end));
  return values;
}
