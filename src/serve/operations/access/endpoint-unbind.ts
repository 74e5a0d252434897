import { endpointOutput, renderEndpoints } from '../../answers/endpoints.js';
import { text, texts } from '../../fields.js';
import { operation } from '../../operation.js';

export const endpointUnbind = operation({
  name: 'endpoint-unbind',
  command: 'endpoint unbind',
  summary: 'Take search tools off an MCP endpoint',
  description:
    'They are no longer seen there; the tools themselves stay. Clients that are connected learn of it at once (list_changed).',
  access: 'none',
  changes: true,
  library: 'existing',
  input: {
    name: text('The endpoint', { longest: 64, cli: { positional: true, value: 'NAME' } }),
    tools: texts('Search tools by name', {
      longest: 64,
      most: 100,
      cli: { positional: true, value: 'TOOL' },
    }),
  },
  output: endpointOutput,
  examples: [
    { command: 'strata endpoint unbind team rules faq', explanation: 'agents at /mcp/team see neither' },
  ],
  subject: ({ name, tools }) => `${name}: ${tools.join(', ')}`,
  handler: async (library, { name, tools }, { principal }) => {
    const { endpointsOf } = await import('../../../tools/endpoints/endpoints.js');
    return endpointsOf(library).unbind(name, tools, principal);
  },
  render: (endpoint, view) => (view.quiet ? '' : renderEndpoints([endpoint], view)),
});
