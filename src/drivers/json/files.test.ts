import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Backend } from '../../store/backend.js';
import { acquireLock } from '../../store/lock/lock.js';
import type { StoredDocument } from '../../store/records.js';
import { sampleReindex, sampleWrite } from '../../store/sample.js';
import { jsonBackend } from './backend.js';
import { recordName } from './layout.js';

let path: string;
let backend: Backend;

beforeEach(async () => {
  path = join(await mkdtemp(join(tmpdir(), 'strata-json-')), 'library');
  backend = await jsonBackend({ path });
});
afterEach(async () => {
  await backend.close();
  await rm(join(path, '..'), { recursive: true });
});

const guide = sampleWrite({
  source: 'file:docs/guide.md',
  title: '部署指南',
  parts: [
    { heading: 'Nginx', body: 'the reverse proxy 配置' },
    { heading: 'CORS', body: 'allowed origins' },
    { heading: 'TLS', body: 'certificates' },
  ],
});
const notes = sampleWrite({
  source: 'file:notes.md',
  title: 'Notes',
  parts: [{ heading: 'A', body: 'proxy' }],
});

const folderOf = async ({ document }: StoredDocument): Promise<string> => {
  const name = (await readdir(path)).find((entry) => entry.startsWith(`${document.id}.`));
  return join(path, name!);
};
const sliceOf = async (write: StoredDocument, index: number): Promise<string> => {
  const folder = await folderOf(write);
  const name = (await readdir(folder)).find((entry) => entry.startsWith(String(index).padStart(5, '0')));
  return join(folder, name!);
};
const foundBy = async (from: Backend, term: string) => {
  const query = { terms: [{ term, weight: 1 }], k: 9, kind: 'chunk', scorer: 'bm25' } as const;
  return (await from.words.match(query)).map(({ id }) => id);
};
/** Everything below the folder but the lock, whose number counts the writers. */
const everything = async () =>
  (await readdir(path, { recursive: true })).filter((name) => !name.startsWith('lock')).sort();

describe('S1.1 slices as JSON files', () => {
  it('S1.1 one KnowledgeRecord a slice, with the fields of the seed first and ours behind them', async () => {
    await backend.commit({ put: [guide] });
    const record = JSON.parse(await readFile(await sliceOf(guide, 1), 'utf8'));
    const { id, content, summary, hash, chunk_index } = guide.chunks[1]!.chunk;
    const { source_path } = guide.document;
    expect(Object.keys(record).slice(0, 7)).toEqual([
      'checksum',
      'id',
      'title',
      'parent_doc_title',
      'summary',
      'content',
      'source_path',
    ]);
    expect(record).toMatchObject({
      id,
      title: 'CORS',
      parent_doc_title: '部署指南',
      summary,
      content,
      source_path,
    });
    expect(record).toMatchObject({ hash, chunk_index });
    expect((await readdir(await folderOf(guide))).filter((name) => /^\d{5}-/.test(name))).toHaveLength(3);
  });

  it('S1.1 a renamed file changes source_path in every slice, in a new revision', async () => {
    await backend.commit({ put: [guide] });
    const before = await folderOf(guide);
    const { id } = guide.document;
    await backend.commit({ rename: [{ id, source: 'file:new.md', source_path: 'new.md' }] });
    expect(await folderOf(guide)).not.toBe(before);
    for (const index of [0, 1, 2]) {
      expect(JSON.parse(await readFile(await sliceOf(guide, index), 'utf8')).source_path).toBe('new.md');
    }
  });

  it('files that do not change are linked, not written again', async () => {
    await backend.commit({ put: [guide] });
    const before = await stat(await sliceOf(guide, 0));
    const { id } = guide.document;
    await backend.commit({ touch: [{ id, updated_at: '2026-05-05T00:00:00.000Z', metadata: {} }] });
    expect((await stat(await sliceOf(guide, 0))).ino).toBe(before.ino);
  });
});

describe('S1.2 all or nothing', () => {
  it('S1.2 a failure in the middle of a commit takes back what was written and says what failed', async () => {
    await backend.commit({ put: [guide] });
    const before = await everything();
    const generation = await backend.generation();
    // A folder where the record's file should go: the documents of the change are in place by then.
    const obstacle = join(path, 'records', recordName('setting', 'a', generation + 1));
    await mkdir(join(obstacle, 'x'), { recursive: true });
    const changed = sampleWrite({ ...sampleOf(guide), parts: [{ heading: 'New', body: 'other words' }] });
    const change = { put: [changed, notes], records: [{ kind: 'setting', id: 'a', value: 1 }] };
    await expect(backend.commit(change)).rejects.toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringContaining(obstacle),
    });
    await rm(obstacle, { recursive: true, force: true });
    expect(await everything()).toEqual(before);
    for (const handle of [backend, await jsonBackend({ path })]) {
      expect(await handle.generation()).toBe(generation);
      expect(await handle.document(notes.document.id)).toBeNull();
      expect(await handle.chunksOf(guide.document.id)).toEqual(guide.chunks.map(({ chunk }) => chunk));
      expect(await foundBy(handle, 'other')).toEqual([]);
    }
    expect(await backend.check()).toEqual([]);
    expect(await backend.commit(change)).toMatchObject({ added: 2, removed: 3 });
  });

  it('S1.2 what a crash left is swept by the next open: temporary folders and uncommitted revisions', async () => {
    await backend.commit({ put: [guide] });
    const before = await everything();
    // The state of a writer killed before its manifest: one document in place, another half written.
    await cp(await folderOf(guide), join(path, `${guide.document.id}.2`), { recursive: true });
    await mkdir(join(path, '.temp-dead'));
    await writeFile(join(path, '.temp-dead', '00000-half.json'), '{"checksum":"');
    await writeFile(join(path, '.temp-file'), 'half a manifest');
    const again = await jsonBackend({ path });
    expect(await everything()).toEqual(before);
    expect(await again.counts()).toEqual({ documents: 1, chunks: 3 });
    expect(await again.check()).toEqual([]);
  });

  it("S1.2 a live writer's temporary folder is not touched", async () => {
    await backend.commit({ put: [guide] });
    const lock = await acquireLock(join(path, 'lock'));
    await mkdir(join(path, '.temp-alive'));
    const reader = await jsonBackend({ path });
    expect(await readdir(path)).toContain('.temp-alive');
    expect(await foundBy(reader, 'proxy')).toHaveLength(1);
    await lock.release();
    await jsonBackend({ path });
    expect(await readdir(path)).not.toContain('.temp-alive');
  });
});

describe('S1.3 damage', () => {
  it('S1.3 temporary and foreign files are skipped and left alone', async () => {
    await backend.commit({ put: [guide] });
    const foreign = [
      'README.txt',
      'photo.jpg',
      `${guide.document.id}.json`,
      '.DS_Store',
      'state/note.txt',
      'records/x',
    ];
    for (const name of foreign) await writeFile(join(path, name), 'not ours');
    await mkdir(join(path, 'my folder.1'));
    const again = await jsonBackend({ path });
    expect(await again.counts()).toEqual({ documents: 1, chunks: 3 });
    expect(await again.check({ fix: true })).toEqual([]);
    expect(await everything()).toEqual(expect.arrayContaining([...foreign, 'my folder.1']));
  });

  it('S1.3 a damaged slice is reported and the rest is served; doctor makes it again from the text', async () => {
    await backend.commit({ put: [guide, notes] });
    await flip(await sliceOf(guide, 0), 200);
    const again = await jsonBackend({ path });
    expect(await again.damage!()).toEqual([
      {
        area: 'record',
        message: expect.stringContaining('is damaged'),
        doc_id: guide.document.id,
        fixed: false,
      },
    ]);
    expect(await foundBy(again, 'proxy')).toEqual([notes.chunks[0]!.chunk.id]);
    expect(await foundBy(again, 'certificates')).toEqual([guide.chunks[2]!.chunk.id]);
    expect((await again.chunksOf(guide.document.id)).map(({ chunk_index }) => chunk_index)).toEqual([1, 2]);
    expect(await again.check()).toMatchObject([{ area: 'record', fixed: false }]);
    expect(await again.check({ fix: true })).toMatchObject([{ area: 'record', fixed: true }]);
    expect(await again.check()).toEqual([]);
    expect(await again.damage!()).toEqual([]);
    expect(await again.chunksOf(guide.document.id)).toEqual(guide.chunks.map(({ chunk }) => chunk));
    expect(await foundBy(backend, 'proxy')).toHaveLength(2);
  });

  it.each(['text.json', 'document.json', 'document.copy.json', 'words.json', '00001-'])(
    'S1.3 any one damaged file of a document is made again from the others: %s',
    async (start) => {
      await backend.commit({ put: [guide, notes] });
      const folder = await folderOf(guide);
      await flip(join(folder, (await readdir(folder)).find((name) => name.startsWith(start))!), 120);
      const again = await jsonBackend({ path, reindex: sampleReindex });
      expect(await again.chunksOf(notes.document.id)).toHaveLength(1);
      expect(await again.damage!()).toHaveLength(start === 'document.copy.json' ? 0 : 1);
      const area = start === 'words.json' ? 'words' : 'record';
      expect(await again.check({ fix: true })).toMatchObject([
        { area, doc_id: guide.document.id, fixed: true },
      ]);
      expect(await again.check()).toEqual([]);
      expect(await again.document(guide.document.id)).toEqual(guide.document);
      expect(await again.content(guide.document.id)).toEqual(guide.content);
      expect(await again.sections(guide.document.id)).toEqual(guide.sections);
      expect(await again.chunksOf(guide.document.id)).toEqual(guide.chunks.map(({ chunk }) => chunk));
      expect(await foundBy(again, 'certificates')).toEqual([guide.chunks[2]!.chunk.id]);
    },
  );

  it('S1.3 a document that cannot be made again is set aside, and the message says what to add', async () => {
    await backend.commit({ put: [guide, notes] });
    for (const name of ['document.json', 'document.copy.json'])
      await flip(join(await folderOf(guide), name), 120);
    const again = await jsonBackend({ path });
    expect(await again.document(guide.document.id)).toBeNull();
    expect((await again.check({ fix: true })).at(-1)).toMatchObject({
      fixed: true,
      message: expect.stringContaining('add docs/guide.md again'),
    });
    expect((await readdir(path)).filter((entry) => entry.startsWith('.damaged-'))).toHaveLength(1);
    expect(await again.check()).toEqual([]);
    expect(await again.documents()).toEqual([notes.document]);
  });

  it('S1.3 without the analysis, damaged words are reported and the rest is served', async () => {
    await backend.commit({ put: [guide] });
    await flip(join(await folderOf(guide), 'words.json'), 120);
    const again = await jsonBackend({ path });
    expect(await again.check({ fix: true })).toMatchObject([{ area: 'words', fixed: false }]);
    expect(await again.chunksOf(guide.document.id)).toHaveLength(3);
  });

  it('S1.3 without its manifest the library is made again from the newest complete revisions', async () => {
    await backend.commit({ put: [guide, notes], records: [{ kind: 'setting', id: 'a', value: { x: 1 } }] });
    const [{ embed_key }] = guide.chunks as [StoredDocument['chunks'][number]];
    const vector = Float32Array.of(0.6, 0.8);
    const entries = [{ embed_key, vector, parts: [Float32Array.of(0, 1), vector] }];
    await backend.vectors.put({ fingerprint: 'f', dimensions: 2, entries });
    for (const name of await readdir(join(path, 'state'))) await flip(join(path, 'state', name), 90);
    const again = await jsonBackend({ path });
    expect(await again.damage!()).toMatchObject([{ area: 'file' }]);
    expect(await again.counts()).toEqual({ documents: 2, chunks: 4 });
    expect(await again.record('setting', 'a')).toEqual({ x: 1 });
    expect(await again.vectors.state()).toMatchObject({ active: 'f', embedded: { f: 1 } });
    const [near] = await again.vectors.near({ vector: Float32Array.of(0, 1), k: 1 });
    expect(near!.score).toBeCloseTo(0.85 + 0.15 * 0.8, 2);
    expect(await again.check({ fix: true })).toMatchObject([{ area: 'file', fixed: true }]);
    expect(await again.check()).toEqual([]);
    expect(await (await jsonBackend({ path })).counts()).toEqual({ documents: 2, chunks: 4 });
  });

  it('damaged records and vectors are reported, and doctor leaves a whole library', async () => {
    await backend.commit({ put: [guide], records: [{ kind: 'setting', id: 'a', value: 'v' }] });
    const entries = guide.chunks.map(({ embed_key }) => ({ embed_key, vector: Float32Array.of(0.6, 0.8) }));
    await backend.vectors.put({ fingerprint: 'f', dimensions: 2, entries });
    for (const folder of ['records', 'vectors']) {
      for (const name of await readdir(join(path, folder))) await flip(join(path, folder, name), 100);
    }
    const again = await jsonBackend({ path });
    expect((await again.damage!()).map(({ area }) => area).sort()).toEqual(['record', 'vectors']);
    expect(await again.record('setting', 'a')).toBeNull();
    expect(await again.vectors.pending('f', 9)).toHaveLength(3);
    expect(await again.check({ fix: true })).toHaveLength(2);
    expect(await again.check()).toEqual([]);
    expect(await again.vectors.state()).toMatchObject({ active: 'f', embedded: { f: 0 } });
  });

  it('a library of a newer version is refused', async () => {
    await backend.commit({ put: [notes] });
    const { seal } = await import('./sealed.js');
    await writeFile(join(path, 'state', '99.json'), seal({ format: 'strata-json', version: 2 }));
    await expect(jsonBackend({ path })).rejects.toMatchObject({ code: 'STORE_VERSION' });
  });
});

describe('backup', () => {
  it('copies what counts of a live library, and refuses a folder in use', async () => {
    await backend.commit({ put: [guide, notes] });
    await backend.commit({ remove: [notes.document.id] });
    const destination = join(path, '..', 'copy');
    await backend.backup(destination);
    const copy = await jsonBackend({ path: destination });
    expect(await copy.documents()).toEqual([guide.document]);
    expect(await copy.check()).toEqual([]);
    expect(await copy.generation()).toBe(await backend.generation());
    await expect(backend.backup(destination)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

const sampleOf = ({ document }: StoredDocument) => ({
  id: document.id,
  source: document.source,
  title: document.title,
});

/** One bit of one byte of the file. */
async function flip(file: string, at: number): Promise<void> {
  const bytes = await readFile(file);
  bytes[at % bytes.length]! ^= 4;
  // A new file: the old one may be linked to another revision.
  await writeFile(file, bytes);
}
