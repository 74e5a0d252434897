import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { citation } from '../search/show/cite.js';
import { memoryBackend } from '../store/memory/memory.js';
import { sampleWrite } from '../store/sample.js';
import { resolveNamed, resolveTarget } from './resolve.js';

const root = '/kb';
const guide = sampleWrite({
  source: 'file:docs/guide.md',
  title: 'Guide',
  parts: Array.from({ length: 40 }, (_, at) => ({ heading: `H${at}`, body: `Body ${at}.` })),
});

async function place() {
  const backend = memoryBackend();
  await backend.commit({ put: [guide] });
  const document = (await backend.document(guide.document.id))!;
  return { backend, root, document, chunks: await backend.chunksOf(document.id) };
}

describe('S4.6 what was printed names what it was printed for', () => {
  it('a passage by its citation, its id, and every beginning that is its alone', async () => {
    const here = await place();
    const ids = [here.document.id, ...here.chunks.map(({ id }) => id)];
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: here.chunks.length - 1 }),
        fc.integer({ min: 4, max: 36 }),
        fc.constantFrom('', '#'),
        async (at, length, mark) => {
          const chunk = here.chunks[at]!;
          const start = chunk.id.slice(0, length);
          const alike = ids.filter((id) => id.startsWith(start));
          const asked = resolveTarget(here, `${mark}${start}`);
          if (alike.length === 1) expect((await asked).chunk).toEqual(chunk);
          else await expect(asked).rejects.toThrow(/begins several ids: #.*; write more of it/);
          const cited = await resolveTarget(here, citation(here.document, chunk).ref);
          expect(cited.chunk).toEqual(chunk);
        },
      ),
    );
  });

  it('a document by its path, its source and its id; a passage by its line', async () => {
    const here = await place();
    for (const name of ['docs/guide.md', '/kb/docs/guide.md', here.document.source, here.document.id]) {
      expect(await resolveTarget(here, name, root)).toEqual({ document: here.document, chunk: null });
    }
    const chunk = here.chunks.find(({ loc }) => loc.lines !== undefined)!;
    const line = `docs/guide.md:${chunk.loc.lines!.from}`;
    const found = await resolveTarget(here, line, root);
    expect(found.chunk?.loc.lines?.from).toBe(chunk.loc.lines!.from);
  });

  it('the end of a path that one document has names it, except to whoever removes', async () => {
    const here = await place();
    expect((await resolveTarget(here, 'guide.md', root)).document).toEqual(here.document);
    const line = here.chunks.find(({ loc }) => loc.lines !== undefined)!.loc.lines!.from;
    expect((await resolveTarget(here, `guide.md:${line}`, root)).chunk?.loc.lines?.from).toBe(line);
    await expect(resolveNamed(here, 'guide.md', root)).rejects.toThrow(/Nothing here is "guide.md"/);
    await here.backend.commit({
      put: [
        sampleWrite({ source: 'file:old/guide.md', title: 'Old', parts: [{ heading: 'A', body: 'B.' }] }),
      ],
    });
    await expect(resolveTarget(here, 'guide.md', root)).rejects.toThrow(
      /"guide.md" ends several paths: docs\/guide.md, old\/guide.md; write more of it/,
    );
  });

  it('anything else is an error that says what may be given', async () => {
    const here = await place();
    const texts = fc.oneof(
      fc.string(),
      fc.constantFrom('#', '#0d8', 'a:1', 'docs/guide.md:99999', '----', ' '),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        await expect(resolveTarget(here, text, '/elsewhere')).rejects.toThrow(
          /give a path, a place .* or a citation|has no passage/,
        );
      }),
    );
  });
});
