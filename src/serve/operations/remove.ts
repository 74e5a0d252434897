import { flag, MOST_PATHS, texts } from '../fields.js';
import { operation } from '../operation.js';

export const remove = operation({
  name: 'remove',
  summary: 'Remove documents from the library (files stay untouched)',
  description:
    'Removes documents by path, folder or id, with their passages, words and vectors. The files themselves are not touched.',
  access: 'write',
  library: 'existing',
  input: {
    targets: texts('Paths, folders or ids', { most: MOST_PATHS, cli: { positional: true, value: 'TARGET' } }),
    dry_run: flag('Say what would be removed, change nothing'),
  },
  output: 'remove',
  examples: [
    { command: 'strata remove docs/old.md', explanation: 'one document' },
    { command: 'strata remove drafts --dry-run', explanation: 'what is below that folder?' },
  ],
  handler: (library, { targets, dry_run }, { cwd }) => library.remove(targets, { dry_run, cwd }),
  render: async () => (await import('../render/remove.js')).renderRemove,
});
