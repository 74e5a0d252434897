import { relative } from 'node:path';
import type { LibraryStatus } from '../../engine/library.js';
import { operation } from '../operation.js';

/** Where the library lies on its owner's machine is nobody else's business. */
export const withoutPlaces = (status: LibraryStatus): LibraryStatus => ({
  ...status,
  location: relative(status.root, status.location),
  root: '.',
});

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
  handler: async (library, _, { principal }) => {
    const status = await library.status();
    return principal.access === 'owner' ? status : withoutPlaces(status);
  },
  render: async () => (await import('../render/status.js')).renderStatus,
});
