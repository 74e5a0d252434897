import { StrataError } from '../../model/errors.js';
import { sha256 } from '../../model/hash.js';
import type { Json } from '../../model/json/json.js';
import { resolvePointer } from '../../model/json/pointer.js';
import { decode } from '../../parse/decode.js';
import { readFileBytes } from '../../source/read.js';
import type { DocumentLimits } from '../prepare/limits.js';
import { applyPatch, replaceAt } from './json-patch.js';
import { readJson } from './table-json.js';
import { countStrings, type StringScope, stringsInScopes, type TableString } from './table-strings.js';

/** In bytes of JSON. A table is parsed as a whole to be changed, and its records are written in one transaction. */
export const MOST_TABLE_BYTES = 128 * 2 ** 20;

/** JSON as a text, in parts as the store keeps it, or a file to read. Plain data. */
export type TableInput = { readonly text: readonly string[] } | { readonly file: string };

/** What is done with the JSON of a table, in this process or in a worker: servers parse nothing themselves. */
export interface TableJob {
  readonly kind: 'table';
  readonly input: TableInput;
  readonly ask:
    | { readonly get: 'facts' }
    | { readonly get: 'value'; readonly pointer: string }
    | { readonly get: 'strings'; readonly scopes: readonly StringScope[] }
    /** With a pointer `change` is the value that goes there, else a JSON Patch. */
    | { readonly get: 'changed'; readonly change: TableInput; readonly pointer?: string };
  readonly limits: DocumentLimits;
}

/** A table as it is kept: its JSON in parts, each small enough for a record. */
export interface TableFacts {
  readonly text: readonly string[];
  readonly bytes: number;
  readonly strings: number;
  readonly content_hash: string;
}

export type TableResult =
  | { readonly table: TableFacts }
  | { readonly json: string }
  | { readonly found: readonly TableString[] };

export async function performTable({ input, ask }: TableJob): Promise<TableResult> {
  const document = await jsonOf(input);
  switch (ask.get) {
    case 'facts':
      return { table: factsOf(document) };
    case 'value':
      return { json: JSON.stringify(valueAt(document, ask.pointer)) };
    case 'strings':
      for (const { pointer, required } of ask.scopes)
        if (required && pointer !== undefined) valueAt(document, pointer);
      return { found: stringsInScopes(document, ask.scopes) };
    case 'changed': {
      const change = await jsonOf(ask.change);
      const { pointer } = ask;
      return {
        table: factsOf(
          pointer === undefined ? applyPatch(document, change) : replaceAt(document, pointer, change),
        ),
      };
    }
  }
}

function valueAt(document: Json, pointer: string): Json {
  const value = resolvePointer(document, pointer);
  if (value === undefined)
    throw new StrataError(
      'NOT_FOUND',
      `nothing is at "${pointer}"; \`strata table get\` without a pointer shows the whole table`,
    );
  return value;
}

async function jsonOf(input: TableInput): Promise<Json> {
  if ('text' in input) return namedJson('content', input.text.join(''));
  const { bytes } = await readFileBytes(input.file, { limit: MOST_TABLE_BYTES, follow: true });
  return namedJson(input.file, decode(bytes));
}

/** What is wrong with the JSON is said with the name of what holds it. */
function namedJson(name: string, text: string): Json {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof StrataError) throw new StrataError(error.code, `${name}: ${error.message}`);
    throw error;
  }
}

/** In characters. */
const PART = 512 * 1024;

function factsOf(document: Json): TableFacts {
  const json = JSON.stringify(document);
  const bytes = Buffer.byteLength(json);
  if (bytes > MOST_TABLE_BYTES)
    throw new StrataError('LIMIT', `is ${bytes} bytes of JSON; a table may have ${MOST_TABLE_BYTES}`);
  const text: string[] = [];
  for (let at = 0; at < json.length; ) {
    let end = Math.min(at + PART, json.length);
    // A pair of surrogates stays together: stores keep well-formed text only.
    if (end < json.length && /[\ud800-\udbff]/.test(json[end - 1]!)) end--;
    text.push(json.slice(at, end));
    at = end;
  }
  return { text, bytes, strings: countStrings(document), content_hash: sha256(json) };
}
