import type { EndpointDetails } from '../../tools/endpoints/endpoints.js';
import { colours, oneLine } from '../cli/terminal.js';
import { say } from '../language/language.js';
import type { View } from '../operation.js';
import type { Schemas } from '../schemas.js';

export const endpointOutput = ({ z }: Schemas) =>
  z.object({
    name: z.string(),
    description: z.string(),
    path: z.string().describe('Where `strata serve` has it'),
    tools: z.array(z.string()).describe('The tools that agents see there'),
    created_at: z.string(),
  });

export function renderEndpoints(endpoints: readonly EndpointDetails[], view: View): string {
  const paint = colours(view);
  return endpoints
    .map(({ path, tools, description }) => {
      const bound = tools.length === 0 ? say('no tools yet') : tools.join(', ');
      const about = description === '' ? '' : `  ${paint.dim(oneLine(description))}`;
      return `${paint.bold(oneLine(path))}  ${oneLine(bound)}${about}`;
    })
    .join('\n');
}
