import type { Embedder } from '../embed/embedder.js';
import type { SearchAnswer, SearchMode } from '../model/result.js';
import { search } from '../search/search.js';
import type { Backend } from '../store/backend.js';
import { meanScores, percentile, type QueryScores, scoreHits, scoreRanking } from './eval-metrics.js';
import { type EvalDocument, type EvalQuery, type EvalSet, isSpanQuery } from './eval-set.js';

/** What of a library an evaluation needs: the ordinary way in, and what searches work on. */
export interface EvalLibrary {
  readonly backend: Backend;
  embedder(): Promise<Embedder | null>;
  addText(
    note: {
      readonly title: string;
      readonly text: string;
      readonly source: string;
      readonly format: 'markdown' | 'text';
    },
    options: { readonly embed: false; readonly signal?: AbortSignal | undefined },
  ): Promise<unknown>;
}

export interface EvalOptions {
  /** Default: `hybrid`, `keyword`, `tfidf` and `vector`; those that need vectors only where there are some. */
  readonly modes: readonly SearchMode[];
  /** Search inside the question's own document only (answer-span sets). */
  readonly inside?: boolean | undefined;
  /** Vectors for what has been added; called once a set when a mode needs them. */
  readonly embed?: (() => Promise<unknown>) | undefined;
  readonly onProgress?: ((stage: string, done: number, total: number) => void) | undefined;
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
  readonly ms_per_query: number;
  readonly ms_p50: number;
  readonly ms_p95: number;
  readonly notices: readonly string[];
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

/** B7: adds a set's documents as any other text, then asks its questions in each mode. */
export async function evaluateSet(
  library: EvalLibrary,
  set: EvalSet,
  options: EvalOptions,
): Promise<EvalRow[]> {
  const ids = await addDocuments(library, set, options);
  const needsVectors = options.modes.some((mode) => mode === 'hybrid' || mode === 'vector');
  if (needsVectors) await options.embed?.();
  const size = await chunkSizes(library.backend, [...ids.values()]);
  const rows: EvalRow[] = [];
  for (const mode of options.modes) {
    const { scores, times, notices } = await askAll(library, set, mode, ids, options);
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
    });
  }
  return rows;
}

/** The library's ids by the set's. */
async function addDocuments(
  library: EvalLibrary,
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
    const added = await library.backend.documentBySource(source);
    if (added) ids.set(document.id, added.id);
    onProgress?.(`Adding ${set.name}`, index + 1, set.documents.length);
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
  library: EvalLibrary,
  set: EvalSet,
  mode: SearchMode,
  ids: ReadonlyMap<string, string>,
  options: EvalOptions,
) {
  const embedder = mode === 'hybrid' || mode === 'vector' ? await library.embedder() : null;
  const names = new Map([...ids].map(([name, id]) => [id, name]));
  const scores: QueryScores[] = [];
  const times: number[] = [];
  const notices = new Set<string>();
  for (const [index, query] of set.queries.entries()) {
    options.signal?.throwIfAborted();
    const started = performance.now();
    const answer = await search(
      { backend: library.backend, embedder },
      {
        query: query.text,
        mode,
        limit: DEPTH,
        chunks_per_document: isSpanQuery(query) ? 0 : 1,
        context: 'none',
        ...(options.inside && isSpanQuery(query)
          ? { filter: { doc_ids: [ids.get(query.article_id) ?? ''] } }
          : {}),
        ...(options.signal ? { signal: options.signal } : {}),
      },
    );
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
    options.onProgress?.(`Asking ${set.name} (${mode})`, index + 1, set.queries.length);
  }
  return { scores, times, notices };
}

/**
 * BEIR form: the documents' ranking. Answer spans: the passages of all documents by their own scores, where a hit is
 * a passage of the right document whose content holds a whole answer: containing the answer's text is what a reader
 * needs, so an answer said twice in the document counts wherever it is said.
 */
function judge(query: EvalQuery, answer: SearchAnswer, names: ReadonlyMap<string, string>) {
  const nameOf = (id: string): string => names.get(id) ?? id;
  if (!isSpanQuery(query)) {
    const ranking = answer.results.map(({ item }) => nameOf(item.id));
    return { ranking, scores: scoreRanking(ranking, query.grades) };
  }
  const passages = answer.results.flatMap(({ item, matched_chunks }) =>
    matched_chunks.map((chunk) => ({ name: nameOf(item.id), ...chunk })),
  );
  passages.sort((a, b) => b.score - a.score);
  const hits = passages.map(
    ({ name, content }) => name === query.article_id && query.answers.some((text) => content.includes(text)),
  );
  return {
    ranking: passages.slice(0, 10).map(({ name, chunk_index }) => `${name}#${chunk_index}`),
    scores: scoreHits(hits.slice(0, DEPTH)),
  };
}
