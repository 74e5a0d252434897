import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Embedder } from '../../embed/embedder.js';
import type { OnProgress } from '../../model/progress.js';
import { SEARCH_MODES, type SearchMode } from '../../model/result.js';
import { type Ranking, rank } from '../../search/rank.js';
import type { Backend } from '../../store/backend.js';
import type { Library, LibraryOptions } from '../library.js';
import { openLibrary } from '../open.js';
import { partsOf } from '../open-library.js';
import { type Difference, pairedDifference } from './bootstrap.js';
import { meanScores, percentile, type QueryScores, scoreHits, scoreRanking } from './metrics.js';
import {
  type EvalDocument,
  type EvalFiles,
  type EvalQuery,
  type EvalSet,
  isSpanQuery,
  loadEvalSet,
} from './question-set.js';

export interface EvaluateOptions extends EvalFiles, Omit<EvalOptions, 'modes'> {
  /** Default: all; those that need vectors only where there is a model. */
  readonly modes?: readonly SearchMode[] | undefined;
  /** Which model and store; `library` is a folder in which each set's library is kept under its name. */
  readonly library?: LibraryOptions | undefined;
}

/** Each set in a library of its own, made for the occasion unless a folder to keep it in is given. */
export async function evaluate(
  folders: readonly string[],
  options: EvaluateOptions = {},
): Promise<EvalRow[]> {
  const rows: EvalRow[] = [];
  for (const folder of folders) {
    const set = await loadEvalSet(folder, options);
    const kept = options.library?.library;
    const place = kept === undefined ? await mkdtemp(join(tmpdir(), 'strata-eval-')) : join(kept, set.name);
    const library = await openLibrary({ ...options.library, library: place, create: true });
    try {
      const modes = options.modes ?? (library.searchesByMeaning ? SEARCH_MODES : WORD_MODES);
      rows.push(...(await evaluateSet(library, set, { ...options, modes })));
    } finally {
      await library.close();
      if (kept === undefined) await rm(place, { recursive: true, force: true });
    }
  }
  return rows;
}

const WORD_MODES: readonly SearchMode[] = ['keyword', 'tfidf'];

export interface EvalOptions {
  readonly modes: readonly SearchMode[];
  /** Default true: vectors for everything before the first question. Else hybrid makes do with those it makes on demand. */
  readonly embed?: boolean | undefined;
  /** Search inside the question's own document only (answer-span sets). */
  readonly inside?: boolean | undefined;
  readonly onProgress?: OnProgress | undefined;
  readonly onQuery?: ((row: QueryRow) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** One set searched in one mode. */
export interface EvalRow extends QueryScores {
  readonly set: string;
  readonly mode: SearchMode;
  readonly queries: number;
  readonly documents: number;
  readonly chunks: number;
  readonly mean_chunk_length: number;
  /** Ranking alone, a hundred deep: what is shown of the results is not part of it. */
  readonly ms_per_query: number;
  readonly ms_p50: number;
  readonly ms_p95: number;
  readonly notices: readonly string[];
  /** Against the first mode: nDCG@10, and of answer spans hit@1. The first mode has none. */
  readonly difference?: Difference & { readonly metric: 'ndcg_10' | 'hit_1'; readonly mode: SearchMode };
}

/** One query of it, for `--per-query`. */
export interface QueryRow extends QueryScores {
  readonly set: string;
  readonly mode: SearchMode;
  readonly query_id: string;
  readonly query: string;
  readonly ms: number;
  /** The first ten: documents, or for answer spans `document#chunk_index`. */
  readonly ranking: readonly string[];
}

/** How deep a ranking is judged: recall@100 needs no more. */
const DEPTH = 100;

/** Adds a set's documents as any other text, then asks its questions in each mode. */
export async function evaluateSet(library: Library, set: EvalSet, options: EvalOptions): Promise<EvalRow[]> {
  const ids = await addDocuments(library, set, options);
  const needsVectors = options.modes.some((mode) => mode === 'hybrid' || mode === 'vector');
  const { signal, onProgress } = options;
  if (needsVectors && options.embed !== false) await library.embed({ signal, onProgress });
  const { backend, embedders, reranking } = partsOf(library);
  const size = await chunkSizes(backend, [...ids.values()]);
  const rows: EvalRow[] = [];
  const metric = set.queries.some(isSpanQuery) ? 'hit_1' : 'ndcg_10';
  let first: readonly number[] | undefined;
  for (const mode of options.modes) {
    const embedder = mode === 'hybrid' || mode === 'vector' ? await embedders.forQueries() : null;
    const { scores, times, notices } = await askAll(
      { backend, embedder, ...(await reranking.forSearch()) },
      set,
      mode,
      ids,
      options,
    );
    rows.push({
      set: set.name,
      mode,
      ...meanScores(scores),
      queries: scores.length,
      documents: set.documents.length,
      ...size,
      ms_per_query: times.reduce((sum, ms) => sum + ms, 0) / Math.max(1, times.length),
      ms_p50: percentile(times, 0.5),
      ms_p95: percentile(times, 0.95),
      notices: [...notices],
      ...(first && {
        difference: {
          metric,
          mode: options.modes[0]!,
          ...pairedDifference(
            scores.map((one) => one[metric]),
            first,
          ),
        },
      }),
    });
    first ??= scores.map((one) => one[metric]);
  }
  return rows;
}

/** The library's ids by the set's. */
async function addDocuments(
  library: Library,
  set: EvalSet,
  { onProgress, signal }: EvalOptions,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const [index, document] of set.documents.entries()) {
    signal?.throwIfAborted();
    const source = sourceOf(set, document.id);
    const { text } = document;
    await library.addText(
      { title: titleOf(document), text, source, format: formatOf(text) },
      { embed: false, signal },
    );
    ids.set(document.id, (await library.find(source)).id);
    onProgress?.({ stage: `Adding ${set.name}`, done: index + 1, total: set.documents.length });
  }
  return ids;
}

const sourceOf = (set: EvalSet, id: string): string => `eval:${set.name}/${id}`;

/** An untitled text goes by its first words, as a person would call it. */
const titleOf = ({ title, text }: EvalDocument): string =>
  title.trim() || text.trim().split('\n', 1)[0]!.slice(0, 40).trim() || 'Untitled';

/** Front matter, headings and fences are Markdown; anything else is taken as it stands. */
const formatOf = (text: string): 'markdown' | 'text' =>
  /^(?:---\n|#{1,6} \S|```)/m.test(text) ? 'markdown' : 'text';

async function chunkSizes(backend: Backend, docIds: readonly string[]) {
  let chunks = 0;
  let length = 0;
  for (const id of docIds) {
    for (const { content } of await backend.chunksOf(id)) {
      chunks++;
      length += content.length;
    }
  }
  return { chunks, mean_chunk_length: chunks === 0 ? 0 : length / chunks };
}

async function askAll(
  parts: { readonly backend: Backend; readonly embedder: Embedder | null },
  set: EvalSet,
  mode: SearchMode,
  ids: ReadonlyMap<string, string>,
  options: EvalOptions,
) {
  const names = new Map([...ids].map(([name, id]) => [id, name]));
  const scores: QueryScores[] = [];
  const times: number[] = [];
  const notices = new Set<string>();
  const empty = set.queries.filter(isEmpty).length;
  if (empty > 0) notices.add(`${set.name}: ${empty} of the questions are empty; they count as not answered`);
  for (const [index, query] of set.queries.entries()) {
    options.signal?.throwIfAborted();
    const started = performance.now();
    const filter =
      options.inside && isSpanQuery(query) ? { doc_ids: [ids.get(query.article_id) ?? ''] } : undefined;
    const answer = isEmpty(query)
      ? NOTHING
      : await rank(parts, {
          query: query.text,
          mode,
          limit: DEPTH,
          // Passages are judged one by one, in whatever documents they stand.
          chunks_per_document: 0,
          ...(filter ? { filter } : {}),
          ...(options.signal ? { signal: options.signal } : {}),
        });
    const ms = performance.now() - started;
    const judged = judge(query, answer, names);
    scores.push(judged.scores);
    times.push(ms);
    for (const notice of answer.notices) notices.add(notice);
    options.onQuery?.({
      set: set.name,
      mode,
      query_id: query.id,
      query: query.text,
      ms,
      ...judged.scores,
      ranking: judged.ranking.slice(0, 10),
    });
    options.onProgress?.({
      stage: `Asking ${set.name} (${mode})`,
      done: index + 1,
      total: set.queries.length,
    });
  }
  return { scores, times, notices };
}

/** Real sets have such questions: a flaw of theirs, no reason to lose the rest. */
const isEmpty = ({ text }: EvalQuery): boolean => text.trim() === '';
const NOTHING: Answer = { groups: [], documents: [], notices: [] };
type Answer = Pick<Ranking, 'groups' | 'documents' | 'notices'>;

/**
 * BEIR form: the documents' ranking. Answer spans: the passages of all documents by their own scores, where a hit is
 * a passage of the right document whose content holds a whole answer: containing the answer's text is what a reader
 * needs, so an answer said twice in the document counts wherever it is said.
 */
function judge(query: EvalQuery, answer: Answer, names: ReadonlyMap<string, string>) {
  const nameOf = (id: string): string => names.get(id) ?? id;
  if (!isSpanQuery(query)) {
    const ranking = [
      ...answer.groups.map(({ doc_id }) => nameOf(doc_id)),
      ...answer.documents.map(({ document }) => nameOf(document.id)),
    ];
    return { ranking, scores: scoreRanking(ranking, query.grades) };
  }
  const passages = answer.groups.flatMap(({ doc_id, chunks }) =>
    chunks.map(({ chunk, fused }) => ({ name: nameOf(doc_id), chunk, score: fused.score })),
  );
  passages.sort((a, b) => b.score - a.score);
  const hits = passages.map(
    ({ name, chunk }) =>
      name === query.article_id && query.answers.some((text) => chunk.content.includes(text)),
  );
  return {
    ranking: passages.slice(0, 10).map(({ name, chunk }) => `${name}#${chunk.chunk_index}`),
    scores: scoreHits(hits.slice(0, DEPTH)),
  };
}
