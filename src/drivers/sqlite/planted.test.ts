import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { sampleReindex, sampleWrite } from '../../store/sample.js';
import { sqliteBackend } from './backend.js';
import { temporaryLibrary } from './library.suite.js';
import { checksum, ITEM_COLUMNS } from './records/rows.js';
import type { Value } from './values.js';

const note = sampleWrite({ source: 'file:a.md', title: 'A', parts: [{ heading: 'H', body: 'proxy' }] });
const query = { terms: [{ term: 'proxy', weight: 1 }], k: 10, kind: 'chunk', scorer: 'bm25' } as const;
const ENDLESS = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)';

/** A library with a document, changed by somebody who knows SQL. */
async function planted(sql: string): Promise<string> {
  const library = temporaryLibrary();
  const backend = await library.open();
  await backend.commit({ put: [note] });
  await backend.close();
  const raw = library.raw();
  raw.exec(sql);
  raw.close();
  return library.path;
}

describe('B15 a planted SQLite library', () => {
  it.each([
    [
      'a view that never ends in the place of a table',
      `ALTER TABLE records RENAME TO r; CREATE VIEW records AS ${ENDLESS} SELECT i AS kind, i AS id, i AS value, i AS crc FROM n`,
    ],
    ['a view beside ours', `CREATE VIEW more AS ${ENDLESS} SELECT i FROM n`],
    [
      'a trigger on ours',
      `CREATE TRIGGER more AFTER INSERT ON knowledge_items BEGIN DELETE FROM records; END`,
    ],
    ['a table beside ours', 'CREATE TABLE more (a)'],
  ])('B15 %s is not used, and doctor makes an end of it', async (_, sql) => {
    const path = await planted(sql);
    const backend = await sqliteBackend({ path, reindex: sampleReindex });
    await expect(backend.words.match(query)).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
    await expect(backend.commit({ put: [note] })).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
    const found = await backend.check();
    expect(found).toMatchObject([{ area: 'file', fixed: false }, ...found.slice(1)]);
    await backend.check({ fix: true });
    await backend.close();
    const again = await sqliteBackend({ path, reindex: sampleReindex });
    expect(await again.check()).toEqual([]);
    expect(await again.words.match(query)).toHaveLength(1);
    await again.close();
  });

  it.each(['-wal', '-shm', '-journal'])(
    'B15 a link in the place of its %s is not followed',
    async (suffix) => {
      const { path } = temporaryLibrary();
      mkdirSync(dirname(path), { recursive: true });
      const outside = join(dirname(path), '..', 'outside');
      symlinkSync(outside, path + suffix);
      await expect(sqliteBackend({ path })).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
      expect(existsSync(outside)).toBe(false);
    },
  );

  it('B15 a journal that names a file outside, which SQLite would delete, is refused', async () => {
    const { path } = temporaryLibrary();
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(
      `${path}-journal`,
      Buffer.concat([Buffer.alloc(600), Buffer.from('d9d505f920a163d7', 'hex')]),
    );
    await expect(sqliteBackend({ path })).rejects.toThrow('names a file outside the library');
  });

  it('B15 numbers nobody can count up to, with a right checksum, do not keep doctor busy for ever', async () => {
    const path = await planted('UPDATE knowledge_items SET unit = 1e308');
    const raw = new DatabaseSync(path);
    const row = raw.prepare(`SELECT ${ITEM_COLUMNS} FROM knowledge_items`).get() as Record<string, Value>;
    raw.prepare('UPDATE knowledge_items SET crc = ?').run(checksum(Object.values(row).slice(0, -1)));
    raw.close();
    const backend = await sqliteBackend({ path, reindex: sampleReindex });
    const found = await backend.check({ fix: true });
    expect(found.map(({ area, fixed }) => [area, fixed])).toContainEqual(['words', true]);
    expect(await backend.check()).toEqual([]);
    expect(await backend.words.match(query)).toHaveLength(1);
    await backend.close();
  });

  it('B15 counters and pages with impossible numbers are damage', async () => {
    for (const sql of ['UPDATE unit_pages SET page = 9e15', 'UPDATE unit_pages SET page = -1']) {
      const backend = await sqliteBackend({ path: await planted(sql), reindex: sampleReindex });
      await expect(backend.words.match(query)).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
      await backend.check({ fix: true });
      expect(await backend.words.match(query)).toHaveLength(1);
      await backend.close();
    }
  });
});
