import { describe, expect, it } from 'vitest';
import type { Library } from '../engine/library.js';
import { partsOf } from '../engine/open-library.js';
import { resolvePointer } from '../model/json/pointer.js';
import { CountingEmbedder, paragraph, temporaryFolder, temporaryLibrary } from './library.suite.js';
import { openTools } from './open-tools.js';
import type { Tools } from './tools.js';

const backendOf = (library: Library) => partsOf(library).backend;
export const rows = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: at, text: paragraph(at) }));
export const json = (value: unknown) => ({ text: JSON.stringify(value) });
export const PATH = '$[*].text';

export async function withTool(
  count = 10,
  store?: string,
): Promise<{ library: Library; tools: Tools; embedder: CountingEmbedder }> {
  const embedder = new CountingEmbedder();
  const library = await temporaryLibrary({ embedder, store });
  const tools = openTools(library);
  await tools.tables.put('machines', json(rows(count)));
  const created = await tools.create({ name: 'ask', table_id: 'machines', path: PATH });
  expect(created).toMatchObject({ strings: { added: count }, embedded: count, notices: [] });
  expect((await backendOf(library).documents()).length).toBe(count);
  return { library, tools, embedder };
}

/** Tables and search tools on one store; `storeOf` names it as `--store` does, a new one for every test. */
export function describeTools(driver: string, storeOf: () => string = () => driver, many = 1000): void {
  describe(`a search tool on the embedded index, store ${driver}`, () => describeTool(storeOf, many));
  describe(`tables, store ${driver}`, () => describeTables(driver, storeOf));
}

function describeTool(storeOf: () => string, many: number): void {
  it('S3.2 finds the strings of its scope that are long enough, and embeds each once', async () => {
    const embedder = new CountingEmbedder();
    const library = await temporaryLibrary({ embedder, store: storeOf() });
    const tools = openTools(library);
    const table = { long: rows(11), short: [{ text: 'too short' }], other: { text: paragraph(99) } };
    await tools.tables.put('t', json(table));
    const report = await tools.create({ name: 'ask', table_id: 't', pointer: '/long' });
    expect(report).toMatchObject({
      outcome: 'added',
      strings: { added: 11, changed: 0, removed: 0 },
      embedded: 11,
    });
    const { documents } = await library.list();
    expect(documents.map(({ source }) => source).sort()).toEqual(
      table.long.map((_, at) => `table:t#/long/${at}/text`).sort(),
    );
    const [chunk] = await backendOf(library).chunksOf(documents[0]!.id);
    expect(chunk).toMatchObject({ json_pointer: documents[0]!.metadata.json_pointer, total_chunks: 1 });
    expect(chunk!.content_hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('S3.3 S3.5 answers with top_k whole chunks, the best first, in the seed’s shape', async () => {
    const { tools } = await withTool(10, storeOf());
    const { results, notices } = await tools.call('ask', { query: 'how is subject7 cleaned', top_k: 3 });
    expect(notices).toEqual([]);
    expect(results).toHaveLength(3);
    expect(results[0]).toEqual({
      score: expect.any(Number),
      chunk: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        json_pointer: '/7/text',
        chunk_index: 0,
        total_chunks: 1,
        chunk_text: paragraph(7).trimEnd(),
        content_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        table_id: 'machines',
      },
    });
    const scores = results.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect((await tools.call('ask', { query: 'machine' })).results).toHaveLength(5);
  });

  it('S3.2 the same tool again changes nothing, also after a restart; another scope is a conflict', async () => {
    const folder = temporaryFolder();
    const store = storeOf();
    const first = await temporaryLibrary({ embedder: new CountingEmbedder(), store }, folder);
    await openTools(first).tables.put('machines', json(rows(10)));
    await openTools(first).create({ name: 'ask', table_id: 'machines', path: PATH });
    await first.close();
    const embedder = new CountingEmbedder();
    const library = await temporaryLibrary({ embedder, store }, folder);
    const tools = openTools(library);
    const generation = await backendOf(library).generation();
    const again = await tools.create({ name: 'ask', table_id: 'machines', path: PATH });
    expect(again).toMatchObject({ outcome: 'unchanged', embedded: 0, upserted: 0 });
    expect(embedder.passages).toEqual([]);
    expect(await backendOf(library).generation()).toBe(generation);
    await expect(tools.create({ name: 'ask', table_id: 'machines', pointer: '/0' })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringMatching(/^tool ask: exists with another scope \(table machines, path/),
    });
  });

  it('S3.2 changing one string embeds that one; deleting it removes exactly its vector', async () => {
    const { library, tools, embedder } = await withTool(11, storeOf());
    const before = (await backendOf(library).vectors.state()).embedded[embedder.fingerprint];
    embedder.passages = [];
    const value = JSON.stringify(`${paragraph(1000)} It is new.`);
    const changed = await tools.tables.patch('machines', { text: value, pointer: '/6/text' });
    expect(changed.tools[0]).toMatchObject({ strings: { added: 0, changed: 1, removed: 0 }, embedded: 1 });
    expect(embedder.passages).toHaveLength(1);
    const gone = await tools.tables.patch('machines', json([{ op: 'remove', path: '/6/text' }]));
    expect(gone.tools[0]).toMatchObject({ strings: { added: 0, changed: 0, removed: 1 }, embedded: 0 });
    const state = await backendOf(library).vectors.state();
    expect(state).toMatchObject({ chunks: 10, embedded: { [embedder.fingerprint]: before! - 1 } });
    const { results } = await tools.call('ask', { query: 'subject1000', top_k: 100 });
    expect(results.map(({ chunk }) => chunk.json_pointer)).not.toContain('/6/text');
  });

  it(`S3.2 of ${many} strings, changing one embeds that one, and deleting it removes exactly its vectors`, async () => {
    const { library, tools, embedder } = await withTool(many, storeOf());
    const backend = backendOf(library);
    const kept = async () => {
      const documents = (await backend.documents()).filter(
        ({ source }) => source !== 'table:machines#/60/text',
      );
      const chunks = (await Promise.all(documents.map(({ id }) => backend.chunksOf(id)))).flat();
      const stored = await backend.vectors.stored(chunks.map(({ id }) => id));
      return chunks.map(({ id }) => [id, stored.get(id)?.embed_key, stored.get(id)?.vector?.scale]);
    };
    const embedded = async () => (await backend.vectors.state()).embedded[embedder.fingerprint];
    const before = await kept();
    expect([before.length, await embedded(), embedder.passages.length]).toEqual([many - 1, many, many]);
    embedder.passages = [];
    const again = await tools.create({ name: 'ask', table_id: 'machines', path: PATH });
    expect(again).toMatchObject({ outcome: 'unchanged', embedded: 0 });
    const value = JSON.stringify(`${paragraph(5000)} It is new.`);
    const changed = await tools.tables.patch('machines', { text: value, pointer: '/60/text' });
    expect(changed.tools[0]).toMatchObject({ strings: { added: 0, changed: 1, removed: 0 }, embedded: 1 });
    expect(embedder.passages).toEqual([expect.stringContaining('subject5000')]);
    expect([await kept(), await embedded()]).toEqual([before, many]);
    const gone = await tools.tables.patch('machines', json([{ op: 'remove', path: '/60/text' }]));
    expect(gone.tools[0]).toMatchObject({ strings: { added: 0, changed: 0, removed: 1 }, embedded: 0 });
    expect([await kept(), await embedded(), embedder.passages.length]).toEqual([before, many - 1, 1]);
    await tools.remove('ask');
    expect([await backend.counts(), await embedded()]).toEqual([{ documents: 0, chunks: 0 }, 0]);
  });

  it('S3.2 a row put before all others costs next to no vectors', async () => {
    const { tools, embedder } = await withTool(40, storeOf());
    embedder.passages = [];
    const report = await tools.tables.put('machines', json([{ text: paragraph(5000) }, ...rows(40)]));
    expect(report.tools[0]!.strings).toEqual({ added: 1, changed: 40, removed: 0 });
    // Vectors belong to texts: only those at the seams of two commits may be made again.
    expect(embedder.passages.length).toBeLessThanOrEqual(4);
    const { results } = await tools.call('ask', { query: 'subject39', top_k: 1 });
    expect(results[0]!.chunk.json_pointer).toBe('/40/text');
  });

  it('S3.2 two tools share documents; removing one leaves the other’s, removing both leaves nothing', async () => {
    const { library, tools } = await withTool(10, storeOf());
    await tools.create({ name: 'few', table_id: 'machines', path: '$[:5].text' });
    expect((await library.list()).documents).toHaveLength(10);
    const counts = (await tools.list()).map(({ name, strings, chunks, pending }) => [
      name,
      strings,
      chunks,
      pending,
    ]);
    expect(counts).toEqual([
      ['ask', 10, 10, 0],
      ['few', 5, 5, 0],
    ]);
    expect((await tools.call('few', { query: 'subject8', top_k: 50 })).results).toHaveLength(5);
    await tools.remove('ask');
    expect((await library.list()).documents).toHaveLength(5);
    expect((await tools.call('few', { query: 'subject3', top_k: 1 })).results[0]!.chunk.json_pointer).toBe(
      '/3/text',
    );
    await expect(tools.tables.remove('machines')).rejects.toThrow('tools use it (few)');
    await tools.remove('few');
    expect(await backendOf(library).counts()).toEqual({ documents: 0, chunks: 0 });
    await tools.tables.remove('machines');
    expect(await backendOf(library).records('table_text')).toEqual([]);
    await expect(tools.call('few', { query: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('S3.1 strings of a table are documents like others: search, inspect and verify see them', async () => {
    const { library } = await withTool(10, storeOf());
    const { results } = await library.search('subject7');
    const { item, matched_chunks } = results[0]!;
    expect(item.source_path).toBe('table:machines#/7/text');
    expect(await library.inspect(matched_chunks[0]!.chunk_id)).toBeDefined();
    expect((await library.verify(matched_chunks[0]!.citation)).status).toBe('unchanged');
  });

  it('S3.1 a document that calls itself a table’s is none', async () => {
    const { library, tools } = await withTool(10, storeOf());
    const { id } = await tools.show('ask');
    const text = `---\nsearch_tools: ["${id}"]\ntable_id: machines\n---\n# Intruder\n\n${paragraph(3)}`;
    await library.addText({ title: 'Intruder', text });
    const { results } = await tools.call('ask', { query: 'subject3', top_k: 100 });
    expect(results).toHaveLength(10);
  });

  it('S3.3 a hybrid tool adds words from the library’s own index', async () => {
    const { tools } = await withTool(10, storeOf());
    await tools.create({ name: 'both', table_id: 'machines', path: PATH, mode: 'hybrid' });
    const { results, mode } = await tools.call('both', { query: 'subject8 cleaned', top_k: 4 });
    expect(mode).toBe('hybrid');
    expect(results[0]!.chunk.json_pointer).toBe('/8/text');
    expect(results.length).toBeLessThanOrEqual(4);
  });

  it('S3.2 without vectors yet it answers by words, and says so', async () => {
    const library = await temporaryLibrary({ embedder: 'none', store: storeOf() });
    const tools = openTools(library);
    await tools.tables.put('machines', json(rows(11)));
    await tools.create({ name: 'ask', table_id: 'machines', path: PATH });
    const { results, notices } = await tools.call('ask', { query: 'subject7' });
    expect(results[0]!.chunk.json_pointer).toBe('/7/text');
    expect(notices[0]).toMatch(/^Searched by words only/);
  });

  it('S3.5 without vectors of its own in a library that has some, it answers by words, and says so', async () => {
    const library = await temporaryLibrary({ embedder: new CountingEmbedder(), store: storeOf() });
    const tools = openTools(library);
    await library.addText({ title: 'Other', text: paragraph(500) });
    await tools.tables.put('machines', json(rows(11)), { embed: false });
    await tools.create({ name: 'ask', table_id: 'machines', path: PATH }, { embed: false });
    const { results, notices } = await tools.call('ask', { query: 'subject7' });
    expect(results.map(({ chunk }) => chunk.json_pointer)).toEqual(['/7/text']);
    expect(notices).toEqual([
      'Searched by words only: the tool’s texts have no vectors yet (`strata embed` makes them).',
    ]);
  });

  it('S3.5 a string that has no vector yet is found by its words, beside others that have one', async () => {
    const { tools } = await withTool(11, storeOf());
    await tools.tables.put('machines', json([...rows(11), { text: paragraph(700) }]), { embed: false });
    const { results, notices } = await tools.call('ask', { query: 'subject700' });
    expect(results[0]!.chunk.json_pointer).toBe('/11/text');
    expect(notices[0]).toMatch(
      /^Searched by words and meaning: some of the tool’s texts have no vectors yet/,
    );
    await tools.reindex('ask');
    const after = await tools.call('ask', { query: 'subject700' });
    expect([after.results[0]!.chunk.json_pointer, after.notices]).toEqual(['/11/text', []]);
  });

  it('S3.5 a tool whose threshold no string reaches says so', async () => {
    const library = await temporaryLibrary({ embedder: 'none', store: storeOf() });
    const tools = openTools(library);
    await tools.tables.put('machines', json(rows(2)));
    await tools.create({ name: 'ask', table_id: 'machines', chunk_threshold_chars: 5000 });
    const { results, notices } = await tools.call('ask', { query: 'subject1' });
    expect(results).toEqual([]);
    expect(notices).toContain('The tool covers no strings: none in its scope has 5000 characters or more.');
  });

  it('S3.2 long strings become several chunks, each a part of the string at its pointer', async () => {
    const library = await temporaryLibrary({ embedder: new CountingEmbedder(), store: storeOf() });
    const tools = openTools(library);
    const text = Array.from({ length: 40 }, (_, at) => paragraph(at)).join('\r\n\r\n');
    const table = { 'a/b': { '~': [{ '': `${text}\n` }] }, 名: `# Title\r\n\r\n${text}` };
    await tools.tables.put('odd', json(table));
    await tools.create({ name: 'ask', table_id: 'odd' });
    const { results } = await tools.call('ask', { query: 'subject12', top_k: 100 });
    expect(results.length).toBeGreaterThan(10);
    for (const { chunk } of results) {
      expect(resolvePointer(table, chunk.json_pointer)).toContain(chunk.chunk_text);
      expect(chunk.chunk_index).toBeLessThan(chunk.total_chunks);
    }
    expect(new Set(results.map(({ chunk }) => chunk.json_pointer))).toEqual(new Set(['/a~1b/~0/0/', '/名']));
  });
}

function describeTables(driver: string, storeOf: () => string): void {
  it('S3.1 are kept as they are, replaced as a whole, read by pointer', async () => {
    const library = await temporaryLibrary({ embedder: 'none', store: storeOf() });
    const { tables } = openTools(library);
    expect(backendOf(library).driver).toBe(driver);
    const value = { a: [1, 'x', { '': null }], 'k/~': '文' };
    expect(await tables.put('one', json(value))).toMatchObject({ outcome: 'added', table: { strings: 2 } });
    expect(await tables.get('one')).toEqual(value);
    expect(await tables.get('one', '/k~1~0')).toBe('文');
    expect((await tables.put('one', json(value))).outcome).toBe('unchanged');
    expect((await tables.put('one', json([1]))).outcome).toBe('changed');
    expect(await tables.get('one')).toEqual([1]);
    expect((await backendOf(library).records('table_text')).length).toBe(1);
    await expect(tables.get('one', '/5')).rejects.toThrow('table one: nothing is at "/5"');
    await expect(tables.put('../x', json(1))).rejects.toThrow('an id is letters');
    await expect(tables.put('one', { text: '{' })).rejects.toThrow('is no JSON');
  });

  it('S3.1 a patch is applied whole or not at all', async () => {
    const library = await temporaryLibrary({ embedder: 'none', store: storeOf() });
    const { tables } = openTools(library);
    await tables.put('one', json({ a: 1 }));
    const patch = [
      { op: 'add', path: '/b', value: 2 },
      { op: 'test', path: '/a', value: 5 },
    ];
    await expect(tables.patch('one', json(patch))).rejects.toThrow(
      'table one: operation 1: "/a" is not what',
    );
    expect(await tables.get('one')).toEqual({ a: 1 });
  });

  it('S3.1 a table of several megabytes is kept in parts', async () => {
    const library = await temporaryLibrary({ embedder: 'none', store: storeOf() });
    const { tables } = openTools(library);
    const value = Array.from({ length: 3000 }, (_, at) => ({ at, text: `${'汉字😀'.repeat(80)}${at}` }));
    await tables.put('big', json(value));
    expect((await backendOf(library).records('table_text')).length).toBeGreaterThan(1);
    expect(await tables.get('big')).toEqual(value);
  });
}
