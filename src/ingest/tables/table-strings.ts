import { sha256 } from '../../model/hash.js';
import type { Json } from '../../model/json/json.js';
import { atRoot, isSelected, type Positions, parsePath, pointerSegments, step } from './json-path.js';
import { type JsonNode, walkJson } from './table-json.js';

/** What a search tool covers of its table. */
export interface StringScope {
  readonly pointer?: string;
  readonly path?: string;
  /** Whether it is a mistake that nothing stands at the pointer. */
  readonly required?: boolean;
  /** Strings of at least this length. */
  readonly threshold: number;
}

/** A string that at least one scope covers. Plain data: it travels to other processes. */
export interface TableString {
  readonly pointer: string;
  readonly title: string;
  readonly text: string;
  readonly content_hash: string;
  /** Which of the scopes cover it, by their places in the list. */
  readonly scopes: readonly number[];
}

/** All strings that the scopes cover, in document order, by one walk. */
export function stringsInScopes(document: Json, scopes: readonly StringScope[]): TableString[] {
  const paths = scopes.map(({ pointer, path }) =>
    path === undefined ? pointerSegments(pointer ?? '') : parsePath(path),
  );
  const found: TableString[] = [];
  walkJson<readonly Positions[]>(
    document,
    paths.map(() => atRoot),
    (node, positions) => {
      const { value } = node;
      if (typeof value === 'string') {
        const covering = scopes.flatMap(({ threshold }, at) =>
          value.length >= threshold && isSelected(paths[at]!, positions[at]!) ? [at] : [],
        );
        if (covering.length > 0) found.push(stringAt(node, value, covering));
      }
      if (positions.every((some) => some.length === 0)) return null;
      return (key, siblings) => positions.map((some, at) => step(paths[at]!, some, key, siblings));
    },
  );
  return found;
}

function stringAt(node: JsonNode, text: string, scopes: readonly number[]): TableString {
  const { pointer } = node;
  return { pointer, title: titleOf(node), text, content_hash: sha256(text), scopes };
}

/** What records usually call themselves by. */
const TITLES = ['title', 'name', 'heading', 'chunk_heading', 'summary', 'question', 'label', 'operationId'];
const LONGEST_TITLE = 200;

/** A record's own title, beside the string; else the nearest key above it that is a word. */
function titleOf({ parent, key, pointer }: JsonNode): string {
  if (typeof parent === 'object' && parent !== null && !Array.isArray(parent)) {
    for (const name of TITLES) {
      const value =
        Object.hasOwn(parent, name) && name !== key ? (parent as { [key: string]: Json })[name] : null;
      if (typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST_TITLE)
        return value.trim();
    }
  }
  const words = pointer.split('/').filter((token) => token !== '' && !/^\d+$/.test(token));
  return (words.at(-1) ?? '').replaceAll('~1', '/').replaceAll('~0', '~').slice(0, LONGEST_TITLE);
}

export function countStrings(document: Json): number {
  let count = 0;
  walkJson(document, null, ({ value }) => {
    if (typeof value === 'string') count++;
    return () => null;
  });
  return count;
}
