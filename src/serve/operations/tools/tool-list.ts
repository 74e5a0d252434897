import type { ToolDetails } from '../../../tools/tools.js';
import { oneLine, plural } from '../../cli/terminal.js';
import { operation } from '../../operation.js';
import { scopeText, toolContext, toolDetailsSchema } from './answers.js';

interface Answer {
  readonly tools: readonly ToolDetails[];
}

export const toolList = operation({
  name: 'tool-list',
  summary: 'List the search tools of the library',
  description: 'The search tools, what each covers, and how many passages it searches.',
  access: 'none',
  changes: false,
  library: 'existing',
  input: {},
  output: (schemas) => schemas.z.object({ tools: schemas.z.array(toolDetailsSchema(schemas)) }),
  examples: [{ command: 'strata tool list', explanation: 'all search tools' }],
  async handler(library, _, context): Promise<Answer> {
    const { openTools } = await import('../../../tools/open-tools.js');
    return { tools: await openTools(library).list(toolContext(context)) };
  },
  render({ tools }: Answer, view) {
    if (tools.length === 0)
      return view.quiet ? '' : 'No tools yet: `strata tool create NAME --table TABLE` makes one.';
    return tools.map(toolLine).join('\n');
  },
});

export const toolLine = (tool: ToolDetails): string => {
  const pending = tool.pending > 0 ? `, ${tool.pending} without a vector` : '';
  const counts = `${plural(tool.strings, 'string')}, ${plural(tool.chunks, 'passage')}${pending}`;
  return `${tool.name}  ${tool.mode}  ${scopeText(tool)}  ${counts}  ${oneLine(tool.description)}`;
};
