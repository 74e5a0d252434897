import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sampleWrite } from '../../store/sample.js';
import { temporaryLibrary } from './library.suite.js';
import { SCHEMA_VERSION, STEPS } from './schema.js';

const guide = sampleWrite({
  source: 'file:guide.md',
  title: 'Guide',
  parts: [
    { heading: 'Install', body: 'download and unpack' },
    { heading: 'Configure', body: '配置 the proxy', type: 'code' },
  ],
});
const other = sampleWrite({
  source: 'file:other.md',
  title: 'Other',
  parts: [{ heading: 'H', body: 'unpack it' }],
});
const query = (term: string) =>
  ({ terms: [{ term, weight: 1 }], k: 10, kind: 'chunk', scorer: 'bm25' }) as const;

it('S2.2 has the tables of the seed, with a foreign key that cascades', async () => {
  const library = temporaryLibrary();
  const backend = await library.open();
  await backend.commit({ put: [guide] });
  const raw = library.raw();
  const columns = raw.prepare("SELECT name FROM pragma_table_info('knowledge_chunks')").all() as {
    name: string;
  }[];
  const wanted = [
    'id',
    'item_id',
    'chunk_index',
    'content',
    'heading',
    'start_position',
    'end_position',
    'metadata',
  ];
  expect(columns.map(({ name }) => name)).toEqual(expect.arrayContaining(wanted));
  expect(raw.prepare("SELECT * FROM pragma_foreign_key_list('knowledge_chunks')").get()).toMatchObject({
    table: 'knowledge_items',
    from: 'item_id',
    to: 'id',
    on_delete: 'CASCADE',
  });
  const rows = raw.prepare('SELECT heading, content FROM knowledge_chunks ORDER BY chunk_index').all();
  expect(rows).toEqual(guide.chunks.map(({ chunk }) => ({ heading: chunk.title, content: chunk.content })));
  expect(() => raw.exec("UPDATE knowledge_chunks SET item_id = 'nobody'")).toThrow(/FOREIGN KEY/);
  const ours = raw.prepare('SELECT doc_id, title, title_path FROM chunks WHERE chunk_index = 1').get();
  expect(ours).toEqual({ doc_id: guide.document.id, title: 'Configure', title_path: '["Configure"]' });
  expect(raw.prepare('SELECT title FROM documents').get()).toEqual({ title: 'Guide' });
});

const counted = [
  'knowledge_items',
  'knowledge_chunks',
  'item_texts',
  'vectors',
  'vector_parts',
  'segment_blocks',
  'segments',
];

it('S2.2 deleting an item deletes its chunks, text, words and vectors', async () => {
  const library = temporaryLibrary();
  const backend = await library.open();
  await backend.commit({ put: [guide, other] });
  const vector = Float32Array.of(1, 0);
  const entries = guide.chunks.map(({ embed_key }) => ({ embed_key, vector, parts: [vector, vector] }));
  await backend.vectors.put({ fingerprint: 'm', dimensions: 2, entries });
  await backend.commit({ remove: [guide.document.id] });
  expect((await backend.words.match(query('unpack'))).map(({ id }) => id)).toEqual([
    other.chunks[0]!.chunk.id,
  ]);
  expect(await backend.words.frequencies(['配置', 'unpack'])).toEqual({ units: 2, df: [0, 2] });
  await backend.commit({ remove: [other.document.id] });
  await backend.tidy();
  const raw = library.raw();
  for (const table of counted) {
    expect([table, raw.prepare(`SELECT count(*) AS n FROM ${table}`).get()]).toEqual([table, { n: 0 }]);
  }
  expect(await backend.check()).toEqual([]);
});

it('S2.2 words and vectors follow a row that another program deletes', async () => {
  const library = temporaryLibrary();
  const backend = await library.open();
  await backend.commit({ put: [guide, other] });
  const entries = guide.chunks.map(({ embed_key }) => ({ embed_key, vector: Float32Array.of(1, 0) }));
  await backend.vectors.put({ fingerprint: 'm', dimensions: 2, entries });
  expect(await backend.words.match(query('unpack'))).toHaveLength(2);
  const raw = library.raw();
  raw.exec("DELETE FROM knowledge_items WHERE title = 'Guide'");
  expect(await backend.counts()).toEqual({ documents: 1, chunks: 1 });
  expect((await backend.words.match(query('unpack'))).map(({ id }) => id)).toEqual([
    other.chunks[0]!.chunk.id,
  ]);
  await backend.commit({});
  expect(raw.prepare('SELECT count(*) AS n FROM vectors').get()).toEqual({ n: 0 });
  expect(await backend.check()).toEqual([]);
});

it('brings a library of the first schema up to this one, with all it holds', async () => {
  const library = temporaryLibrary();
  const first = await library.open();
  await first.commit({ put: [guide] });
  const entries = guide.chunks.map(({ embed_key }) => ({ embed_key, vector: Float32Array.of(1, 0) }));
  await first.vectors.put({ fingerprint: 'm', dimensions: 2, entries });
  await first.close();
  const [view] = /CREATE VIEW chunks AS[^;]*;/.exec(STEPS[0]!)!;
  library.raw().exec(`DROP TABLE vector_parts; DROP VIEW chunks; ${view} PRAGMA user_version = 1`);
  const again = await library.open();
  expect(await again.counts()).toEqual({ documents: 1, chunks: 2 });
  const found = await again.vectors.near({ vector: Float32Array.of(1, 0), k: 5 });
  expect(found.map(({ score }) => Math.round(score))).toEqual([1, 1]);
  expect(await again.check()).toEqual([]);
});

it('refuses a library of a newer schema, and a file that is none', async () => {
  const library = temporaryLibrary();
  await (await library.open()).close();
  library.raw().exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
  await expect(library.open()).rejects.toMatchObject({ code: 'STORE_VERSION' });
  const foreign = temporaryLibrary();
  foreign.raw().exec('CREATE TABLE mine (a)');
  await expect(foreign.open()).rejects.toMatchObject({ code: 'STORE_VERSION' });
  const text = temporaryLibrary();
  writeFileSync(text.path, 'this is a text, and a rather long one, but no library at all'.repeat(99));
  await expect(text.open()).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
});

it('opens one new library from many handles at once', async () => {
  const library = temporaryLibrary();
  const handles = await Promise.all(Array.from({ length: 4 }, () => library.open()));
  await Promise.all(
    handles.map((handle, i) => handle.commit({ records: [{ kind: 'k', id: `${i}`, value: i }] })),
  );
  expect(await handles[0]!.records('k')).toHaveLength(4);
});
