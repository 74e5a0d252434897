import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Child, DRIVERS, percentile, start, steps, temporaryFolder, times } from './torture/torture.js';

const SECONDS = times('STRATA_CROWD_SECONDS', 12);

const said = (children: readonly Child[], word: string): string[] =>
  children
    .flatMap(({ lines }) => lines)
    .filter((line) => line.startsWith(`${word} `))
    .map((line) => line.slice(word.length + 1));

/** B6: two processes add and replace, one removes, four search, all on one library. */
describe.each(DRIVERS)('many processes, %s', (driver) => {
  it(`B6 for ${SECONDS} s: no error, no lost document, no search that sees half of one`, async () => {
    const location = join(temporaryFolder(), 'library');
    const run = (role: string, name: string, seconds: number) =>
      start('crowd.js', [role, location, driver, name, String(seconds)]);
    const all = async (children: readonly Child[]) => {
      for (const child of children) {
        const { code, signal, stderr } = await child.ended;
        expect({ code, signal, stderr, last: child.lines.at(-1) }).toEqual({
          code: 0,
          signal: null,
          stderr: '',
          last: 'closed',
        });
      }
      return children;
    };
    const searchers = (seconds: number) => ['a', 'b', 'c', 'd'].map((name) => run('search', name, seconds));
    await all([run('setup', 's', 0)]);
    const idle = said(await all(searchers(Math.max(3, SECONDS / 4))), 'took').map(Number);
    const writers = [run('add', 'x', SECONDS), run('add', 'y', SECONDS), run('remove', 'z', SECONDS)];
    const readers = searchers(SECONDS);
    await all([...writers, ...readers]);

    expect(said([...writers, ...readers], 'WRONG')).toEqual([]);
    const busy = said(readers, 'took').map(Number);
    const [added, removed, replaced] = ['added', 'removed', 'replaced'].map((word) =>
      said(writers, word),
    ) as [string[], string[], string[]];

    const { openStore, disagreements } = await steps();
    const store = await openStore(driver, driver === 'json' ? join(location, 'json') : location, {
      own: false,
    });
    const there = new Set(
      (await store.documents()).map((document) => (document as unknown as { source: string }).source),
    );
    const expected = new Set(added.filter((source) => !removed.includes(source)));
    for (let i = 0; i < 12; i++) expected.add(`note:stable${i}`);
    expect([...there].sort()).toEqual([...expected].sort());
    expect(await disagreements(store)).toEqual([]);
    await store.close();

    const p95 = { idle: percentile(idle, 0.95), busy: percentile(busy, 0.95) };
    console.log(
      `${driver}: ${added.length} added, ${replaced.length} replaced, ${removed.length} removed, ${busy.length} searches; ` +
        `search p50 ${percentile(idle, 0.5).toFixed(1)} → ${percentile(busy, 0.5).toFixed(1)} ms, ` +
        `p95 ${p95.idle.toFixed(1)} → ${p95.busy.toFixed(1)} ms (× ${(p95.busy / p95.idle).toFixed(2)})`,
    );
    expect(added.length).toBeGreaterThan(0);
    expect(removed.length).toBeGreaterThan(0);
    expect(replaced.length).toBeGreaterThan(0);
  });
});
