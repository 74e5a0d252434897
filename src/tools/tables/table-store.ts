import { randomUUID } from 'node:crypto';
import type { TableFacts } from '../../ingest/tables/table-job.js';
import { StrataError } from '../../model/errors.js';
import { isObject, type Json } from '../../model/json/json.js';
import type { Backend, RecordChange } from '../../store/backend.js';
import { isCount, isText } from '../../store/stored.js';
import { RecordKind } from '../record-kind.js';
import type { Table } from '../tools.js';

/** The parts of a table's JSON, each a record beside the table's own: no store takes a value of any size. */
const TEXT_KIND = 'table_text';
/** Which state of a table its documents show. */
const INDEXED_KIND = 'table_indexed';

interface KeptTable extends Table {
  /** Names the parts: a new state has new ones, so that a reader never joins parts of two. */
  readonly revision: string;
  readonly parts: number;
}

/** They stand in sources (`table:ID#/pointer`), commands and addresses. */
const TABLE_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export function checkTableId(tableId: string): void {
  if (TABLE_ID.test(tableId)) return;
  throw new StrataError(
    'INVALID_ARGUMENT',
    `table "${tableId.slice(0, 80)}": an id is letters, digits, ".", "_" and "-", at most 64, starting with a letter or digit`,
  );
}

export async function readTable(backend: Backend, tableId: string): Promise<Table | null> {
  const kept = await TABLES.read(backend, tableId);
  return kept && tableOf(kept);
}

export async function readTables(backend: Backend): Promise<readonly Table[]> {
  return (await TABLES.readAll(backend)).map(tableOf);
}

/** Its JSON, in parts. Another process may replace the table while its parts are read: then they are read again. */
export async function readTableText(backend: Backend, tableId: string): Promise<readonly string[]> {
  for (let attempt = 1; ; attempt++) {
    const kept = await TABLES.read(backend, tableId);
    if (kept === null) throw damaged(tableId);
    const ids = partIds(kept);
    const parts = await Promise.all(ids.map((id) => backend.record(TEXT_KIND, id)));
    if (parts.every((part) => typeof part === 'string')) return parts as string[];
    if (attempt === MOST_ATTEMPTS) throw damaged(tableId);
  }
}

const MOST_ATTEMPTS = 5;

/** What a commit writes to put a table in the place of what was there. */
export async function tableRecords(
  backend: Backend,
  tableId: string,
  facts: TableFacts,
): Promise<RecordChange[]> {
  const { text, bytes, strings, content_hash } = facts;
  const updated_at = new Date().toISOString();
  const revision = randomUUID();
  const parts = text.length;
  const kept: KeptTable = { table_id: tableId, bytes, strings, content_hash, updated_at, revision, parts };
  return [
    ...(await removedParts(backend, tableId)),
    ...partIds(kept).map((id, at) => ({ kind: TEXT_KIND, id, value: text[at]! })),
    TABLES.put(kept),
  ];
}

export const removedTable = async (backend: Backend, tableId: string): Promise<RecordChange[]> => [
  ...(await removedParts(backend, tableId)),
  TABLES.remove(tableId),
  { kind: INDEXED_KIND, id: tableId, value: null },
];

/** Whether the documents of a table's strings show it as it is, for these tools. */
export const isIndexed = async (
  backend: Backend,
  { table_id, content_hash }: Table,
  toolIds: readonly string[],
): Promise<boolean> =>
  JSON.stringify(await backend.record(INDEXED_KIND, table_id)) ===
  JSON.stringify(mark(content_hash, toolIds));

export const indexedRecords = (
  { table_id, content_hash }: Table,
  toolIds: readonly string[],
): RecordChange[] => [{ kind: INDEXED_KIND, id: table_id, value: mark(content_hash, toolIds) }];

const mark = (content_hash: string, toolIds: readonly string[]): Json => [
  content_hash,
  ...[...toolIds].sort(),
];

async function removedParts(backend: Backend, tableId: string): Promise<RecordChange[]> {
  const kept = await TABLES.read(backend, tableId);
  return kept === null ? [] : partIds(kept).map((id) => ({ kind: TEXT_KIND, id, value: null }));
}

const partIds = ({ table_id, revision, parts }: KeptTable): string[] =>
  Array.from({ length: parts }, (_, at) => `${table_id}/${revision}/${at}`);

const tableOf = ({ table_id, bytes, strings, content_hash, updated_at }: KeptTable): Table => ({
  table_id,
  bytes,
  strings,
  content_hash,
  updated_at,
});

/** More parts than the largest table has are a stranger's record. */
const MOST_PARTS = 10_000;

const isKept = (value: unknown): value is KeptTable =>
  isObject(value) &&
  [value.table_id, value.content_hash, value.updated_at, value.revision].every(isText) &&
  [value.bytes, value.strings, value.parts].every(isCount) &&
  Number(value.parts) <= MOST_PARTS;

const TABLES = new RecordKind<KeptTable>('table', isKept, ({ table_id }) => table_id);

const damaged = (tableId: string): StrataError =>
  new StrataError('STORE_DAMAGED', `table ${tableId}: a part of it is missing; put it again`);
