import type { MatchedChunk, SearchAnswer, SearchResult } from '../../model/result.js';
import { firstCharacters } from '../../text/graphemes.js';
import { plural } from '../cli/terminal.js';
import { type Paged, withNotice } from '../mcp/agent-tool.js';
import { type LeanDocument, leanDocument } from './lean-document.js';

/** A search's answer without what an agent pays for twice: a passage's place stands in its citation's `ref`. */
export type LeanPassage = Omit<MatchedChunk, 'citation' | 'explain'> & {
  readonly citation: Pick<MatchedChunk['citation'], 'ref' | 'content_hash'>;
};
export type LeanResult = Omit<SearchResult, 'item' | 'matched_chunks'> & {
  readonly item: LeanDocument;
  readonly matched_chunks: readonly LeanPassage[];
};
export type LeanAnswer = Omit<SearchAnswer, 'results'> & Paged & { readonly results: readonly LeanResult[] };

export const leanAnswer = (answer: SearchAnswer & Paged): LeanAnswer => ({
  ...answer,
  results: answer.results.map(leanResult),
});

function leanResult(result: SearchResult): LeanResult {
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

const CUT = 'Cut to fit max_tokens: ';
/** Shorter than this a passage says nothing any more. */
const SHORTEST_PASSAGE = 200;

/**
 * Context goes first, then further passages of each document, the last documents, and at last the end of the one
 * passage that is left: a second source is worth more than a second passage of the first.
 */
export function smallerAnswer(answer: LeanAnswer): LeanAnswer | null {
  const { results } = answer;
  const say = (changed: readonly LeanResult[], what: string): LeanAnswer => ({
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
    const fewer = say(results.slice(0, -1), `only ${plural(results.length - 1, 'document')} shown`);
    return { ...fewer, next: answer.after + results.length - 1 };
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
