import { stat } from 'node:fs/promises';
import type { LibraryParts } from '../../engine/library-parts.js';
import { runTableJob } from '../../ingest/prepare/prepare-pool.js';
import {
  MOST_TABLE_BYTES,
  type TableFacts,
  type TableInput,
  type TableJob,
} from '../../ingest/tables/table-job.js';
import { reasonOf, StrataError } from '../../model/errors.js';
import type { Json } from '../../model/json/json.js';
import { grantsGoneWith } from '../access/grants.js';
import { may, missing, requirePermission, requireToPut } from '../access/permission.js';
import { LOCAL_PRINCIPAL } from '../access/principal.js';
import { toolsOf } from '../search/tool-store.js';
import type {
  Table,
  TableContent,
  TablePatch,
  TableReport,
  Tables,
  ToolContext,
  ToolReport,
} from '../tools.js';
import {
  checkTableId,
  readTable,
  readTables,
  readTableText,
  removedTable,
  tableRecords,
} from './table-store.js';

/** Makes a change of a table and indexes its strings while no other process does; then vectors follow. */
type Follow = (
  tableId: string,
  context: ToolContext,
  change: () => Promise<void>,
) => Promise<readonly ToolReport[]>;

export class LibraryTables implements Tables {
  readonly #parts: LibraryParts;
  readonly #follow: Follow;

  constructor(parts: LibraryParts, follow: Follow) {
    this.#parts = parts;
    this.#follow = follow;
  }

  async put(tableId: string, content: TableContent, context: ToolContext = {}): Promise<TableReport> {
    checkTableId(tableId);
    const known = await readTable(this.#parts.backend, tableId);
    requireToPut(context.principal ?? LOCAL_PRINCIPAL, { kind: 'table', id: tableId }, known !== null);
    const facts = await this.#facts(inputOf(content), { get: 'facts' });
    return this.#write(tableId, context, async () => facts);
  }

  async get(tableId: string, pointer = '', context: ToolContext = {}): Promise<Json> {
    const table = await this.#table(tableId, 'use', context);
    const text = await readTableText(this.#parts.backend, tableId);
    const job = { input: { text }, ask: { get: 'value', pointer } } as const;
    const result = await named(tableId, runTableJob(job, table.bytes, this.#parts.guarded));
    return 'json' in result ? (JSON.parse(result.json) as Json) : null;
  }

  async list(context: ToolContext = {}): Promise<readonly Table[]> {
    const tables = await readTables(this.#parts.backend);
    const { principal = LOCAL_PRINCIPAL } = context;
    return tables.filter(({ table_id }) => may(principal, 'see', { kind: 'table', id: table_id }));
  }

  async remove(tableId: string, context: ToolContext = {}): Promise<{ readonly removed: Table }> {
    const removed = await this.#table(tableId, 'change', context);
    const { backend } = this.#parts;
    await this.#follow(tableId, context, async () => {
      const tools = await toolsOf(backend, tableId);
      if (tools.length === 0) return;
      const names = seenBy(context, tools, (tool) => tool).map(({ name }) => name);
      throw new StrataError(
        'INVALID_ARGUMENT',
        names.length === 0
          ? `table ${tableId}: tools use it; an editor of the library can remove them first`
          : `table ${tableId}: tools use it (${names.join(', ')}); \`strata tool remove\` removes them first`,
      );
    });
    const grants = await grantsGoneWith(backend, { kind: 'table', id: tableId });
    await backend.commit({ records: [...(await removedTable(backend, tableId)), ...grants] });
    return { removed };
  }

  async patch(tableId: string, patch: TablePatch, context: ToolContext = {}): Promise<TableReport> {
    await this.#table(tableId, 'change', context);
    const { pointer, ...content } = patch;
    const change = inputOf(content);
    return this.#write(tableId, context, async () => {
      // Read while nobody else writes: another process may have changed the table meanwhile.
      const text = await readTableText(this.#parts.backend, tableId);
      const ask = { get: 'changed', change, ...(pointer !== undefined && { pointer }) } as const;
      return named(tableId, this.#facts({ text }, ask));
    });
  }

  async #write(tableId: string, context: ToolContext, make: () => Promise<TableFacts>): Promise<TableReport> {
    const { backend } = this.#parts;
    let outcome: TableReport['outcome'] = 'unchanged';
    const reports = await this.#follow(tableId, context, async () => {
      const facts = await make();
      const before = await readTable(backend, tableId);
      // Also where nothing has changed its tools follow: the run that brought it may have been interrupted.
      if (before?.content_hash === facts.content_hash) return;
      outcome = before === null ? 'added' : 'changed';
      await backend.commit({ records: await tableRecords(backend, tableId, facts) });
    });
    const tools = seenBy(context, reports, ({ tool }) => tool);
    return { table: (await readTable(backend, tableId))!, outcome, tools };
  }

  async #facts(input: TableInput, ask: TableJob['ask']): Promise<TableFacts> {
    const bytes = (await sizeOf(input)) + ('change' in ask ? await sizeOf(ask.change) : 0);
    if (bytes > 2 * MOST_TABLE_BYTES)
      throw new StrataError(
        'LIMIT',
        `${bytes} bytes of JSON are more than a table may have (${MOST_TABLE_BYTES})`,
      );
    const result = await runTableJob({ input, ask }, bytes, this.#parts.guarded);
    if (!('table' in result)) throw new StrataError('INTERNAL', 'a table job gave no table');
    return result.table;
  }

  async #table(tableId: string, action: 'use' | 'change', context: ToolContext): Promise<Table> {
    requirePermission(context.principal ?? LOCAL_PRINCIPAL, action, { kind: 'table', id: tableId });
    const table = await readTable(this.#parts.backend, tableId);
    if (table === null) throw missing({ kind: 'table', id: tableId });
    return table;
  }
}

/** Of tools, or of what was done to them: a grant for a table does not show the tools that others have made over it. */
const seenBy = <T>(
  { principal = LOCAL_PRINCIPAL }: ToolContext,
  things: readonly T[],
  toolOf: (thing: T) => { readonly name: string },
): readonly T[] => things.filter((thing) => may(principal, 'see', { kind: 'tool', id: toolOf(thing).name }));

const inputOf = (content: TableContent): TableInput =>
  'file' in content ? { file: content.file } : { text: [content.text] };

async function sizeOf(input: TableInput): Promise<number> {
  if ('text' in input) return input.text.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  return (await stat(input.file).catch(() => null))?.size ?? 0;
}

/** What goes wrong with the JSON of a table names the table. */
async function named<T>(tableId: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof StrataError)) throw error;
    throw new StrataError(error.code, `table ${tableId}: ${reasonOf(error)}`, { cause: error });
  }
}
