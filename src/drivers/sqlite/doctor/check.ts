import { setImmediate as turn } from 'node:timers/promises';
import { isStrataError, reasonOf } from '../../../model/errors.js';
import type { Finding, Reindex } from '../../../store/backend.js';
import { unpackParts, unpackVector } from '../../../store/vector-packing.js';
import { type KeptWords, WordsCheck } from '../../../store/words/check-words.js';
import type { Connection } from '../connection.js';
import { toRecord, unpackKey } from '../records/rows.js';
import { readState } from '../state.js';
import { type Row, textOf } from '../values.js';
import { sketchesOfVectors } from '../vectors/vector-cache.js';
import { readSketches, rewriteSketches } from '../vectors/vector-sketches.js';
import { dropOrphans } from '../vectors/vectors.js';
import { rebuildWords } from '../words/rebuild-words.js';
import { liveSegments, segmentSource } from '../words/segments.js';
import { pageRows } from '../words/unit-pages.js';
import { type DocumentProblem, examine, mendContents } from './check-documents.js';

export interface Diagnosis {
  /** SQLite's own structures: pages, indices, foreign keys. */
  readonly file: readonly string[];
  readonly documents: readonly DocumentProblem[];
  readonly words: readonly { readonly message: string; readonly doc_id?: string }[];
  /** Rows of vectors and records that fail their checksum or belong to nothing. */
  readonly vectors: readonly { readonly rowid: number; readonly message: string }[];
  /** Spaces whose sketches cannot be read: they are made again from the vectors. */
  readonly sketches: readonly {
    readonly space: number;
    readonly dimensions: number;
    readonly message: string;
  }[];
  readonly records: readonly { readonly kind: string; readonly id: string; readonly message: string }[];
}

/**
 * Everything the library promises of itself, read of one moment on a connection of its own (closed at the end), so that
 * the process goes on serving meanwhile.
 */
export async function diagnose(connection: Connection, reindex: Reindex | undefined): Promise<Diagnosis> {
  try {
    connection.exec('BEGIN');
    const file = fileProblems(connection);
    const documents: DocumentProblem[] = [];
    const words = new WordsCheck(reindex);
    const items = attempt(() => connection.all('SELECT n FROM knowledge_items ORDER BY n'), []);
    for (const [i, [n]] of items.entries()) {
      const found = examine(connection, Number(n));
      if (found !== null && 'problem' in found) documents.push(found);
      else if (found !== null) words.add(found);
      if (i % 20 === 19) await turn();
    }
    return {
      file,
      documents,
      words: [
        ...stateProblems(connection),
        ...attempt(() => words.problems(keptWords(connection)), [{ message: 'The index cannot be read.' }]),
      ],
      vectors: attempt(() => vectorProblems(connection), []),
      sketches: attempt(() => sketchProblems(connection), []),
      records: attempt(() => recordProblems(connection), []),
    };
  } finally {
    connection.close();
  }
}

function attempt<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    // SQLite's own check has reported the damaged page.
    if (isStrataError(error, 'STORE_DAMAGED')) return otherwise;
    throw error;
  }
}

function fileProblems(connection: Connection): string[] {
  try {
    const rows = connection.all('PRAGMA integrity_check(10)').map((row) => textOf(row[0]));
    const strays = connection
      .all('PRAGMA foreign_key_check')
      .map((row) => `A row of ${row[0]} belongs to no document.`);
    return [...rows.filter((text) => text !== 'ok'), ...strays];
  } catch (error) {
    return [reasonOf(error)];
  }
}

function stateProblems(connection: Connection): { message: string }[] {
  try {
    readState(connection);
    return [];
  } catch (error) {
    return [{ message: reasonOf(error) }];
  }
}

const keptWords = (connection: Connection): KeptWords => ({
  pages: pageRows(connection, 'TRUE'),
  buried: new Set(connection.all('SELECT unit FROM tombstones').map(([unit]) => Number(unit))),
  segments: () => liveSegments(connection),
  source: segmentSource(connection),
});

function vectorProblems(connection: Connection): { rowid: number; message: string }[] {
  const problems: { rowid: number; message: string }[] = [];
  const rows = connection.all(
    'SELECT v.rowid, v.embed_key, s.dimensions FROM vectors v JOIN vector_spaces s USING (space)',
  );
  for (const [rowid, key, dimensions] of rows as Row[]) {
    const report = (message: string) => void problems.push({ rowid: Number(rowid), message });
    const [data] = connection.get('SELECT data FROM vectors WHERE rowid = ?', rowid!) ?? [];
    const [parts] = connection.get('SELECT data FROM vector_parts WHERE slot = ?', rowid!) ?? [];
    if (unpackVector(unpackKey(key), data)?.codes.length !== dimensions)
      report('A vector fails its checksum.');
    else if (parts !== undefined && unpackParts(unpackKey(key), parts) === null)
      report('The parts of a vector fail their checksum.');
    else if (
      connection.get('SELECT 1 FROM knowledge_chunks WHERE embed_key = ? LIMIT 1', key!) === undefined
    ) {
      report('A vector belongs to no chunk.');
    }
  }
  return problems;
}

function sketchProblems(connection: Connection): Diagnosis['sketches'] {
  return connection.all('SELECT space, dimensions FROM vector_spaces').flatMap(([space, dimensions]) => {
    try {
      readSketches(connection, Number(space), Number(dimensions), 0);
      return [];
    } catch (error) {
      return [{ space: Number(space), dimensions: Number(dimensions), message: reasonOf(error) }];
    }
  });
}

function recordProblems(connection: Connection): { kind: string; id: string; message: string }[] {
  return connection.all('SELECT kind, id, value, crc FROM records').flatMap((row) => {
    try {
      toRecord(row);
      return [];
    } catch (error) {
      return [{ kind: textOf(row[0]), id: textOf(row[1]), message: reasonOf(error) }];
    }
  });
}

/** What was found, as it is told. */
export function findings(
  { file, documents, words, vectors, sketches, records }: Diagnosis,
  fixed: boolean,
): Finding[] {
  const told: Finding[] = file.map((message) => ({ area: 'file', message, fixed }));
  for (const { id, source_path, problem } of documents) {
    const next = fixed
      ? ': it was taken out; add it again'
      : '; `strata doctor --fix` mends it or takes it out';
    told.push({ area: 'record', message: `${source_path}: ${problem}${next}`, doc_id: id, fixed });
  }
  for (const { message, doc_id } of words) {
    told.push({ area: 'words', message, fixed, ...(doc_id === undefined ? {} : { doc_id }) });
  }
  for (const { message } of [...vectors, ...sketches]) told.push({ area: 'vectors', message, fixed });
  for (const { message } of records) told.push({ area: 'record', message, fixed });
  return told;
}

/** In one transaction: what cannot be mended is taken out, and the index is made again where it is wrong. */
export function repair(
  connection: Connection,
  diagnosis: Diagnosis,
  reindex: Reindex | undefined,
): Finding[] {
  const mended = new Set(
    diagnosis.documents.filter(({ item }) => mend(connection, item)).map(({ item }) => item),
  );
  for (const { item } of diagnosis.documents) {
    if (!mended.has(item)) connection.run('DELETE FROM knowledge_items WHERE n = ?', item);
  }
  for (const { rowid } of diagnosis.vectors) connection.run('DELETE FROM vectors WHERE rowid = ?', rowid);
  for (const { kind, id } of diagnosis.records)
    connection.run('DELETE FROM records WHERE kind = ? AND id = ?', kind, id);
  for (const { space, dimensions } of diagnosis.sketches) {
    rewriteSketches(connection, space, dimensions, sketchesOfVectors(connection, space, dimensions));
  }
  dropOrphans(connection);
  // Documents that were taken out leave tombstones: a rebuilt index knows nothing of them, a whole one needs them.
  if (diagnosis.words.length > 0 && reindex !== undefined) rebuildWords(connection, reindex);
  return findings(diagnosis, true).map((finding) => {
    if (finding.area === 'words') return { ...finding, fixed: reindex !== undefined };
    const document = diagnosis.documents.find(({ id }) => id === finding.doc_id);
    if (document === undefined || !mended.has(document.item)) return finding;
    return { ...finding, message: `${document.source_path}: ${document.problem}: mended from its text` };
  });
}

function mend(connection: Connection, item: number): boolean {
  try {
    if (mendContents(connection, item) === 0) return false;
    const found = examine(connection, item);
    return found !== null && !('problem' in found);
  } catch {
    return false;
  }
}
