import { randomUUID } from 'node:crypto';
import type { TableFacts } from '../../ingest/tables/table-job.js';
import { StrataError } from '../../model/errors.js';
import type { Json, JsonObject } from '../../model/json/json.js';
import type { Backend, Change } from '../../store/backend.js';
import type { Table } from '../tools.js';

/** A table's record, and beside it its JSON in parts, each a record of its own: no store takes a value of any size. */
const KIND = 'table';
const TEXT_KIND = 'table_text';
/** Which state of a table its documents show. */
const INDEXED_KIND = 'table_indexed';

type Records = NonNullable<Change['records']>;

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
  const kept = await keptTable(backend, tableId);
  return kept && tableOf(kept);
}

export async function readTables(backend: Backend): Promise<readonly Table[]> {
  const records = await backend.records(KIND);
  return records.flatMap(({ id, value }) => (isKept(value) && value.table_id === id ? [tableOf(value)] : []));
}

/** Its JSON, in parts. Another process may replace the table while its parts are read: then they are read again. */
export async function readTableText(backend: Backend, tableId: string): Promise<readonly string[]> {
  for (let attempt = 1; ; attempt++) {
    const kept = await keptTable(backend, tableId);
    if (kept === null) throw damaged(tableId);
    const ids = partIds(kept);
    const parts = await Promise.all(ids.map((id) => backend.record(TEXT_KIND, id)));
    if (parts.every((part) => typeof part === 'string')) return parts as string[];
    if (attempt === MOST_ATTEMPTS) throw damaged(tableId);
  }
}

const MOST_ATTEMPTS = 5;

/** What a commit writes to put a table in the place of what was there. */
export async function tableRecords(backend: Backend, tableId: string, facts: TableFacts): Promise<Records> {
  const { text, bytes, strings, content_hash } = facts;
  const updated_at = new Date().toISOString();
  const revision = randomUUID();
  const parts = text.length;
  const kept: KeptTable = { table_id: tableId, bytes, strings, content_hash, updated_at, revision, parts };
  return [
    ...(await removedParts(backend, tableId)),
    ...partIds(kept).map((id, at) => ({ kind: TEXT_KIND, id, value: text[at]! })),
    { kind: KIND, id: tableId, value: kept as unknown as Json },
  ];
}

export const removedTable = async (backend: Backend, tableId: string): Promise<Records> => [
  ...(await removedParts(backend, tableId)),
  { kind: KIND, id: tableId, value: null },
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

export const indexedRecords = ({ table_id, content_hash }: Table, toolIds: readonly string[]): Records => [
  { kind: INDEXED_KIND, id: table_id, value: mark(content_hash, toolIds) },
];

const mark = (content_hash: string, toolIds: readonly string[]): Json => [
  content_hash,
  ...[...toolIds].sort(),
];

async function removedParts(backend: Backend, tableId: string): Promise<Records> {
  const kept = await keptTable(backend, tableId);
  return kept === null ? [] : partIds(kept).map((id) => ({ kind: TEXT_KIND, id, value: null }));
}

async function keptTable(backend: Backend, tableId: string): Promise<KeptTable | null> {
  const value = await backend.record(KIND, tableId);
  return isKept(value) && value.table_id === tableId ? value : null;
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

function isKept(value: Json | null): value is Json & KeptTable {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { table_id, bytes, strings, content_hash, updated_at, revision, parts } = value as JsonObject;
  return (
    [table_id, content_hash, updated_at, revision].every((one) => typeof one === 'string') &&
    [bytes, strings, parts].every((one) => Number.isSafeInteger(one) && (one as number) >= 0) &&
    (parts as number) <= MOST_PARTS
  );
}

const damaged = (tableId: string): StrataError =>
  new StrataError('STORE_DAMAGED', `table ${tableId}: a part of it is missing; put it again`);
