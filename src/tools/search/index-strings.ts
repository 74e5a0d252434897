import { packerOf } from '../../engine/drivers.js';
import type { LibraryParts } from '../../engine/library-parts.js';
import { keptSettings } from '../../engine/settings.js';
import { chunkingKey, settingsOf } from '../../ingest/chunking.js';
import { Committer, type Step } from '../../ingest/committer.js';
import { PreparePool, runTableJob } from '../../ingest/prepare/prepare-pool.js';
import { scheduleAll } from '../../ingest/schedule/schedule.js';
import { newlinesOf, tableMetadata } from '../../ingest/tables/table-chunks.js';
import type { PreparedDocument } from '../../ingest/worker/job.js';
import type { Document } from '../../model/document.js';
import { isStrataError, reasonOf } from '../../model/errors.js';
import { mintId } from '../../model/id.js';
import { outboxRecords } from '../../store/outbox.js';
import { indexedRecords, isIndexed, readTable, readTableText } from '../tables/table-store.js';
import type { ToolContext, ToolReport } from '../tools.js';
import { documentsOfTable, planOf, type WantedString, wantedStrings } from './plan.js';
import type { SearchTool } from './search-tool.js';
import { TOOLS, toolsOf } from './tool-store.js';

/** What became of the strings, by tool id, and what could not be indexed. */
export interface IndexedStrings {
  readonly byTool: ReadonlyMap<string, ToolReport['strings']>;
  readonly failed: readonly string[];
  readonly interrupted: boolean;
}

/**
 * Brings the documents of a table's strings into step with the table and its tools: what has changed is prepared and
 * committed, each with all that belongs to it; the rest is left alone. Interrupted at whatever moment, the same again
 * goes on. One process at a time (see `withLease` in open-tools.ts). `added` is a tool that is kept from now on.
 */
export async function indexStrings(
  library: LibraryParts,
  tableId: string,
  context: ToolContext,
  added?: SearchTool,
): Promise<IndexedStrings> {
  const { backend } = library;
  const tools = (await toolsOf(backend, tableId)).filter(({ name }) => name !== added?.name);
  if (added) tools.push(added);
  const settings = settingsOf((await keptSettings(backend)).chunking);
  const wanted = await stringsOf(library, tableId, tools, added);
  // Not before: what its scope names may not be there.
  if (added) await backend.commit({ records: [TOOLS.put(added)] });
  const documents = await documentsOfTable(backend, tableId);
  const plan = planOf(wanted, documents, chunkingKey(settings));
  const run = new IndexRun(library, tableId, settings, context);
  for (const { wanted, before } of plan.touch) await run.touch(wanted, before);
  await run.putAll(plan.put);
  if (!context.signal?.aborted) for (const document of plan.remove) await run.remove(document);
  await run.finish();
  const interrupted = context.signal?.aborted ?? false;
  const table = await readTable(backend, tableId);
  const ids = tools.map(({ id }) => id);
  if (!interrupted && run.failed.length === 0 && table !== null && !(await isIndexed(backend, table, ids)))
    await backend.commit({ records: indexedRecords(table, ids) });
  return { byTool: run.byTool, failed: run.failed, interrupted };
}

async function stringsOf(
  { backend, guarded }: LibraryParts,
  tableId: string,
  tools: readonly SearchTool[],
  added: SearchTool | undefined,
): Promise<WantedString[]> {
  const table = tools.length === 0 ? null : await readTable(backend, tableId);
  if (table === null) return [];
  const text = await readTableText(backend, tableId);
  const scopes = tools.map(({ id, pointer, path, chunk_threshold_chars: threshold }) => ({
    threshold,
    required: id === added?.id,
    ...(pointer !== undefined && { pointer }),
    ...(path !== undefined && { path }),
  }));
  const result = await runTableJob(
    { input: { text }, ask: { get: 'strings', scopes } },
    table.bytes,
    guarded,
  );
  return wantedStrings(tableId, tools, 'found' in result ? result.found : []);
}

type Settings = ReturnType<typeof settingsOf>;

class IndexRun {
  readonly byTool = new Map<string, { added: number; changed: number; removed: number }>();
  readonly failed: string[] = [];
  readonly #library: LibraryParts;
  readonly #tableId: string;
  readonly #settings: Settings;
  readonly #context: ToolContext;
  readonly #committer: Committer;
  #done = 0;

  constructor(library: LibraryParts, tableId: string, settings: Settings, context: ToolContext) {
    this.#library = library;
    this.#tableId = tableId;
    this.#settings = settings;
    this.#context = context;
    this.#committer = new Committer(library.backend, () => {});
  }

  async touch(wanted: WantedString, before: Document): Promise<void> {
    const { id, updated_at, metadata } = before;
    const touched = { ...metadata, search_tools: wanted.search_tools };
    await this.#commit({ touch: [{ id, updated_at, metadata: touched }] }, wanted, before);
  }

  async putAll(work: readonly { readonly wanted: WantedString; readonly before: Document | null }[]) {
    const { backend, guarded } = this.#library;
    const { signal, onProgress } = this.#context;
    const pool = new PreparePool({ packerOf, guarded, documents: work.length });
    const items = work.map((one) => ({ ...one, name: 'string.txt', size: 2 * one.wanted.text.length }));
    try {
      await scheduleAll(
        items,
        { workers: pool.size, ahead: pool.ahead, signal },
        async ({ wanted, before }, worker) => {
          try {
            const { from, format, request } = this.#job(wanted, before);
            const job = { from, format, request, driver: backend.driver };
            const { write } = (await pool.prepare(worker, job)) as PreparedDocument;
            const records = await outboxRecords(backend, before, write.document);
            await this.#commit({ put: [write], records }, wanted, before);
          } catch (error) {
            if (isStrataError(error) && error.code.startsWith('STORE_')) throw error;
            this.failed.push(`${wanted.source}: ${reasonOf(error)}`);
          }
          onProgress?.({
            stage: 'Indexing strings',
            done: ++this.#done,
            total: work.length,
            item: wanted.pointer,
          });
        },
      );
    } finally {
      pool.close();
    }
  }

  async remove(document: Document): Promise<void> {
    const records = await outboxRecords(this.#library.backend, document, null);
    await this.#commit({ remove: [document.id], records }, null, document);
  }

  finish(): Promise<void> {
    return this.#committer.finish();
  }

  #job(wanted: WantedString, before: Document | null) {
    const { text, title, pointer, content_hash, source, search_tools, turbopuffer } = wanted;
    const bytes = new TextEncoder().encode(text);
    const updated_at = new Date().toISOString();
    const newlines = newlinesOf(text);
    return {
      from: { bytes, bytes_hash: content_hash, facts: {}, updated_at, name: title, named: true },
      format: MARKDOWN.test(text) ? 'markdown' : 'text',
      request: {
        doc_id: before?.id ?? mintId(),
        source,
        source_path: source,
        name: title,
        title: title === '' ? this.#tableId : title,
        settings: this.#settings,
        updated_at,
        metadata: {
          chunking: chunkingKey(this.#settings),
          strategy: this.#settings.strategy,
          size: bytes.length,
          bytes_hash: content_hash,
          table_id: this.#tableId,
          table_title: title,
          json_pointer: pointer,
          content_hash,
          search_tools,
          turbopuffer,
          ...(newlines !== undefined && { newlines }),
        },
      },
    };
  }

  async #commit(change: Step['change'], after: WantedString | null, before: Document | null): Promise<void> {
    const source = after?.source ?? before!.source;
    await this.#committer.add({
      change,
      done: (error) => {
        if (error === null) this.#count(after, before);
        else this.failed.push(`${source}: ${reasonOf(error)}`);
      },
    });
  }

  #count(after: WantedString | null, before: Document | null): void {
    const had = new Set(before === null ? [] : tableMetadata(before)?.search_tools);
    const has = new Set(after?.search_tools);
    const isChanged = before?.metadata.content_hash !== after?.content_hash;
    for (const id of new Set([...had, ...has])) {
      const counts = this.byTool.get(id) ?? { added: 0, changed: 0, removed: 0 };
      this.byTool.set(id, counts);
      if (!had.has(id)) counts.added++;
      else if (!has.has(id)) counts.removed++;
      else if (isChanged) counts.changed++;
    }
  }
}

/** Headings or fences: whatever has neither reads the same as plain text. */
const MARKDOWN = /^(?:#{1,6} |```|~~~)/m;
