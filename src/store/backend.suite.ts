import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Backend } from './backend.js';
import { describeDamage } from './damage.suite.js';
import { sampleWrite } from './sample.js';
import { describeVectors } from './vectors.suite.js';
import { describeWords } from './words.suite.js';

/** One library, fresh for each test. `open` gives a further handle on it; all of them are closed before `dispose`. */
export interface LibraryFixture {
  open(): Promise<Backend>;
  dispose(): Promise<void>;
  /** Gives a stored passage another content behind the store's back. */
  readonly spoil?: (chunkId: string) => Promise<void>;
}

export interface SuiteOptions {
  /** Whether a second handle sees what the first committed (everything but memory). */
  readonly shared: boolean;
}

/** The promises of backend.ts, lexical.ts, vectors.ts and filter.ts. Every driver runs this. */
export function describeBackend(
  name: string,
  create: () => Promise<LibraryFixture>,
  { shared }: SuiteOptions = { shared: true },
): void {
  describe(`${name}: Backend`, () => {
    let fixture: LibraryFixture;
    let backend: Backend;
    const handles: Backend[] = [];
    const open = async () => {
      const handle = await fixture.open();
      handles.push(handle);
      return handle;
    };
    beforeEach(async () => {
      fixture = await create();
      backend = await open();
    });
    afterEach(async () => {
      for (const handle of handles.splice(0)) await handle.close();
      await fixture.dispose();
    });

    const deploy = sampleWrite({
      source: 'file:docs/deploy.md',
      title: '部署 guide',
      parts: [
        { heading: 'Nginx', body: 'configure the reverse proxy 配置 😀' },
        { heading: 'CORS', body: 'allow origins', type: 'code' },
        { heading: 'CORS', body: 'allow origins', type: 'code' },
      ],
      metadata: {
        format: 'markdown',
        tags: ['ops', 'web'],
        collection: 'handbook',
        nested: { a: [1, null, true] },
      },
      updated_at: '2026-03-01T10:00:00.000Z',
    });
    const notes = sampleWrite({
      source: 'file:notes.txt',
      title: 'Notes',
      parts: [{ heading: 'Origins', body: 'where the origins are' }],
      metadata: { format: 'text', tags: ['web'] },
      updated_at: '2025-06-01T00:00:00.000Z',
    });
    const empty = sampleWrite({ source: 'file:empty.md', title: 'Empty', parts: [] });

    const everythingOf = async (from: Backend, id: string) => ({
      document: await from.document(id),
      chunks: await from.chunksOf(id),
      sections: await from.sections(id),
      content: await from.content(id),
    });
    const expected = ({ document, chunks, sections, content }: typeof deploy) => ({
      document,
      chunks: chunks.map(({ chunk }) => chunk),
      sections,
      content,
    });

    it('gives back exactly what was put', async () => {
      const report = await backend.commit({ put: [deploy, notes, empty] });
      expect(report).toMatchObject({ kept: 0, added: 4, removed: 0 });
      for (const write of [deploy, notes, empty]) {
        expect(await everythingOf(backend, write.document.id)).toEqual(expected(write));
        expect(await backend.documentBySource(write.document.source)).toEqual(write.document);
      }
      expect(await backend.counts()).toEqual({ documents: 3, chunks: 4 });
    });

    it('answers unknown ids with nothing', async () => {
      const nobody = '00000000-0000-4000-8000-000000000000';
      expect(await everythingOf(backend, nobody)).toEqual({
        document: null,
        chunks: [],
        sections: [],
        content: null,
      });
      expect(await backend.chunk(nobody)).toBeNull();
      expect(await backend.documentsById([nobody])).toEqual([]);
      expect(await backend.documentBySource('file:none')).toBeNull();
      expect(await backend.adjacent([{ doc_id: nobody, index: 0 }], 1, 1)).toEqual([]);
      expect(await backend.record('setting', 'none')).toBeNull();
      const report = await backend.commit({
        remove: [nobody],
        rename: [{ id: nobody, source: 'a', source_path: 'a' }],
        touch: [{ id: nobody, updated_at: '', metadata: {} }],
      });
      expect(report).toMatchObject({ kept: 0, added: 0, removed: 0 });
      expect(await backend.counts()).toEqual({ documents: 0, chunks: 0 });
    });

    it('keeps chunks in the order asked for, and the same text twice', async () => {
      await backend.commit({ put: [deploy, notes] });
      const ids = [...notes.chunks, ...deploy.chunks].map(({ chunk }) => chunk.id);
      expect(new Set(ids).size).toBe(4);
      const unknown = '00000000-0000-4000-8000-000000000000';
      const found = await backend.chunksById([ids[3]!, unknown, ids[0]!, ids[3]!]);
      expect(found.map(({ id }) => id)).toEqual([ids[3], ids[0], ids[3]]);
      expect(await backend.chunk(ids[1]!)).toEqual(deploy.chunks[0]!.chunk);
      const { id: first } = deploy.document;
      const documents = await backend.documentsById([notes.document.id, unknown, first, notes.document.id]);
      expect(documents).toEqual([notes.document, deploy.document, notes.document]);
      expect(await backend.documentsById([])).toEqual([]);
      expect(await backend.chunksById([])).toEqual([]);
      const documentIds = await backend.documentIdsOf([ids[3]!, unknown, ids[0]!]);
      expect(documentIds).toEqual([deploy.document.id, null, notes.document.id]);
    });

    it('S4.6 finds ids by their beginning, as a range: documents and chunks, not more than asked for', async () => {
      await backend.commit({ put: [deploy, notes] });
      const known = [deploy, notes].flatMap(({ document, chunks }) => [
        { kind: 'document', id: document.id },
        ...[...chunks].map(({ chunk }) => ({ kind: 'chunk', id: chunk.id })),
      ]);
      const all = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'] as const;
      const sorted = (ids: readonly { readonly id: string }[]) =>
        [...ids].sort((a, b) => (a.id < b.id ? -1 : 1));
      expect(sorted(await backend.idsBetween(...all, 100))).toEqual(sorted(known));
      expect(await backend.idsBetween(...all, 2)).toHaveLength(2);
      for (const one of known) {
        const start = one.id.slice(0, 6);
        const range = all.map((end) => start + end.slice(6)) as [string, string];
        const alike = known.filter(({ id }) => id.startsWith(start));
        expect(sorted(await backend.idsBetween(...range, 9))).toEqual(sorted(alike));
      }
      expect(await backend.idsBetween(all[0], all[0], 9)).toEqual([]);
    });

    it('S2.9 gives neighbours by position, without the chunks themselves', async () => {
      const parts = Array.from({ length: 5 }, (_, i) => ({ heading: `H${i}`, body: `body ${i}` }));
      const five = sampleWrite({ source: 'file:five.md', title: 'Five', parts });
      const other = sampleWrite({ source: 'file:other.md', title: 'Other', parts });
      await backend.commit({ put: [other, five] });
      const at = async (indexes: readonly number[], before: number, after: number) => {
        const places = indexes.map((index) => ({ doc_id: five.document.id, index }));
        return (await backend.adjacent(places, before, after)).map(({ chunk_index }) => chunk_index);
      };
      expect(await at([2], 1, 1)).toEqual([1, 3]);
      expect(await at([0], 1, 1)).toEqual([1]);
      expect(await at([4], 2, 2)).toEqual([2, 3]);
      expect(await at([1], 0, 2)).toEqual([2, 3]);
      expect(await at([2], 9, Number.POSITIVE_INFINITY)).toEqual([0, 1, 3, 4]);
      expect(await at([3, 1, 2], 1, 1)).toEqual([0, 4]);
      expect(await at([4, 0], 1, 1)).toEqual([1, 3]);
      expect(await at([], 1, 1)).toEqual([]);
      const both = [five, other, five].map(({ document }, at) => ({ doc_id: document.id, index: 2 * at }));
      const found = await backend.adjacent(both, 1, 1);
      expect(found.map(({ id }) => id)).toEqual(
        [five.chunks[1], five.chunks[3], other.chunks[1], other.chunks[3]].map((write) => write!.chunk.id),
      );
    });

    it('replaces a document whole, and reports by hash', async () => {
      await backend.commit({ put: [deploy, notes] });
      const { id } = deploy.document;
      const next = sampleWrite({
        id,
        source: 'file:docs/deploy.md',
        title: 'Deploy',
        parts: [
          { heading: 'New', body: 'first' },
          { heading: 'CORS', body: 'allow origins', type: 'code' },
        ],
      });
      const report = await backend.commit({ put: [next] });
      expect(report).toMatchObject({ kept: 1, added: 1, removed: 2 });
      expect(await everythingOf(backend, id)).toEqual(expected(next));
      expect(next.chunks[1]!.chunk.id).toBe(deploy.chunks[1]!.chunk.id);
      expect(await backend.chunk(deploy.chunks[0]!.chunk.id)).toBeNull();
      expect(await backend.counts()).toEqual({ documents: 2, chunks: 3 });
      expect(await backend.commit({ put: [next] })).toMatchObject({ kept: 2, added: 0, removed: 0 });
    });

    it('removes a document with all that belongs to it', async () => {
      await backend.commit({ put: [deploy, notes] });
      const report = await backend.commit({ remove: [deploy.document.id, deploy.document.id] });
      expect(report).toMatchObject({ kept: 0, added: 0, removed: 3 });
      const gone = { document: null, chunks: [], sections: [], content: null };
      expect(await everythingOf(backend, deploy.document.id)).toEqual(gone);
      expect(await backend.chunksById(deploy.chunks.map(({ chunk }) => chunk.id))).toEqual([]);
      expect(await backend.documentBySource(deploy.document.source)).toBeNull();
      expect(await backend.counts()).toEqual({ documents: 1, chunks: 1 });
      expect(await everythingOf(backend, notes.document.id)).toEqual(expected(notes));
    });

    it('renames without touching anything else, swaps included', async () => {
      await backend.commit({ put: [deploy, notes] });
      const [a, b] = [deploy.document, notes.document];
      await backend.commit({
        rename: [
          { id: a.id, source: b.source, source_path: b.source_path },
          { id: b.id, source: a.source, source_path: a.source_path },
        ],
      });
      const renamed = { ...a, source: b.source, source_path: b.source_path };
      expect(await everythingOf(backend, a.id)).toEqual({ ...expected(deploy), document: renamed });
      expect(await backend.documentBySource(a.source)).toMatchObject({ id: b.id });
      expect(await backend.documents({ filter: { path: 'docs' } })).toMatchObject([{ id: b.id }]);
    });

    it('touches metadata and date alone', async () => {
      await backend.commit({ put: [deploy] });
      const { id } = deploy.document;
      const touched = { updated_at: '2026-09-09T09:09:09.000Z', metadata: { format: 'pdf', mtime_ms: 12.5 } };
      await backend.commit({ touch: [{ id, ...touched }] });
      expect(await everythingOf(backend, id)).toEqual({
        ...expected(deploy),
        document: { ...deploy.document, ...touched },
      });
      expect(await backend.documents({ filter: { file_types: ['pdf'] } })).toHaveLength(1);
    });

    it('lists documents by source, in pages', async () => {
      const sources = ['file:b', 'file:a', 'file:ä', 'file:文', 'file:😀', 'file:ｚ', 'file:B'];
      await backend.commit({
        put: sources.map((source) => sampleWrite({ source, title: source, parts: [] })),
      });
      const ordered = ['file:B', 'file:a', 'file:b', 'file:ä', 'file:文', 'file:ｚ', 'file:😀'];
      expect((await backend.documents()).map(({ source }) => source)).toEqual(ordered);
      const seen: string[] = [];
      for (;;) {
        const after = seen.at(-1);
        const page = await backend.documents({ limit: 2, ...(after === undefined ? {} : { after }) });
        if (page.length === 0) break;
        expect(page.length).toBeLessThanOrEqual(2);
        seen.push(...page.map(({ source }) => source));
      }
      expect(seen).toEqual(ordered);
    });

    it('filters documents by every field of the filter', async () => {
      await backend.commit({ put: [deploy, notes, empty] });
      const titles = async (filter: object) =>
        (await backend.documents({ filter })).map(({ title }) => title);
      expect(await titles({})).toEqual(['部署 guide', 'Empty', 'Notes']);
      expect(await titles({ doc_ids: [notes.document.id] })).toEqual(['Notes']);
      expect(await titles({ doc_ids: [] })).toEqual([]);
      expect(await titles({ path: 'docs' })).toEqual(['部署 guide']);
      expect(await titles({ path: 'doc' })).toEqual([]);
      expect(await titles({ path: './notes.txt' })).toEqual(['Notes']);
      expect(await titles({ path: '*.md' })).toEqual(['部署 guide', 'Empty']);
      expect(await titles({ path: '*/*.md' })).toEqual(['部署 guide']);
      expect(await titles({ path: 'note?.txt' })).toEqual(['Notes']);
      expect(await titles({ file_types: ['text', 'pdf'] })).toEqual(['Notes']);
      expect(await titles({ content_types: ['code'] })).toEqual(['部署 guide']);
      expect(await titles({ tags: ['web'] })).toEqual(['部署 guide', 'Notes']);
      expect(await titles({ tags: ['web', 'ops'] })).toEqual(['部署 guide']);
      expect(await titles({ collections: ['handbook'] })).toEqual(['部署 guide']);
      expect(await titles({ updated_after: '2026-03-01T10:00:00Z' })).toEqual(['部署 guide']);
      expect(await titles({ updated_before: '2026-01-01' })).toEqual(['Notes']);
      expect(await titles({ tags: ['web'], updated_after: '2026-02-01' })).toEqual(['部署 guide']);
      await expect(titles({ updated_after: 'yesterday' })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
      });
    });

    it('keeps small records by kind and id', async () => {
      const value = { text: '值', list: [1, 2.5, null, { deep: true }] };
      await backend.commit({
        records: [
          { kind: 'tool', id: 'b', value },
          { kind: 'tool', id: 'a', value: 'plain' },
          { kind: 'key', id: 'a', value: 0 },
        ],
      });
      expect(await backend.record('tool', 'b')).toEqual(value);
      expect(await backend.kinds()).toEqual(['key', 'tool']);
      expect(await backend.records('tool')).toEqual([
        { id: 'a', value: 'plain' },
        { id: 'b', value },
      ]);
      await backend.commit({
        records: [
          { kind: 'tool', id: 'a', value: null },
          { kind: 'key', id: 'a', value: false },
        ],
      });
      expect(await backend.records('tool')).toEqual([{ id: 'b', value }]);
      expect(await backend.record('key', 'a')).toBe(false);
    });

    it('refuses a change that breaks the model, and changes nothing', async () => {
      await backend.commit({ put: [deploy] });
      const before = await backend.generation();
      const [first] = notes.chunks;
      const broken = [
        { ...notes, document: { ...notes.document, chunk_count: 2 } },
        { ...notes, document: { ...notes.document, source: deploy.document.source } },
        { ...notes, chunks: [{ ...first!, chunk: { ...first!.chunk, chunk_index: 1 } }] },
        { ...notes, chunks: [{ ...first!, chunk: { ...first!.chunk, content: 'other' } }] },
        { ...notes, chunks: [{ ...first!, chunk: { ...first!.chunk, id: deploy.chunks[0]!.chunk.id } }] },
        { ...notes, words: { ...notes.words, body: [] } },
      ];
      for (const write of broken) {
        const change = { put: [write], remove: [], records: [{ kind: 'k', id: 'i', value: 1 }] };
        await expect(backend.commit(change)).rejects.toMatchObject({ code: 'INVALID_RECORD' });
      }
      expect(await backend.counts()).toEqual({ documents: 1, chunks: 3 });
      expect(await backend.record('k', 'i')).toBeNull();
      expect(await backend.document(notes.document.id)).toBeNull();
      expect(await backend.generation()).toBe(before);
    });

    it('counts generations', async () => {
      const start = await backend.generation();
      const first = await backend.commit({ put: [deploy] });
      expect(first.generation).toBeGreaterThan(start);
      expect(await backend.generation()).toBe(first.generation);
      expect((await backend.commit({ remove: [deploy.document.id] })).generation).toBeGreaterThan(
        first.generation,
      );
    });

    it('finds nothing wrong with what it wrote', async () => {
      await backend.commit({ put: [deploy, notes, empty] });
      await backend.commit({ remove: [notes.document.id] });
      await backend.tidy();
      expect(await backend.check()).toEqual([]);
      expect(await backend.check({ fix: true })).toEqual([]);
    });

    it('stops when cancelled before it starts', async () => {
      const change = { put: [deploy], signal: AbortSignal.abort() };
      await expect(backend.commit(change)).rejects.toMatchObject({ code: 'ABORTED' });
      expect(await backend.counts()).toEqual({ documents: 0, chunks: 0 });
    });

    if (shared) {
      it('shows each handle what the others committed', async () => {
        const other = await open();
        await backend.commit({ put: [deploy] });
        expect(await everythingOf(other, deploy.document.id)).toEqual(expected(deploy));
        expect(await other.generation()).toBe(await backend.generation());
        await other.commit({ put: [notes], records: [{ kind: 'k', id: 'i', value: 1 }] });
        expect(await everythingOf(backend, notes.document.id)).toEqual(expected(notes));
        expect(await backend.record('k', 'i')).toBe(1);
        await backend.commit({ remove: [deploy.document.id] });
        expect(await other.counts()).toEqual({ documents: 1, chunks: 1 });
        const query = {
          terms: [{ term: 'origins', weight: 1 }],
          k: 9,
          kind: 'chunk',
          scorer: 'bm25',
        } as const;
        expect((await other.words.match(query)).map(({ id }) => id)).toEqual([notes.chunks[0]!.chunk.id]);
      });

      it('keeps everything when closed and opened again', async () => {
        await backend.commit({ put: [deploy, notes], records: [{ kind: 'k', id: 'i', value: 1 }] });
        const generation = await backend.generation();
        await backend.close();
        const again = await open();
        expect(await everythingOf(again, deploy.document.id)).toEqual(expected(deploy));
        expect(await again.record('k', 'i')).toBe(1);
        expect(await again.generation()).toBe(generation);
        expect(await again.check()).toEqual([]);
      });

      it('lets two handles write at once, and loses nothing', async () => {
        const other = await open();
        const writes = Array.from({ length: 20 }, (_, i) =>
          sampleWrite({
            source: `file:${i}`,
            title: `T${i}`,
            parts: [{ heading: 'H', body: `word${i} shared` }],
          }),
        );
        await Promise.all(writes.map((write, i) => (i % 2 ? backend : other).commit({ put: [write] })));
        expect(await backend.counts()).toEqual({ documents: 20, chunks: 20 });
        const { df } = await other.words.frequencies(['shared']);
        expect(df).toEqual([40]);
      });
    }

    describeDamage(
      () => backend,
      () => fixture.spoil,
    );
    describeWords(() => backend);
    describeVectors(() => backend);
  });
}
