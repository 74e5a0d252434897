import type { ToolReport } from '../../../tools/tools.js';
import { embedFlag, toolName } from '../../fields/names.js';
import { operation } from '../../operation.js';
import { toolContext, toolReportSchema, toolReportText } from './answers.js';

export const toolReindex = operation({
  name: 'tool-reindex',
  summary: 'Bring a search tool into step with its table',
  description:
    'Compares the table, the library and, where the tool has its vectors there, turbopuffer, and repairs what differs: whatever was interrupted is finished, what was left behind is removed. What is as it should be is not made again.',
  access: 'none',
  changes: true,
  library: 'existing',
  input: {
    name: toolName,
    embed: embedFlag,
  },
  output: toolReportSchema,
  subject: ({ name }) => name,
  examples: [{ command: 'strata tool reindex rules', explanation: 'after a crash, say' }],
  async handler(library, { name, embed }, context): Promise<ToolReport> {
    const { openTools } = await import('../../../tools/open-tools.js');
    return openTools(library).reindex(name, toolContext(context, embed));
  },
  render: (report: ToolReport, view) => (view.quiet ? '' : toolReportText(report)),
  problems: ({ notices }: ToolReport) => notices,
});
