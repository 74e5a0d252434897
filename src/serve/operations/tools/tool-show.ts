import type { ToolDetails } from '../../../tools/tools.js';
import { oneLine } from '../../cli/terminal.js';
import { toolName } from '../../fields/names.js';
import { operation } from '../../operation.js';
import { scopeText, toolContext, toolDetailsSchema } from './answers.js';

export const toolShow = operation({
  name: 'tool-show',
  summary: 'Show a search tool',
  description: 'All that is known of a search tool: its scope, its settings, and how far its index is.',
  access: 'none',
  changes: false,
  library: 'existing',
  input: { name: toolName },
  output: toolDetailsSchema,
  subject: ({ name }) => name,
  examples: [{ command: 'strata tool show rules', explanation: 'one tool' }],
  async handler(library, { name }, context): Promise<ToolDetails> {
    const { openTools } = await import('../../../tools/open-tools.js');
    return openTools(library).show(name, toolContext(context));
  },
  render: (tool: ToolDetails) =>
    [
      `${tool.name}: ${oneLine(tool.description)}`,
      `scope      ${scopeText(tool)}, strings of at least ${tool.chunk_threshold_chars} characters`,
      `mode       ${tool.mode}, ${tool.top_k} results`,
      `vectors    ${tool.vectors === 'embedded' ? 'the library’s own index' : `turbopuffer, namespace ${tool.vectors.turbopuffer_namespace}`}`,
      `index      ${tool.strings} strings, ${tool.chunks} passages, ${tool.pending} without a vector${tool.outbox > 0 ? `, ${tool.outbox} changes not yet at turbopuffer` : ''}`,
    ].join('\n'),
});
