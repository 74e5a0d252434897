import { endpointOutput, renderEndpoints } from '../../answers/endpoints.js';
import { say } from '../../language/language.js';
import { operation } from '../../operation.js';

export const endpointList = operation({
  name: 'endpoint-list',
  summary: 'Show the MCP endpoints and the tools bound to each',
  description: 'Endpoints that the caller may use, with the tools that agents see there now.',
  access: 'none',
  changes: false,
  library: 'existing',
  input: {},
  output: (schemas) => schemas.z.object({ endpoints: schemas.z.array(endpointOutput(schemas)) }),
  examples: [{ command: 'strata endpoint list', explanation: 'which there are' }],
  handler: async (library, _, { principal }) => {
    const { endpointsOf } = await import('../../../tools/endpoints/endpoints.js');
    return { endpoints: await endpointsOf(library).list(principal) };
  },
  render: ({ endpoints }, view) =>
    endpoints.length === 0
      ? say('No endpoints: `strata endpoint create NAME` makes one.')
      : renderEndpoints(endpoints, view),
});
