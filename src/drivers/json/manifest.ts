import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StrataError } from '../../model/errors.js';
import { documentName, parseStateName, STATE_FOLDER, statePath } from './layout.js';
import { seal, unseal } from './sealed.js';

/**
 * Which revisions count. The manifest is written beside the old one and renamed into place: that one step commits a
 * change, whatever number of documents, records and vectors it holds. It is small: a line a document.
 */
export interface Manifest {
  readonly generation: number;
  /** Revision by document id. */
  readonly documents: ReadonlyMap<string, number>;
  readonly records: readonly RecordEntry[];
  readonly vectors: VectorManifest;
}

export interface RecordEntry {
  readonly kind: string;
  readonly id: string;
  readonly revision: number;
}

export interface VectorManifest {
  /** The fingerprint that searches use. */
  readonly active: string | null;
  readonly spaces: readonly { readonly fingerprint: string; readonly dimensions: number }[];
  readonly files: readonly VectorFileEntry[];
}

export interface VectorFileEntry {
  readonly revision: number;
  readonly fingerprint: string;
  readonly count: number;
  /** Rows whose vector no chunk uses any more. */
  readonly dropped: readonly number[];
}

export const EMPTY_MANIFEST: Manifest = {
  generation: 0,
  documents: new Map(),
  records: [],
  vectors: { active: null, spaces: [], files: [] },
};

const FORMAT = 'strata-json';
const VERSION = 1;

export function manifestText(manifest: Manifest): string {
  const documents = Object.fromEntries(manifest.documents);
  return seal({ format: FORMAT, version: VERSION, ...manifest, documents });
}

/** The highest generation on disk, 0 for a new library: one small folder is listed. */
export function newestGeneration(path: string): number {
  try {
    return Math.max(0, ...readdirSync(join(path, STATE_FOLDER)).map(parseStateName));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

/** `damaged` when its checksum does not hold; `gone` when a newer one has taken its place meanwhile. */
export function readManifest(path: string, generation: number): Manifest | 'damaged' | 'gone' {
  const file = statePath(path, generation);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'gone';
    throw error;
  }
  const value = unseal(text);
  if (value?.format !== FORMAT) return 'damaged';
  if (value.version !== VERSION) {
    const message = `${path} was written by a newer Strata (format ${value.version}): please update.`;
    throw new StrataError('STORE_VERSION', message);
  }
  const manifest = value as unknown as Omit<Manifest, 'documents'> & { documents: Record<string, number> };
  return { ...manifest, documents: new Map(Object.entries(manifest.documents)) };
}

/** The document folders that count. */
export const liveFolders = (manifest: Manifest): Set<string> =>
  new Set([...manifest.documents].map(([id, revision]) => documentName(id, revision)));

export const recordKey = ({ kind, id }: { readonly kind: string; readonly id: string }): string =>
  `record ${kind}\u0000${id}`;
