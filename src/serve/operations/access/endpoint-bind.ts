import { endpointOutput, renderEndpoints } from '../../answers/endpoints.js';
import { boundTools, endpointName } from '../../fields/names.js';
import { operation } from '../../operation.js';

export const endpointBind = operation({
  name: 'endpoint-bind',
  summary: 'Show search tools at an MCP endpoint',
  description:
    'Clients that are connected learn of it at once (list_changed), also when another process binds. Whoever may use the endpoint may then call the tool, so it needs the right to change both.',
  access: 'none',
  changes: true,
  library: 'existing',
  input: {
    name: endpointName,
    tools: boundTools,
  },
  output: endpointOutput,
  examples: [{ command: 'strata endpoint bind team rules faq', explanation: 'agents at /mcp/team see both' }],
  subject: ({ name, tools }) => `${name}: ${tools.join(', ')}`,
  handler: async (library, { name, tools }, { principal }) => {
    const { endpointsOf } = await import('../../../tools/endpoints/endpoints.js');
    return endpointsOf(library).bind(name, tools, principal);
  },
  render: (endpoint, view) => (view.quiet ? '' : renderEndpoints([endpoint], view)),
});
