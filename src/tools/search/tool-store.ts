import { StrataError } from '../../model/errors.js';
import { isObject } from '../../model/json/json.js';
import type { Backend } from '../../store/backend.js';
import { isCount, isText } from '../../store/stored.js';
import { RecordKind } from '../record-kind.js';
import { MOST_TOP_K, type SearchTool, TOOL_MODES } from './search-tool.js';

/** What clients of MCP accept as a tool's name. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

export function checkToolName(name: string): void {
  if (NAME.test(name)) return;
  throw new StrataError(
    'INVALID_ARGUMENT',
    `tool "${name.slice(0, 80)}": a name is letters, digits, "_" and "-", at most 64 of them`,
  );
}

export const toolsOf = async (backend: Backend, tableId: string): Promise<readonly SearchTool[]> =>
  (await TOOLS.readAll(backend)).filter(({ table_id }) => table_id === tableId);

export const namespaceOf = ({ vectors }: SearchTool): string | null =>
  vectors === 'embedded' ? null : vectors.turbopuffer_namespace;

const isTool = (value: unknown): value is SearchTool =>
  isObject(value) &&
  value.type === 'search' &&
  [value.id, value.name, value.description, value.table_id, value.created_at].every(isText) &&
  [value.pointer, value.path].filter(isText).length === 1 &&
  [value.pointer, value.path].filter((one) => one === undefined).length === 1 &&
  TOOL_MODES.some((known) => known === value.mode) &&
  isCount(value.chunk_threshold_chars) &&
  isCount(value.top_k) &&
  value.top_k >= 1 &&
  value.top_k <= MOST_TOP_K &&
  (value.vectors === 'embedded' ||
    (isObject(value.vectors) && isNamespace(value.vectors.turbopuffer_namespace)));

const isNamespace = (value: unknown): boolean => isText(value) && NAMESPACE.test(value);

export const TOOLS = new RecordKind<SearchTool>('tool', isTool, ({ name }) => name);

/** What turbopuffer accepts as a namespace. */
const NAMESPACE = /^[A-Za-z0-9_.-]{1,128}$/;

export function checkNamespace(namespace: string): void {
  if (NAMESPACE.test(namespace)) return;
  throw new StrataError(
    'INVALID_ARGUMENT',
    `namespace "${namespace.slice(0, 150)}": letters, digits, ".", "_" and "-", at most 128 of them`,
  );
}
