import { operation } from '../operation.js';
import { chunkingFields } from './chunking.js';

export const rebuild = operation({
  name: 'rebuild',
  summary: 'Cut and index all documents again, from the texts the library keeps',
  description:
    'Makes passages and words again from the kept texts, with the given or remembered settings; no source file is read. Ids stay, and so do the vectors of passages that stay the same. Use it after an upgrade or to change the strategy.',
  access: 'owner',
  library: 'existing',
  input: chunkingFields,
  output: 'rebuild',
  examples: [
    { command: 'strata rebuild', explanation: 'with the settings as they are' },
    { command: 'strata rebuild --strategy h2', explanation: 'cut at every H2 from now on' },
  ],
  handler: (library, input, { signal, progress }) =>
    library.rebuild({ ...input, signal, onProgress: progress }),
  render: async () => (await import('../render/rebuild.js')).renderRebuild,
  problems: (report) => report.failed.map(({ source_path, reason }) => `${source_path}: ${reason}`),
});
