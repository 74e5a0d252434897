import type { RebuildReport } from '../../engine/library.js';
import { plural } from '../cli/terminal.js';
import { chunkingFields } from '../fields/chunking.js';
import { say } from '../language/language.js';
import { operation, type View } from '../operation.js';

export const rebuild = operation({
  name: 'rebuild',
  summary: 'Cut and index all documents again, from the texts the library keeps',
  description:
    'Makes passages and words again from the kept texts, with the given or remembered settings; no source file is read. Ids stay, and so do the vectors of passages that stay the same. Use it after an upgrade or to change the strategy.',
  access: 'owner',
  library: 'existing',
  input: chunkingFields,
  output: ({ z }) =>
    z.object({
      documents: z.number(),
      chunks: z.object({ kept: z.number(), added: z.number(), removed: z.number() }),
      failed: z.array(z.object({ id: z.string(), source_path: z.string(), reason: z.string() })),
      interrupted: z.boolean(),
    }),
  examples: [
    { command: 'strata rebuild', explanation: 'with the settings as they are' },
    { command: 'strata rebuild --strategy h2', explanation: 'cut at every H2 from now on' },
  ],
  handler: (library, input, { signal, progress }) =>
    library.rebuild({ ...input, signal, onProgress: progress }),
  render: renderRebuild,
  problems: (report) => report.failed.map(({ source_path, reason }) => `${source_path}: ${reason}`),
});

function renderRebuild(report: RebuildReport, view: View): string {
  if (view.quiet) return '';
  const { kept, added, removed } = report.chunks;
  const passages = say('{1} passages kept, {2} new, {3} gone', kept, added, removed);
  const end = report.interrupted ? say(' Interrupted: run it again for the rest.') : '';
  return `${say('Rebuilt {1}: {2}.', plural(report.documents, 'document'), passages)}${end}`;
}
