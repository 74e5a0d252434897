import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { reasonOf } from '../../model/errors.js';
import { contentHash } from '../../model/hash.js';
import type { Finding, Reindex } from '../../store/backend.js';
import type { StoredDocument } from '../../store/records.js';
import { validateDocument } from '../../store/validate.js';
import { readDocument, sourceOfDamaged } from './document-files.js';
import { damagedName, documentName, STATE_FOLDER, VECTORS_FOLDER, vectorsName } from './layout.js';
import { leftovers } from './leftovers.js';
import { newestGeneration, readManifest, recordKey, type VectorManifest } from './manifest.js';
import { readRecord } from './record-files.js';
import type { Snapshot } from './snapshot.js';
import { readVectors, withoutKeys } from './vector-files.js';

/** What `repair` can do about the findings. */
export interface Repairs {
  /** Documents made whole again from what is left of them. */
  readonly documents: readonly StoredDocument[];
  /** Documents that cannot be: their folders are set aside. */
  readonly lost: readonly string[];
  readonly lostRecords: readonly string[];
  /** The vectors without the damaged or unused ones; null when nothing is wrong with them. */
  readonly vectors: VectorManifest | null;
  /** The manifest itself is to be written again. */
  readonly unlisted: boolean;
}

export interface Inspection {
  readonly findings: readonly Finding[];
  readonly repairs: Repairs;
}

/** Everything on disk, read again and compared: nothing in memory is believed. The snapshot is up to date. */
export function inspectSnapshot(path: string, snapshot: Snapshot, reindex?: Reindex): Inspection {
  const { manifest } = snapshot;
  const findings: Finding[] = [];
  const find = (area: string, message: string, fixed: boolean, doc_id?: string) =>
    findings.push({ area, message, ...(doc_id === undefined ? {} : { doc_id }), fixed });

  const generation = newestGeneration(path);
  const unlisted = generation > 0 && readManifest(path, generation) === 'damaged';
  if (unlisted) find('file', `${join(path, STATE_FOLDER)}: the list of what counts is damaged`, true);

  const documents: StoredDocument[] = [];
  const lost: string[] = [];
  for (const [id, revision] of manifest.documents) {
    const name = documentName(id, revision);
    const { write, repaired, wordless, problems } = readDocument(join(path, name), id, { all: true });
    for (const { area, message } of problems) {
      const canBe = repaired !== null && (area !== 'words' || reindex !== undefined);
      find(area, message, canBe, id);
    }
    if (write === null) {
      lost.push(id);
      const source = sourceOfDamaged(join(path, name));
      const again = source === null ? 'add its source again' : `add ${source} again`;
      find('record', `document ${id} cannot be read: set aside as ${damagedName(name)}; ${again}`, true, id);
    } else if (problems.length === 0) {
      for (const message of wrongIn(write)) find('hash', `${name}: ${message}`, false, id);
      const reworded = withWords(write, reindex);
      const isOutdated = reworded !== null && !sameWords(write, reworded);
      if (wordless || isOutdated)
        find('words', `${write.document.source_path}: its words are not those of its text`, isOutdated, id);
      if (isOutdated) documents.push(reworded);
    } else if (repaired !== null)
      documents.push(wordless ? (withWords(repaired, reindex) ?? repaired) : repaired);
  }

  const lostRecords: string[] = [];
  for (const entry of manifest.records) {
    const record = readRecord(path, entry);
    if ('value' in record) continue;
    lostRecords.push(recordKey(entry));
    find('record', `${record.problem}: the ${entry.kind} "${entry.id}" is lost; set it again`, true);
  }
  const vectors = checkVectors(path, snapshot, (message) => find('vectors', message, true));
  for (const name of leftovers(path, manifest)) {
    find('leftover', `${join(path, name)} was left behind by a writer that died`, true);
  }
  return { findings, repairs: { documents, lost, lostRecords, vectors, unlisted } };
}

/** What the checksums cannot tell: whether what was written was right. */
function wrongIn(write: StoredDocument): string[] {
  const wrong: string[] = [];
  try {
    validateDocument(write);
  } catch (error) {
    wrong.push(reasonOf(error));
  }
  if (write.document.hash !== contentHash(write.content.text)) wrong.push('the text does not have its hash');
  for (const { chunk } of write.chunks) {
    if (chunk.hash !== contentHash(chunk.content))
      wrong.push(`slice ${chunk.chunk_index} does not have its hash`);
  }
  return wrong;
}

/** The document with words made from its text; null where nobody knows how. */
function withWords(write: StoredDocument, reindex: Reindex | undefined): StoredDocument | null {
  if (reindex === undefined) return null;
  const chunks = write.chunks.map((entry) => ({ ...entry, words: reindex.chunk(entry.chunk) }));
  return { ...write, chunks, words: reindex.document(write.document) };
}

const sameWords = (a: StoredDocument, b: StoredDocument): boolean =>
  isDeepStrictEqual(a.words, b.words) &&
  a.chunks.every(({ words }, i) => isDeepStrictEqual(words, b.chunks[i]!.words));

function checkVectors(
  path: string,
  snapshot: Snapshot,
  find: (message: string) => void,
): VectorManifest | null {
  const { vectors } = snapshot.manifest;
  const unused = new Set<string>();
  const whole = vectors.files.filter((file) => {
    const name = join(path, VECTORS_FOLDER, vectorsName(file.revision));
    const rows = readVectors(name);
    const space = vectors.spaces.find(({ fingerprint }) => fingerprint === file.fingerprint);
    const fits =
      rows?.fingerprint === file.fingerprint &&
      rows.keys.length === file.count &&
      rows.dimensions === space?.dimensions;
    if (!fits) {
      find(`${name} is damaged: its ${file.count} vectors are made again when the library is next embedded`);
      return false;
    }
    const dropped = new Set(file.dropped);
    for (const [row, key] of rows.keys.entries()) {
      if (!dropped.has(row) && snapshot.library.vectors.usersOf(key).size === 0) unused.add(key);
    }
    return true;
  });
  if (unused.size > 0) find(`${unused.size} vectors belong to no chunk`);
  if (unused.size === 0 && whole.length === vectors.files.length) return null;
  return withoutKeys({ ...vectors, files: whole }, unused, (file) => snapshot.rowsOf(file));
}
