import { StrataError } from '../../../model/errors.js';
import { SEARCH_MODES } from '../../../model/result.js';
import { chunkingFields } from '../../fields/chunking.js';
import { LONGEST_QUERY, optionalText, text, textOr, texts } from '../../fields.js';
import { view } from './view.js';

/** In characters; base64 of a file of 3 MB. */
const LONGEST = 4_000_000;

export const chunkTextView = view({
  name: 'chunk-text',
  summary: 'How a text or a file would be cut, without a library',
  description:
    'Give either `text` or `bytes` (a file as base64). The name tells the format where the content does not.',
  access: 'read',
  input: {
    text: optionalText('The text', { longest: LONGEST }),
    bytes: optionalText('A file, as base64', { longest: LONGEST }),
    name: textOr('text.md', 'What the file is called', { longest: 255 }),
    ...chunkingFields,
  },
  output: ({ z, chunk }) =>
    z.object({
      format: z.string(),
      title: z.string(),
      text: z.string(),
      sections: z.array(
        z.object({ title: z.string(), level: z.number(), start: z.number(), end: z.number() }),
      ),
      chunks: z.array(
        chunk.pick({
          chunk_index: true,
          title_path: true,
          content_type: true,
          start_position: true,
          end_position: true,
          token_count: true,
        }),
      ),
      warnings: z.array(z.string()),
    }),
  handler: async (_library, { text: given, bytes, name, ...chunking }) => {
    if ((given === undefined) === (bytes === undefined))
      throw new StrataError('INVALID_ARGUMENT', 'give either `text` or `bytes`');
    const content = given === undefined ? Buffer.from(bytes!, 'base64') : Buffer.from(given, 'utf8');
    const { cutText } = await import('../../../engine/views/playground.js');
    return cutText(content, { name, ...chunking });
  },
});

export const similarityView = view({
  name: 'similarity',
  summary: 'How near texts are to each other, by the embedding model',
  access: 'read',
  input: { texts: texts('Texts', { most: 24, longest: 4000 }) },
  output: ({ z }) => z.object({ model: z.string(), matrix: z.array(z.array(z.number())) }),
  handler: async (library, input, { signal }) => {
    const { similarityOf } = await import('../../../engine/views/playground.js');
    return similarityOf(library, input.texts, signal);
  },
});

export const searchTextView = view({
  name: 'search-text',
  summary: 'Ask a question of one text alone: its passages in order, with what speaks for each',
  access: 'read',
  input: {
    text: text('The text', { longest: 200_000 }),
    question: text('The question', { longest: LONGEST_QUERY }),
    mode: optionalText('hybrid, keyword, tfidf or vector', { choices: SEARCH_MODES }),
    ...chunkingFields,
  },
  output: ({ z, loc }) =>
    z.object({
      mode: z.enum(SEARCH_MODES),
      weak: z.boolean().optional(),
      notices: z.array(z.string()),
      passages: z.array(
        z.object({
          content: z.string(),
          title_path: z.array(z.string()),
          loc,
          score: z.number(),
          explain: z.array(
            z.object({
              ...{ channel: z.string(), rank: z.number(), score: z.number() },
              ...{ weight: z.number(), base: z.number() },
            }),
          ),
        }),
      ),
    }),
  handler: async (library, input, { signal }) => {
    const { searchInText } = await import('../../../engine/views/playground.js');
    const { mode, weak, notices, results } = await searchInText(library, input, signal);
    const passages = results.flatMap(({ matched_chunks }) =>
      matched_chunks.map(({ content, title_path, loc, score, explain = [] }) => ({
        ...{ content, title_path, loc, score, explain },
      })),
    );
    return { mode, notices, passages, ...(weak !== undefined && { weak }) };
  },
});
