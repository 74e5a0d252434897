import { resolve } from 'node:path';
import type { BackupReport } from '../../engine/upkeep/backup.js';
import { plural } from '../cli/terminal.js';
import { argument } from '../fields.js';
import { say } from '../language/language.js';
import { operation, type View } from '../operation.js';

export const backup = operation({
  name: 'backup',
  summary: 'Copy the library, also while it is in use',
  description:
    'Writes a consistent copy of the library into a new folder; others may go on reading and writing meanwhile. The copy is a library itself: `--library` opens it, `restore` puts it back.',
  access: 'owner',
  library: 'existing',
  input: { destination: argument('A new or empty folder', 'FOLDER') },
  output: ({ z }) =>
    z.object({
      destination: z.string(),
      documents: z.number(),
      chunks: z.number(),
      bytes: z.number(),
    }),
  examples: [{ command: 'strata backup /media/stick/strata-2026-11', explanation: 'a copy to keep' }],
  handler: (library, { destination }, { cwd }) => library.backup(resolve(cwd, destination)),
  render: renderBackup,
});

function renderBackup({ destination, documents, chunks, bytes }: BackupReport, view: View): string {
  if (view.quiet) return '';
  const size = `${(bytes / 2 ** 20).toFixed(1)} MB`;
  return say(
    'Copied {1}, {2}, {3} to {4}',
    plural(documents, 'document'),
    plural(chunks, 'passage'),
    size,
    destination,
  );
}
