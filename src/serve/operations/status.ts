import { operation } from '../operation.js';

export const status = operation({
  name: 'status',
  summary: 'Say what the library holds and what is missing',
  description:
    'Where the library is, how many documents and passages it holds, how they are cut, and how many have vectors.',
  access: 'read',
  library: 'existing',
  input: {},
  output: 'status',
  examples: [{ command: 'strata status', explanation: 'the library of this folder' }],
  handler: (library) => library.status(),
  render: async () => (await import('../render/status.js')).renderStatus,
});
