import type { Json } from '../model/json/json.js';
import type { OnProgress } from '../model/progress.js';
import type { Principal } from './access/principal.js';
import type { SearchTool, ToolAnswer, ToolMode, ToolQuery, ToolVectors } from './search/search-tool.js';

/** Who asks, and how the work is watched and ended. */
export interface ToolContext {
  /** The library's owner where none is given: the local command line. */
  readonly principal?: Principal | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
  readonly onNotice?: ((line: string) => void) | undefined;
  /** Default true: vectors follow before the call returns. Without, strings are found by their words until somebody embeds. */
  readonly embed?: boolean | undefined;
}

/** Tables hold JSON; search tools answer questions from their long strings. Every method checks what the caller may do. */
export interface Tools {
  readonly tables: Tables;
  /** The same name with the same scope again changes nothing; another scope is refused. */
  create(request: ToolRequest, context?: ToolContext): Promise<ToolReport>;
  list(context?: ToolContext): Promise<readonly ToolDetails[]>;
  show(name: string, context?: ToolContext): Promise<ToolDetails>;
  /** Brings index and vectors into agreement with the table, whatever was interrupted before. */
  reindex(name: string, context?: ToolContext): Promise<ToolReport>;
  remove(name: string, context?: ToolContext): Promise<ToolRemoval>;
  call(name: string, query: ToolQuery, context?: ToolContext): Promise<ToolAnswer>;
  /** Called after a tool was made, changed or removed by this object. The answer ends it. */
  onChange(listener: () => void): () => void;
}

export interface Tables {
  put(tableId: string, content: TableContent, context?: ToolContext): Promise<TableReport>;
  /** The whole, or what stands at a JSON pointer. */
  get(tableId: string, pointer?: string, context?: ToolContext): Promise<Json>;
  list(context?: ToolContext): Promise<readonly Table[]>;
  /** Refused while tools use it. */
  remove(tableId: string, context?: ToolContext): Promise<{ readonly removed: Table }>;
  patch(tableId: string, patch: TablePatch, context?: ToolContext): Promise<TableReport>;
}

/** JSON as a text, or a file that a worker reads. */
export type TableContent = { readonly text: string } | { readonly file: string };

/** RFC 6902, or one value in the place of another. Both are JSON as a text or a file. */
export type TablePatch = TableContent & { readonly pointer?: string | undefined };

export interface Table {
  readonly table_id: string;
  readonly bytes: number;
  /** How many strings it holds, of whatever length. */
  readonly strings: number;
  readonly content_hash: string;
  readonly updated_at: string;
}

export interface TableReport {
  readonly table: Table;
  readonly outcome: 'added' | 'changed' | 'unchanged';
  /** What became of the tools over it. */
  readonly tools: readonly ToolReport[];
}

export interface ToolRequest {
  readonly name: string;
  readonly description?: string | undefined;
  readonly table_id: string;
  readonly pointer?: string | undefined;
  readonly path?: string | undefined;
  readonly chunk_threshold_chars?: number | undefined;
  readonly mode?: ToolMode | undefined;
  readonly top_k?: number | undefined;
  readonly vectors?: ToolVectors | undefined;
}

/** What one run did. */
export interface ToolReport {
  readonly tool: SearchTool;
  readonly outcome: 'added' | 'changed' | 'unchanged';
  readonly strings: { readonly added: number; readonly changed: number; readonly removed: number };
  /** Vectors made in this run, for all tools of the table. */
  readonly embedded: number;
  /** Rows written to and deleted from turbopuffer. */
  readonly upserted: number;
  readonly deleted: number;
  readonly interrupted: boolean;
  readonly notices: readonly string[];
}

export interface ToolDetails extends SearchTool {
  readonly strings: number;
  readonly chunks: number;
  /** Chunks that have no vector yet. */
  readonly pending: number;
  /** Chunks on their way to turbopuffer, or out of it. */
  readonly outbox: number;
}

export interface ToolRemoval {
  readonly removed: SearchTool;
  /** False where turbopuffer could not be reached: the clean-up is kept, and finished by the next command that can. */
  readonly cleaned: boolean;
  readonly notices: readonly string[];
}
