import { existsSync, renameSync, rmSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import type { Backend, DocumentWrite, Reindex } from '../../../store/backend.js';
import { dequantise } from '../../../store/index/quantise.js';
import { isCount } from '../../../store/stored.js';
import { unpackParts, unpackVector } from '../../../store/vector-packing.js';
import { Connection } from '../connection.js';
import { toRecord, unpackKey } from '../records/rows.js';
import { type Row, textOf } from '../values.js';
import { examine } from './check-documents.js';

export interface Salvage {
  readonly documents: number;
  readonly lost: readonly string[];
  /** Where the damaged file stands now. */
  readonly aside: string;
}

const SUFFIXES = ['', '-wal', '-shm'];

/**
 * A new file from what is whole in a damaged one: documents one by one, by their number, since a damaged page
 * spoils only what stands on it. `openAt` opens a library at a path; nobody else may have this one open.
 */
export async function salvage(
  path: string,
  reindex: Reindex,
  openAt: (path: string) => Promise<Backend>,
): Promise<Salvage> {
  const beside = `${path}.salvage`;
  for (const suffix of SUFFIXES) rmSync(beside + suffix, { force: true });
  const damaged = new Connection(path, { patience: 0 });
  const fresh = await openAt(beside);
  const lost: string[] = [];
  let documents = 0;
  try {
    for (const item of documentNumbers(damaged)) {
      const found = examine(damaged, item);
      if (found === null) continue;
      if ('problem' in found) {
        lost.push(`${found.source_path}: ${found.problem}`);
        continue;
      }
      const { document, sections, content, chunks } = found;
      const write: DocumentWrite = {
        document,
        sections,
        content,
        words: reindex.document(document),
        chunks: chunks.map(({ chunk, embed_key }) => ({ chunk, embed_key, words: reindex.chunk(chunk) })),
      };
      await fresh.commit({ put: [write] });
      documents++;
      if (documents % 20 === 0) await turn();
    }
    await copyRecords(damaged, fresh);
    await copyVectors(damaged, fresh);
    await fresh.tidy();
  } finally {
    damaged.close();
    await fresh.close();
  }
  const aside = `${path}.damaged-${new Date().toISOString().replace(/[-:]|\..*$/g, '')}`;
  for (const suffix of SUFFIXES) if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  for (const suffix of SUFFIXES) if (existsSync(beside + suffix)) renameSync(beside + suffix, path + suffix);
  return { documents, lost, aside };
}

/** Where a damaged index no longer lists the documents, this many numbers are tried: some seconds. */
const MOST_TRIED = 1_000_000;

/** The documents' numbers: what the tables list, and what they may no longer list below the highest of these. */
function documentNumbers(connection: Connection): readonly number[] {
  const listed = ['knowledge_items', 'item_texts'].flatMap((table) => [
    ...rowsOf(connection, `SELECT n FROM ${table}`),
    ...rowsOf(connection, `SELECT max(n) FROM ${table}`),
  ]);
  const numbers = new Set(listed.map(([n]) => Number(n)).filter((n) => isCount(n) && n > 0));
  const highest = Math.min(
    [...numbers].reduce((most, n) => Math.max(most, n), 0),
    MOST_TRIED,
  );
  for (let n = 1; n <= highest; n++) numbers.add(n);
  return [...numbers].sort((a, b) => a - b);
}

/** What can be read of an answer; nothing where the table is damaged. */
function rowsOf(connection: Connection, sql: string): readonly Row[] {
  try {
    return connection.all(sql);
  } catch {
    return [];
  }
}

async function copyRecords(damaged: Connection, fresh: Backend): Promise<void> {
  for (const row of rowsOf(damaged, 'SELECT kind, id, value, crc FROM records')) {
    try {
      await fresh.commit({ records: [{ kind: textOf(row[0]), ...toRecord(row) }] });
    } catch {
      // A damaged record is lost; `check` has named it.
    }
  }
}

/** Vectors that cannot be read are made again when the library is next embedded. */
async function copyVectors(damaged: Connection, fresh: Backend): Promise<void> {
  const spaces = rowsOf(
    damaged,
    'SELECT space, fingerprint, dimensions, active FROM vector_spaces ORDER BY active DESC',
  );
  for (const [space, fingerprint, dimensions] of spaces) {
    const rows = rowsOf(
      damaged,
      `SELECT embed_key, data, (SELECT data FROM vector_parts p WHERE p.slot = v.slot)
       FROM vectors v WHERE space = ${Number(space)}`,
    );
    const entries = rows.flatMap(([key, data, packed]) => {
      const stored = unpackVector(unpackKey(key), data);
      if (stored === null || stored.codes.length !== dimensions) return [];
      const parts = packed === null ? [] : unpackParts(unpackKey(key), packed);
      if (parts === null) return [];
      const whole = { embed_key: unpackKey(key), vector: dequantise(stored) };
      return [{ ...whole, parts: parts.map((part) => dequantise(part, Number(dimensions))) }];
    });
    await fresh.vectors.put({ fingerprint: textOf(fingerprint), dimensions: Number(dimensions), entries });
  }
}
