import { optionalInteger, optionalNumber, optionalText } from '../fields.js';

/** A book has a million characters: a longer chunk is no passage, and whoever asks for one has mistyped. */
const LONGEST_CHUNK = 1_000_000;

/** How documents are cut. What is left out comes from the library's settings, else from the strategy. */
export const chunkingFields = {
  strategy: optionalText(
    'How to cut: hierarchical (inside sections, by size), h2 (at every H2, no maximum), content (paragraphs, windows)',
    { choices: ['hierarchical', 'h2', 'content'] as const, cli: { value: 'NAME' } },
  ),
  // A sentence must fit: below this every chunk is a fragment, and the library many times its documents.
  max: optionalInteger('The longest chunk, in characters', {
    minimum: 50,
    maximum: LONGEST_CHUNK,
    cli: { value: 'N' },
  }),
  min: optionalInteger('The shortest chunk worth standing alone, in characters', {
    minimum: 0,
    maximum: LONGEST_CHUNK,
    cli: { value: 'N' },
  }),
  overlap: optionalNumber('How much of a window its neighbour repeats: 0 to 0.5', {
    minimum: 0,
    maximum: 0.5,
    cli: { value: 'RATIO' },
  }),
} as const;
