import { StrataError } from '../../model/errors.js';
import type { Json, JsonObject } from '../../model/json/json.js';
import type { Backend, Change } from '../../store/backend.js';
import { MOST_TOP_K, type SearchTool, TOOL_MODES } from './search-tool.js';

const KIND = 'tool';

/** What clients of MCP accept as a tool's name. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

export function checkToolName(name: string): void {
  if (NAME.test(name)) return;
  throw new StrataError(
    'INVALID_ARGUMENT',
    `tool "${name.slice(0, 80)}": a name is letters, digits, "_" and "-", at most 64 of them`,
  );
}

export async function readTool(backend: Backend, name: string): Promise<SearchTool | null> {
  const value = await backend.record(KIND, name);
  return isTool(value) && value.name === name ? value : null;
}

export async function readTools(backend: Backend): Promise<readonly SearchTool[]> {
  const records = await backend.records(KIND);
  return records.flatMap(({ id, value }) => (isTool(value) && value.name === id ? [value] : []));
}

export const toolsOf = async (backend: Backend, tableId: string): Promise<readonly SearchTool[]> =>
  (await readTools(backend)).filter(({ table_id }) => table_id === tableId);

export const toolRecords = (tool: SearchTool): NonNullable<Change['records']> => [
  { kind: KIND, id: tool.name, value: tool as unknown as Json },
];

export const removedTool = (name: string): NonNullable<Change['records']> => [
  { kind: KIND, id: name, value: null },
];

export const namespaceOf = ({ vectors }: SearchTool): string | null =>
  vectors === 'embedded' ? null : vectors.turbopuffer_namespace;

/** A library that was found may hold any record. */
function isTool(value: Json | null): value is Json & SearchTool {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { id, name, type, description, table_id, pointer, path, mode, top_k, vectors, created_at } =
    value as JsonObject;
  const threshold = (value as JsonObject).chunk_threshold_chars;
  return (
    type === 'search' &&
    [id, name, description, table_id, created_at].every((one) => typeof one === 'string') &&
    [pointer, path].filter((one) => typeof one === 'string').length === 1 &&
    [pointer, path].every((one) => one === undefined || typeof one === 'string') &&
    TOOL_MODES.some((known) => known === mode) &&
    Number.isSafeInteger(threshold) &&
    Number.isSafeInteger(top_k) &&
    (top_k as number) >= 1 &&
    (top_k as number) <= MOST_TOP_K &&
    (vectors === 'embedded' || isNamespace(vectors))
  );
}

const isNamespace = (value: Json | undefined): boolean =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as JsonObject).turbopuffer_namespace === 'string' &&
  NAMESPACE.test((value as { turbopuffer_namespace: string }).turbopuffer_namespace);

/** What turbopuffer accepts as a namespace. */
const NAMESPACE = /^[A-Za-z0-9_.-]{1,128}$/;

export function checkNamespace(namespace: string): void {
  if (NAMESPACE.test(namespace)) return;
  throw new StrataError(
    'INVALID_ARGUMENT',
    `namespace "${namespace.slice(0, 150)}": letters, digits, ".", "_" and "-", at most 128 of them`,
  );
}
