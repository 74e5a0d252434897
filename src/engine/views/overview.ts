import { knownFailures } from '../../ingest/failures.js';
import type { Document } from '../../model/document.js';
import type { Filter } from '../../store/filter.js';
import type { Library } from '../library.js';
import { partsOf } from '../open-library.js';
import { type SourceState, sourceState } from '../verify/stale.js';

/** What the library holds, counted by folder, format and collection, and how long its passages are. */
export interface LibraryOverview {
  readonly generation: number;
  readonly folders: readonly Count[];
  readonly formats: readonly Count[];
  readonly collections: readonly Count[];
  /** How many passages are so long: from this many characters to those of the next bin. */
  readonly lengths: readonly { readonly from: number; readonly count: number }[];
  /** Files that no parser could read. */
  readonly failures: readonly { readonly source_path: string; readonly reason: string }[];
}

export interface Count {
  readonly name: string;
  readonly documents: number;
  readonly chunks: number;
}

/** Documents whose passages are measured: the spread of a sample of some thousand passages is that of all. */
const SAMPLED = 200;
const BIN = 100;
const LAST_BIN = 2000;
const PAGE = 1000;

const made = new WeakMap<Library, LibraryOverview>();

export async function libraryOverview(library: Library): Promise<LibraryOverview> {
  const generation = await partsOf(library).backend.generation();
  const kept = made.get(library);
  if (kept?.generation === generation) return kept;
  const folders = new Map<string, Count>();
  const formats = new Map<string, Count>();
  const collections = new Map<string, Count>();
  const ids: string[] = [];
  for (let after: string | undefined; ; ) {
    const { documents, next } = await library.list({ limit: PAGE, after });
    for (const document of documents) {
      ids.push(document.id);
      count(folders, folderOf(document.source_path), document);
      count(formats, String(document.metadata.format ?? ''), document);
      const { collection } = document.metadata;
      if (typeof collection === 'string' && collection !== '') count(collections, collection, document);
    }
    if (next === null) break;
    after = next;
  }
  const failures = await knownFailures(partsOf(library).backend);
  const overview = {
    generation,
    folders: ordered(folders),
    formats: ordered(formats),
    collections: ordered(collections),
    lengths: await lengths(library, ids),
    failures: [...failures].map(([source, { reason }]) => ({
      source_path: source.replace(/^file:/, ''),
      reason,
    })),
  };
  made.set(library, overview);
  return overview;
}

/** Web pages by their host, files by their first two folders. */
export function folderOf(path: string): string {
  const host = /^https?:\/\/([^/]+)/.exec(path)?.[1];
  if (host !== undefined) return host;
  return path.split('/').slice(0, -1).slice(0, 2).join('/') || '.';
}

function count(counts: Map<string, Count>, name: string, { chunk_count }: Document): void {
  const known = counts.get(name) ?? { name, documents: 0, chunks: 0 };
  counts.set(name, { name, documents: known.documents + 1, chunks: known.chunks + chunk_count });
}

const ordered = (counts: Map<string, Count>): Count[] =>
  [...counts.values()].sort((a, b) => b.documents - a.documents || (a.name < b.name ? -1 : 1));

async function lengths(library: Library, ids: readonly string[]): Promise<LibraryOverview['lengths']> {
  const bins = new Array<number>(LAST_BIN / BIN + 1).fill(0);
  const step = Math.max(1, ids.length / SAMPLED);
  for (let at = 0; at < ids.length; at += step) {
    for (const { content } of await partsOf(library).backend.chunksOf(ids[Math.floor(at)]!)) {
      const bin = Math.min(bins.length - 1, Math.floor(content.length / BIN));
      bins[bin] = bins[bin]! + 1;
    }
  }
  return bins.map((total, at) => ({ from: at * BIN, count: total }));
}

export interface ListedDocument {
  readonly id: string;
  readonly title: string;
  readonly source_path: string;
  readonly format: string;
  readonly collection?: string;
  readonly size?: number;
  readonly updated_at: string;
  readonly chunk_count: number;
  /** `pending`: not all of its passages can be found by meaning yet. */
  readonly state: SourceState;
  readonly pending: boolean;
}

/** One page of documents, each with what became of its file, and whether its vectors are there. */
export async function listedDocuments(
  library: Library,
  options: {
    readonly filter?: Filter | undefined;
    readonly after?: string | undefined;
    readonly limit: number;
  },
): Promise<{ readonly documents: readonly ListedDocument[]; readonly next: string | null }> {
  const { documents, next } = await library.list(options);
  const { vectors } = await library.status();
  const hasVectors = vectors.model !== null;
  return {
    documents: await Promise.all(
      documents.map(async (document) => ({
        ...factsOf(document),
        state: await sourceState(partsOf(library), document),
        pending: hasVectors && vectors.pending > 0 && (await isPending(library, document.id)),
      })),
    ),
    next,
  };
}

/** The last passage is embedded last: one look tells. */
async function isPending(library: Library, docId: string): Promise<boolean> {
  const chunks = await partsOf(library).backend.chunksOf(docId);
  const last = chunks.at(-1);
  if (last === undefined) return false;
  return (await partsOf(library).backend.vectors.stored([last.id])).get(last.id)?.vector == null;
}

const factsOf = ({ id, title, source_path, updated_at, chunk_count, metadata }: Document) => ({
  ...{ id, title, source_path, updated_at, chunk_count },
  format: String(metadata.format ?? ''),
  ...(typeof metadata.collection === 'string' && { collection: metadata.collection }),
  ...(typeof metadata.size === 'number' && { size: metadata.size }),
});
