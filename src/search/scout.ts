import type { Brief, ChunkBrief, DocumentBrief } from '../model/brief.js';
import type { Chunk } from '../model/chunk.js';
import type { Document } from '../model/document.js';
import { StrataError } from '../model/errors.js';
import type { SearchMode } from '../model/result.js';
import { firstCharacters } from '../text/graphemes.js';
import { estimateTokens } from '../text/tokens.js';
import type { Group } from './group.js';
import { doubtOf } from './judge/suggest.js';
import type { SearchOptions } from './options.js';
import { rank } from './rank.js';
import { matchDocuments } from './recall/documents.js';
import type { SearchParts } from './recall/recall.js';

export interface ScoutOptions extends SearchOptions {
  /** The answer, as text or as JSON, costs a model no more than this. */
  readonly max_tokens?: number;
  /** How the caller will write the answer: that is what the tokens are counted of. JSON where nothing is said. */
  readonly written?: (answer: ScoutAnswer) => string;
}

export interface ScoutAnswer {
  readonly mode: SearchMode;
  readonly briefs: readonly Brief[];
  readonly notices: readonly string[];
  readonly suggestion?: string;
  readonly weak?: boolean;
  /** How many briefs there was no room for within `max_tokens`. */
  readonly left_out?: number;
}

/** The same search cut to briefs: documents that match by themselves, and chunks, without their content. */
export async function scout(parts: SearchParts, options: ScoutOptions): Promise<ScoutAnswer> {
  const { max_tokens, written = pretty, ...searched } = options;
  if (max_tokens !== undefined && (!Number.isInteger(max_tokens) || max_tokens < 1)) {
    throw new StrataError(
      'INVALID_ARGUMENT',
      `max_tokens must be a whole number from 1; it is ${max_tokens}.`,
    );
  }
  const ranking = await rank(parts, searched);
  const { request, query } = ranking;
  // A damaged index has been reported by the ranking already.
  const ownMatches = await matchDocuments(parts.backend, query, request).catch(() => []);
  const own = new Set(ownMatches.map(({ document }) => document.id));
  const documents = await parts.backend.documentsById(ranking.groups.map(({ doc_id }) => doc_id));
  const byId = new Map(documents.map((document) => [document.id, document]));
  const found = ranking.groups.map((group) => briefsOf(parts, byId.get(group.doc_id), group, own));
  const briefs = (await Promise.all(found)).flat();
  for (const { document } of ranking.documents) {
    briefs.push({ ...documentBrief(document), ...(await parts.staleness?.(document)) });
  }
  const full: ScoutAnswer = {
    mode: ranking.mode,
    briefs: briefs.slice(0, request.limit),
    notices: [...ranking.notices, ...((await parts.notices?.()) ?? [])],
    ...(briefs.length > 0 && !ranking.weak ? {} : await doubtOf(parts.backend, ranking, briefs.length)),
  };
  return max_tokens === undefined ? full : withinBudget(full, max_tokens, written);
}

/** A document whose own title or summary is among the best matches is worth an entry of its own. */
async function briefsOf(
  { staleness }: SearchParts,
  document: Document | undefined,
  group: Group,
  ownMatches: ReadonlySet<string>,
): Promise<Brief[]> {
  // Removed by another process between the two reads.
  if (document === undefined) return [];
  const state = await staleness?.(document);
  // A document of one chunk is that chunk: one entry, not two.
  if (document.chunk_count <= 1) return [{ ...documentBrief(document), ...state }];
  const chunks = group.chunks.map(({ chunk }) => ({ ...chunkBrief(document, chunk), ...state }));
  return ownMatches.has(document.id) ? [{ ...documentBrief(document), ...state }, ...chunks] : chunks;
}

const documentBrief = ({ id, title, summary, chunk_count }: Document): DocumentBrief => ({
  id,
  title,
  summary,
  chunk_count,
  is_parent: true,
});

const chunkBrief = (document: Document, chunk: Chunk): ChunkBrief => ({
  id: chunk.id,
  parent_id: document.id,
  title: chunk.title,
  parent_doc_title: document.title,
  summary: chunk.summary,
  position: chunk.chunk_index,
  is_parent: false,
});

/**
 * The estimate of tokens is off by 4 to 6 % in the mean (tokens.ts) and by up to 17 % on single briefs: with a fifth
 * in hand, the answer stays within the budget by any model's own count.
 */
const SAFETY = 1.2;

/** Pretty-printed JSON is the longest form an answer is shown in. */
const pretty = (answer: ScoutAnswer): string => JSON.stringify(answer, null, 2);

export const answerTokens = (answer: ScoutAnswer, written = pretty): number =>
  Math.ceil(estimateTokens(written(answer)) * SAFETY);

/**
 * As many briefs as fit, and how many were left out; the last one with a shorter summary if that is what fits. Where the
 * best does not fit at all, the best one that does. Notices go before briefs do.
 */
function withinBudget(
  answer: ScoutAnswer,
  budget: number,
  written: (answer: ScoutAnswer) => string,
): ScoutAnswer {
  const fits = (one: ScoutAnswer): boolean => answerTokens(one, written) <= budget;
  if (fits(answer)) return answer;
  const left_out = answer.briefs.length;
  const bare: ScoutAnswer = { mode: answer.mode, briefs: [], notices: [], left_out };
  let fitted: ScoutAnswer = { ...answer, briefs: [], left_out };
  if (!answer.briefs.some((brief) => shortened(fitted, brief, fits))) fitted = bare;
  for (const brief of answer.briefs) {
    const next = shortened(fitted, brief, fits);
    if (next) fitted = next;
    else if (fitted.briefs.length > 0) break;
  }
  if (fitted.briefs.length === 0 && answer.briefs.length > 0)
    return needsMore(bare, answer.briefs[0]!, written, fits);
  const missing = answer.briefs.length - fitted.briefs.length;
  const { left_out: _, ...whole } = fitted;
  return missing > 0 ? { ...fitted, left_out: missing } : whole;
}

/** Not even one brief fits: what the best one needs, where there is room to say so. */
function needsMore(
  bare: ScoutAnswer,
  best: Brief,
  written: (answer: ScoutAnswer) => string,
  fits: (answer: ScoutAnswer) => boolean,
): ScoutAnswer {
  const needed = answerTokens({ ...bare, briefs: [{ ...best, summary: '' }] }, written);
  const told = { ...bare, notices: [`The best brief alone needs ${needed} tokens.`] };
  return fits(told) ? told : bare;
}

/** Summaries are cut to these lengths, longest first, until the brief fits. */
const SUMMARY_LENGTHS = [500, 200, 100, 40, 0];

function shortened(
  answer: ScoutAnswer,
  brief: Brief,
  fits: (answer: ScoutAnswer) => boolean,
): ScoutAnswer | null {
  for (const length of SUMMARY_LENGTHS) {
    const summary = firstCharacters(brief.summary, length);
    const next = { ...answer, briefs: [...answer.briefs, { ...brief, summary }] };
    if (fits(next)) return next;
  }
  return null;
}
