import { reasonOf } from '../../model/errors.js';
import { contentHash } from '../../model/hash.js';
import { embedKey } from '../../model/indexed.js';
import type { Finding, Reindex } from '../../store/backend.js';
import type { StoredDocument } from '../../store/records.js';
import { validateDocument } from '../../store/validate.js';
import { WordsCheck } from '../../store/words/check-words.js';
import { Commit } from './commit.js';
import type { Reads } from './reads.js';
import { quote, type Table } from './table.js';
import { wordsStore } from './word-rows.js';

/** Everything the library promises of itself; with `fix`, what is damaged is taken out, and wrong words are made again. */
export async function examine(
  table: Table,
  reads: Reads,
  reindex: Reindex | undefined,
  fix: boolean,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const words = new WordsCheck(reindex);
  const broken: string[] = [];
  const whole: string[] = [];
  for (const { id, unit, words: sum, position } of await table.select("kind = 'parent'", [
    'id',
    'unit',
    'words',
    'position',
  ])) {
    const docId = String(id);
    try {
      const write = await readDocument(reads, docId, reindex);
      if (reindex !== undefined) validateDocument(write);
      if (contentHash(write.content.text) !== write.document.hash)
        throw new Error('its text does not have its hash');
      const rows = await table.select(`kind = 'chunk' AND doc_id = ${quote(docId)}`, ['id', 'unit', 'words']);
      const units = new Map(rows.map((row) => [String(row.id), row]));
      const chunks = write.chunks.map(({ chunk }) => {
        const row = units.get(chunk.id)!;
        return { chunk, unit: Number(row.unit), words: Number(row.words) };
      });
      words.add({
        document: write.document,
        item: Number(position),
        unit: Number(unit),
        words: Number(sum),
        chunks,
      });
      whole.push(docId);
    } catch (error) {
      broken.push(docId);
      const next = fix ? ': it was taken out; add it again' : '; `strata doctor --fix` takes it out';
      findings.push({
        area: 'record',
        message: `Document ${docId}: ${reasonOf(error)}${next}`,
        doc_id: docId,
        fixed: fix,
      });
    }
  }
  const wrong = await words.problemsIn(wordsStore(table), new Set());
  for (const { message, doc_id } of wrong)
    findings.push({
      area: 'words',
      message,
      fixed: fix && reindex !== undefined,
      ...(doc_id !== undefined && { doc_id }),
    });
  if (!fix) return findings;
  if (broken.length > 0) await Commit.apply(table, { remove: broken });
  if (wrong.length > 0 && reindex !== undefined) await rebuild(table, reads, whole, reindex);
  return findings;
}

async function readDocument(reads: Reads, id: string, reindex: Reindex | undefined): Promise<StoredDocument> {
  const [document, sections, content, chunks] = await Promise.all([
    reads.document(id),
    reads.sections(id),
    reads.content(id),
    reads.chunksOf(id),
  ]);
  if (document === null || content === null) throw new Error('its text is missing');
  const none = { terms: [], body: [], title: [], body_length: 0, title_length: 0 };
  return {
    document,
    sections,
    content,
    chunks: chunks.map((chunk) => ({
      chunk,
      embed_key: embedKey(chunk),
      words: reindex?.chunk(chunk) ?? none,
    })),
    words: reindex?.document(document) ?? none,
  };
}

/** Every document is put anew, as if it had not been there: its words are made from its text. */
async function rebuild(table: Table, reads: Reads, ids: readonly string[], reindex: Reindex): Promise<void> {
  const writes: StoredDocument[] = [];
  for (const id of ids) writes.push(await readDocument(reads, id, reindex));
  await table.merge([], "kind = 'page' OR kind = 'segment' OR kind = 'block'");
  for (const write of writes) {
    await Commit.apply(table, { remove: [write.document.id] });
    await Commit.apply(table, { put: [write] });
  }
}
