import { isStrataError } from '../model/errors.js';
import type { SearchMode } from '../model/result.js';
import type { Backend } from '../store/backend.js';
import type { Query } from '../text/query.js';
import { type Channel, type Fused, fuse } from './fuse.js';
import { type Group, loadGroups } from './group.js';
import type { Standing } from './judge/background.js';
import { hasEvidence, JUDGED, type Verdict, verdictOf, wordEvidence } from './judge/evidence.js';
import { unmetFilters } from './judge/filter-notices.js';
import { isStrangeWord } from './judge/misspelt-characters.js';
import { checkOptions, type SearchOptions, type SearchRequest } from './options.js';
import { type DocumentMatch, fallBackToDocuments, matchDocuments } from './recall/documents.js';
import { withoutExcluded } from './recall/excluded.js';
import { type Recalled, recall, type SearchParts } from './recall/recall.js';
import { understand } from './recall/understand.js';
import { type Reranking, rerank, withoutNotice } from './rerank.js';

/** Whom a search has found, before anything is shown of them. */
export interface Ranking {
  readonly request: SearchRequest;
  readonly query: Query;
  readonly mode: SearchMode;
  readonly groups: readonly Group[];
  /** Documents that matched by themselves only: no chunk of theirs did. */
  readonly documents: readonly DocumentMatch[];
  /** What is shown may have nothing to do with the question. */
  readonly weak: boolean;
  readonly notices: readonly string[];
}

const NOTHING = 'Nothing here answers this: neither its words nor its meaning are in the library.';

/** Enough for ten documents of several chunks each per channel; many lack a quoted phrase. */
const firstCandidates = (request: SearchRequest, query: Query): number =>
  Math.max(100, request.limit * 4) * (query.phrases.length > 0 ? 8 : 1);

export async function rank(parts: SearchParts, options: SearchOptions): Promise<Ranking> {
  const request = checkOptions(options);
  const found = await inBothLanguages(parts, request);
  const problems = parts.glossary?.problems ?? [];
  const ranking = problems.length === 0 ? found : { ...found, notices: [...found.notices, ...problems] };
  if (ranking.groups.length > 0 || ranking.documents.length > 0) return ranking;
  const unmet = await unmetFilters(parts.backend, request.filter);
  return unmet.length === 0 ? ranking : { ...ranking, notices: [...ranking.notices, ...unmet] };
}

/**
 * Where a library of both languages has no clear answer in the question's own, it is asked in the other too; what is
 * found then counts only if it answers more clearly.
 */
async function inBothLanguages(parts: SearchParts, request: SearchRequest): Promise<Ranking> {
  const own = await rankFor(parts, request, await understand(parts, request));
  if (clarity(own) === CLEAR) return own;
  const query = await understand(parts, request, 'both');
  if (query.concepts.length <= own.query.concepts.length) return own;
  const other = await rankFor(parts, request, query);
  return clarity(other) > clarity(own) ? other : own;
}

const CLEAR = 2;
const clarity = ({ groups, documents, weak }: Ranking): number =>
  groups.length === 0 && documents.length === 0 ? 0 : weak ? 1 : CLEAR;

async function rankFor(parts: SearchParts, request: SearchRequest, query: Query): Promise<Ranking> {
  const left = request.excluded.map((phrase) => `Without passages that hold "${phrase}".`);
  const asked = { request, query };
  const phrases = query.phrases.length > 0;
  for (let k = firstCandidates(request, query); ; k *= 8) {
    let recalled: Recalled;
    try {
      recalled = await recall(parts, query, request, k);
    } catch (error) {
      if (!isStrataError(error, 'STORE_DAMAGED')) throw error;
      return wholeDocuments(parts, query, request, 'the chunk index is damaged (`strata doctor` says more)');
    }
    request.signal?.throwIfAborted();
    const { mode, channels, documentIds } = recalled;
    const notices = [...left, ...recalled.notices];
    const isSettled = isDemand(query) || isInside(request, query);
    const floor = isSettled ? -Infinity : (recalled.standing?.floor ?? -Infinity);
    const candidates = await withoutExcluded(parts.backend, fuse(channels), request.excluded);
    const evident = candidates.filter((entry) => hasEvidence(entry, floor));
    // In a library whose passages are all alike none stands out by meaning; their words decide in `judge`.
    const fused = evident.length === 0 && mode === 'vector' ? candidates : evident;
    const groups = await loadGroups(parts.backend, fused, query, request, documentIds);
    const exhausted = channels.every((channel) => isExhausted(channel, k, floor));
    if (groups.length < request.limit && !exhausted) continue;
    const again = await readAgain(parts, query, request, fused);
    const isFar = fused.length === 0 && candidates.length > 0;
    if (groups.length > 0 || isFar) {
      const judged = isFar ? 'none' : await judge(parts.backend, query, again.ranking, recalled.standing);
      const verdict = judged === 'none' && isInside(request, query) ? 'weak' : judged;
      const best = again.isNew
        ? await loadGroups(parts.backend, again.ranking, query, request, documentIds)
        : groups;
      const said = [...notices, ...again.notices];
      const shown =
        verdict === 'none' ? { groups: [], notices: [...said, NOTHING] } : { groups: best, notices: said };
      return { ...asked, mode, ...shown, documents: [], weak: verdict === 'weak' };
    }
    const { documents, chunks } = await parts.backend.counts();
    if (documents > 0 && chunks === 0) {
      return wholeDocuments(parts, query, request, 'the library has no chunks');
    }
    const found = phrases ? [] : await matchDocuments(parts.backend, query, request);
    return { ...asked, mode, groups: [], documents: found, weak: false, notices };
  }
}

/** In the reranker's order, where the user has named one. */
async function readAgain(
  { reranker, backend }: SearchParts,
  { text }: Query,
  { signal }: SearchRequest,
  ranking: readonly Fused[],
): Promise<Reranking & { readonly isNew: boolean }> {
  if (reranker === undefined) return { ranking, notices: [], isNew: false };
  if ('missing' in reranker) return { ranking, notices: [withoutNotice(reranker.missing)], isNew: false };
  return { ...(await rerank(reranker, backend, text, ranking, { signal })), isNew: true };
}

/** Whether more than k candidates would bring nothing that is shown; a document's meaning only weighs what others find. */
const isExhausted = ({ name, matches }: Channel, k: number, floor: number): boolean =>
  matches.length < k || name === 'document' || (name === 'meaning' && matches[k - 1]!.score < floor);

/** A quoted phrase or the beginning of a word is a demand: what meets it is no guess. */
const isDemand = ({ phrases, prefix }: Query): boolean => phrases.length > 0 || prefix !== null;

/**
 * A question inside documents that the caller has named: what it is about is settled, and the nearest of their passages
 * is what is wanted, however alike they all are. Nothing is refused then, but it may be weak.
 */
const isInside = ({ filter }: SearchRequest, { is_sentence }: Query): boolean =>
  is_sentence && filter?.doc_ids !== undefined;

async function judge(
  backend: Backend,
  query: Query,
  ranking: readonly Fused[],
  standing: Standing | null,
): Promise<Verdict> {
  if (isDemand(query)) return 'clear';
  const best = await backend.chunksById(ranking.slice(0, JUDGED).map(({ id }) => id));
  const { chunks } = await backend.counts();
  const words = await wordEvidence(backend, query, best);
  const is_strange = query.concepts.length === 0 && (await isStrangeWord(backend, query.text));
  return verdictOf({ ...words, standing, is_strange, is_sentence: query.is_sentence, passages: chunks });
}

async function wholeDocuments(
  parts: SearchParts,
  query: Query,
  request: SearchRequest,
  why: string,
): Promise<Ranking> {
  const documents = await fallBackToDocuments(parts.backend, query, request);
  return {
    request,
    query,
    mode: 'keyword',
    groups: [],
    documents,
    weak: false,
    notices: [`Searched whole documents: ${why}.`],
  };
}
