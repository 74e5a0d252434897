import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { unitWords } from '../../text/words.js';
import { BLOCKS, STAGE } from './segment.js';
import { chunkType } from './unit-page.js';
import { cachedWords } from './words-cache.js';
import { type NewSegment, WordsChange, type WordsStore } from './words-change.js';
import { WordsReader, type WordsSource } from './words-reader.js';

/** A store far away: it keeps the words, and counts what it is asked. */
class Remote implements WordsSource {
  identity = 'first';
  asked = { state: 0, changes: 0, blocks: 0 };
  #generation = 0;
  #next = { next_unit: 0, next_segment: 1 };
  readonly #pages = new Map<number, { data: Uint8Array; generation: number }>();
  readonly #segments = new Map<number, NewSegment>();

  async commit(texts: readonly string[], kill: readonly number[] = []): Promise<void> {
    const change = new WordsChange(this.#next);
    for (const unit of kill) change.kill(unit);
    for (const text of texts) {
      const id = `00000000-0000-4000-8000-${String(this.#next.next_unit + texts.indexOf(text)).padStart(12, '0')}`;
      change.add('chunk', { type: chunkType(['text']), item: 1, id }, unitWords('', text));
    }
    const write = await change.finish(this.#store());
    this.#generation++;
    for (const [page, data] of write.pages) this.#pages.set(page, { data, generation: this.#generation });
    for (const segment of write.dropped) this.#segments.delete(segment);
    for (const segment of write.segments) this.#segments.set(segment.segment, segment);
    this.#next = { next_unit: write.next_unit, next_segment: write.next_segment };
  }

  async state() {
    this.asked.state++;
    return this.#state();
  }

  async changes(since: number) {
    this.asked.changes++;
    const pages = [...this.#pages].filter(([, { generation }]) => generation > since);
    return {
      state: this.#state(),
      pages: pages.map(([page, { data }]) => [page, data] as const),
      segments: [...this.#segments.values()].map(({ blocks: _, ...segment }) => ({
        ...segment,
        stage: STAGE.live,
      })),
    };
  }

  async blocks(places: readonly (readonly [number, number])[]) {
    this.asked.blocks++;
    return places.map(
      ([segment, ordinal]) =>
        this.#segments.get(segment)?.blocks.find(({ number }) => number === segment * BLOCKS + ordinal)?.data,
    );
  }

  async documents() {
    return { generation: this.#generation, rows: [] };
  }

  #state() {
    const generation = this.#generation;
    return { generation, index_version: generation, purged: 0, buried: [], identity: this.identity };
  }

  #store(): WordsStore {
    const pages = async () => [...this.#pages].map(([page, { data }]) => [page, data] as const);
    return {
      pages,
      pagesBetween: pages,
      segments: async () => [...this.#segments.values()].map(({ blocks: _, ...segment }) => segment),
      blocks: async (segments) => segments.flatMap((one) => [...(this.#segments.get(one)?.blocks ?? [])]),
    };
  }
}

const folderOf = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'strata-words-cache-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
const WORDS = ['pump', 'valve', 'motor', 'filter', 'cable', 'panel'];
const query = (term: string) =>
  ({ terms: [{ term, weight: 1 }], k: 50, kind: 'chunk', scorer: 'bm25' }) as const;
const answers = async (reader: WordsReader) =>
  Promise.all(WORDS.map(async (word) => reader.match(query(word))));

/** A new process: what it answers, and what it asked the store for. */
async function process(remote: Remote, folder: string, most?: number) {
  remote.asked = { state: 0, changes: 0, blocks: 0 };
  const cache = await cachedWords(remote, folder, most);
  const found = await answers(new WordsReader(cache));
  await cache.finish();
  return { found, asked: remote.asked };
}

async function filled(): Promise<Remote> {
  const remote = new Remote();
  for (let n = 0; n < 5; n++)
    await remote.commit(WORDS.map((word, at) => `${word} ${WORDS[(at + n) % 6]} number${n}x${at}`));
  return remote;
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

describe('the word index of a store elsewhere, kept on this disk', () => {
  it('B8 a second process asks only whether anything has changed', async () => {
    const remote = await filled();
    const folder = folderOf();
    const plain = await answers(new WordsReader(remote));
    const first = await process(remote, folder);
    const second = await process(remote, folder);
    expect([first.found, second.found]).toEqual([plain, plain]);
    expect(first.asked.changes).toBe(1);
    expect(first.asked.blocks).toBeGreaterThan(0);
    expect(second.asked).toMatchObject({ changes: 0, blocks: 0 });
    for (const file of filesIn(folder)) expect(statSync(file).mode & 0o077).toBe(0);
  });

  it('B8 answers are those of the store after any changes, by any number of processes', async () => {
    const step = fc.record({
      texts: fc.array(fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }), { maxLength: 4 }),
      kill: fc.array(fc.nat(40), { maxLength: 2 }),
      reopens: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const remote = new Remote();
        const folder = mkdtempSync(join(tmpdir(), 'strata-words-cache-'));
        try {
          let cache = await cachedWords(remote, folder);
          let reader = new WordsReader(cache);
          let units = 0;
          for (const { texts, kill, reopens } of steps) {
            const unique = [...new Set(texts.map((words, at) => `${words.join(' ')} u${units + at}`))];
            await remote.commit(
              unique,
              [...new Set(kill)].filter((unit) => unit < units),
            );
            units += unique.length;
            if (reopens) {
              await cache.finish();
              cache = await cachedWords(remote, folder);
              reader = new WordsReader(cache);
            }
            expect(await answers(reader)).toEqual(await answers(new WordsReader(remote)));
          }
          await cache.finish();
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      }),
      { numRuns: 25 },
    );
  });

  it('B8 whatever is changed, cut off or exchanged in it is not believed', async () => {
    const remote = await filled();
    const folder = folderOf();
    const { found } = await process(remote, folder);
    for (const file of filesIn(folder)) {
      const whole = readFileSync(file);
      const others = filesIn(folder).filter((one) => one !== file);
      for (const bytes of [
        Buffer.from(whole.map((byte, at) => (at === whole.length - 1 ? byte ^ 1 : byte))),
        whole.subarray(0, whole.length >> 1),
        Buffer.alloc(0),
        readFileSync(others[0]!),
      ]) {
        writeFileSync(file, bytes);
        const again = await process(remote, folder);
        expect(again.found).toEqual(found);
        expect(again.asked.changes + again.asked.blocks, file).toBeGreaterThan(0);
        expect((await process(remote, folder)).asked).toMatchObject({ changes: 0, blocks: 0 });
      }
    }
  });

  it('B8 a library that was made anew at the same address has nothing of the old one', async () => {
    const remote = await filled();
    const folder = folderOf();
    await process(remote, folder);
    const anew = await filled();
    anew.identity = 'second';
    expect((await process(anew, folder)).asked.changes).toBe(1);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('B8 keeps within its size', async () => {
    const remote = await filled();
    const folder = folderOf();
    const { found } = await process(remote, folder);
    const whole = filesIn(folder).reduce((sum, file) => sum + statSync(file).size, 0);
    rmSync(folder, { recursive: true });
    const small = Math.floor(whole / 2);
    for (let n = 0; n < 3; n++) expect((await process(remote, folder, small)).found).toEqual(found);
    expect(filesIn(folder).reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThanOrEqual(small);
  });

  it.runIf(globalThis.process.platform !== 'win32')(
    'B8 a folder that others can open, or a link, is refused',
    async () => {
      const remote = await filled();
      const folder = folderOf();
      chmodSync(folder, 0o755);
      await expect(cachedWords(remote, folder)).rejects.toThrow('must be a folder that only you can open');
      chmodSync(folder, 0o700);
      const link = join(folderOf(), 'link');
      symlinkSync(folder, link);
      await expect(cachedWords(remote, link)).rejects.toThrow('must be a folder that only you can open');
    },
  );
});
