import { expect, it } from 'vitest';
import { sampleWrite } from '../../store/sample.js';
import { temporaryLibrary } from './library.suite.js';

const write = (n: number, version = 0) =>
  sampleWrite({
    source: `file:${n}`,
    title: `T${n}`,
    parts: Array.from({ length: 40 }, (_, i) => ({
      heading: `H${i}`,
      body: `word${n} text${i} version${version} common`,
    })),
  });
const query = (term: string) =>
  ({ terms: [{ term, weight: 1 }], k: Number.POSITIVE_INFINITY, kind: 'chunk', scorer: 'bm25' }) as const;

it('merges segments, forgets dead units, and other handles notice', async () => {
  const library = temporaryLibrary();
  const writer = await library.open();
  const reader = await library.open();
  for (let n = 0; n < 30; n++) await writer.commit({ put: [write(n)] });
  expect(await reader.words.match(query('common'))).toHaveLength(30 * 40);
  for (let n = 0; n < 30; n++) await writer.commit({ put: [write(n, 1)] });
  const before = await reader.words.match(query('version1'));
  expect(before).toHaveLength(30 * 40);
  await writer.tidy();
  const raw = library.raw();
  const count = (sql: string) => (raw.prepare(sql).get() as { n: number }).n;
  expect(count('SELECT count(*) AS n FROM segments')).toBe(1);
  expect(count('SELECT sum(dead) AS n FROM segments')).toBe(0);
  expect(count("SELECT count(*) AS n FROM unit_pages WHERE data = x''")).toBe(0);
  expect(await reader.words.match(query('version1'))).toEqual(before);
  expect(await reader.words.match(query('version0'))).toEqual([]);
  expect(await writer.words.frequencies(['version0', 'common'])).toMatchObject({ df: [0, 30 * 41] });
  expect(await reader.check()).toEqual([]);
});

it('few segments are left by commits alone, however many there are', async () => {
  const library = temporaryLibrary();
  const backend = await library.open();
  for (let n = 0; n < 120; n++) await backend.commit({ put: [write(n % 50, n)] });
  const raw = library.raw();
  const { n } = raw.prepare('SELECT count(*) AS n FROM segments').get() as { n: number };
  expect(n).toBeLessThan(16);
  expect(await backend.check()).toEqual([]);
});

it('a merge that another process left unfinished is taken over', async () => {
  const library = temporaryLibrary();
  const backend = await library.open();
  for (let n = 0; n < 5; n++) await backend.commit({ put: [write(n)] });
  const raw = library.raw();
  raw.exec('UPDATE segments SET stage = 2');
  raw.exec("INSERT INTO segments VALUES (999, 0, 0, 9, 0, 0, 0, x'', 0)");
  raw.exec(`INSERT INTO segment_blocks VALUES (${999 * 2 ** 21}, x'00')`);
  const before = await backend.words.match(query('common'));
  expect(before).toHaveLength(200);
  await backend.tidy();
  expect(raw.prepare('SELECT count(*) AS n FROM segments WHERE stage <> 1').get()).toEqual({ n: 0 });
  expect(
    raw.prepare(`SELECT count(*) AS n FROM segment_blocks WHERE block >= ${999 * 2 ** 21}`).get(),
  ).toEqual({ n: 0 });
  expect(await backend.words.match(query('common'))).toEqual(before);
  expect(await backend.check()).toEqual([]);
});

it('a backup of a live library is a library', async () => {
  const library = temporaryLibrary();
  const backend = await library.open();
  await backend.commit({ put: [write(1), write(2)] });
  const place = `${library.path}.backup`;
  await backend.backup(place);
  await backend.commit({ remove: [write(1).document.id] });
  const copy = await library.open({ path: place });
  expect(await copy.counts()).toEqual({ documents: 2, chunks: 80 });
  expect(await copy.check()).toEqual([]);
  expect(await copy.words.match(query('word1'))).toHaveLength(40);
  await expect(backend.backup(place)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
});
