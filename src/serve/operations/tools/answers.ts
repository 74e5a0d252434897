import { TOOL_MODES } from '../../../tools/search/search-tool.js';
import type { Table, TableReport, ToolContext, ToolReport } from '../../../tools/tools.js';
import { oneLine, plural } from '../../cli/terminal.js';
import { say } from '../../language/language.js';
import type { Context } from '../../operation.js';
import type { Schemas } from '../../schemas.js';

/** What operations on tables and tools share. */

export const toolContext = (
  { principal, signal, progress, notice }: Context,
  embed?: boolean,
): ToolContext => ({ principal, signal, onProgress: progress, onNotice: notice, embed });

export const tableSchema = ({ z }: Schemas) =>
  z.object({
    table_id: z.string(),
    bytes: z.number().describe('Of its JSON'),
    strings: z.number(),
    content_hash: z.string(),
    updated_at: z.string(),
  });

export const toolSchema = ({ z }: Schemas) =>
  z.object({
    id: z.string(),
    name: z.string(),
    type: z.literal('search'),
    description: z.string(),
    table_id: z.string(),
    pointer: z.string().optional(),
    path: z.string().optional(),
    chunk_threshold_chars: z.number(),
    mode: z.enum(TOOL_MODES),
    top_k: z.number(),
    vectors: z.union([z.literal('embedded'), z.object({ turbopuffer_namespace: z.string() })]),
    created_at: z.string(),
  });

export const toolDetailsSchema = (schemas: Schemas) => {
  const { z } = schemas;
  return toolSchema(schemas).extend({
    strings: z.number(),
    chunks: z.number(),
    pending: z.number().describe('Chunks that have no vector yet'),
    outbox: z.number().describe('Documents whose vectors are on their way to turbopuffer, or out of it'),
  });
};

const OUTCOMES = ['added', 'changed', 'unchanged'] as const;

export const toolReportSchema = (schemas: Schemas) => {
  const { z } = schemas;
  return z.object({
    tool: toolSchema(schemas),
    outcome: z.enum(OUTCOMES),
    strings: z.object({ added: z.number(), changed: z.number(), removed: z.number() }),
    embedded: z.number().describe('Vectors made in this run, for all tools of the table'),
    upserted: z.number().describe('Rows written to turbopuffer'),
    deleted: z.number().describe('Rows deleted from turbopuffer'),
    interrupted: z.boolean(),
    notices: z.array(z.string()),
  });
};

export const tableReportSchema = (schemas: Schemas) => {
  const { z } = schemas;
  return z.object({
    table: tableSchema(schemas),
    outcome: z.enum(OUTCOMES),
    tools: z.array(toolReportSchema(schemas)).describe('What became of the tools over it'),
  });
};

const TABLE_DONE = {
  added: 'Added table {1}',
  changed: 'Changed table {1}',
  unchanged: 'Unchanged table {1}',
} as const;

const TOOL_DONE = {
  added: 'Added tool {1}: {2}',
  changed: 'Changed tool {1}: {2}',
  unchanged: 'Unchanged tool {1}: {2}',
} as const;

export const tableLine = ({ table_id, strings, bytes }: Table): string =>
  `${table_id}  ${plural(strings, 'string')}, ${Math.max(1, Math.round(bytes / 1000))} kB`;

export const tableReportText = ({ table, outcome, tools }: TableReport): string =>
  [say(TABLE_DONE[outcome], tableLine(table)), ...tools.map(toolReportText)].join('\n');

export function toolReportText({ tool, outcome, strings, embedded, upserted, deleted }: ToolReport): string {
  const { added, changed, removed } = strings;
  const parts = [
    ...(added > 0 ? [say('{1} new', plural(added, 'string'))] : []),
    ...(changed > 0 ? [say('{1} changed', changed)] : []),
    ...(removed > 0 ? [say('{1} gone', removed)] : []),
    ...(embedded > 0 ? [say('{1} made', plural(embedded, 'vector'))] : []),
    ...(upserted + deleted > 0 ? [say('turbopuffer: {1} written, {2} deleted', upserted, deleted)] : []),
  ];
  return say(
    TOOL_DONE[outcome],
    tool.name,
    parts.length === 0 ? say('nothing to do') : parts.join(say(', ')),
  );
}

export const scopeText = ({
  table_id,
  pointer,
  path,
}: {
  readonly table_id: string;
  readonly pointer?: string | undefined;
  readonly path?: string | undefined;
}): string => oneLine(path === undefined ? `${table_id}#${pointer ?? ''}` : `${table_id} ${path}`);
