import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { jsonBackend } from '../../drivers/json/backend.js';
import { sqliteBackend } from '../../drivers/sqlite/backend.js';
import type { Backend } from '../../store/backend.js';
import type { Library } from '../library.js';
import { openLibrary } from '../open.js';
import { partsOf } from '../open-library.js';
import { backupLibrary } from './backup.js';
import { copyLibrary } from './move-library.js';

let folder: string;
let library: Library;
const open = (): Promise<Library> =>
  openLibrary({ library: join(folder, '.strata'), cwd: folder, embedder: 'none' });

const vectorOf = (key: string): Float32Array =>
  Float32Array.from({ length: 8 }, (_, i) => Number.parseInt(key.slice(i * 2, i * 2 + 2), 16) / 128 - 1);

async function fill(backend: Backend): Promise<void> {
  const texts = await backend.vectors.pending('model', Number.POSITIVE_INFINITY);
  const entries = texts.map(({ embed_key }, i) => {
    const vector = vectorOf(embed_key);
    return i % 2 === 0
      ? { embed_key, vector }
      : { embed_key, vector, parts: [vector, vectorOf(embed_key.slice(9))] };
  });
  await backend.vectors.put({ fingerprint: 'model', dimensions: 8, entries });
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strata-move-'));
  await mkdir(join(folder, 'docs'));
  for (let i = 0; i < 12; i++) {
    const text = `---\ntags: [a${i}]\n---\n# 手册 ${i}\n\n## Nginx\n\nconfigure proxy ${i}\n\n## 配置\n\n部署 apples ${i % 3}\n`;
    await writeFile(join(folder, 'docs', `${i}.md`), text);
  }
  library = await open();
  await library.add([join(folder, 'docs')], { embed: false });
  await fill(partsOf(library).backend);
});
afterEach(async () => {
  await library.close();
  await rm(folder, { recursive: true });
});

const answers = async (one: Library) => {
  const { results } = await one.search('apples proxy 部署', { mode: 'keyword', limit: 10 });
  return results;
};

describe('strata move', () => {
  it('B8 the same library in another store: ids, contents, vectors, answers; the source stays until the switch', async () => {
    const before = await answers(library);
    const settings = await partsOf(library).backend.kinds();
    const copied = await library.move({ to: 'json:kept', cwd: folder });
    expect(copied).toMatchObject({ documents: 12, kept: 0, switched: false });
    expect(copied.vectors).toBe(copied.chunks);
    expect(partsOf(library).backend.driver).toBe('sqlite');
    await library.close();
    library = await open();
    expect(partsOf(library).backend.driver).toBe('sqlite');
    const again = await library.move({ to: 'json:kept', cwd: folder, switch: true });
    expect(again).toMatchObject({ documents: 12, kept: 12, switched: true });
    await library.close();
    library = await open();
    expect(partsOf(library).backend.driver).toBe('json');
    expect(await answers(library)).toEqual(before);
    expect(await partsOf(library).backend.kinds()).toEqual(settings);
    const back = await library.move({ to: `sqlite:${join(folder, 'back.db')}`, cwd: folder, switch: true });
    expect(back).toMatchObject({ documents: 12, chunks: copied.chunks, vectors: copied.vectors });
    await library.close();
    library = await open();
    expect(partsOf(library).backend.location).toBe(join(folder, 'back.db'));
    expect(await answers(library)).toEqual(before);
    expect((await library.check()).findings).toEqual([]);
  });

  it('B8 goes on where it was interrupted, and follows what changed meanwhile', async () => {
    for (let stop = 0; stop < 11; stop += 3) {
      const cancel = new AbortController();
      const onProgress = ({ done }: { done: number }): void => void (done > stop && cancel.abort());
      const run = library.move({ to: 'json:kept', cwd: folder, signal: cancel.signal, onProgress });
      await expect(run).rejects.toMatchObject({ code: 'ABORTED' });
    }
    await rm(join(folder, 'docs', '3.md'));
    await writeFile(join(folder, 'docs', '4.md'), '# New\n\nwholly new words\n');
    await library.add([join(folder, 'docs')], { embed: false, sync: true });
    const report = await library.move({ to: 'json:kept', cwd: folder });
    expect(report).toMatchObject({ documents: 11 });
    expect(report.kept).toBeGreaterThan(0);
  });

  it('overwrites no library that is not a copy of this one', async () => {
    const other = await jsonBackend({ path: join(folder, 'other') });
    await copyLibrary(partsOf(library).backend, other);
    await other.close();
    await expect(library.move({ to: 'json:other', cwd: folder })).rejects.toThrow(
      /holds 12 documents already/,
    );
    await expect(library.move({ to: 'sqlite', cwd: folder })).rejects.toThrow(/kept there already/);
    await expect(library.move({ to: 'nobody:x', cwd: folder })).rejects.toThrow(/known are/);
  });

  it('finds a copy that is not the same', async () => {
    const target = await sqliteBackend({ path: join(folder, 'copy.db') });
    const lying: Backend = {
      ...target,
      chunksOf: async (id) =>
        (await target.chunksOf(id)).map((chunk) => ({
          ...chunk,
          content: chunk.content.replace('apples', 'pears'),
        })),
    };
    await expect(copyLibrary(partsOf(library).backend, lying)).rejects.toThrow(/not the same there/);
    await target.close();
  });

  it('a store without files here is backed up as a library that has', async () => {
    const remote: Backend = { ...partsOf(library).backend, driver: 'memory' };
    const { documents } = await backupLibrary(remote, join(folder, 'backup'));
    expect(documents).toBe(12);
    const kept = JSON.parse(await readFile(join(folder, 'backup', 'store.json'), 'utf8'));
    expect(kept).toEqual({ driver: 'sqlite' });
  });
});
