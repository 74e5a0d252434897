import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FakeTurbopuffer, fakeTurbopuffer } from '../drivers/turbopuffer/server.suite.js';
import type { Library } from '../engine/library.js';
import { partsOf } from '../engine/open-library.js';
import { outboxNotes } from '../store/outbox.js';
import { CountingEmbedder, paragraph, temporaryFolder, temporaryLibrary } from './library.suite.js';
import { openTools } from './open-tools.js';
import type { Tools } from './tools.js';

let fake: FakeTurbopuffer;
let config: string;
beforeEach(async () => {
  fake = await fakeTurbopuffer();
  config = mkdtempSync(join(tmpdir(), 'strata-config-'));
  for (const [name, value] of Object.entries({ ...fake.env, STRATA_CONFIG: config })) vi.stubEnv(name, value);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await fake.close();
  rmSync(config, { recursive: true });
  expect(fake.violations).toEqual([]);
});

const rows = (count: number) => Array.from({ length: count }, (_, at) => ({ id: at, text: paragraph(at) }));
const json = (value: unknown) => ({ text: JSON.stringify(value) });
const TOOL = {
  name: 'ask',
  table_id: 'machines',
  path: '$[*].text',
  vectors: { turbopuffer_namespace: 'kb' },
} as const;
const rowsThere = () => [...(fake.namespaces.get('kb')?.rows.values() ?? [])];
const upserts = () => fake.requests.filter(({ kind }) => kind === 'upsert');

async function withTool(count = 10, folder = temporaryFolder()) {
  const embedder = new CountingEmbedder();
  const library = await temporaryLibrary({ embedder }, folder);
  const tools = openTools(library);
  await tools.tables.put('machines', json(rows(count)));
  const report = await tools.create(TOOL);
  return { library, tools, embedder, report, folder };
}

/** Both sides hold the same chunks of the tool, no more and no less. */
async function expectAgreement(library: Library, tools: Tools): Promise<void> {
  const { backend } = partsOf(library);
  const { id } = await tools.show('ask');
  const documents = await backend.documents({ filter: { tools: [id] } });
  const chunks = (await Promise.all(documents.map((document) => backend.chunksOf(document.id)))).flat();
  expect(
    rowsThere()
      .map(({ chunk_id }) => chunk_id)
      .sort(),
  ).toEqual(chunks.map((chunk) => chunk.id).sort());
  expect(await outboxNotes(backend)).toEqual([]);
}

describe('a search tool whose vectors are at turbopuffer', () => {
  it('S3.2 creation upserts every chunk, and writes namespace and doc id back to the chunks', async () => {
    const { library, tools, report } = await withTool(11);
    expect(report).toMatchObject({ embedded: 11, upserted: 11, deleted: 0, notices: [] });
    await expectAgreement(library, tools);
    const { backend } = partsOf(library);
    for (const row of rowsThere()) {
      const chunk = (await backend.chunk(String(row.chunk_id)))!;
      const [kept] = chunk.metadata.turbopuffer as {
        turbopuffer_doc_id: string;
        turbopuffer_namespace: string;
      }[];
      expect(kept).toMatchObject({ turbopuffer_namespace: 'kb', turbopuffer_doc_id: row.id });
      expect(row.json_pointer).toBe(chunk.json_pointer);
    }
  });

  it('S3.2 no text of a chunk is sent', async () => {
    await withTool(5);
    for (const { text } of fake.requests) expect(text).not.toMatch(/cleaned|repaired|Paragraph/);
  });

  it('S3.3 a question is embedded, sent as rank_by ANN, and each result filled from the store', async () => {
    const { tools } = await withTool(11);
    fake.requests.length = 0;
    const { results, notices } = await tools.call('ask', { query: 'how is subject7 cleaned', top_k: 4 });
    const asked = JSON.parse(fake.requests[0]!.text) as { rank_by: [string, string, number[]] };
    expect(asked.rank_by.slice(0, 2)).toEqual(['vector', 'ANN']);
    expect(fake.requests).toHaveLength(1);
    expect(notices).toEqual([]);
    expect(results).toHaveLength(4);
    expect(results[0]!.chunk).toMatchObject({
      json_pointer: '/7/text',
      chunk_index: 0,
      total_chunks: 1,
      chunk_text: paragraph(7).trimEnd(),
      turbopuffer_namespace: 'kb',
    });
  });

  it('S3.5 the same tool on the embedded index gives the same results', async () => {
    const { tools } = await withTool(11);
    const { vectors: _, ...embedded } = TOOL;
    await tools.create({ ...embedded, name: 'own' });
    for (const query of ['subject3 cleaned', 'how is subject9 stored', 'machine']) {
      const there = (await tools.call('ask', { query, top_k: 8 })).results;
      const here = (await tools.call('own', { query, top_k: 8 })).results;
      expect(there.map(({ chunk }) => chunk.id)).toEqual(here.map(({ chunk }) => chunk.id));
      for (const [at, { score }] of there.entries()) expect(score).toBeCloseTo(here[at]!.score, 2);
      const shape = ({
        turbopuffer_namespace: _,
        turbopuffer_doc_id: __,
        ...chunk
      }: (typeof there)[0]['chunk']) => chunk;
      expect(there.map(({ chunk }) => shape(chunk))).toEqual(here.map(({ chunk }) => shape(chunk)));
    }
  });

  it('S3.2 again, also after a restart: 0 embeddings, 0 upserts', async () => {
    const { library, folder } = await withTool(10);
    await library.close();
    const embedder = new CountingEmbedder();
    const again = await temporaryLibrary({ embedder }, folder);
    const before = fake.requests.length;
    const report = await openTools(again).create(TOOL);
    expect(report).toMatchObject({ outcome: 'unchanged', embedded: 0, upserted: 0, deleted: 0 });
    expect(fake.requests.length).toBe(before);
    expect(embedder.passages).toEqual([]);
  });

  it('S3.2 one changed string is one upsert and one delete; a removed one exactly its rows', async () => {
    const { library, tools } = await withTool(11);
    fake.requests.length = 0;
    const value = JSON.stringify(paragraph(777));
    const { tools: changed } = await tools.tables.patch('machines', { text: value, pointer: '/9/text' });
    expect(changed[0]).toMatchObject({ embedded: 1, upserted: 1, deleted: 1 });
    await expectAgreement(library, tools);
    const { tools: gone } = await tools.tables.patch('machines', json([{ op: 'remove', path: '/9/text' }]));
    expect(gone[0]).toMatchObject({ embedded: 0, upserted: 0, deleted: 1 });
    await expectAgreement(library, tools);
    expect(upserts().map(({ rows: count }) => count)).toEqual([1]);
  });

  it('S3.2 a service that is down: words and the library’s own vectors answer, and it is repaired later', async () => {
    const { library, tools } = await withTool(10);
    vi.stubEnv('TURBOPUFFER_BASE_URL', 'http://127.0.0.1:9');
    vi.stubEnv('TURBOPUFFER_API_KEY', '');
    const report = await tools.tables.put('machines', json(rows(11)));
    expect(report.tools[0]!.notices).toEqual(['turbopuffer: set TURBOPUFFER_API_KEY to your key']);
    const { results, notices } = await tools.call('ask', { query: 'subject10', top_k: 1 });
    expect(results[0]!.chunk.json_pointer).toBe('/10/text');
    expect(notices[0]).toMatch(/^Asked the library’s own vectors: turbopuffer: set/);
    expect((await tools.show('ask')).outbox).toBeGreaterThan(0);
    for (const [name, value] of Object.entries(fake.env)) vi.stubEnv(name, value);
    expect(await tools.reindex('ask')).toMatchObject({ upserted: 1, notices: [] });
    await expectAgreement(library, tools);
  });

  it('S3.2 a batch that is refused is named, and only it is sent again', async () => {
    const { library, tools } = await withTool(5);
    fake.faults.push({ status: 400 });
    const report = await tools.tables.put('machines', json(rows(8)));
    expect(report.tools[0]!.notices[0]).toMatch(/namespace kb: 3 of 3 rows were not written: .*400/);
    fake.requests.length = 0;
    expect((await tools.create(TOOL)).upserted).toBe(3);
    await expectAgreement(library, tools);
  });

  it('S3.2 reindex finds what was lost, changed or left behind on the other side', async () => {
    const { library, tools } = await withTool(9);
    const there = fake.namespaces.get('kb')!.rows;
    const [lost, stale, kept] = [...there.keys()];
    there.delete(lost!);
    there.set(stale!, { ...there.get(stale!)!, version: 'old' });
    there.set('orphan', { ...there.get(kept!)!, id: 'orphan', chunk_id: 'nobody' });
    expect(await tools.reindex('ask')).toMatchObject({ embedded: 0, upserted: 2, deleted: 1 });
    await expectAgreement(library, tools);
    expect(await tools.reindex('ask')).toMatchObject({ upserted: 0, deleted: 0 });
  });

  it('S3.2 removal cleans up; one that could not reach the service is finished later', async () => {
    const { tools } = await withTool(10);
    await tools.create({ ...TOOL, name: 'other', path: '$[:3].text' });
    expect(rowsThere()).toHaveLength(13);
    expect(await tools.remove('ask')).toMatchObject({ cleaned: true, notices: [] });
    expect(rowsThere()).toHaveLength(3);
    fake.faults.push({ status: 400 });
    expect(await tools.remove('other')).toMatchObject({
      cleaned: false,
      notices: [expect.stringMatching(/later|next/)],
    });
    expect(rowsThere()).toHaveLength(3);
    await tools.tables.put('machines', json(rows(4)));
    expect(rowsThere()).toHaveLength(0);
  });

  it('S3.2 vectors of another model replace those of the first', async () => {
    const { library, folder } = await withTool(10);
    await library.close();
    const second = await temporaryLibrary({ embedder: new CountingEmbedder('counting-2') }, folder);
    const tools = openTools(second);
    await second.embed();
    const { notices } = await tools.call('ask', { query: 'subject3', top_k: 1 });
    expect(notices[0]).toMatch(/not those of the library’s model yet/);
    expect(await tools.reindex('ask')).toMatchObject({ upserted: 10 });
    expect((await tools.call('ask', { query: 'subject3', top_k: 1 })).notices).toEqual([]);
    await expectAgreement(second, tools);
  });

  it('B15 a library that was found cannot make us talk to its namespace', async () => {
    const { library, folder } = await withTool(6);
    await library.close();
    rmSync(join(config, 'trust.json'));
    const found = await temporaryLibrary({ embedder: new CountingEmbedder() }, folder);
    const tools = openTools(found);
    fake.requests.length = 0;
    const { results, notices } = await tools.call('ask', { query: 'subject3', top_k: 1 });
    expect(results[0]!.chunk.json_pointer).toBe('/3/text');
    expect(notices[0]).toMatch(/keeps vectors of its texts in turbopuffer:kb.*strata trust/);
    const report = await tools.reindex('ask');
    expect(report.notices[0]).toMatch(/strata trust/);
    expect(fake.requests).toEqual([]);
  });

  it('S3.3 a hybrid tool takes the nearest from turbopuffer and words from the library', async () => {
    const { tools } = await withTool(10);
    await tools.create({ ...TOOL, name: 'both', mode: 'hybrid' });
    fake.requests.length = 0;
    const { results } = await tools.call('both', { query: 'subject8 repaired', top_k: 3 });
    expect(results[0]!.chunk).toMatchObject({ json_pointer: '/8/text', turbopuffer_namespace: 'kb' });
    expect(fake.requests.some(({ kind }) => kind === 'query')).toBe(true);
  });
});
