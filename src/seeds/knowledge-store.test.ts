import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { firstCharacters } from '../text/graphemes.js';
import { KnowledgeStore, parse } from './knowledge-store.js';

let folder: string;
let store: KnowledgeStore;
const directory = () => join(folder, 'knowledge');

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strata-seed-'));
  store = await KnowledgeStore.open(directory());
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const GUIDE = `# 部署指南

## Nginx 配置

反向代理把请求转给后端。${'细节很多。'.repeat(60)}

## CORS

Allowed origins are listed one by one.
`;

async function parsed(name: string, text: string) {
  const path = join(folder, name);
  await writeFile(path, text);
  return parse(path);
}

describe('KnowledgeStore of seed 001', () => {
  it('S0.1 and S0.4 parse cuts at H2 and names chunks as the seed does', async () => {
    const { id, path, title, chunks, chunk_count } = await parsed('guide.md', GUIDE);
    expect({ path, title, chunk_count }).toEqual({
      path: join(folder, 'guide.md'),
      title: '部署指南',
      chunk_count: 2,
    });
    expect(chunks.map(({ parent_id, position, title }) => [parent_id, position, title])).toEqual([
      [id, 0, 'Nginx 配置'],
      [id, 1, 'CORS'],
    ]);
    await expect(parse(join(folder, 'nowhere.md'))).rejects.toThrow('nowhere.md');
  });

  it('S1.1 add stores one record a slice and returns the ids of all slices', async () => {
    const document = await parsed('guide.md', GUIDE);
    const ids = await store.add(document);
    expect(ids).toEqual(document.chunks.map(({ id }) => id));
    expect(ids).toHaveLength(2);
    const record = await store.inspect(ids[0]!);
    expect(record).toMatchObject({
      id: ids[0],
      title: 'Nginx 配置',
      parent_doc_title: '部署指南',
      source_path: join(folder, 'guide.md'),
      is_parent: false,
    });
    if (record.is_parent) throw new Error('a slice');
    expect(record.content).toContain('反向代理');
    expect(record.summary).toBe(firstCharacters(record.content, 200));
    // On disk: one file per slice, with the seed's fields.
    const entry = (await readdir(directory())).find((name) => name.startsWith(document.id))!;
    const slices = (await readdir(join(directory(), entry))).filter((name) => name.includes(ids[0]!));
    const onDisk = JSON.parse(await readFile(join(directory(), entry, slices[0]!), 'utf8'));
    const { is_parent: _, parent_id: __, ...fields } = record;
    expect(onDisk).toMatchObject(fields);
  });

  it('S1.1 a document without slices is one record whose parent_doc_title equals its title', async () => {
    const [id, ...more] = await store.add(
      await parsed('note.md', '### Deep\n\nNo second-level heading here.\n'),
    );
    expect(more).toEqual([]);
    expect(await store.inspect(id!)).toMatchObject({ title: 'note', parent_doc_title: 'note' });
    // The seed's fallback: a ParsedDoc that comes without any slices at all.
    const empty = { ...(await parsed('plain.md', 'Just words.\n')), chunks: [], chunk_count: 0 };
    const [whole] = await store.add(empty);
    expect(await store.inspect(whole!)).toMatchObject({
      title: 'plain',
      parent_doc_title: 'plain',
      content: 'Just words.\n',
    });
  });

  it('S1.1 the same document again replaces its slices', async () => {
    await store.add(await parsed('guide.md', GUIDE));
    const ids = await store.add(await parsed('guide.md', GUIDE.replace('## CORS', '## Origins')));
    expect((await store.search('Origins')).map(({ id }) => id)).toEqual([ids[1]]);
    expect(await store.search('CORS')).toEqual([]);
  });

  it('S1.1 what is no parsed document is refused by name, and nothing is written', async () => {
    const document = await parsed('guide.md', GUIDE);
    const bad: readonly [unknown, string][] = [
      [undefined, 'document'],
      ['guide.md', 'document'],
      [{ ...document, path: undefined }, 'document.path'],
      [{ ...document, chunks: 'none' }, 'document.chunks'],
      [{ ...document, chunks: [null] }, 'chunks[0]'],
      [{ ...document, chunks: [{ ...document.chunks[0], content: 3 }] }, 'chunks[0].content'],
      [{ ...document, chunks: [{ ...document.chunks[0], id: '' }] }, 'chunks[0].id'],
    ];
    for (const [given, name] of bad) {
      await expect(store.add(given as never), name).rejects.toMatchObject({
        code: 'INVALID_RECORD',
        message: expect.stringContaining(name),
      });
    }
    expect(await store.search('CORS')).toEqual([]);
    await expect(KnowledgeStore.open('' as never)).rejects.toMatchObject({ code: 'INVALID_RECORD' });
  });

  it('S1.1 ids given by the caller come back from add, search, scout and inspect', async () => {
    const document = await parsed('guide.md', GUIDE);
    const own = { ...document, id: 'guide' };
    const given = (tail: string) => ({
      ...own,
      chunks: document.chunks.map((chunk, i) => ({ ...chunk, id: `../slice ${i}${tail}`, doc_id: 'guide' })),
    });
    expect(await store.add(given(''))).toEqual(['../slice 0', '../slice 1']);
    expect((await store.search('CORS')).map(({ id }) => id)).toEqual(['../slice 1']);
    const briefs = await store.scout('origins');
    expect(briefs.map(({ id }) => id).sort()).toEqual(['../slice 1', 'guide']);
    expect(briefs.find(({ is_parent }) => !is_parent)).toMatchObject({ parent_id: 'guide', position: 1 });
    expect(await store.inspect('../slice 1')).toMatchObject({ id: '../slice 1', parent_id: 'guide' });
    expect(await store.inspect('guide')).toMatchObject({
      id: 'guide',
      children: [{ id: '../slice 0' }, { id: '../slice 1' }],
    });
    // Replaced: the new ids count, and the old ones are gone.
    await store.add(given('b'));
    expect((await store.search('CORS')).map(({ id }) => id)).toEqual(['../slice 1b']);
    await expect(store.inspect('../slice 1')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    // The library's own ids need no detour.
    expect(await store.add(document)).toEqual(document.chunks.map(({ id }) => id));
  });

  it('S1.2 opening makes the directory and sweeps what a crash left', async () => {
    expect(existsSync(directory())).toBe(true);
    await mkdir(join(directory(), '.temp-0b8f2c1e'));
    await writeFile(join(directory(), '.temp-0b8f2c1e', 'half.json'), '{"id":');
    await KnowledgeStore.open(directory());
    expect((await readdir(directory())).filter((name) => name.startsWith('.temp-'))).toEqual([]);
  });

  it('S1.3 search looks at titles and summaries, and skips what is not ours', async () => {
    const ids = await store.add(
      await parsed('guide.md', `${GUIDE}${'filler words. '.repeat(40)}Only at the end: zebra.\n`),
    );
    await writeFile(join(directory(), 'stray.json'), '{"id":"x","title":"Nginx","summary":"Nginx"}');
    await mkdir(join(directory(), '.temp-live'), { recursive: true });
    await writeFile(join(directory(), '.temp-live', 'x.json'), '{"title":"Nginx"}');
    expect((await store.search('nginx')).map(({ id }) => id)).toEqual([ids[0]]);
    expect((await store.search('反向代理'))[0]).toMatchObject({ id: ids[0] });
    expect((await store.search('部署指南')).map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(await store.search('zebra')).toEqual([]);
  });

  it('S1.3 a damaged record is reported and the rest is served', async () => {
    const document = await parsed('guide.md', GUIDE);
    const ids = await store.add(document);
    const entry = join(
      directory(),
      (await readdir(directory())).find((name) => name.startsWith(document.id))!,
    );
    const slice = (await readdir(entry)).find((name) => name.includes(ids[0]!))!;
    await writeFile(join(entry, slice), '{"id": "cut of');
    const again = await KnowledgeStore.open(directory());
    expect(await again.damage()).toMatchObject([{ message: expect.stringContaining(slice) }]);
    expect((await again.search('部署指南')).map(({ id }) => id)).toEqual([ids[1]]);
  });

  it('S0.5 and S0.6 scout gives briefs of documents and slices; inspect of a document gives its children in order; an unknown id is not found', async () => {
    const document = await parsed('guide.md', GUIDE);
    const ids = await store.add(document);
    const briefs = await store.scout('origins');
    expect(briefs.find(({ id }) => id === ids[1])).toEqual({
      id: ids[1],
      parent_id: document.id,
      title: 'CORS',
      parent_doc_title: '部署指南',
      summary: expect.stringContaining('Allowed origins'),
      position: 1,
      is_parent: false,
    });
    expect((await store.scout('部署指南')).find(({ is_parent }) => is_parent)).toEqual({
      id: document.id,
      title: '部署指南',
      parent_doc_title: '部署指南',
      summary: document.summary,
      chunk_count: 2,
      is_parent: true,
    });
    expect(await store.inspect(ids[1]!)).toMatchObject({ parent_id: document.id, title: 'CORS' });
    const whole = await store.inspect(document.id);
    expect(whole).toMatchObject({ is_parent: true, title: '部署指南' });
    if (!whole.is_parent) throw new Error('a document');
    expect(whole.children.map(({ id }) => id)).toEqual(ids);
    expect(whole.children.every(({ content }) => content.length > 0)).toBe(true);
    await expect(store.inspect('00000000-0000-4000-8000-000000000000')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});
