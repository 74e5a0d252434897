import { resolve } from 'node:path';
import { flag, text } from '../fields.js';
import { operation } from '../operation.js';

export const restore = operation({
  name: 'restore',
  summary: 'Put a backup in the place of the library',
  description:
    'Checks a backup and copies it to where the library is (or would be). A library that is there already is kept: `replace` puts it aside under another name. Programs that have the old library open must open it again.',
  access: 'owner',
  library: 'own',
  input: {
    source: text('The folder that `strata backup` wrote', { cli: { positional: true, value: 'FOLDER' } }),
    replace: flag('Put the library that is there aside'),
  },
  output: 'restore',
  examples: [
    { command: 'strata restore /media/stick/strata-2026-11', explanation: 'where there is no library yet' },
    { command: 'strata restore --replace backup', explanation: 'in place of the one that is there' },
  ],
  async handler(_, { source, replace }, { cwd, library }) {
    const [{ restoreLibrary }, { locate }] = await Promise.all([
      import('../../engine/backup.js'),
      import('../../engine/locate.js'),
    ]);
    const { location } = await locate({ cwd, ...library });
    return restoreLibrary(resolve(cwd, source), location, { replace });
  },
  render: async () => (await import('../render/backup.js')).renderRestore,
});
