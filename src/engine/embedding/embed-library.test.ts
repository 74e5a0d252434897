import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeTinyModel } from '../../embed/local/tiny-model.suite.js';
import type { Library } from '../library.js';
import { openLibrary } from '../open.js';
import { partsOf } from '../open-library.js';

const section = (title: string, from: number, count: number): string =>
  `## ${title}\n\n${Array.from({ length: count }, (_, i) => `Paragraph ${from + i} tells of alpha and nginx. `.repeat(12)).join('\n\n')}\n\n`;
const book = (titles: readonly string[]): string =>
  `# Book\n\n${titles.map((title, i) => section(title, i * 10, 10)).join('')}`;
const TITLES = Array.from({ length: 12 }, (_, i) => `Chapter ${i}`);

describe('a library with vectors', () => {
  let folder: string;
  let library: Library;
  const open = (model: string): Promise<Library> =>
    openLibrary({ library: join(folder, '.strata'), cwd: folder, embedder: `local:${join(folder, model)}` });
  const add = () => library.add(['docs'], { cwd: folder, workers: 0 });
  const write = (text: string): void => writeFileSync(join(folder, 'docs', 'book.md'), text);
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'strata-library-'));
    writeTinyModel(join(folder, 'first'));
    writeTinyModel(join(folder, 'second'), { seed: 5, dimensions: 12 });
    const { mkdirSync } = await import('node:fs');
    mkdirSync(join(folder, 'docs'));
    write(book(TITLES));
    library = await open('first');
  });
  afterEach(async () => {
    await library.close();
    rmSync(folder, { recursive: true });
  });

  it('S4.4 embeds what is new: nothing again, at most three chunks of a changed paragraph, a renamed section with its ids kept', async () => {
    const first = await add();
    expect(first.embedded).toBeGreaterThan(50);
    expect((await add()).embedded).toBe(0);

    write(book(TITLES).replace('Paragraph 55 tells of alpha', 'Paragraph 55 speaks of beta'));
    const changed = await add();
    expect(changed.embedded).toBeGreaterThan(0);
    expect(changed.embedded).toBeLessThanOrEqual(3);

    const id = (await library.list()).documents[0]!.id;
    const idsOf = async () =>
      (await partsOf(library).backend.chunksOf(id))
        .filter(({ title }) => /^(Chapter 5|Renamed)$/.test(title))
        .slice(1)
        .map((chunk) => chunk.id);
    const before = await idsOf();
    write(
      book(TITLES)
        .replace('Paragraph 55 tells of alpha', 'Paragraph 55 speaks of beta')
        .replace('## Chapter 5\n', '## Renamed\n'),
    );
    const renamed = await add();
    expect(renamed.embedded).toBeGreaterThan(before.length - 1);
    expect(renamed.embedded).toBeLessThan(15);
    expect(await idsOf()).toEqual(before);
    expect((await library.status()).vectors).toMatchObject({ pending: 0 });
  });

  it('B4 an embedder that cannot be opened is not kept, by add or by embed', async () => {
    await add();
    const kept = (await library.status()).settings.embedder;
    write(book(TITLES.slice(0, 3)));
    const broken = await open('nowhere');
    expect((await broken.add(['docs'], { cwd: folder, workers: 0 })).notices).toHaveLength(1);
    await expect(broken.embed()).rejects.toMatchObject({ code: 'EMBEDDER_UNAVAILABLE' });
    expect((await broken.status()).settings.embedder).toBe(kept);
    await broken.close();
  });

  it('B4 remembers its model, and changes it while searches go on', async () => {
    await add();
    const [before] = (await library.search('alpha nginx', { mode: 'vector' })).results;
    expect(before).toBeDefined();
    const old = (await library.status()).vectors.model;
    const changed = await open('second');
    expect((await changed.search('alpha nginx', { mode: 'vector' })).results[0]!.item.id).toBe(
      before!.item.id,
    );
    expect((await changed.embed()).remaining).toBe(0);
    expect((await changed.status()).vectors).toMatchObject({ dimensions: 12 });
    expect((await changed.status()).vectors.model).not.toBe(old);
    // The one that was open all the time follows.
    expect((await library.search('alpha nginx', { mode: 'vector' })).results).not.toEqual([]);
    await changed.close();
    const later = await openLibrary({ library: join(folder, '.strata'), cwd: folder });
    expect((await later.status()).settings.embedder).toBe(`local:${join(folder, 'second')}`);
    await later.close();
  });

  it('B4 a model that cannot be had, or answers nothing, leaves the old one in the settings', async () => {
    await add();
    const path = join(folder, '.strata');
    for (const embedder of [`local:${join(folder, 'nowhere')}`, 'ollama:none?url=http://127.0.0.1:9']) {
      const changed = await openLibrary({ library: path, cwd: folder, embedder });
      await changed.embed().catch(() => {});
      await changed.close();
      const later = await openLibrary({ library: path, cwd: folder });
      expect((await later.status()).settings.embedder, embedder).toBe(`local:${join(folder, 'first')}`);
      expect((await later.embed()).remaining).toBe(0);
      await later.close();
    }
  });

  it.each(['vector', 'hybrid'] as const)(
    'B4 a model that takes over in the middle of a question (%s) is asked itself, and the two never meet',
    async (mode) => {
      await add();
      // The same dimensions: nothing but the fingerprint tells the two apart.
      writeTinyModel(join(folder, 'third'), { seed: 6 });
      const changed = await open('third');
      const { vectors } = partsOf(library).backend;
      const asked: (string | undefined)[] = [];
      const near = vectors.near.bind(vectors);
      vectors.near = async (query) => {
        if (asked.push(query.fingerprint) === 1) await changed.embed();
        return near(query);
      };
      const answer = await library.search('alpha nginx', { mode });
      const { model } = (await changed.status()).vectors;
      expect(asked[0]).not.toBe(model);
      expect(new Set(asked.slice(1))).toEqual(new Set([model]));
      expect(answer).toMatchObject({ mode, notices: [] });
      expect(answer.results).toEqual((await changed.search('alpha nginx', { mode })).results);
      await changed.close();
    },
  );

  it('B4 a server that was told no model follows the one the library has got meanwhile', async () => {
    await add();
    const server = await openLibrary({ library: join(folder, '.strata'), cwd: folder });
    const changed = await open('second');
    await changed.embed();
    write(`${book(TITLES)}## One more\n\nSomething of docker.\n`);
    expect((await server.add(['docs'], { cwd: folder, workers: 0 })).embedded).toBeLessThanOrEqual(3);
    expect((await server.status()).vectors).toMatchObject({ dimensions: 12, pending: 0 });
    await server.close();
    await changed.close();
  });
});
