import type { Sql } from 'postgres';
import { reasonOf } from '../../model/errors.js';
import { contentHash } from '../../model/hash.js';
import { chunkId } from '../../model/id.js';
import type { Finding, Reindex } from '../../store/backend.js';
import { unpackContent, unpackSections } from '../../store/packing.js';
import { unpackParts, unpackVector } from '../../store/vector-packing.js';
import { WordsCheck, wordsChecksum } from '../../store/words/check-words.js';
import { chunkType, DOCUMENT } from '../../store/words/unit-page.js';
import { WordsChange } from '../../store/words/words-change.js';
import type { Pool } from './pool.js';
import { type Row, toChunk, toDocument } from './rows.js';
import { wordsStore, writeWords } from './word-rows.js';

/** Everything the library promises of itself; with `fix`, what is wrong is taken out and the index made again. */
export async function examine(pool: Pool, reindex: Reindex | undefined, fix: boolean): Promise<Finding[]> {
  return pool.exclusively(async (sql, state) => {
    const words = new WordsCheck(reindex);
    const findings: Finding[] = [];
    for (const id of await documentIds(pool, sql)) {
      const problem = await documentProblem(pool, sql, id, words);
      if (problem === null) continue;
      const next = fix ? ': it was taken out; add it again' : '; `strata doctor --fix` takes it out';
      findings.push({ area: 'record', message: `${problem}${next}`, doc_id: id, fixed: fix });
      if (fix)
        await sql`DELETE FROM ${pool.table('documents')} WHERE library = ${pool.address.library} AND id = ${id}`;
    }
    const wrongWords = await wordProblems(pool, sql, words);
    if (fix && wrongWords.length > 0 && reindex !== undefined) await rebuildWords(pool, sql, state, reindex);
    for (const { message, doc_id } of wrongWords)
      findings.push({
        area: 'words',
        message,
        fixed: fix && reindex !== undefined,
        ...(doc_id !== undefined && { doc_id }),
      });
    findings.push(...(await vectorFindings(pool, sql, fix)));
    return findings;
  });
}

async function documentIds(pool: Pool, sql: Sql): Promise<string[]> {
  const rows =
    await sql`SELECT id FROM ${pool.table('documents')} WHERE library = ${pool.address.library} ORDER BY n`;
  return rows.map(({ id }) => String(id));
}

interface StoredDocument {
  readonly row: Row;
  readonly chunks: readonly Row[];
  readonly texts: Row | undefined;
}

async function readDocument(pool: Pool, sql: Sql, id: string): Promise<StoredDocument> {
  const { library } = pool.address;
  // One after the other: see `Pool`.
  const [[row], chunks, [texts]] = [
    await sql`SELECT * FROM ${pool.table('documents')} WHERE library = ${library} AND id = ${id}`,
    await sql`SELECT record, content, unit, words, embed_key FROM ${pool.table('document_chunks')}
      WHERE library = ${library} AND document_id = ${id} ORDER BY chunk_index`,
    await sql`SELECT text, structure FROM ${pool.table('document_texts')} WHERE library = ${library} AND document_id = ${id}`,
  ];
  return { row: row!, chunks, texts };
}

async function documentProblem(pool: Pool, sql: Sql, id: string, words: WordsCheck): Promise<string | null> {
  const { row, chunks: rows, texts } = await readDocument(pool, sql, id);
  const name = String(row.source_path);
  try {
    const document = toDocument(row);
    const chunks = rows.map((chunk) => ({
      chunk: toChunk(chunk),
      unit: Number(chunk.unit),
      words: Number(chunk.words),
    }));
    const packed = { text: texts?.text, structure: texts?.structure };
    const { text } = unpackContent(packed, id);
    unpackSections(packed, id);
    if (contentHash(text) !== document.hash) return `${name}: its text does not have its hash`;
    if (chunks.length !== document.chunk_count)
      return `${name}: it has ${chunks.length} chunks where its record says ${document.chunk_count}`;
    for (const [index, { chunk }] of chunks.entries()) {
      const isRight =
        chunk.chunk_index === index &&
        text.slice(chunk.start_position, chunk.end_position) === chunk.content &&
        chunkId(id, chunk.chunk_hash) === chunk.id;
      if (!isRight) return `${name}: chunk ${index} is not as it was written`;
    }
    words.add({ document, item: Number(row.n), unit: Number(row.unit), words: Number(row.words), chunks });
    return null;
  } catch (error) {
    return `${name}: ${reasonOf(error)}`;
  }
}

async function wordProblems(pool: Pool, sql: Sql, words: WordsCheck) {
  const { library } = pool.address;
  const rows = await sql`SELECT unit FROM ${pool.table('strata_tombstones')} WHERE library = ${library}`;
  return words.problemsIn(wordsStore(pool, sql), new Set(rows.map(({ unit }) => Number(unit))));
}

/** The whole index again from the records; units get new numbers, since segments want them ascending. */
async function rebuildWords(pool: Pool, sql: Sql, state: Row, reindex: Reindex): Promise<void> {
  const { library } = pool.address;
  const generation = Number(state.generation) + 1;
  for (const table of ['strata_segments', 'strata_blocks', 'strata_pages', 'strata_tombstones'])
    await sql`DELETE FROM ${pool.table(table)} WHERE library = ${library}`;
  const change = new WordsChange({
    next_unit: Number(state.next_unit),
    next_segment: Number(state.next_segment),
  });
  for (const id of await documentIds(pool, sql)) {
    const { row, chunks } = await readDocument(pool, sql, id);
    const document = toDocument(row);
    const own = reindex.document(document);
    const item = Number(row.n);
    const unit = change.add('document', { type: DOCUMENT, item, id }, own);
    await sql`UPDATE ${pool.table('documents')} SET unit = ${unit}, words = ${wordsChecksum(own)} WHERE library = ${library} AND id = ${id}`;
    for (const chunkRow of chunks) {
      const chunk = toChunk(chunkRow);
      const words = reindex.chunk(chunk);
      const now = change.add('chunk', { type: chunkType(chunk.content_types), item, id: chunk.id }, words);
      // A checksum of no row: the document's next put writes it again.
      await sql`UPDATE ${pool.table('document_chunks')} SET unit = ${now}, words = ${wordsChecksum(words)}, crc = -1
        WHERE library = ${library} AND id = ${chunk.id}`;
    }
  }
  const write = await change.finish(wordsStore(pool, sql));
  await writeWords(pool, sql, write, generation);
  await sql`UPDATE ${pool.table('strata_libraries')} SET generation = ${generation}, purged = ${generation},
    index_version = index_version + 1, next_unit = ${write.next_unit}, next_segment = ${write.next_segment} WHERE name = ${library}`;
}

const BATCH = 1000;

async function vectorFindings(pool: Pool, sql: Sql, fix: boolean): Promise<Finding[]> {
  const { library } = pool.address;
  const findings: Finding[] = [];
  const spaces =
    await sql`SELECT fingerprint, dimensions FROM ${pool.table('strata_vector_spaces')} WHERE library = ${library}`;
  for (const { fingerprint, dimensions } of spaces) {
    for (let after = ''; ; ) {
      const rows =
        await sql`SELECT embed_key, data, parts, EXISTS (SELECT 1 FROM ${pool.table('document_chunks')} c
          WHERE c.library = v.library AND c.embed_key = v.embed_key) AS is_used
        FROM ${pool.table('strata_vectors')} v
        WHERE library = ${library} AND fingerprint = ${fingerprint} AND embed_key > ${after} ORDER BY embed_key LIMIT ${BATCH}`;
      if (rows.length === 0) break;
      after = String(rows.at(-1)!.embed_key);
      for (const { embed_key, data, parts, is_used } of rows) {
        const key = String(embed_key);
        const isWhole =
          unpackVector(key, data)?.codes.length === dimensions &&
          (parts === null || unpackParts(key, parts) !== null);
        if (isWhole && is_used) continue;
        const message = isWhole ? 'A vector belongs to no chunk.' : 'A vector fails its checksum.';
        findings.push({ area: 'vectors', message, fixed: fix });
        if (fix) {
          await sql`DELETE FROM ${pool.table('strata_vectors')}
            WHERE library = ${library} AND fingerprint = ${fingerprint} AND embed_key = ${key}`;
          await sql`UPDATE ${pool.table('document_chunks')} SET embedding = NULL WHERE library = ${library} AND embed_key = ${key}`;
        }
      }
    }
  }
  return findings;
}
