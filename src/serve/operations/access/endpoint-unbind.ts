import { endpointOutput, renderEndpoints } from '../../answers/endpoints.js';
import { boundTools, endpointName } from '../../fields/names.js';
import { operation } from '../../operation.js';

export const endpointUnbind = operation({
  name: 'endpoint-unbind',
  summary: 'Take search tools off an MCP endpoint',
  description:
    'They are no longer seen there; the tools themselves stay. Clients that are connected learn of it at once (list_changed).',
  access: 'none',
  changes: true,
  library: 'existing',
  input: {
    name: endpointName,
    tools: boundTools,
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
