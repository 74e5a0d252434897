import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Library } from '../library.js';
import { openLibrary } from '../open.js';
import { partsOf } from '../open-library.js';
import { restoreLibrary } from './backup.js';

let folder: string;
let library: Library;
const open = (location = '.strata') =>
  openLibrary({ library: join(folder, location), embedder: 'none', store: 'json' });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strata-doctor-'));
  library = await open();
  await writeFile(join(folder, 'a.md'), '# Apples\n\nRed apples and green apples grow on trees.\n');
  await writeFile(join(folder, 'b.md'), '# 梨\n\n梨树在春天开花，秋天结果。\n');
  await library.add(['a.md', 'b.md'], { cwd: folder, embed: false });
});
afterEach(async () => {
  await library.close();
  await rm(folder, { recursive: true });
});

const found = async (from: Library, query: string) =>
  (await from.search(query, { mode: 'keyword' })).results.map(({ item }) => item.source_path);

/** The files of the one document, in a library kept as JSON. */
async function filesOf(source_path: string): Promise<string> {
  const { id } = await library.find(source_path);
  const path = partsOf(library).backend.location;
  return join(path, (await readdir(path)).find((name) => name.startsWith(id))!);
}

async function damage(file: string): Promise<void> {
  const bytes = await readFile(file);
  bytes[bytes.length >> 1]! ^= 1;
  await writeFile(file, bytes);
}

describe('doctor', () => {
  it('finds nothing wrong, and notes what has changed on disk', async () => {
    expect(await library.check()).toEqual({ findings: [], notes: [] });
    await writeFile(join(folder, 'a.md'), '# Apples\n\nChanged.\n');
    await rm(join(folder, 'b.md'));
    const { findings, notes } = await library.check();
    expect(findings).toEqual([]);
    expect(notes).toEqual([
      expect.stringMatching(/^1 files have changed/),
      expect.stringMatching(/^1 files no longer exist/),
    ]);
  });

  it('makes damaged words again from the text', async () => {
    await damage(join(await filesOf('a.md'), 'words.json'));
    const again = await open();
    expect(await found(again, 'apples')).toEqual([]);
    expect((await again.check()).findings).toMatchObject([{ area: 'words', fixed: false }]);
    expect((await again.check({ fix: true })).findings).toMatchObject([{ area: 'words', fixed: true }]);
    expect(await found(again, 'apples')).toEqual(['a.md']);
    expect(await again.check()).toEqual({ findings: [], notes: [] });
    await again.close();
  });

  it('notices passages that the index does not know, whatever the store says', async () => {
    const { id } = await library.find('b.md');
    const [document, sections, content, chunks] = await Promise.all([
      partsOf(library).backend.document(id),
      partsOf(library).backend.sections(id),
      partsOf(library).backend.content(id),
      partsOf(library).backend.chunksOf(id),
    ]);
    const wrong = { terms: ['other'], body: [1], title: [0], body_length: 1, title_length: 0 };
    await partsOf(library).backend.commit({
      put: [
        {
          document: document!,
          sections,
          content: content!,
          words: wrong,
          chunks: chunks.map((chunk) => ({ chunk, embed_key: 'k', words: wrong })),
        },
      ],
    });
    expect(await found(library, '开花')).toEqual([]);
    expect((await library.check({ fix: true })).findings).toMatchObject([
      { area: 'words', message: expect.stringContaining('b.md'), fixed: true },
    ]);
    expect(await found(library, '开花')).toEqual(['b.md']);
  });
});

describe('backup and restore', () => {
  it('a backup of a live library is a library, and can be put back', async () => {
    const backup = join(folder, 'copy');
    expect(await library.backup(backup)).toMatchObject({ documents: 2, chunks: 2, destination: backup });
    const copy = await openLibrary({ library: backup, embedder: 'none' });
    expect(await found(copy, 'apples')).toEqual(['a.md']);
    await copy.close();

    await library.remove(['a.md'], { cwd: folder });
    expect(await found(library, 'apples')).toEqual([]);
    await library.close();
    await expect(restoreLibrary(backup, library.location)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining('--replace'),
    });
    const { replaced } = await restoreLibrary(backup, library.location, { replace: true });
    expect(await readdir(replaced!)).toContain('json');
    library = await open();
    expect(await found(library, 'apples')).toEqual(['a.md']);
    expect(await library.check()).toEqual({ findings: [], notes: [] });
  });

  it('a backup goes into a new folder only, and a damaged one is not put back', async () => {
    await expect(library.backup(folder)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    const backup = join(folder, 'copy');
    await library.backup(backup);
    const name = (await readdir(join(backup, 'json'))).find((entry) => /^[0-9a-f-]{36}\./.test(entry))!;
    await damage(join(backup, 'json', name, 'text.json'));
    await expect(restoreLibrary(backup, join(folder, 'new'))).rejects.toMatchObject({
      code: 'STORE_DAMAGED',
    });
    expect((await readdir(folder)).filter((entry) => entry.includes('restored'))).toEqual([]);
    await expect(restoreLibrary(folder, join(folder, 'new'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
