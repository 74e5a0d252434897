import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { countingProxy } from '../../bench/stores/counting-proxy.js';
import { partsOf } from '../../dist/engine/open-library.js';
import { openLibrary } from '../../dist/index.js';

const embedder = {
  id: 'letters',
  dimensions: 26,
  fingerprint: 'letters-26',
  embed: async (texts: readonly string[]) =>
    texts.map((text) => {
      const vector = new Float32Array(26);
      for (const letter of text.toLowerCase().match(/[a-z]/g) ?? []) vector[letter.charCodeAt(0) - 97]!++;
      const length = Math.hypot(...vector) || 1;
      return vector.map((count) => count / length);
    }),
  close: async () => {},
};

/** The figures stand in docs/guides/stores.md. Nothing but the network is counted: bytes sent after bytes were heard. */
const MOST = { keyword: 8, vector: 11, hybrid: 14 } as const;

/** Sixty documents behind a proxy that counts; the library is a new one of the server. */
async function counted() {
  const folder = await mkdtemp(join(tmpdir(), 'strata-trips-'));
  await mkdir(join(folder, 'docs'));
  for (let i = 0; i < 60; i++) {
    const parts = ['Install', 'Configure', 'Operate'].map(
      (title) => `## ${title}\n\n${title} the pump number ${i} with valve ${i % 7}.\n`,
    );
    await writeFile(join(folder, 'docs', `${i}.md`), `# Pump ${i}\n\n${parts.join('\n')}`);
  }
  const proxy = await countingProxy(process.env.STRATA_TEST_POSTGRES!);
  const place = new URL(proxy.url);
  place.searchParams.set('library', randomUUID());
  place.searchParams.set('schema', 'strata_trips');
  // One connection for reads: what others do at the same time would be counted more than once.
  place.searchParams.set('pool', '2');
  const open = (options: { readonly cache?: boolean } = {}) =>
    openLibrary({ library: join(folder, '.strata'), cwd: folder, store: place.href, embedder, ...options });
  const library = await open();
  await library.add([join(folder, 'docs')]);
  await partsOf(library).backend.tidy();
  await library.close();
  onTestFinished(async () => {
    proxy.close();
    await rm(folder, { recursive: true });
  });
  return { folder, proxy, open };
}

it('B8 a search of a warm process takes a small number of round trips', async () => {
  const { proxy, open } = await counted();
  const library = await open();
  try {
    const seen: Record<string, number[]> = {};
    for (const mode of ['keyword', 'vector', 'hybrid'] as const) {
      for (const question of ['valve of the pump', 'configure valve', 'install pump', 'operate valve pump']) {
        const before = proxy.counted.trips;
        const { results } = await library.search(question, { mode });
        expect(results).toHaveLength(10);
        seen[mode] = [...(seen[mode] ?? []), proxy.counted.trips - before];
      }
    }
    // The first questions prepare statements and fetch blocks.
    const warm = Object.fromEntries(Object.entries(seen).map(([mode, trips]) => [mode, trips.at(-1)!]));
    for (const [mode, most] of Object.entries(MOST))
      expect(warm[mode], `${mode}: ${JSON.stringify(seen)}`).toBeLessThanOrEqual(most);
  } finally {
    await library.close();
  }
});

it('B8 with a cache on disk a new process takes fewer round trips from its second time on', async () => {
  const { folder, proxy, open } = await counted();
  vi.stubEnv('STRATA_CACHE', join(folder, 'cache'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const asked = async (cache: boolean) => {
    const [trips, bytes] = [proxy.counted.trips, proxy.counted.bytes];
    const library = await open({ cache });
    const { results } = await library.search('configure valve', { mode: 'keyword' });
    await library.close();
    return {
      trips: proxy.counted.trips - trips,
      bytes: proxy.counted.bytes - bytes,
      titles: results.map(({ item }) => item.title),
    };
  };
  const without = await asked(false);
  await asked(true);
  const second = await asked(true);
  expect(second.titles).toEqual(without.titles);
  expect(second.trips, `${without.trips} without`).toBeLessThanOrEqual(without.trips - 2);
  expect(second.bytes, `${without.bytes} without`).toBeLessThan(without.bytes);
  // What somebody has changed in it is asked of the server again.
  for (const file of readdirSync(join(folder, 'cache'), { recursive: true, withFileTypes: true }))
    if (file.isFile()) await writeFile(join(file.parentPath, file.name), 'something else');
  const third = await asked(true);
  expect(third.titles).toEqual(without.titles);
  expect(third.trips).toBeGreaterThan(second.trips);
});
