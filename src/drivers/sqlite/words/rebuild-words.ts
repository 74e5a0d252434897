import type { UnitWords } from '../../../model/words.js';
import type { Reindex } from '../../../store/backend.js';
import { unitNorm } from '../../../store/index/scoring.js';
import type { UnitKind } from '../../../store/lexical.js';
import { wordsChecksum } from '../../../store/words/check-words.js';
import { SegmentBuilder } from '../../../store/words/segment-builder.js';
import { chunkType, DOCUMENT, MOST_UNITS } from '../../../store/words/unit-page.js';
import type { Connection } from '../connection.js';
import { readDocument } from '../doctor/check-documents.js';
import { chunkRow, itemRow } from '../records/rows.js';
import { createState, takeSegment, updateState } from '../state.js';
import { writeSegment } from './segments.js';
import { UnitPages } from './unit-pages.js';

/** Units per segment of a rebuilt index: some megabytes. */
const SEGMENT_UNITS = 4096;

interface UnitToIndex {
  readonly kind: UnitKind;
  readonly type: number;
  readonly item: number;
  readonly id: string;
  readonly words: UnitWords;
}

/**
 * The whole index made again from the records, inside one write transaction. Documents must be whole. Units get new
 * numbers, since segments want them ascending; counters that are damaged are counted anew.
 */
export function rebuildWords(connection: Connection, reindex: Reindex): void {
  renewState(connection);
  connection.exec(
    'DELETE FROM segments; DELETE FROM segment_blocks; DELETE FROM unit_pages; DELETE FROM tombstones',
  );
  const pages = new UnitPages(connection);
  let segment = new SegmentBuilder();
  const [first, generation] = connection.get('SELECT next_unit, generation FROM state')!.map(Number) as [
    number,
    number,
  ];
  let next = first;
  const flush = () => {
    if (segment.units > 0) writeSegment(connection, takeSegment(connection), segment);
    segment = new SegmentBuilder();
    pages.flush(generation);
  };
  const index = ({ kind, type, item, id, words }: UnitToIndex): number => {
    const unit = next++;
    const { body_length, title_length } = words;
    pages.set(unit, { type, item, id, body_length, title_length, norm: unitNorm(words) });
    segment.add(kind, unit, words);
    return unit;
  };
  for (const [n] of connection.all('SELECT n FROM knowledge_items ORDER BY n')) {
    const item = Number(n);
    const { document, chunks } = readDocument(connection, item)!;
    const words = reindex.document(document);
    const unit = index({ kind: 'document', type: DOCUMENT, item, id: document.id, words });
    const row = itemRow(document, unit, wordsChecksum(words));
    connection.run(
      'UPDATE knowledge_items SET unit = ?, words = ?, crc = ? WHERE n = ?',
      ...row.slice(-3),
      item,
    );
    for (const { chunk, embed_key, unit: before } of chunks) {
      const own = reindex.chunk(chunk);
      const now = index({
        kind: 'chunk',
        type: chunkType(chunk.content_types),
        item,
        id: chunk.id,
        words: own,
      });
      const checksum = wordsChecksum(own);
      const fresh = chunkRow({ chunk, embed_key, words: own }, now, checksum, document.title);
      const sql = 'UPDATE knowledge_chunks SET unit = ?, words = ?, crc = ? WHERE unit = ?';
      connection.run(sql, now, checksum, fresh.at(-1)!, before);
    }
    if (segment.units >= SEGMENT_UNITS) flush();
  }
  flush();
  updateState(connection, { next_unit: next });
}

/** A generation of its own, of which everybody reads all pages again. Impossible numbers do not count: they are replaced. */
function renewState(connection: Connection): void {
  const most = (table: string, column: string) =>
    Number(
      connection.get(
        `SELECT coalesce(max(${column}), 0) FROM ${table}
         WHERE typeof(${column}) = 'integer' AND ${column} BETWEEN 0 AND ${MOST_UNITS / 2}`,
      )![0],
    );
  const generation = Math.max(most('unit_pages', 'generation'), most('state', 'generation')) + 1;
  createState(connection, {
    generation,
    purged: generation,
    index_version: most('state', 'index_version') + 1,
    next_unit: Math.max(most('knowledge_chunks', 'unit'), most('knowledge_items', 'unit')) + 1,
    next_segment: Math.max(most('segments', 'segment'), 0) + 1,
  });
}
