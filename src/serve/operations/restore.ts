import { resolve } from 'node:path';
import type { RestoreReport } from '../../engine/upkeep/backup.js';
import { plural } from '../cli/terminal.js';
import { argument, flag } from '../fields.js';
import { say } from '../language/language.js';
import { operation, type View } from '../operation.js';

export const restore = operation({
  name: 'restore',
  summary: 'Put a backup in the place of the library',
  description:
    'Checks a backup and copies it to where the library is (or would be). A library that is there already is kept: `replace` puts it aside under another name. Programs that have the old library open must open it again.',
  access: 'owner',
  library: 'own',
  input: {
    source: argument('The folder that `strata backup` wrote', 'FOLDER'),
    replace: flag('Put the library that is there aside'),
  },
  output: ({ z }) =>
    z.object({
      location: z.string(),
      documents: z.number(),
      chunks: z.number(),
      replaced: z.string().nullable().describe('Where the library that was there before stands now'),
    }),
  examples: [
    { command: 'strata restore /media/stick/strata-2026-11', explanation: 'where there is no library yet' },
    { command: 'strata restore --replace backup', explanation: 'in place of the one that is there' },
  ],
  async handler(_, { source, replace }, { cwd, library }) {
    const [{ restoreLibrary }, { locate }] = await Promise.all([
      import('../../engine/upkeep/backup.js'),
      import('../../engine/locate.js'),
    ]);
    const { location } = await locate({ cwd, ...library });
    return restoreLibrary(resolve(cwd, source), location, { replace });
  },
  render: renderRestore,
});

function renderRestore({ location, documents, chunks, replaced }: RestoreReport, view: View): string {
  if (view.quiet) return '';
  const aside =
    replaced === null
      ? ''
      : `\n${say('What was there before is in {1}; delete it when all is well.', replaced)}`;
  return `${say('Restored {1}, {2} to {3}', plural(documents, 'document'), plural(chunks, 'passage'), location)}${aside}`;
}
