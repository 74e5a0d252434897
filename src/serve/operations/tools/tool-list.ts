import type { ToolDetails } from '../../../tools/tools.js';
import { oneLine, plural } from '../../cli/terminal.js';
import { say } from '../../language/language.js';
import { operation } from '../../operation.js';
import { scopeText, toolContext, toolDetailsSchema } from './answers.js';

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
  async handler(library, _, context) {
    const { openTools } = await import('../../../tools/open-tools.js');
    return { tools: await openTools(library).list(toolContext(context)) };
  },
  render({ tools }, view) {
    if (tools.length === 0)
      return view.quiet ? '' : say('No tools yet: `strata tool create NAME --table TABLE` makes one.');
    return tools.map(toolLine).join('\n');
  },
});

export const toolLine = (tool: ToolDetails): string => {
  const pending = tool.pending > 0 ? `${say(', ')}${say('{1} without a vector', tool.pending)}` : '';
  const counts = `${plural(tool.strings, 'string')}${say(', ')}${plural(tool.chunks, 'passage')}${pending}`;
  return `${tool.name}  ${tool.mode}  ${scopeText(tool)}  ${counts}  ${oneLine(tool.description)}`;
};
