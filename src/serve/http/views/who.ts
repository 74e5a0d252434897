import { VERSION } from '../../../model/version.js';
import { view } from './view.js';

export const whoView = view({
  name: 'who',
  summary: 'Who is asking, what they may do, and of which server',
  access: 'read',
  input: {},
  output: ({ z }) =>
    z.object({
      name: z.string(),
      access: z.enum(['none', 'read', 'write', 'owner']),
      version: z.string(),
      library: z.string().describe("The name of the library's folder"),
    }),
  handler: async (library, _, { principal }) => ({
    name: principal.name,
    access: principal.access,
    version: VERSION,
    library: library.root.split(/[\\/]/).findLast((part) => part !== '') ?? '',
  }),
});
