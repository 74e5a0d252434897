import type { ToolRemoval } from '../../../tools/tools.js';
import { toolName } from '../../fields/names.js';
import { say } from '../../language/language.js';
import { operation } from '../../operation.js';
import { toolContext, toolSchema } from './answers.js';

export const toolRemove = operation({
  name: 'tool-remove',
  summary: 'Remove a search tool and its index',
  description:
    'Removes a search tool with the passages and vectors that no other tool needs, at turbopuffer too. The table stays. A clean-up that cannot reach turbopuffer is kept, and finished by the next command that can.',
  access: 'none',
  changes: true,
  library: 'existing',
  input: { name: toolName },
  output: (schemas) =>
    schemas.z.object({
      removed: toolSchema(schemas),
      cleaned: schemas.z.boolean().describe('Nothing of it is left at turbopuffer'),
      notices: schemas.z.array(schemas.z.string()),
    }),
  subject: ({ name }) => name,
  examples: [{ command: 'strata tool remove rules', explanation: 'the tool, not the table' }],
  async handler(library, { name }, context): Promise<ToolRemoval> {
    const { openTools } = await import('../../../tools/open-tools.js');
    return openTools(library).remove(name, toolContext(context));
  },
  render: ({ removed }: ToolRemoval, view) => (view.quiet ? '' : say('Removed tool {1}', removed.name)),
  problems: ({ notices }: ToolRemoval) => notices,
});
