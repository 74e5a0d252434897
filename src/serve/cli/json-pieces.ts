/** Of what a program prints as JSON: a list whose items are made while it is written, and not kept. */
export class WrittenList<T> {
  readonly #items: () => Iterable<T>;

  constructor(items: () => Iterable<T>) {
    this.#items = items;
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#items()[Symbol.iterator]();
  }

  toJSON(): T[] {
    return [...this];
  }
}

/** How deep an answer is taken apart: a list of documents, and the fields of each. */
const DEPTH = 2;
/** Longer strings are written in parts; in characters. */
const LONG = 64 * 1024;

/**
 * `JSON.stringify(value, null, 2)` in pieces: as one string, a document with all its records is twenty times as large as
 * its file.
 */
export function* jsonPieces(value: unknown, indent = '', depth = DEPTH): Generator<string, void, undefined> {
  if (typeof value === 'string' && value.length > LONG) yield* stringPieces(value);
  else if (value instanceof WrittenList) yield* listPieces(value, indent, 0);
  else if (depth > 0 && Array.isArray(value)) yield* listPieces(value, indent, depth - 1);
  else if (isRecord(value) && (depth > 0 || hasLong(value))) yield* recordPieces(value, indent, depth);
  else yield (JSON.stringify(value, null, 2) ?? 'null').replaceAll('\n', `\n${indent}`);
}

function* listPieces(items: Iterable<unknown>, indent: string, depth: number): Generator<string> {
  const inner = `${indent}  `;
  let isFirst = true;
  for (const item of items) {
    yield `${isFirst ? '[' : ','}\n${inner}`;
    yield* jsonPieces(item, inner, depth);
    isFirst = false;
  }
  yield isFirst ? '[]' : `\n${indent}]`;
}

function* recordPieces(record: Record<string, unknown>, indent: string, depth: number): Generator<string> {
  const inner = `${indent}  `;
  let isFirst = true;
  for (const key of Object.keys(record)) {
    const value = record[key];
    if (value === undefined || typeof value === 'function') continue;
    yield `${isFirst ? '{' : ','}\n${inner}${JSON.stringify(key)}: `;
    yield* jsonPieces(value, inner, depth - 1);
    isFirst = false;
  }
  yield isFirst ? '{}' : `\n${indent}}`;
}

function* stringPieces(text: string): Generator<string> {
  yield '"';
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + LONG);
    // A pair of surrogates is one character.
    if ((text.charCodeAt(to - 1) & 0xfc00) === 0xd800) to++;
    yield JSON.stringify(text.slice(from, to)).slice(1, -1);
    from = to;
  }
  yield '"';
}

const hasLong = (record: Record<string, unknown>): boolean =>
  Object.values(record).some((value) => typeof value === 'string' && value.length > LONG);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !('toJSON' in value);
