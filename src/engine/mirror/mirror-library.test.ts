import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FakeTurbopuffer, fakeTurbopuffer } from '../../drivers/turbopuffer/server.suite.js';
import { CountingEmbedder, paragraph } from '../../tools/library.suite.js';
import type { Library } from '../library.js';
import { openLibrary } from '../open.js';
import { partsOf } from '../open-library.js';

let fake: FakeTurbopuffer;
let folder: string;
let library: Library;
const open = (): Promise<Library> =>
  openLibrary({ library: join(folder, '.strata'), cwd: folder, embedder: new CountingEmbedder() });
const write = (name: string, number: number): void =>
  writeFileSync(join(folder, name), `# ${name}\n\n${paragraph(number)}\n`);
const ids = (): unknown[] =>
  [...(fake.namespaces.get('kb')?.rows.values() ?? [])].map(({ chunk_id }) => chunk_id);
const chunkIds = async (): Promise<string[]> => {
  const { backend } = partsOf(library);
  const documents = await backend.documents();
  return (await Promise.all(documents.map(({ id }) => backend.chunksOf(id)))).flat().map(({ id }) => id);
};

beforeEach(async () => {
  fake = await fakeTurbopuffer();
  folder = mkdtempSync(join(tmpdir(), 'strata-mirror-'));
  const env = { ...fake.env, STRATA_CONFIG: join(folder, 'config') };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  for (let at = 0; at < 8; at++) write(`file${at}.md`, at);
  library = await open();
  await library.add(['.'], { cwd: folder });
});
afterEach(async () => {
  await library.close();
  vi.unstubAllEnvs();
  await fake.close();
  rmSync(folder, { recursive: true, force: true });
  expect(fake.violations).toEqual([]);
});

describe('a library whose vectors are at turbopuffer', () => {
  it('S3.2 is copied by move, asked by searches, and follows what is added, changed and removed', async () => {
    const before = await library.search('subject3', { mode: 'vector' });
    const report = await library.move({ vectors: 'turbopuffer:kb' });
    expect(report).toMatchObject({ vectors: (await chunkIds()).length, to: 'turbopuffer:kb' });
    expect(ids().sort()).toEqual((await chunkIds()).sort());
    await library.close();

    library = await open();
    fake.requests.length = 0;
    const after = await library.search('subject3', { mode: 'vector' });
    expect(fake.requests.some(({ kind }) => kind === 'query')).toBe(true);
    expect(after.results[0]!.item.id).toBe(before.results[0]!.item.id);
    const within = await library.search('subject5', { mode: 'vector', filter: { path: 'file5.md' } });
    expect(within.results.map(({ item }) => item.source_path)).toEqual(['file5.md']);

    write('file2.md', 222);
    write('file9.md', 9);
    await library.add(['.'], { cwd: folder });
    await library.remove(['file4.md'], { cwd: folder });
    expect(ids().sort()).toEqual((await chunkIds()).sort());

    await library.move({ vectors: 'embedded' });
    expect(ids()).toEqual([]);
  });

  it('S3.2 a service that is down keeps nobody from adding and searching; the next change repairs it', async () => {
    await library.move({ vectors: 'turbopuffer:kb' });
    await library.close();
    library = await open();
    vi.stubEnv('TURBOPUFFER_API_KEY', '');
    write('file9.md', 9);
    await library.add(['.'], { cwd: folder });
    expect((await library.search('subject9', { mode: 'vector' })).results[0]!.item.source_path).toBe(
      'file9.md',
    );
    expect(ids()).toHaveLength(8);
    vi.stubEnv('TURBOPUFFER_API_KEY', fake.env.TURBOPUFFER_API_KEY);
    await library.embed();
    expect(ids().sort()).toEqual((await chunkIds()).sort());
  });

  it('S3.2 what is no place is refused, and nothing is kept', async () => {
    await expect(library.move({ vectors: 'pinecone:x' })).rejects.toThrow(
      'neither embedded nor turbopuffer:NAMESPACE',
    );
    await expect(library.move({})).rejects.toThrow('name the store to move to');
    fake.faults.push({ status: 400 });
    await expect(library.move({ vectors: 'turbopuffer:kb' })).rejects.toThrow(
      /namespace kb: .*400.*the same command/,
    );
  });
});
