import { resolve } from 'node:path';
import { text } from '../fields.js';
import { operation } from '../operation.js';

export const backup = operation({
  name: 'backup',
  summary: 'Copy the library, also while it is in use',
  description:
    'Writes a consistent copy of the library into a new folder; others may go on reading and writing meanwhile. The copy is a library itself: `--library` opens it, `restore` puts it back.',
  access: 'owner',
  library: 'existing',
  input: { destination: text('A new or empty folder', { cli: { positional: true, value: 'FOLDER' } }) },
  output: 'backup',
  examples: [{ command: 'strata backup /media/stick/strata-2026-11', explanation: 'a copy to keep' }],
  handler: (library, { destination }, { cwd }) => library.backup(resolve(cwd, destination)),
  render: async () => (await import('../render/backup.js')).renderBackup,
});
