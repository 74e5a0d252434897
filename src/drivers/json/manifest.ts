import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isStrataError, StrataError } from '../../model/errors.js';
import { isObject } from '../../model/json/json.js';
import { type Fields, isCount, isListOf, isText, isUuid } from '../../store/stored.js';
import { documentName, isRevision, parseStateName, STATE_FOLDER, statePath } from './layout.js';
import { readLibraryText } from './library-file.js';
import { seal, unseal } from './sealed.js';

/**
 * Which revisions count. The manifest is written beside the old one and renamed into place: that one step commits a
 * change, whatever number of documents, records and vectors it holds. It is small: one line per document.
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
    return readdirSync(join(path, STATE_FOLDER)).reduce(
      (top, name) => Math.max(top, parseStateName(name)),
      0,
    );
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
    text = readLibraryText(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'gone';
    // A link, a folder or something huge in its place: the manifest is made again from what lies in the library.
    if (isStrataError(error, 'STORE_DAMAGED') || NO_FILE.has((error as NodeJS.ErrnoException).code ?? ''))
      return 'damaged';
    throw error;
  }
  const value = unseal(text);
  if (value?.format !== FORMAT) return 'damaged';
  if (value.version !== VERSION) {
    const message = `${path} was written by a newer Strata (format ${value.version}): please update.`;
    throw new StrataError('STORE_VERSION', message);
  }
  return manifestOf(value, generation) ?? 'damaged';
}

/** What the system says of a link that is not followed, of a link in a circle, and of a folder. */
const NO_FILE: ReadonlySet<string> = new Set(['ELOOP', 'EMLINK', 'EISDIR']);

/** null where anything in it is not what Strata writes: names of files are made of these ids and numbers. */
function manifestOf({ documents, records, vectors }: Fields, generation: number): Manifest | null {
  if (!isObject(documents) || !isListOf(records, isRecordEntry) || !isVectors(vectors)) return null;
  const revisions = Object.entries(documents);
  if (!revisions.every(([id, revision]) => isUuid(id) && isRevision(revision))) return null;
  return { generation, documents: new Map(revisions) as Map<string, number>, records, vectors };
}

const isRecordEntry = (value: unknown): value is RecordEntry =>
  isObject(value) && isText(value.kind) && isText(value.id) && isRevision(value.revision);

function isVectors(value: unknown): value is VectorManifest {
  if (!isObject(value) || !isListOf(value.spaces, isSpace) || !isListOf(value.files, isVectorFile))
    return false;
  const known = new Set(value.spaces.map(({ fingerprint }) => fingerprint));
  const active = value.active === null || (isText(value.active) && known.has(value.active));
  return active && value.files.every(({ fingerprint }) => known.has(fingerprint));
}

const isSpace = (value: unknown): value is VectorManifest['spaces'][number] =>
  isObject(value) && isText(value.fingerprint) && isCount(value.dimensions);

const isVectorFile = (value: unknown): value is VectorFileEntry =>
  isObject(value) &&
  isRevision(value.revision) &&
  isText(value.fingerprint) &&
  isCount(value.count) &&
  isListOf(value.dropped, isCount);

/** The document folders that count. */
export const liveFolders = (manifest: Manifest): Set<string> =>
  new Set([...manifest.documents].map(([id, revision]) => documentName(id, revision)));

export const recordKey = ({ kind, id }: { readonly kind: string; readonly id: string }): string =>
  `record ${kind}\u0000${id}`;
