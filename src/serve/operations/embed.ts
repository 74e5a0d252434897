import type { EmbedReport } from '../../engine/embedding/embed-behind.js';
import { plural } from '../cli/terminal.js';
import { say } from '../language/language.js';
import { operation, type View } from '../operation.js';

export const embed = operation({
  name: 'embed',
  summary: 'Make the vectors that are still missing, for search by meaning',
  description:
    'Embeds every passage that has no vector of the library’s model yet: after an interruption, after `add --no-embed`, or with --embedder to change the model. Searches go on meanwhile; a new model’s vectors are built beside the old ones and take over when they are complete.',
  access: 'write',
  library: 'existing',
  input: {},
  output: ({ z }) =>
    z.object({
      embedded: z.number(),
      failed: z.array(z.object({ embed_key: z.string(), reason: z.string() })),
      remaining: z.number().describe('Passages that still have no vector'),
      stopped: z.string().optional().describe('Why it ended before everything was tried'),
      interrupted: z.boolean(),
    }),
  examples: [
    { command: 'strata embed', explanation: 'go on where it stopped' },
    {
      command: 'strata embed --embedder ollama:bge-m3',
      explanation: 'change the model; searches go on meanwhile',
    },
  ],
  handler: (library, _, { signal, progress }) => library.embed({ signal, onProgress: progress }),
  render: renderEmbed,
  problems: ({ failed, stopped }) => [
    ...(stopped === undefined ? [] : [stopped]),
    ...failed.slice(0, 10).map(({ reason }) => `a passage could not be embedded: ${reason}`),
    ...(failed.length > 10 ? [`and ${failed.length - 10} more`] : []),
  ],
});

function renderEmbed({ embedded, remaining }: EmbedReport, view: View): string {
  if (view.quiet) return '';
  const rest =
    remaining === 0 ? say('none is missing') : say('{1} still without', plural(remaining, 'passage'));
  return say('Made {1}; {2}.', plural(embedded, 'vector'), rest);
}
