import { relative } from 'node:path';
import type { LibraryStatus } from '../../engine/library.js';
import { factLines } from '../answers/facts.js';
import { colours, thousands } from '../cli/terminal.js';
import { say } from '../language/language.js';
import { translate } from '../language/translate.js';
import { agentTool } from '../mcp/agent-tool.js';
import { operation, type View } from '../operation.js';

/** Where the library lies on its owner's machine is nobody else's business. */
const withoutPlaces = (status: LibraryStatus): LibraryStatus => ({
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
  output: ({ z }) =>
    z.object({
      location: z.string(),
      root: z.string(),
      driver: z.string(),
      documents: z.number(),
      chunks: z.number(),
      generation: z.number(),
      settings: z.object({
        strategy: z.string(),
        max: z.number().nullable(),
        min: z.number(),
        overlap: z.number(),
        embedder: z.string(),
      }),
      vectors: z.object({
        model: z.string().nullable(),
        dimensions: z.number(),
        embedded: z.number(),
        pending: z.number(),
        reason: z.string().optional(),
      }),
    }),
  examples: [{ command: 'strata status', explanation: 'the library of this folder' }],
  handler: async (library, _, { principal }) => {
    const status = await library.status();
    return principal.kind === 'local' ? status : withoutPlaces(status);
  },
  render: renderStatus,
  tool: agentTool({
    name: 'status',
    title: 'State of the knowledge base',
    description:
      'How many documents and passages the knowledge base holds, and whether search by meaning is ready. Use it when searches find less than expected.',
    input: {},
    run: async (library) => withoutPlaces(await library.status()),
    text({ documents, chunks, vectors }: LibraryStatus) {
      const meaning =
        vectors.model === null
          ? `search by words only (${vectors.reason ?? 'no model'})`
          : `${vectors.embedded} of ${chunks} passages can be found by meaning (${vectors.model})`;
      return `${documents} documents, ${chunks} passages; ${meaning}`;
    },
  }),
});

function renderStatus(status: LibraryStatus, view: View): string {
  const paint = colours(view);
  const { settings, vectors } = status;
  const facts: [string, string][] = [
    ['Library', status.location],
    ['Store', status.driver],
    ['Documents', thousands(status.documents)],
    ['Passages', thousands(status.chunks)],
    [
      'Cut by',
      say(
        '{1}, {2} characters, overlap {3}',
        settings.strategy,
        `${settings.min}–${settings.max ?? '∞'}`,
        settings.overlap,
      ),
    ],
    ['Meaning', meaning(vectors)],
  ];
  return factLines(facts, paint).join('\n');
}

function meaning({ model, dimensions, embedded, pending, reason }: LibraryStatus['vectors']): string {
  if (model === null) return say('off: {1}; search goes by words', translate(reason ?? 'no model'));
  const total = embedded + pending;
  const share = total === 0 ? 100 : Math.floor((100 * embedded) / total);
  const parts = [
    say('{1} ({2} dimensions), {3} % of the passages', model, dimensions, share),
    ...(pending > 0 ? [say('{1} left, `strata embed` goes on', thousands(pending))] : []),
    ...(reason ? [translate(reason)] : []),
  ];
  return parts.join(say('; '));
}
