import { operation } from '../operation.js';

export const embed = operation({
  name: 'embed',
  summary: 'Make the vectors that are still missing, for search by meaning',
  description:
    'Embeds every passage that has no vector of the library’s model yet: after an interruption, after `add --no-embed`, or with --embedder to change the model. Searches go on meanwhile; a new model’s vectors are built beside the old ones and take over when they are complete.',
  access: 'write',
  library: 'existing',
  input: {},
  output: 'embed',
  examples: [
    { command: 'strata embed', explanation: 'go on where it stopped' },
    {
      command: 'strata embed --embedder ollama:bge-m3',
      explanation: 'change the model; searches go on meanwhile',
    },
  ],
  handler: (library, _, { signal, progress }) => library.embed({ signal, onProgress: progress }),
  render: async () => (await import('../render/embed.js')).renderEmbed,
  problems: ({ failed, stopped }) => [
    ...(stopped === undefined ? [] : [stopped]),
    ...failed.slice(0, 10).map(({ reason }) => `a passage could not be embedded: ${reason}`),
    ...(failed.length > 10 ? [`and ${failed.length - 10} more`] : []),
  ],
});
