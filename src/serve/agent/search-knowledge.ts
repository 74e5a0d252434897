import type { MatchedChunk, SearchAnswer, SearchResult } from '../../model/result.js';
import { SEARCH_MODES } from '../../model/result.js';
import { firstCharacters } from '../../text/graphemes.js';
import { integerOr, optionalText, text, textOr } from '../fields.js';
import { filterFields, filterOf } from '../operations/filters.js';
import { searchAnswer } from '../outputs/records.js';
import { placeOf } from '../render/place.js';
import { leanDocument } from './lean.js';
import { agentTool, maxTokensField, withNotice } from './tool.js';

/** S2.7: whole passages with their positions, by document. */
export const searchKnowledge = agentTool({
  name: 'search_knowledge',
  title: 'Search the knowledge base',
  description:
    'Find the passages that answer a question, in Chinese or English, by words and by meaning. Use it when you need the answer itself: it returns whole passages with heading, position and a citation. Ask in the words of the question; put "exact phrases" in quotes. To survey what exists first, at a fraction of the tokens, use `scout`. Quote `citation.ref` with what you say; `verify_citation` checks it later.',
  access: 'read',
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  input: {
    query: text('The question, or words to look for'),
    limit: integerOr(5, 'Documents at most', { minimum: 1, maximum: 50 }),
    context: textOr('none', 'What to add around a hit: its neighbours, the whole document, none', {
      choices: ['none', 'neighbours', 'document'] as const,
    }),
    mode: optionalText('hybrid (default), keyword, tfidf or vector', { choices: SEARCH_MODES }),
    ...filterFields,
    max_tokens: maxTokensField,
  },
  output: searchAnswer,
  async run(library, { query, limit, context, mode, max_tokens: _, ...rest }, { signal }) {
    const answer = await library.search(query, {
      limit,
      context,
      mode,
      filter: filterOf(rest, library),
      signal,
    });
    return {
      ...answer,
      results: answer.results.map((result) => ({ ...result, item: leanDocument(result.item) })),
    };
  },
  text(answer: SearchAnswer) {
    const parts = answer.results.map(resultText);
    if (parts.length === 0) parts.push(`Nothing matches "${answer.query}".`);
    if (answer.suggestion !== undefined) parts.push(`Did you mean: ${answer.suggestion}`);
    return [...parts, ...answer.notices.map((notice) => `Note: ${notice}`)].join('\n\n');
  },
  shrink: smallerAnswer,
});

function resultText(result: SearchResult): string {
  const head = `## ${result.item.title} (${result.item.source_path})${result.stale ? ' [changed since it was added]' : ''}`;
  if (result.matched_chunks.length === 0) return `${head}\n${result.item.summary}`;
  return [head, ...result.matched_chunks.map((chunk) => chunkText(chunk, result.item.source_path))].join(
    '\n',
  );
}

function chunkText(chunk: MatchedChunk, path: string): string {
  const where = chunk.title_path.join(' > ') || chunk.heading;
  return `### ${where}\n${chunk.content.trim()}\n[${placeOf(path, chunk.loc)}] ${chunk.citation.ref}`;
}

const CUT = 'Cut to fit max_tokens: ';
/** Shorter than this a passage says nothing any more. */
const SHORTEST_PASSAGE = 200;

/** Context goes first, then highlights, the last documents, further passages, and at last the ends of passages. */
export function smallerAnswer(answer: SearchAnswer): SearchAnswer | null {
  const { results } = answer;
  const say = (changed: readonly SearchResult[], what: string): SearchAnswer => ({
    ...answer,
    results: changed,
    notices: withNotice(answer.notices, CUT, what),
  });
  if (results.some((result) => result.context_chunks.length > 0)) {
    return say(
      results.map((result) => ({ ...result, context_chunks: [] })),
      'neighbouring passages are left out',
    );
  }
  if (results.some((result) => result.highlights.length > 0)) {
    return { ...answer, results: results.map((result) => ({ ...result, highlights: [] })) };
  }
  if (results.length > 1) {
    return say(
      results.slice(0, -1),
      `the best ${results.length - 1} documents are shown; narrow the question`,
    );
  }
  const [only] = results;
  if (only === undefined) return null;
  const chunks = only.matched_chunks;
  if (chunks.length > 1) {
    return say([{ ...only, matched_chunks: chunks.slice(0, -1) }], 'only the best passages are shown');
  }
  const [passage] = chunks;
  if (passage === undefined || passage.content.length <= SHORTEST_PASSAGE) return null;
  const content = `${firstCharacters(passage.content, Math.max(SHORTEST_PASSAGE - 1, Math.floor(passage.content.length / 2)))}…`;
  if (content.length >= passage.content.length) return null;
  return say(
    [{ ...only, matched_chunks: [{ ...passage, content }] }],
    `the passage is not whole; inspect ${passage.chunk_id} has all of it`,
  );
}
