import { describe, expect, it } from 'vitest';
import { editDistance } from './judge/suggest.js';
import { search } from './search.js';
import { idOf, smallLibrary } from './small-library.suite.js';

const DOCUMENTS = [
  {
    name: 'ops/nginx.md',
    text: '# Nginx\n\nConfigure the reverse proxy. Configuration lives in one file.\n',
    tags: ['ops'],
  },
  {
    name: 'ops/proxy.md',
    text: '# Proxy\n\nThe proxy in reverse order: not a reverse lookup.\n',
    updated_at: '2026-06-01T00:00:00.000Z',
  },
  {
    name: 'dev/style.md',
    text: '# Style\n\nNobody configures a linter twice.\n\n```js\nconst reverse = proxy();\n```\n',
  },
];
const found = async (query: string, more: object = {}): Promise<string[]> => {
  const backend = await smallLibrary(DOCUMENTS, { min: 10, max: 200 });
  const { results } = await search({ backend, embedder: null }, { query, mode: 'keyword', ...more });
  return results.map(({ item }) => item.source_path).sort();
};

describe('filters, phrases, prefixes, suggestions', () => {
  it('B9 an unknown filter is an error that names it, not an empty or full answer', async () => {
    await expect(found('reverse', { filter: { source: 'ops' } })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining('filter "source" is unknown'),
    });
  });

  it('B9 a filter of the wrong kind is an error that names it', async () => {
    for (const filter of [
      { path: ['docs'] },
      { tags: 'draft' },
      { file_types: [1] },
      { updated_after: new Date() },
    ]) {
      await expect(found('proxy', { filter: filter as never })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: expect.stringContaining(`filter "${Object.keys(filter)[0]}" must be`),
      });
    }
  });

  it('B9 filters by path, document, tag and date', async () => {
    expect(await found('reverse proxy', { filter: { path: 'ops' } })).toEqual([
      'ops/nginx.md',
      'ops/proxy.md',
    ]);
    expect(await found('reverse proxy', { filter: { doc_ids: [idOf('dev/style.md')] } })).toEqual([
      'dev/style.md',
    ]);
    expect(await found('reverse proxy', { filter: { tags: ['ops'] } })).toEqual(['ops/nginx.md']);
    expect(await found('reverse proxy', { filter: { updated_after: '2026-03-01' } })).toEqual([
      'ops/proxy.md',
    ]);
    expect(await found('reverse proxy', { filter: { content_types: ['code'] } })).toEqual(['dev/style.md']);
  });

  it('B9 a phrase in quotes must stand there as it is', async () => {
    expect(await found('"reverse proxy"')).toEqual(['ops/nginx.md']);
    expect(await found('"in one file"')).toEqual(['ops/nginx.md']);
    expect(await found('"proxy reverse"')).toEqual([]);
  });

  it('B9 an unfinished last word finds what it may become', async () => {
    expect(await found('confi')).toEqual([]);
    expect(await found('confi', { prefix: true })).toEqual(['dev/style.md', 'ops/nginx.md']);
    expect(await found('configura*')).toEqual(['dev/style.md', 'ops/nginx.md']);
  });

  it('B9 suggests a spelling when nothing matches', async () => {
    const backend = await smallLibrary(DOCUMENTS);
    const ask = (query: string) => search({ backend, embedder: null }, { query, mode: 'keyword' });
    expect((await ask('ngnix')).suggestion).toBe('Nginx');
    expect((await ask('revrese')).suggestion).toBe('reverse');
    expect((await ask('zzzzzz')).suggestion).toBeUndefined();
    expect((await ask('nginx')).suggestion).toBeUndefined();
  });

  it('counts edits, a swap of neighbours as one', () => {
    expect(editDistance('ngnix', 'nginx', 2)).toBe(1);
    expect(editDistance('proxy', 'proxi', 2)).toBe(1);
    expect(editDistance('abc', 'xyz', 2)).toBe(3);
  });
});
