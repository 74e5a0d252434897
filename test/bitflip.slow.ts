import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DRIVERS, seedOf, start, steps, temporaryFolder, times } from './torture/torture.js';

const FLIPS = times('STRATA_FLIPS', 150);

interface Flip {
  readonly where: string;
  readonly wrong: readonly string[];
  readonly errors?: readonly string[];
  /** Whether anybody noticed. */
  readonly found?: boolean;
  readonly served?: number;
  /** What is served after `doctor --fix`, if nothing is wrong any more. */
  readonly repaired?: number | false;
}

/** One bit anywhere in any file of a library: nothing wrong is ever served, and nothing dies without a word. */
describe.each(DRIVERS)('bit flips, %s', (driver) => {
  it(`S1.3 ${FLIPS} random bit flips: no content fails its hash, no crash without a message`, async () => {
    const { openStore, take, disagreements } = await steps();
    const folder = temporaryFolder();
    const pristine = join(folder, 'pristine');
    const seed = seedOf(driver);
    const store = await openStore(driver, pristine);
    for (let n = 0; n < 60; n++) await take(store, 'pristine', n);
    expect(await disagreements(store)).toEqual([]);
    await store.close();

    const runner = start('flip.js', [driver, pristine, join(folder, 'work'), seed, '0', String(FLIPS)]);
    const { code, signal, stderr } = await runner.ended;
    const flips = runner.lines
      .filter((line) => line.startsWith('flip '))
      .map((line) => JSON.parse(line.slice(line.indexOf('{'))) as Flip);
    expect(
      { code, signal, stderr, last: runner.lines.at(-1) },
      `seed ${seed}, after ${flips.length} flips`,
    ).toEqual({
      code: 0,
      signal: null,
      stderr: '',
      last: 'closed',
    });
    const wrong = flips.filter((flip) => flip.wrong.length > 0);
    expect(wrong.slice(0, 5), `seed ${seed}`).toEqual([]);

    const count = (test: (flip: Flip) => unknown): number => flips.filter(test).length;
    const most = Math.max(...flips.map(({ served = 0 }) => served));
    console.log(
      `${driver}: ${flips.length} flips, ${count(({ found }) => found)} noticed, ` +
        `${count(({ served }) => served === most)} of them cost nothing, ` +
        `${count(({ repaired }) => repaired === most)} whole again after doctor --fix, ` +
        `${count(({ repaired }) => repaired !== false && repaired !== most)} whole with something set aside, ` +
        `${count(({ repaired }) => repaired === false)} reported only`,
    );
    // Not every bit means something (free pages, white space), but one that costs a document must be noticed.
    expect(flips.filter(({ served, found }) => served !== most && !found)).toEqual([]);
  });
});
