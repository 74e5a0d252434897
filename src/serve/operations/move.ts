import type { MoveReport } from '../../engine/upkeep/move.js';
import { plural } from '../cli/terminal.js';
import { flag, optionalText } from '../fields.js';
import { say } from '../language/language.js';
import { operation, type View } from '../operation.js';

export const move = operation({
  name: 'move',
  summary: 'Take the library to another store',
  description:
    'Copies every document, section, passage and vector to another store, with the same ids, and compares all of it. Nothing is embedded again, and the library stays where it is until `switch`. A move that was interrupted goes on with the same command. Secrets come from the environment (STRATA_POSTGRES_URL). With --vectors the library stays where it is, and turbopuffer gets a copy of its vectors (no text) that searches ask (docs/guides/tools.md).',
  access: 'owner',
  library: 'existing',
  input: {
    to: optionalText('The store: postgres://HOST/DATABASE, lancedb:DIR, json:DIR, sqlite:FILE'),
    vectors: optionalText(
      'Instead of a store: who is asked for the nearest passages, turbopuffer:NAMESPACE or embedded',
      { cli: { value: 'WHO' } },
    ),
    switch: flag('Keep the library there from now on'),
  },
  output: ({ z }) =>
    z.object({
      from: z.string(),
      to: z.string(),
      documents: z.number(),
      chunks: z.number(),
      vectors: z.number(),
      kept: z.number().describe('Documents that an interrupted move had brought already'),
      switched: z.boolean().describe('The library is kept there from now on'),
    }),
  examples: [
    { command: 'strata move --to postgres', explanation: 'to the server that STRATA_POSTGRES_URL names' },
    {
      command: 'strata move --to json:kb --switch',
      explanation: 'to a folder of JSON files, and stay there',
    },
    {
      command: 'strata move --vectors turbopuffer:handbook',
      explanation: 'let turbopuffer find the nearest passages',
    },
  ],
  handler: (library, input, { cwd, signal, progress }) =>
    library.move({ ...input, cwd, signal, onProgress: progress }),
  render: renderMove,
});

function renderMove({ from, to, documents, chunks, vectors, switched }: MoveReport, view: View): string {
  if (view.quiet) return '';
  if (to === 'embedded') return say('The library’s own index is asked from now on.');
  if (to.startsWith('turbopuffer:'))
    return say('Sent {1} to {2}; it is asked from now on.', plural(vectors, 'vector'), to);
  const what = [plural(documents, 'document'), plural(chunks, 'passage'), plural(vectors, 'vector')].join(
    say(', '),
  );
  const next = switched
    ? say('The library is kept there now; what is left in {1} can be deleted when all is well.', from)
    : say('The library is still kept where it was; the same command with --switch changes that.');
  return `${say('Copied and compared {1} to {2}', what, to)}\n${next}`;
}
