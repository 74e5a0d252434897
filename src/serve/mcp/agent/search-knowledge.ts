import * as z from 'zod';
import {
  type MatchedChunk,
  SEARCH_MODES,
  type SearchAnswer,
  type SearchResult,
} from '../../../model/result.js';
import { firstCharacters } from '../../../text/graphemes.js';
import { plural } from '../../cli/terminal.js';
import { integerOr, LONGEST_QUERY, optionalText, text, textOr } from '../../fields.js';
import { filterFields, filterOf } from '../../operations/filters.js';
import { citation, document, matchedChunk, searchAnswer, searchResult } from '../../outputs/records.js';
import { doubt } from '../../render/search.js';
import { type LeanDocument, leanDocument } from './lean.js';
import { agentTool, maxTokensField, withNotice } from './tool.js';

/** S2.7 without what an agent pays for twice: a passage's place stands beside its citation, its text in `content`. */
const answer = searchAnswer.extend({
  results: z.array(
    searchResult.extend({
      item: document.omit({ hash: true }),
      matched_chunks: z.array(
        matchedChunk
          .omit({ explain: true })
          .extend({ citation: citation.pick({ ref: true, content_hash: true }) }),
      ),
    }),
  ),
});

type Passage = Omit<MatchedChunk, 'citation' | 'explain'> & {
  readonly citation: Pick<MatchedChunk['citation'], 'ref' | 'content_hash'>;
};
type Result = Omit<SearchResult, 'item' | 'matched_chunks'> & {
  readonly item: LeanDocument;
  readonly matched_chunks: readonly Passage[];
};
type Answer = Omit<SearchAnswer, 'results'> & { readonly results: readonly Result[] };

/** S2.7: whole passages with their positions, by document. */
export const searchKnowledge = agentTool({
  name: 'search_knowledge',
  title: 'Search the knowledge base',
  description:
    'Find the passages that answer a question, in Chinese or English, by words and by meaning. Use it when you need the answer itself: it returns whole passages with heading, position and a citation. Ask in the words of the question; put "exact phrases" in quotes. To survey what exists first, at a fraction of the tokens, use `scout`. Quote `citation.ref` with what you say; `verify_citation` checks it later.',
  access: 'read',
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  input: {
    query: text('The question, or words to look for', { longest: LONGEST_QUERY }),
    limit: integerOr(5, 'Documents at most', { minimum: 1, maximum: 50 }),
    context: textOr('none', 'What to add around a hit: its neighbours, the whole document, none', {
      choices: ['none', 'neighbours', 'document'] as const,
    }),
    mode: optionalText('hybrid (default), keyword, tfidf or vector', { choices: SEARCH_MODES }),
    ...filterFields,
    max_tokens: maxTokensField,
  },
  output: answer,
  async run(library, { query, limit, context, mode, max_tokens: _, ...rest }, { signal }): Promise<Answer> {
    const found = await library.search(query, {
      limit,
      context,
      mode,
      filter: filterOf(rest, library),
      signal,
    });
    return { ...found, results: found.results.map(lean) };
  },
  text(answer: Answer) {
    const results = answer.results.map(resultText);
    const notices = answer.notices.map((notice) => `Note: ${notice}`);
    return [...doubt(answer, results.length), ...results, ...notices].join('\n\n');
  },
  shrink: smallerAnswer,
});

function lean(result: SearchResult): Result {
  return {
    ...result,
    item: leanDocument(result.item),
    highlights: result.highlights.filter(({ field }) => field === 'content').slice(0, 1),
    matched_chunks: result.matched_chunks.map(
      ({ explain: _, citation: { ref, content_hash }, ...chunk }) => ({
        ...chunk,
        citation: { ref, content_hash },
      }),
    ),
  };
}

function resultText(result: Result): string {
  const stale = result.gone ? ' [its file is gone]' : result.stale ? ' [changed since it was added]' : '';
  const head = `## ${result.item.title} (${result.item.source_path})${stale}`;
  if (result.matched_chunks.length === 0) return `${head}\n${result.item.summary}`;
  return [head, ...result.matched_chunks.map(passageText)].join('\n');
}

/** The citation says where it stands: path, titles, lines or page. */
const passageText = ({ content, citation: { ref } }: Passage): string => `${content.trim()}\n— ${ref}`;

const CUT = 'Cut to fit max_tokens: ';
/** Shorter than this a passage says nothing any more. */
const SHORTEST_PASSAGE = 200;

/**
 * Context goes first, then further passages of each document, the last documents, and at last the end of the one
 * passage that is left: a second source is worth more than a second passage of the first.
 */
export function smallerAnswer(answer: Answer): Answer | null {
  const { results } = answer;
  const say = (changed: readonly Result[], what: string): Answer => ({
    ...answer,
    results: changed,
    notices: withNotice(answer.notices, CUT, what),
  });
  if (results.some((result) => result.highlights.length > 0)) {
    return { ...answer, results: results.map((result) => ({ ...result, highlights: [] })) };
  }
  if (results.some((result) => result.context_chunks.length > 0)) {
    const bare = results.map((result) => ({ ...result, context_chunks: [] }));
    return say(bare, 'neighbouring passages are left out');
  }
  const most = Math.max(0, ...results.map((result) => result.matched_chunks.length));
  if (most > 1) {
    const fewer = results.map((result) => ({
      ...result,
      matched_chunks: result.matched_chunks.slice(0, most - 1),
    }));
    return say(fewer, 'only the best passages of each document are shown');
  }
  if (results.length > 1) {
    return say(results.slice(0, -1), `only the best ${plural(results.length - 1, 'document')} shown`);
  }
  const [only] = results;
  const [passage] = only?.matched_chunks ?? [];
  if (only === undefined || passage === undefined || passage.content.length <= SHORTEST_PASSAGE) return null;
  const half = Math.max(SHORTEST_PASSAGE - 1, Math.floor(passage.content.length / 2));
  const content = `${firstCharacters(passage.content, half)}…`;
  if (content.length >= passage.content.length) return null;
  const shorter = [{ ...only, matched_chunks: [{ ...passage, content }] }];
  return say(shorter, `the passage is not whole; inspect ${passage.chunk_id} has all of it`);
}
