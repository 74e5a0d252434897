import type { Chunk } from '../../model/chunk.js';
import { StrataError } from '../../model/errors.js';

/** What a search tool is: a question to the long strings of a table. Kept as a record of the library. */
export interface SearchTool {
  /** Minted when it is made: what belongs to the tool (vectors elsewhere, say) is marked with it. */
  readonly id: string;
  readonly name: string;
  readonly type: 'search';
  /** Agents read it to decide whether to call the tool. */
  readonly description: string;
  readonly table_id: string;
  /** One of the two: RFC 6901, or RFC 9535. */
  readonly pointer?: string;
  readonly path?: string;
  /** Strings of at least this length (UTF-16 units, as `length` counts) are indexed. */
  readonly chunk_threshold_chars: number;
  readonly mode: ToolMode;
  /** How many results where the caller names no number. */
  readonly top_k: number;
  readonly vectors: ToolVectors;
  readonly created_at: string;
}

/** `vector` is the seed's; `hybrid` adds words, from the library's own index. */
export const TOOL_MODES = ['vector', 'hybrid'] as const;
export type ToolMode = (typeof TOOL_MODES)[number];

/** `embedded`: the library's own index. A namespace: turbopuffer, filled from here. */
export type ToolVectors = 'embedded' | { readonly turbopuffer_namespace: string };

export interface ToolQuery {
  readonly query: string;
  readonly top_k?: number | undefined;
}

/** The seed's result: the whole chunk, so that no second question is needed. */
export interface ToolResult {
  readonly score: number;
  readonly chunk: Pick<Chunk, 'id' | 'chunk_index'> & {
    /** The absolute RFC 6901 pointer of the string that it is part of. */
    readonly json_pointer: string;
    readonly total_chunks: number;
    readonly chunk_text: string;
    readonly content_hash: string;
    readonly table_id: string;
    readonly turbopuffer_namespace?: string;
    readonly turbopuffer_doc_id?: string;
  };
}

export interface ToolAnswer {
  readonly tool: string;
  readonly query: string;
  readonly top_k: number;
  readonly mode: ToolMode;
  readonly results: readonly ToolResult[];
  /** What the caller should know: "vectors cover 40 % of the chunks", and the like. */
  readonly notices: readonly string[];
}

export const DEFAULT_THRESHOLD = 200;
export const DEFAULT_TOP_K = 5;
export const MOST_TOP_K = 100;

export function checkTopK(top_k: number): void {
  if (Number.isSafeInteger(top_k) && top_k >= 1 && top_k <= MOST_TOP_K) return;
  throw new StrataError('INVALID_ARGUMENT', `top_k: must be a whole number from 1 to ${MOST_TOP_K}`);
}
