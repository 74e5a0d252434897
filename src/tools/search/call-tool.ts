import { readConsistently } from '../../engine/consistent-read.js';
import type { Library } from '../../engine/library.js';
import { partsOf } from '../../engine/open-library.js';
import { originalText } from '../../ingest/tables/table-chunks.js';
import type { Chunk } from '../../model/chunk.js';
import { StrataError } from '../../model/errors.js';
import type { SearchMode } from '../../model/result.js';
import type { Backend } from '../../store/backend.js';
import type { VectorQuery } from '../../store/vectors.js';
import { isIndexed, readTable } from '../tables/table-store.js';
import { mirrorOf, type Nearest } from './mirror.js';
import {
  checkTopK,
  type SearchTool,
  type ToolAnswer,
  type ToolQuery,
  type ToolResult,
} from './search-tool.js';
import { namespaceOf, toolsOf } from './tool-store.js';

const backendOf = (library: Library): Backend => partsOf(library).backend;

const LONGEST_QUERY = 10_000;

/** The question's vector, its nearest chunks, and each filled from the store. */
export async function callTool(
  library: Library,
  tool: SearchTool,
  { query, top_k = tool.top_k }: ToolQuery,
  signal: AbortSignal | undefined,
): Promise<ToolAnswer> {
  if (query.trim() === '') throw new StrataError('INVALID_ARGUMENT', 'query: is empty; ask a question');
  if (query.length > LONGEST_QUERY)
    throw new StrataError('INVALID_ARGUMENT', `query: must be at most ${LONGEST_QUERY} characters`);
  checkTopK(top_k);
  const mirror = await mirrorOf(library, tool, signal);
  const asked = { library, tool, query, top_k, nearest: mirror.nearest, signal };
  const { results, notices } =
    tool.mode === 'vector' ? await byMeaning(asked) : await byBoth(asked, 'hybrid');
  const stale = (await isCurrent(backendOf(library), tool)) ? [] : [STALE];
  const empty = results.length === 0 ? await coversNothing(backendOf(library), tool) : [];
  return {
    tool: tool.name,
    query,
    top_k,
    mode: tool.mode,
    results,
    notices: [...mirror.notices(), ...notices, ...empty, ...stale],
  };
}

const STALE = 'The table has changed and its index not yet: `strata tool reindex` brings it into step.';

interface Asked {
  readonly library: Library;
  readonly tool: SearchTool;
  readonly query: string;
  readonly top_k: number;
  readonly nearest: Nearest | null;
  readonly signal: AbortSignal | undefined;
}

interface Found {
  readonly results: readonly ToolResult[];
  readonly notices: readonly string[];
}

async function byMeaning(asked: Asked): Promise<Found> {
  const { library, query, signal } = asked;
  const { active, embedded, chunks } = await backendOf(library).vectors.state();
  const { embedders } = partsOf(library);
  const embedder = await embedders.forQueries();
  if (embedder === null || active !== embedder.fingerprint || (embedded[active] ?? 0) === 0) {
    const why = embedders.off ? 'the library has no embedder' : (embedders.reason ?? NO_VECTORS);
    return byWords(asked, why.replace(/\.$/, ''));
  }
  const [vector] = await embedder.embed([query], 'query', signal);
  const meaning = { vector: vector!, fingerprint: embedder.fingerprint };
  const near = await nearestOf(asked, meaning);
  const isComplete = (embedded[active] ?? 0) >= chunks;
  return isComplete ? near : withMissing(asked, meaning, near);
}

/** A tool whose texts have no vectors still answers, and says how. */
async function byWords(asked: Asked, why: string): Promise<Found> {
  const { results, notices } = await byBoth({ ...asked, nearest: null }, 'keyword');
  return { results, notices: [`Searched by words only: ${why}.`, ...notices] };
}

type Meaning = Required<Pick<VectorQuery, 'vector' | 'fingerprint'>>;

/** While vectors are missing, a passage that has none is near nothing: where words find such a one, they count too. */
async function withMissing(asked: Asked, meaning: Meaning, near: Found): Promise<Found> {
  const words = await byWords(asked, NO_VECTORS_OF_TOOL);
  const ids = words.results.map(({ chunk }) => chunk.id);
  const known = await backendOf(asked.library).vectors.scores(ids, meaning);
  if (ids.every((id) => known.has(id))) return near;
  if (near.results.length === 0) return words;
  const both = await byBoth(asked, 'hybrid');
  return both.results.length === 0 ? near : { ...both, notices: [SOME_WITHOUT, ...both.notices] };
}

async function nearestOf({ library, tool, top_k, nearest }: Asked, meaning: Meaning): Promise<Found> {
  return readConsistently(backendOf(library), async (backend) => {
    const near = nearest ?? ((wanted: VectorQuery) => backend.vectors.near(wanted));
    const k = Math.max(CANDIDATES, 4 * top_k);
    const matches = await near({ ...meaning, k, filter: { tools: [tool.id] } });
    const scores = new Map(matches.map(({ id, score }) => [id, score]));
    // A passage that was read in parts counts by its best one: only the library knows the parts.
    const exact = nearest
      ? await backend.vectors.scores([...scores.keys()], meaning)
      : new Map<string, number>();
    for (const [id, score] of exact) scores.set(id, score);
    const best = [...scores].sort(([, a], [, b]) => b - a).slice(0, top_k + SPARE);
    const chunks = await backend.chunksById(best.map(([id]) => id));
    const results = chunks.flatMap((chunk) => resultOf(tool, chunk, scores.get(chunk.id)!));
    return {
      results: results.slice(0, top_k),
      notices: await missingVectors(backend, matches.length < top_k),
    };
  });
}

/** As many as a search asks for: which are near is decided by whole passages, their order by parts. */
const CANDIDATES = 100;
/** A copy may name chunks that have just gone. */
const SPARE = 16;

const NO_VECTORS = 'the library has no vectors yet (`strata embed` makes them)';
const NO_VECTORS_OF_TOOL = 'the tool’s texts have no vectors yet (`strata embed` makes them)';
const SOME_WITHOUT =
  'Searched by words and meaning: some of the tool’s texts have no vectors yet (`strata embed` makes them).';

/** Only where an answer is short: counting costs more than asking. */
async function missingVectors(backend: Backend, isShort: boolean): Promise<string[]> {
  const { active, chunks, embedded } = await backend.vectors.state();
  const has = active === null ? 0 : (embedded[active] ?? 0);
  if (has >= chunks || (!isShort && has >= 0.99 * chunks)) return [];
  return [
    `Vectors cover ${Math.floor((100 * has) / chunks)} % of the library so far; \`strata embed\` makes the rest.`,
  ];
}

/** As the library searches, within the tool's strings; a tool gives passages, not documents. */
async function byBoth(
  { library, tool, query, top_k, nearest, signal }: Asked,
  mode: SearchMode,
): Promise<Found> {
  const filter = { tools: [tool.id] };
  const answer = await library.search(query, {
    mode,
    limit: top_k,
    filter,
    signal,
    ...(nearest && { nearest }),
  });
  const matched = answer.results.flatMap(({ matched_chunks }) => matched_chunks);
  const best = matched.sort((a, b) => b.score - a.score).slice(0, top_k);
  const chunks = await backendOf(library).chunksById(best.map(({ chunk_id }) => chunk_id));
  const scores = new Map(best.map(({ chunk_id, score }) => [chunk_id, score]));
  return {
    results: chunks.flatMap((chunk) => resultOf(tool, chunk, scores.get(chunk.id)!)),
    notices: answer.notices,
  };
}

/** Nothing for a chunk that is not the tool's: what turbopuffer names is believed only as far as the library knows it. */
function resultOf(tool: SearchTool, chunk: Chunk, score: number): ToolResult[] {
  const { id, json_pointer, chunk_index, total_chunks, content_hash, metadata } = chunk;
  if (json_pointer === undefined || total_chunks === undefined || content_hash === undefined) return [];
  const kept = Array.isArray(metadata.turbopuffer) ? (metadata.turbopuffer as readonly KeptVector[]) : [];
  const own = kept.find(({ tool_id }) => tool_id === tool.id);
  if (namespaceOf(tool) !== null && own === undefined) return [];
  return [
    {
      score,
      chunk: {
        id,
        json_pointer,
        chunk_index,
        total_chunks,
        chunk_text: originalText(chunk),
        content_hash,
        table_id: tool.table_id,
        ...(own && {
          turbopuffer_namespace: own.turbopuffer_namespace,
          turbopuffer_doc_id: own.turbopuffer_doc_id,
        }),
      },
    },
  ];
}

interface KeptVector {
  readonly tool_id: string;
  readonly turbopuffer_namespace: string;
  readonly turbopuffer_doc_id: string;
}

/** A threshold that no string reaches is easily chosen, and looks like a tool that finds nothing. */
async function coversNothing(backend: Backend, tool: SearchTool): Promise<string[]> {
  const [one] = await backend.documents({ filter: { tools: [tool.id] }, limit: 1 });
  if (one !== undefined) return [];
  return [
    `The tool covers no strings: none in its scope has ${tool.chunk_threshold_chars} characters or more.`,
  ];
}

async function isCurrent(backend: Backend, tool: SearchTool): Promise<boolean> {
  const table = await readTable(backend, tool.table_id);
  if (table === null) return false;
  return isIndexed(
    backend,
    table,
    (await toolsOf(backend, tool.table_id)).map(({ id }) => id),
  );
}
