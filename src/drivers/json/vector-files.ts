import { createHash } from 'node:crypto';
import { isObject } from '../../model/json/json.js';
import type { StoredVector } from '../../store/index/quantise.js';
import { isCount, isListOf, isText } from '../../store/stored.js';
import { readLibraryFile } from './library-file.js';
import type { VectorFileEntry, VectorManifest } from './manifest.js';

/**
 * A batch of vectors as one file: a line of JSON that names the keys and how many parts each has, then the scales
 * (float32), then the codes (int8), each vector's parts behind it, then the SHA-256 of all before. JSON would be four
 * times the size.
 */
export interface VectorRows {
  readonly fingerprint: string;
  readonly dimensions: number;
  readonly keys: readonly string[];
  readonly vectors: readonly StoredVector[];
}

const DIGEST = 32;
const digest = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

export function vectorBytes({ fingerprint, dimensions, keys, vectors }: VectorRows): Uint8Array {
  const parts = vectors.map(({ parts: own = [] }) => own.length);
  const head = Buffer.from(`${JSON.stringify({ fingerprint, dimensions, keys, parts })}\n`);
  const rows = vectors.flatMap((vector) => [vector, ...(vector.parts ?? [])]);
  const body = Buffer.alloc(head.length + rows.length * (4 + dimensions));
  head.copy(body);
  let at = head.length;
  for (const { scale } of rows) at = body.writeFloatLE(scale, at);
  for (const { codes } of rows) {
    body.set(new Uint8Array(codes.buffer, codes.byteOffset, codes.length), at);
    at += dimensions;
  }
  return Buffer.concat([body, digest(body)]);
}

/** null when the file is damaged or missing: its vectors are embedded again. */
export function readVectors(path: string): VectorRows | null {
  let bytes: Buffer;
  try {
    bytes = readLibraryFile(path);
  } catch {
    return null;
  }
  const body = bytes.subarray(0, -DIGEST);
  if (bytes.length < DIGEST || !digest(body).equals(bytes.subarray(-DIGEST))) return null;
  const line = body.indexOf(10);
  const head = headOf(body.toString('utf8', 0, Math.max(0, line)));
  if (head === null) return null;
  const { parts = head.keys.map(() => 0) } = head;
  const scales = line + 1;
  const rows = parts.reduce((sum, count) => sum + 1 + count, 0);
  const codes = scales + rows * 4;
  // The numbers in the head must be those of the bytes: they say how much is read and kept.
  if (parts.length !== head.keys.length || codes + rows * head.dimensions !== body.length) return null;
  let row = 0;
  const next = (): StoredVector => {
    const start = codes + row * head.dimensions;
    const scale = body.readFloatLE(scales + row * 4);
    row++;
    return { scale, codes: new Int8Array(body.subarray(start, start + head.dimensions)) };
  };
  const vectors = parts.map((count) => {
    const whole = next();
    return count === 0 ? whole : { ...whole, parts: Array.from({ length: count }, next) };
  });
  return { fingerprint: head.fingerprint, dimensions: head.dimensions, keys: head.keys, vectors };
}

function headOf(line: string): Head | null {
  try {
    const head: unknown = JSON.parse(line);
    const isHead =
      isObject(head) &&
      isText(head.fingerprint) &&
      isCount(head.dimensions) &&
      isListOf(head.keys, isText) &&
      (head.parts === undefined || isListOf(head.parts, isCount));
    return isHead ? (head as unknown as Head) : null;
  } catch {
    return null;
  }
}

/** Files of earlier versions know no parts. */
type Head = Omit<VectorRows, 'vectors'> & { readonly parts?: readonly number[] };

/** Many small files become one when there are this many of them: embedding writes a batch at a time. */
const SMALL_ROWS = 1024;
const MOST_SMALL = 16;

/** The files worth merging into one, all of one fingerprint: small ones, and those that are mostly dropped rows. */
export function dueForMerge(files: readonly VectorFileEntry[]): readonly VectorFileEntry[] {
  const byFingerprint = new Map<string, VectorFileEntry[]>();
  for (const file of files) {
    const live = file.count - file.dropped.length;
    if (live >= SMALL_ROWS && file.dropped.length < live) continue;
    const group = byFingerprint.get(file.fingerprint) ?? [];
    byFingerprint.set(file.fingerprint, [...group, file]);
  }
  for (const group of byFingerprint.values()) {
    if (group.length >= MOST_SMALL) return group;
  }
  return [];
}

/** The manifest without these keys (of one fingerprint): their rows are dropped, and files with no row left go. */
export function withoutKeys(
  manifest: VectorManifest,
  keys: ReadonlySet<string>,
  rowsOf: (file: VectorFileEntry) => VectorRows | null,
  fingerprint?: string,
): VectorManifest {
  if (keys.size === 0) return manifest;
  const files: VectorFileEntry[] = [];
  for (const file of manifest.files) {
    const dropped = new Set(file.dropped);
    if (fingerprint !== undefined && file.fingerprint !== fingerprint) {
      files.push(file);
      continue;
    }
    for (const [row, key] of (rowsOf(file)?.keys ?? []).entries()) if (keys.has(key)) dropped.add(row);
    if (dropped.size === file.dropped.length) files.push(file);
    else if (dropped.size < file.count) files.push({ ...file, dropped: [...dropped] });
  }
  return { ...manifest, files };
}

/** The live rows of these files as the rows of one; a later file wins where two have the same key. */
export function mergeRows(
  entries: readonly { readonly file: VectorFileEntry; readonly rows: VectorRows }[],
): Pick<VectorRows, 'keys' | 'vectors'> {
  const live = new Map<string, StoredVector>();
  for (const { file, rows } of entries) {
    const dropped = new Set(file.dropped);
    for (const [row, key] of rows.keys.entries()) if (!dropped.has(row)) live.set(key, rows.vectors[row]!);
  }
  return { keys: [...live.keys()], vectors: [...live.values()] };
}
