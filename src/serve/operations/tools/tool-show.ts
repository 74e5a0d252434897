import type { ToolDetails } from '../../../tools/tools.js';
import { factLines } from '../../answers/facts.js';
import { colours, oneLine, plural } from '../../cli/terminal.js';
import { toolName } from '../../fields/names.js';
import { say } from '../../language/language.js';
import { operation, type View } from '../../operation.js';
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
  render: renderTool,
});

function renderTool(tool: ToolDetails, view: View): string {
  const vectors =
    tool.vectors === 'embedded'
      ? say('the library’s own index')
      : say('turbopuffer, namespace {1}', tool.vectors.turbopuffer_namespace);
  const index = [
    plural(tool.strings, 'string'),
    plural(tool.chunks, 'passage'),
    say('{1} without a vector', tool.pending),
    ...(tool.outbox > 0 ? [say('{1} changes not yet at turbopuffer', tool.outbox)] : []),
  ];
  const scope = say('{1}, strings of at least {2} characters', scopeText(tool), tool.chunk_threshold_chars);
  const facts = [
    ['Scope', scope],
    ['Mode', `${tool.mode}${say(', ')}${plural(tool.top_k, 'result')}`],
    ['Vectors', vectors],
    ['Index', index.join(say(', '))],
  ] as const;
  return [`${tool.name}: ${oneLine(tool.description)}`, ...factLines(facts, colours(view))].join('\n');
}
