import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Embedder } from '../../embed/embedder.js';
import type { Chunk } from '../../model/chunk.js';
import type { Library } from '../library.js';
import { openLibrary } from '../open.js';
import { partsOf } from '../open-library.js';

const WORDS =
  'harbour tide ship anchor rope sail wind storm chart light signal crew captain cargo deck mast hull keel pilot buoy'.split(
    ' ',
  );

/** A long document as people write them: chapters, sections, paragraphs of different lengths, no two the same. */
function handbook(): { readonly paragraphs: string[]; text(): string; headings: string[] } {
  let state = 11;
  const random = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const sentence = (): string =>
    `The ${Array.from({ length: 8 + random(12) }, () => WORDS[random(WORDS.length)]).join(' ')} ${random(10_000)}.`;
  const headings = Array.from({ length: 150 }, (_, at) => `${at % 5 === 0 ? '##' : '###'} Part ${at}`);
  const paragraphs = headings.flatMap(() =>
    Array.from({ length: 10 }, () => Array.from({ length: 3 + random(6) }, sentence).join(' ')),
  );
  const text = (): string =>
    `# Handbook\n\n${headings
      .map((heading, at) => `${heading}\n\n${paragraphs.slice(at * 10, at * 10 + 10).join('\n\n')}`)
      .join('\n\n')}\n`;
  return { paragraphs, headings, text };
}

/** Counts what it is asked to embed. */
class Counting implements Embedder {
  readonly id = 'test:counting';
  readonly fingerprint = 'test:counting:4';
  readonly dimensions = 4;
  readonly texts: string[] = [];
  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    this.texts.push(...texts);
    return texts.map((text) => Float32Array.from([1, text.length % 7, text.length % 5, 1]));
  }
  async close(): Promise<void> {}
}

describe('a document of 1,000 passages is added again', () => {
  let folder: string;
  let library: Library;
  let embedder: Counting;
  const book = handbook();
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'strata-edits-'));
    mkdirSync(join(folder, 'docs'));
    embedder = new Counting();
    library = await openLibrary({ library: join(folder, '.strata'), cwd: folder, embedder });
    expect((await add(book.text())).embedded).toBe((await chunks()).length);
    expect((await chunks()).length).toBeGreaterThan(1_000);
    embedder.texts.length = 0;
  });
  afterEach(async () => {
    await library.close();
    rmSync(folder, { recursive: true });
  });

  const add = (text: string) => {
    writeFileSync(join(folder, 'docs', 'handbook.md'), text);
    return library.add(['docs'], { cwd: folder, workers: 0 });
  };
  const chunks = async (): Promise<readonly Chunk[]> => {
    const { documents } = await library.list();
    return partsOf(library).backend.chunksOf(documents[0]!.id);
  };
  const idsByContent = async (): Promise<ReadonlyMap<string, string>> =>
    new Map((await chunks()).map(({ content, id }) => [content, id]));

  it('S4.4 the same folder again embeds nothing, also where every file is read anew', async () => {
    expect((await add(book.text())).embedded).toBe(0);
    expect((await library.add(['docs'], { cwd: folder, workers: 0, force: true })).embedded).toBe(0);
    expect(embedder.texts).toEqual([]);
  });

  it('S4.4 blanks put at line ends, or taken away, embed nothing', async () => {
    let line = 0;
    const spaced = book.text().replace(/\n/g, () => (line++ % 40 === 0 ? ' \t \n' : '\n'));
    expect(await add(spaced)).toMatchObject({ changed: 1, embedded: 0 });
    expect(await add(book.text())).toMatchObject({ changed: 1, embedded: 0 });
    expect(embedder.texts).toEqual([]);
    expect((await library.status()).vectors).toMatchObject({ pending: 0 });
  });

  it('S4.4 one paragraph changed, put in or taken out embeds three passages at most; the others keep id and vector', async () => {
    let text = book.text();
    for (const at of [3, 250, 701, 777, 1_102, 1_498]) {
      const paragraph = book.paragraphs[at]!;
      const changes = [
        text.replace(paragraph, paragraph.replace(/\. The /, '. Nobody knew of the ')),
        text.replace(
          paragraph,
          `${paragraph}\n\nAn ordinary remark that was not there before, number ${at}.`,
        ),
        text.replace(`${paragraph}\n\n`, ''),
      ];
      for (const changed of changes) {
        const before = await idsByContent();
        const { embedded } = await add(changed);
        expect(embedded, `paragraph ${at}`).toBeLessThanOrEqual(3);
        const after = await idsByContent();
        const kept = [...after].filter(([content]) => before.has(content));
        expect(kept.length).toBeGreaterThanOrEqual(after.size - 3);
        expect(kept.every(([content, id]) => before.get(content) === id)).toBe(true);
        text = changed;
      }
    }
    // Each edit was seen: nothing was passed over as unchanged.
    expect(embedder.texts.length).toBeGreaterThanOrEqual(12);
    expect((await library.status()).vectors).toMatchObject({ pending: 0 });
  });

  it('S4.4 a renamed heading embeds its section again, all of it and nothing else, and keeps the ids', async () => {
    const isBelow = ({ title_path }: Chunk): boolean =>
      title_path.some((title) => /^(Part 55|Renamed)$/.test(title));
    const before = await chunks();
    const section = before.filter(isBelow);
    // A chapter with sections of its own: their passages carry its name too.
    expect(section.length).toBeGreaterThan(30);
    const { embedded } = await add(book.text().replace('## Part 55\n', '## Renamed\n'));
    expect(embedded).toBe(section.length);
    expect(embedder.texts.every((text) => text.includes('Renamed'))).toBe(true);
    const after = await chunks();
    // The passage that begins with the heading has another text; all others are the same passages.
    const changed = after.filter(({ id }, at) => id !== before[at]!.id);
    expect(changed.map(({ content }) => content.startsWith('## Renamed'))).toEqual([true]);
  });
});
