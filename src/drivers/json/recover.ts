import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readDocument } from './document-files.js';
import { isRevision, parseDocumentName, RECORDS_FOLDER, recordName, VECTORS_FOLDER } from './layout.js';
import { readLibraryText } from './library-file.js';
import type { Manifest, RecordEntry } from './manifest.js';
import { unseal } from './sealed.js';
import { readVectors } from './vector-files.js';

/**
 * The manifest made again from what lies in the folder, for the day it is damaged or deleted: the newest complete
 * revision of each document and record counts, and so do all vectors, of which the fingerprint with the most is
 * searched.
 */
export function recoverManifest(path: string, generation: number): Manifest {
  const documents = new Map<string, number>();
  let newest = generation;
  for (const name of list(path)) {
    const found = parseDocumentName(name);
    if (found === null) continue;
    newest = Math.max(newest, found.revision);
    if (found.revision <= (documents.get(found.id) ?? 0)) continue;
    if (readDocument(join(path, name), found.id).write !== null) documents.set(found.id, found.revision);
  }
  const records = recoverRecords(path);
  const vectors = recoverVectors(path);
  for (const { revision } of [...records, ...vectors.files]) newest = Math.max(newest, revision);
  return { generation: newest, documents, records, vectors };
}

function recoverRecords(path: string): RecordEntry[] {
  const records = new Map<string, RecordEntry>();
  for (const name of list(join(path, RECORDS_FOLDER))) {
    const revision = Number(/\.([1-9]\d*)\.json$/.exec(name)?.[1] ?? 0);
    const record = isRevision(revision) ? unsealFile(join(path, RECORDS_FOLDER, name)) : null;
    if (typeof record?.kind !== 'string' || typeof record.id !== 'string') continue;
    if (name !== recordName(record.kind, record.id, revision)) continue;
    const key = `${record.kind}\u0000${record.id}`;
    if (revision > (records.get(key)?.revision ?? 0)) {
      records.set(key, { kind: record.kind, id: record.id, revision });
    }
  }
  return [...records.values()];
}

function recoverVectors(path: string): Manifest['vectors'] {
  const spaces = new Map<string, { dimensions: number; rows: number }>();
  const files: Manifest['vectors']['files'][number][] = [];
  for (const name of list(join(path, VECTORS_FOLDER))) {
    const revision = Number(/^([1-9]\d*)\.vec$/.exec(name)?.[1] ?? 0);
    const rows = !isRevision(revision) ? null : readVectors(join(path, VECTORS_FOLDER, name));
    if (rows === null) continue;
    const { fingerprint, dimensions, keys } = rows;
    const space = spaces.get(fingerprint) ?? { dimensions, rows: 0 };
    if (space.dimensions !== dimensions) continue;
    spaces.set(fingerprint, { dimensions, rows: space.rows + keys.length });
    files.push({ revision, fingerprint, count: keys.length, dropped: [] });
  }
  const [active] = [...spaces].sort(([, a], [, b]) => b.rows - a.rows);
  return {
    active: active?.[0] ?? null,
    spaces: [...spaces].map(([fingerprint, { dimensions }]) => ({ fingerprint, dimensions })),
    files: files.sort((a, b) => a.revision - b.revision),
  };
}

function unsealFile(path: string): Readonly<Record<string, unknown>> | null {
  try {
    return unseal(readLibraryText(path));
  } catch {
    return null;
  }
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
