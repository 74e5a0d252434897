import type { Chunk } from '../../model/chunk.js';
import { derivedId } from '../../model/id.js';
import type { Json, JsonObject } from '../../model/json/json.js';

/** Names that only we may give: what a document says of itself (front matter) must not make it a table's string. */
const RESERVED = ['table_id', 'json_pointer', 'content_hash', 'search_tools', 'turbopuffer', 'newlines'];

export const TABLE_SOURCE = 'table:';

export const tableSource = (tableId: string, pointer: string): string =>
  `${TABLE_SOURCE}${tableId}#${pointer}`;

/** What the document of a table's string has in its metadata. */
export interface TableMetadata extends JsonObject {
  readonly table_id: string;
  readonly json_pointer: string;
  /** SHA-256 of the string as it stands in the table. */
  readonly content_hash: string;
  /** Ids of the tools that cover it. */
  readonly search_tools: readonly string[];
  /** Where vectors of its chunks are kept beside the library's own, by tool. */
  readonly turbopuffer: readonly { readonly tool_id: string; readonly namespace: string }[];
  /** How its lines end, one letter each (`newlinesOf`); absent where all end with `\n`. */
  readonly newlines?: string;
}

/** Null where the document is no table's string, or says so in a form that is not ours. */
export function tableMetadata({
  source,
  metadata,
}: {
  readonly source: string;
  readonly metadata: JsonObject;
}): TableMetadata | null {
  if (!source.startsWith(TABLE_SOURCE)) return null;
  const { table_id, json_pointer, content_hash, search_tools, turbopuffer, newlines } = metadata;
  if (![table_id, json_pointer, content_hash].every((value) => typeof value === 'string')) return null;
  if (!Array.isArray(search_tools) || !search_tools.every((id) => typeof id === 'string')) return null;
  if (!Array.isArray(turbopuffer) || !turbopuffer.every(isTarget)) return null;
  if (newlines !== undefined && typeof newlines !== 'string') return null;
  return metadata as TableMetadata;
}

const isTarget = (value: Json): boolean =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as JsonObject).tool_id === 'string' &&
  typeof (value as JsonObject).namespace === 'string';

/** A document's own metadata, without what is ours to say. */
export function withoutReserved(metadata: JsonObject): JsonObject {
  if (!RESERVED.some((name) => Object.hasOwn(metadata, name))) return metadata;
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => !RESERVED.includes(name)));
}

/** The id of a chunk's vector at turbopuffer: two tools may share a namespace. 36 bytes of the 64 that an id may have. */
export const vectorId = (toolId: string, chunkId: string): string => derivedId('vector', toolId, chunkId);

/** The chunks of a table's string with the fields that only they have. */
export function* tableChunks(
  chunks: Iterable<Chunk>,
  { json_pointer, content_hash, turbopuffer, newlines }: TableMetadata,
  text: string,
  total_chunks: number,
): Generator<Chunk, void, undefined> {
  const endings = newlines === undefined ? null : new Endings(text, newlines);
  for (const chunk of chunks) {
    const kept = turbopuffer.map(({ tool_id, namespace }) => ({
      tool_id,
      turbopuffer_namespace: namespace,
      turbopuffer_doc_id: vectorId(tool_id, chunk.id),
    }));
    const ends = endings?.within(chunk.start_position, chunk.end_position);
    const metadata = {
      ...chunk.metadata,
      ...(kept.length > 0 && { turbopuffer: kept }),
      ...(ends && { newlines: ends }),
    };
    yield { ...chunk, json_pointer, total_chunks, content_hash, metadata };
  }
}

/** `n` for `\n`, `r` for `\r`, `b` for both: texts are kept with `\n`, and a string must be given as it is in its table. */
export function newlinesOf(text: string): string | undefined {
  if (!text.includes('\r')) return undefined;
  return [...text.matchAll(/\r\n|\r|\n/g)]
    .map(([ending]) => (ending === '\n' ? 'n' : ending === '\r' ? 'r' : 'b'))
    .join('');
}

/** A chunk's text as it stands in its table. */
export function originalText({ content, metadata }: Pick<Chunk, 'content' | 'metadata'>): string {
  const kinds = (metadata as { readonly newlines?: Json }).newlines;
  if (typeof kinds !== 'string') return content;
  let at = 0;
  return content.replaceAll('\n', () => ({ b: '\r\n', r: '\r' })[kinds[at++] ?? 'n'] ?? '\n');
}

/** How the lines of a part of the text end. */
class Endings {
  readonly #kinds: string;
  readonly #offsets: number[] = [];

  constructor(text: string, kinds: string) {
    this.#kinds = kinds;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#offsets.push(at);
  }

  within(start: number, end: number): string | undefined {
    const first = this.#before(start);
    const kinds = this.#kinds.slice(first, this.#before(end));
    return /[rb]/.test(kinds) ? kinds : undefined;
  }

  /** How many newlines stand before an offset. */
  #before(offset: number): number {
    let low = 0;
    let high = this.#offsets.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#offsets[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
