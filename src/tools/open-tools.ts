import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { embedAdded } from '../engine/add.js';
import type { Library } from '../engine/library.js';
import type { LibraryParts } from '../engine/library-parts.js';
import { deliver } from '../engine/mirror/deliver.js';
import { agreeToMirror } from '../engine/mirror/open-mirror.js';
import { partsOf } from '../engine/open-library.js';
import { parsePath } from '../ingest/tables/json-path.js';
import { tableMetadata } from '../ingest/tables/table-chunks.js';
import { StrataError } from '../model/errors.js';
import { mintId } from '../model/id.js';
import { parsePointer } from '../model/json/pointer.js';
import { withLease } from '../store/lock/lease.js';
import { everythingRecord, outboxNotes } from '../store/outbox.js';
import { grantsGoneWith } from './access/grants.js';
import { type Action, may, missing, requirePermission, requireToPut } from './access/permission.js';
import { LOCAL_PRINCIPAL } from './access/principal.js';
import { callTool } from './search/call-tool.js';
import { type IndexedStrings, indexStrings } from './search/index-strings.js';
import {
  checkTopK,
  DEFAULT_THRESHOLD,
  DEFAULT_TOP_K,
  type SearchTool,
  type ToolAnswer,
  type ToolQuery,
} from './search/search-tool.js';
import { checkNamespace, checkToolName, namespaceOf, TOOLS, toolsOf } from './search/tool-store.js';
import { isIndexed, readTable, readTables } from './tables/table-store.js';
import { LibraryTables } from './tables/tables.js';
import type {
  Tables,
  ToolContext,
  ToolDetails,
  ToolRemoval,
  ToolReport,
  ToolRequest,
  Tools,
} from './tools.js';

/** The tables and search tools of a library. */
export const openTools = (library: Library): Tools => new LibraryTools(library);

/** Beside the data, as the embedder's lease is. */
const LEASE_FOLDER = 'tables';
const OTHERS_WORK = 'Another process is changing the tables of this library; waiting for it.';

class LibraryTools implements Tools {
  readonly tables: Tables;
  readonly #library: Library;
  readonly #parts: LibraryParts;
  readonly #listeners = new Set<() => void>();

  constructor(library: Library) {
    this.#library = library;
    this.#parts = partsOf(library);
    this.tables = new LibraryTables(this.#parts, (...given) => this.#follow(...given));
  }

  async create(request: ToolRequest, context: ToolContext = {}): Promise<ToolReport> {
    const { backend } = this.#parts;
    const { name, table_id } = request;
    checkToolName(name);
    this.#require(context, 'use', 'table', table_id);
    if ((await readTable(backend, table_id)) === null) throw missing({ kind: 'table', id: table_id });
    const before = await TOOLS.read(backend, name);
    requireToPut(context.principal ?? LOCAL_PRINCIPAL, { kind: 'tool', id: name }, before !== null);
    const tool = toolOf(request, before);
    if (before !== null && !isSameScope(before, tool)) throw conflict(before);
    const isSame = before !== null && isDeepStrictEqual(before, tool);
    const namespace = namespaceOf(tool);
    // Whoever names it here wants it used.
    if (namespace !== null && request.vectors !== undefined)
      await agreeToMirror(this.#parts.trust, namespace);
    const reports = await this.#follow(table_id, context, async () => {}, isSame ? undefined : tool);
    this.#tell();
    const report = reports.find((one) => one.tool.name === name)!;
    return { ...report, outcome: before === null ? 'added' : isSame ? report.outcome : 'changed' };
  }

  async list(context: ToolContext = {}): Promise<readonly ToolDetails[]> {
    const { backend } = this.#parts;
    const tools = await TOOLS.readAll(backend);
    const { principal = LOCAL_PRINCIPAL } = context;
    const seen = tools.filter(({ name }) => may(principal, 'see', { kind: 'tool', id: name }));
    return this.#details(seen);
  }

  async show(name: string, context: ToolContext = {}): Promise<ToolDetails> {
    const [details] = await this.#details([await this.#tool(name, 'see', context)]);
    return details!;
  }

  async reindex(name: string, context: ToolContext = {}): Promise<ToolReport> {
    const tool = await this.#tool(name, 'change', context);
    const namespace = namespaceOf(tool);
    const reports = await this.#follow(tool.table_id, context, async () => {
      if (namespace === null) return;
      // Both sides are compared, row by row: whatever was lost or left behind is found.
      const record = everythingRecord({ tool_id: tool.id, namespace });
      await this.#parts.backend.commit({ records: [record] });
    });
    await this.#finishOthers(tool.table_id, context);
    return reports.find((one) => one.tool.name === name)!;
  }

  async remove(name: string, context: ToolContext = {}): Promise<ToolRemoval> {
    const removed = await this.#tool(name, 'change', context);
    const { backend } = this.#parts;
    const namespace = namespaceOf(removed);
    const before = new Set((await outboxNotes(backend)).map(({ id }) => id));
    await this.#follow(removed.table_id, context, async () => {
      const clean = namespace === null ? [] : [everythingRecord({ tool_id: removed.id, namespace })];
      const grants = await grantsGoneWith(backend, { kind: 'tool', id: name });
      await backend.commit({ records: [TOOLS.remove(name), ...clean, ...grants] });
    });
    this.#tell();
    const left = (await outboxNotes(backend)).filter(
      ({ id, target }) => target.tool_id === removed.id && !before.has(id),
    );
    const notices = left.length === 0 ? [] : [LEFT_BEHIND];
    return { removed, cleaned: left.length === 0, notices };
  }

  async call(name: string, query: ToolQuery, context: ToolContext = {}): Promise<ToolAnswer> {
    const tool = await this.#tool(name, 'use', context);
    return callTool(this.#library, tool, query, context.signal);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The change, the strings that follow from it, then their vectors. Only the first two are one process's at a time. */
  async #follow(
    tableId: string,
    context: ToolContext,
    change: () => Promise<void>,
    added?: SearchTool,
  ): Promise<readonly ToolReport[]> {
    const { backend } = this.#parts;
    const indexed = await this.#exclusive(context, async () => {
      await change();
      return indexStrings(this.#parts, tableId, context, added);
    });
    const vectors = await this.#vectors(indexed, context);
    const sent = await deliver(this.#parts, context);
    return (await toolsOf(backend, tableId)).map((tool) => {
      const strings = indexed.byTool.get(tool.id) ?? { added: 0, changed: 0, removed: 0 };
      const isSame = strings.added + strings.changed + strings.removed === 0;
      return {
        tool,
        outcome: isSame ? 'unchanged' : 'changed',
        strings,
        embedded: vectors.embedded,
        upserted: sent.upserted.get(tool.id) ?? 0,
        deleted: sent.deleted.get(tool.id) ?? 0,
        interrupted: indexed.interrupted || vectors.interrupted,
        notices: [...indexed.failed.slice(0, MOST_NOTICES), ...vectors.notices, ...sent.problems],
      };
    });
  }

  async #vectors({ interrupted }: IndexedStrings, context: ToolContext) {
    const { embed, signal, onProgress, onNotice = () => {} } = context;
    const done = { entries: [], chunks: { kept: 0, added: 0, removed: 0 }, interrupted };
    return embedAdded(this.#parts, done, { embed, signal, onProgress }, onNotice, (work) =>
      this.#library.embed(work),
    );
  }

  /** What another run has left unfinished in other tables: it was killed while it made or removed a tool. */
  async #finishOthers(tableId: string, context: ToolContext): Promise<void> {
    const { backend } = this.#parts;
    for (const table of await readTables(backend)) {
      if (table.table_id === tableId) continue;
      const ids = (await toolsOf(backend, table.table_id)).map(({ id }) => id);
      if (!(await isIndexed(backend, table, ids)))
        await this.#follow(table.table_id, context, async () => {});
    }
  }

  #exclusive<T>({ signal, onNotice }: ToolContext, work: () => Promise<T>): Promise<T> {
    const { location, backend } = this.#parts;
    if (backend.driver === 'memory') return work();
    return withLease(join(location, LEASE_FOLDER), work, { signal, onWait: () => onNotice?.(OTHERS_WORK) });
  }

  /** All at once: tools share strings, and a library may have a hundred thousand of them. */
  async #details(tools: readonly SearchTool[]): Promise<ToolDetails[]> {
    const { backend } = this.#parts;
    const counts = new Map(tools.map(({ id }) => [id, { strings: 0, chunks: 0 }]));
    for (const document of await backend.documents({ filter: { tools: [...counts.keys()] } }))
      for (const id of tableMetadata(document)?.search_tools ?? []) {
        const counted = counts.get(id);
        if (counted === undefined) continue;
        counted.strings += 1;
        counted.chunks += document.chunk_count;
      }
    const { active, chunks: all, embedded } = await backend.vectors.state();
    const missing = all - (active === null ? 0 : (embedded[active] ?? 0));
    const notes = await outboxNotes(backend);
    return tools.map((tool) => {
      const { strings, chunks } = counts.get(tool.id)!;
      const outbox = notes.filter(({ target }) => target.tool_id === tool.id).length;
      return { ...tool, strings, chunks, pending: Math.min(chunks, missing), outbox };
    });
  }

  async #tool(name: string, action: Action, context: ToolContext): Promise<SearchTool> {
    this.#require(context, action, 'tool', name);
    const tool = await TOOLS.read(this.#parts.backend, name);
    if (tool === null) throw missing({ kind: 'tool', id: name });
    return tool;
  }

  #require(
    { principal = LOCAL_PRINCIPAL }: ToolContext,
    action: Action,
    kind: 'table' | 'tool',
    id: string | null,
  ): void {
    requirePermission(principal, action, { kind, id });
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

const LEFT_BEHIND =
  'Its vectors at turbopuffer could not be deleted yet; the next `strata tool` command that reaches it finishes this.';
/** A table of a hundred thousand broken strings is told by a few. */
const MOST_NOTICES = 5;

function toolOf(request: ToolRequest, before: SearchTool | null): SearchTool {
  const { name, table_id, pointer, path } = request;
  const { chunk_threshold_chars = before?.chunk_threshold_chars ?? DEFAULT_THRESHOLD } = request;
  const { top_k = before?.top_k ?? DEFAULT_TOP_K, vectors = before?.vectors ?? 'embedded' } = request;
  if (pointer !== undefined && path !== undefined)
    throw new StrataError('INVALID_ARGUMENT', 'pointer, path: a scope is one of them, not both');
  if (pointer !== undefined) parsePointer(pointer);
  if (path !== undefined) parsePath(path);
  if (!Number.isSafeInteger(chunk_threshold_chars) || chunk_threshold_chars < 1)
    throw new StrataError('INVALID_ARGUMENT', 'chunk_threshold_chars: must be a whole number from 1');
  checkTopK(top_k);
  if (vectors !== 'embedded') checkNamespace(vectors.turbopuffer_namespace);
  return {
    id: before?.id ?? mintId(),
    name,
    type: 'search',
    description:
      request.description ?? before?.description ?? `Search the long texts of the table ${table_id}.`,
    table_id,
    ...(path === undefined ? { pointer: pointer ?? '' } : { path }),
    chunk_threshold_chars,
    mode: request.mode ?? before?.mode ?? 'vector',
    top_k,
    vectors,
    created_at: before?.created_at ?? new Date().toISOString(),
  };
}

const scopeOf = ({ table_id, pointer, path, chunk_threshold_chars, vectors }: SearchTool) => [
  table_id,
  pointer,
  path,
  chunk_threshold_chars,
  vectors,
];

const isSameScope = (a: SearchTool, b: SearchTool): boolean => isDeepStrictEqual(scopeOf(a), scopeOf(b));

function conflict({ name, table_id, pointer, path, chunk_threshold_chars: n }: SearchTool): StrataError {
  const scope = path === undefined ? `pointer "${pointer}"` : `path "${path}"`;
  return new StrataError(
    'INVALID_ARGUMENT',
    `tool ${name}: exists with another scope (table ${table_id}, ${scope}, threshold ${n}); remove it first, or choose another name`,
  );
}
