import {
  DEFAULT_THRESHOLD,
  DEFAULT_TOP_K,
  MOST_TOP_K,
  TOOL_MODES,
} from '../../../tools/search/search-tool.js';
import type { ToolReport } from '../../../tools/tools.js';
import { embedFlag } from '../../fields/names.js';
import { argument, optionalInteger, optionalText, text } from '../../fields.js';
import { operation } from '../../operation.js';
import { toolContext, toolReportSchema, toolReportText } from './answers.js';
import { vectorsOf } from './vectors.js';

export const toolCreate = operation({
  name: 'tool-create',
  summary: 'Make a search tool of the long strings of a table',
  description:
    'Finds every string in the scope (a JSON pointer or a JSON path of a table) that is long enough, cuts it into passages and indexes them: by words at once, then by meaning. The same name with the same scope again changes nothing, and finishes what was interrupted. Ctrl-C leaves the vectors that are missing for later (`strata embed`).',
  access: 'none',
  changes: true,
  library: 'existing',
  input: {
    name: argument('The tool, as agents will call it', 'NAME'),
    table_id: text('The table', { cli: { flag: 'table', value: 'TABLE' } }),
    pointer: optionalText('Strings at or below this JSON pointer (RFC 6901); all of the table without one', {
      cli: { value: 'POINTER' },
    }),
    path: optionalText("Strings at or below what this JSON path selects (RFC 9535): '$.rules[*].text'", {
      cli: { value: 'PATH' },
    }),
    chunk_threshold_chars: optionalInteger(
      `Strings of at least so many characters (default ${DEFAULT_THRESHOLD})`,
      { minimum: 1, cli: { flag: 'threshold', value: 'N' } },
    ),
    description: optionalText('When an agent should use the tool, and what for', { cli: { value: 'TEXT' } }),
    mode: optionalText('By meaning alone (default), or by words and meaning', {
      choices: TOOL_MODES,
    }),
    top_k: optionalInteger(`Results where a caller names no number (default ${DEFAULT_TOP_K})`, {
      minimum: 1,
      maximum: MOST_TOP_K,
      cli: { value: 'N' },
    }),
    vectors: optionalText('Who is asked for the nearest: embedded (default), or turbopuffer:NAMESPACE', {
      cli: { value: 'WHO' },
    }),
    embed: embedFlag,
  },
  output: toolReportSchema,
  subject: ({ name }) => name,
  examples: [
    {
      command: "strata tool create rules --table handbook --path '$.rules[*].text'",
      explanation: 'over the texts of all rules',
    },
    {
      command: 'strata tool create faq --table handbook --pointer /faq --mode hybrid --threshold 100',
      explanation: 'words and meaning, shorter strings too',
    },
  ],
  async handler(library, { embed, vectors, ...request }, context): Promise<ToolReport> {
    const { openTools } = await import('../../../tools/open-tools.js');
    return openTools(library).create({ ...request, ...vectorsOf(vectors) }, toolContext(context, embed));
  },
  render: (report: ToolReport, view) => (view.quiet ? '' : toolReportText(report)),
  problems: ({ notices }: ToolReport) => notices,
});
