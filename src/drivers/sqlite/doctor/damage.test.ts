import { readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Backend } from '../../../store/backend.js';
import { temporaryLibrary } from '../library.suite.js';
import { fill, filledCopy, flipAndUse } from './damage.suite.js';

const searches = async (backend: Backend) => {
  const answers = [];
  for (const term of ['common', 'word3', '配置3', 'term4', 'title']) {
    for (const kind of ['chunk', 'document'] as const) {
      answers.push(await backend.words.match({ terms: [{ term, weight: 1 }], k: 50, kind, scorer: 'bm25' }));
    }
  }
  return answers;
};

describe('damage is noticed, reported and repaired', () => {
  const flip = (column: string) => `CAST(${column} AS BLOB) || x'00'`;
  const cases = [
    ['a document’s record', 'UPDATE knowledge_items SET title = title || 1 WHERE n = 3', 'record'],
    ['a document’s text', `UPDATE item_texts SET text = ${flip('text')} WHERE n = 3`, 'record'],
    [
      'a document’s structure',
      `UPDATE item_texts SET structure = ${flip('structure')} WHERE n = 3`,
      'record',
    ],
    [
      'a chunk’s content',
      "UPDATE knowledge_chunks SET content = content || '!' WHERE unit = (SELECT max(unit) FROM knowledge_chunks)",
      'record',
    ],
    [
      'a chunk’s heading',
      "UPDATE knowledge_chunks SET heading = 'other' WHERE unit = (SELECT max(unit) FROM knowledge_chunks)",
      'record',
    ],
    [
      'a missing chunk',
      'DELETE FROM knowledge_chunks WHERE unit = (SELECT max(unit) FROM knowledge_chunks)',
      'record',
    ],
    ['a record', 'UPDATE records SET value = \'{"on":false}\'', 'record'],
    [
      'a block of words',
      `UPDATE segment_blocks SET data = ${flip('data')} WHERE block = (SELECT max(block) FROM segment_blocks)`,
      'words',
    ],
    [
      'a missing segment',
      'DELETE FROM segments WHERE segment = (SELECT max(segment) FROM segments)',
      'words',
    ],
    ['a segment’s entry', 'UPDATE segments SET first_unit = first_unit + 1', 'words'],
    ['word statistics', `UPDATE unit_pages SET data = ${flip('data')} WHERE page = 0`, 'words'],
    ['a dead unit that is live again', 'DELETE FROM unit_pages WHERE page = 0', 'words'],
    ['the counters', 'UPDATE state SET next_unit = 5', 'words'],
    ['a vector', `UPDATE vectors SET data = ${flip('data')} WHERE rowid = 4`, 'vectors'],
    ['parts of a vector', `UPDATE vector_parts SET data = ${flip('data')} WHERE slot = 4`, 'vectors'],
    ['sketches of vectors', `UPDATE vector_sketches SET data = ${flip('data')}`, 'vectors'],
    ['a vector of no chunk', "UPDATE vectors SET embed_key = 'nobody’s' WHERE rowid = 4", 'vectors'],
  ] as const;

  it.each(cases)('%s', async (_, damage, area) => {
    const library = temporaryLibrary();
    const backend = await library.open();
    const written = await fill(backend);
    const before = await searches(backend);
    const raw = library.raw();
    raw.exec(damage);
    raw.close();

    const found = await backend.check();
    expect(found.length).toBeGreaterThan(0);
    expect(found.map((finding) => finding.area)).toContain(area);
    expect(found.every(({ fixed }) => !fixed)).toBe(true);
    const repaired = await backend.check({ fix: true });
    expect(repaired.every(({ fixed }) => fixed)).toBe(true);
    expect(await backend.check()).toEqual([]);

    const lost = written.length - (await backend.counts()).documents;
    expect(lost).toBeLessThanOrEqual(1);
    if (lost === 1) await backend.commit({ put: written.slice() });
    expect(await backend.check()).toEqual([]);
    expect(await searches(backend)).toEqual(before);
  });

  it('S2.5 the index is rebuilt from the records when all of it is gone', async () => {
    const library = temporaryLibrary();
    const backend = await library.open();
    await fill(backend);
    const before = await searches(backend);
    const raw = library.raw();
    raw.exec('DELETE FROM segments; DELETE FROM segment_blocks; DELETE FROM unit_pages; DELETE FROM state');
    await expect(searches(backend)).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
    await backend.check({ fix: true });
    expect(await searches(backend)).toEqual(before);
    expect(await backend.check()).toEqual([]);
  });

  it('a chunk whose content alone is damaged is mended from the text, and never served before', async () => {
    const library = temporaryLibrary();
    const backend = await library.open();
    const [first] = await fill(backend);
    const { chunk } = first!.chunks[0]!;
    library.raw().exec(`UPDATE knowledge_chunks SET content = 'lies' WHERE id = '${chunk.id}'`);
    await expect(backend.chunk(chunk.id)).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
    expect(await backend.chunksById([chunk.id])).toEqual([]);
    await backend.check({ fix: true });
    expect(await backend.chunk(chunk.id)).toEqual(chunk);
  });

  it('a number that none of ours can be is damage, not a fault of the program', async () => {
    const library = temporaryLibrary();
    const backend = await library.open();
    const [first] = await fill(backend);
    library.raw().exec('UPDATE item_texts SET text = 9007199254740993');
    await expect(backend.content(first!.document.id)).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
  });

  it.each([
    'units INTEGER NOT NULL, dead',
    'summary TEXT NOT NULL',
    'heading TEXT NOT NULL',
    'structure BLOB',
    'fingerprint TEXT',
    'value TEXT NOT NULL',
  ])('a flipped bit in a definition is set right, and nothing is lost: %s', async (column) => {
    const library = temporaryLibrary();
    const { original, written } = await filledCopy(library);
    const at = readFileSync(original).indexOf(column);
    expect(at).toBeGreaterThan(0);
    expect(await flipAndUse(original, library.path, at * 8, written)).toBe('repaired');
    const mended = await library.open();
    expect((await mended.counts()).documents).toBe(written.length);
    expect((await mended.vectors.state()).embedded.m).toBe(60);
    await mended.close();
  });

  it('a definition that is gone means a new file, with nothing lost', async () => {
    const library = temporaryLibrary();
    const backend = await library.open();
    const written = await fill(backend);
    const before = await searches(backend);
    library.raw().exec('DROP INDEX chunks_by_embed_key');
    expect(await backend.check()).toMatchObject([{ area: 'file', fixed: false }]);
    const told = await backend.check({ fix: true });
    expect(told.map(({ message }) => message).join('\n')).toContain('made anew');
    expect(await backend.check()).toEqual([]);
    expect((await backend.counts()).documents).toBe(written.length);
    expect(await searches(backend)).toEqual(before);
  });

  it('no flipped bit is served or left unrepaired', async () => {
    const library = temporaryLibrary();
    const { original, written } = await filledCopy(library);
    const bits = statSync(original).size * 8;
    for (let i = 0; i < 12; i++) {
      const bit = Math.floor(Math.random() * bits);
      try {
        await flipAndUse(original, library.path, bit, written);
      } catch (error) {
        throw new Error(`bit ${bit} of ${bits}`, { cause: error });
      }
    }
  });
});
