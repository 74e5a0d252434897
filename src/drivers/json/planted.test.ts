import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sampleReindex, sampleWrite } from '../../store/sample.js';
import { jsonBackend } from './backend.js';
import { documentFiles } from './document-files.js';
import { seal } from './sealed.js';
import { vectorBytes } from './vector-files.js';

/** Libraries as somebody else may have written them, with every checksum right. */
let base: string;
let path: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'strata-planted-'));
  path = join(base, 'clone', '.strata', 'json');
  mkdirSync(path, { recursive: true });
  write(join(base, 'private', 'mcp.json'), '{"mine":true}');
  write(join(base, 'private', 'document.json'), '{"mine":true}');
  write(join(base, 'private', '1.json'), '{"mine":true}');
  write(join(base, 'private', '1.vec'), 'mine');
});
afterEach(() => rm(base, { recursive: true }));

function write(file: string, text: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const note = sampleWrite({ source: 'file:a.md', title: 'A', parts: [{ heading: 'H', body: 'proxy' }] });
const { id } = note.document;
const [slice] = note.chunks;

interface Planted {
  readonly documents?: object;
  readonly records?: readonly object[];
  readonly vectors?: object;
}

function plant(folder: string, manifest: Planted, files = documentFiles(note)): void {
  for (const [name, text] of files) write(join(path, folder, name), text);
  const vectors = { active: null, spaces: [], files: [] };
  const state = {
    format: 'strata-json',
    version: 1,
    generation: 1,
    documents: { [id]: 1 },
    records: [],
    vectors,
  };
  write(join(path, 'state', '1.json'), seal({ ...state, ...manifest }));
}

/** Everything outside the library, by path. */
function outside(): Record<string, string> {
  const names = readdirSync(base, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !name.startsWith(`${join('clone', '.strata', 'json')}/`),
  );
  const text = (name: string): string => {
    try {
      return readFileSync(join(base, name), 'utf8');
    } catch {
      return '';
    }
  };
  return Object.fromEntries(names.map((name) => [name, text(name)]));
}

/** What `search`, `add`, `doctor --fix` and `backup` do with a library. Each may fail; none may reach out of it. */
async function useIt(): Promise<string[]> {
  const failures: string[] = [];
  const attempt = async (run: () => Promise<unknown>): Promise<void> => {
    await run().catch((error: Error) => failures.push(error.message));
  };
  const before = outside();
  await attempt(async () => {
    const backend = await jsonBackend({ path, reindex: sampleReindex });
    const ids = (await backend.documents()).map((document) => document.id);
    const touched = { updated_at: '2026-01-01T00:00:00.000Z', metadata: {} };
    await attempt(() => backend.commit({ touch: ids.map((one) => ({ id: one, ...touched })) }));
    const named = { source: 'file:b.md', source_path: 'b.md' };
    await attempt(() => backend.commit({ rename: ids.slice(0, 1).map((one) => ({ id: one, ...named })) }));
    const other = sampleWrite({ source: 'file:o.md', title: 'O', parts: [{ heading: 'H', body: 'o' }] });
    await attempt(() => backend.commit({ put: [other], records: [{ kind: 'k', id: 'i', value: 1 }] }));
    await attempt(() => backend.check({ fix: true }));
    await attempt(() => backend.commit({ remove: ids }));
    await attempt(() => backend.tidy());
    await backend.close();
  });
  expect(outside()).toEqual(before);
  return failures;
}

describe('B15 a planted JSON library reaches nothing outside it', () => {
  const out = '../../../private/mcp';

  it('B15 a document id that is a path', async () => {
    plant('../../../private/mcp.1', { documents: { '../../../private/mcp': 1 } });
    await useIt();
  });

  it('B15 a revision that is a path', async () => {
    plant(`${id}.1`, { documents: { [id]: '1/../../../../private' } });
    expect(await useIt()).toEqual([]);
  });

  it('B15 a chunk id that is a path is not written to when a document is touched or renamed', async () => {
    const chunk = { ...slice!.chunk, id: `x/../../${out}` };
    const planted = { ...note, chunks: [{ ...slice!, chunk }] };
    const files = documentFilesUnchecked(planted, chunk.id);
    plant(`${id}.1`, {}, files);
    await useIt();
    expect(existsSync(join(base, 'private', 'mcp.json.json'))).toBe(false);
  });

  it('B15 records and vectors with revisions that are paths', async () => {
    const space = { fingerprint: 'f', dimensions: 2 };
    plant(`${id}.1`, {
      records: [{ kind: 'settings', id: 'library', revision: '1/../../../../../private/1' }],
      vectors: {
        active: 'f',
        spaces: [space],
        files: [{ revision: '../../../../private/1', fingerprint: 'f', count: 1, dropped: [] }],
      },
    });
    expect(await useIt()).toEqual([]);
  });

  it('B15 links in the place of its folders and files', async () => {
    plant(`${id}.1`, {});
    symlinkSync(join(base, 'private'), join(path, 'records'));
    expect(await useIt()).toEqual([expect.stringContaining('records is a link')]);
    await rm(join(path, 'records'));
    await rm(join(path, 'state'), { recursive: true });
    symlinkSync(join(base, 'private'), join(path, 'state'));
    expect(await useIt()).toEqual([expect.stringContaining('state is a link')]);
  });

  it('B15 a document folder that is a link is not read, and only the link goes', async () => {
    plant('../../../private', {});
    symlinkSync(join(base, 'private'), join(path, `${id}.1`));
    const backend = await jsonBackend({ path });
    expect(await backend.documents()).toEqual([]);
    await backend.close();
    expect(await useIt()).toEqual([]);
  });

  it('B15 vectors whose numbers promise more than the file holds are damaged, not allocated', async () => {
    const vectors = { files: [{ revision: 1, fingerprint: 'f', count: 1, dropped: [] }] };
    plant(`${id}.1`, {
      vectors: { active: 'f', spaces: [{ fingerprint: 'f', dimensions: 2 }], ...vectors },
    });
    const rows = { fingerprint: 'f', dimensions: 2 ** 40, keys: [], vectors: [] };
    write(join(path, 'vectors', '1.vec'), vectorBytes(rows));
    expect(await useIt()).toEqual([]);
  });

  it('B15 a state file that is a pipe, a folder or not what its name says', async () => {
    mkdirSync(join(path, 'state', '7.json'), { recursive: true });
    plant(`${id}.1`, {});
    expect(await useIt()).toEqual([]);
  });
});

/** The files of a document whose chunk id the layout would refuse. */
function documentFilesUnchecked(planted: typeof note, chunkId: string): Map<string, string> {
  const files = new Map(documentFiles(note));
  const { document, sections, content, chunks } = planted;
  const { text: _, ...structure } = content;
  const slices = chunks.map(({ chunk: { content: __, ...chunk }, embed_key }) => ({ embed_key, chunk }));
  const sealed = seal({ document, sections, ...structure, gaps: [], slices });
  files.set('document.json', sealed);
  files.set('document.copy.json', sealed);
  files.set(`00000-${chunkId}.json`, seal({ ...chunks[0]!.chunk }));
  return files;
}
