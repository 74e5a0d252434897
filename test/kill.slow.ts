import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { DRIVERS, lastDone, start, steps, temporaryFolder, times } from './torture/torture.js';

const KILLS = times('STRATA_KILLS', 60);

/**
 * One library, one writer after the other, each killed at a random moment: while opening, adding, replacing, removing,
 * renaming, storing vectors or merging. After each, the next open must find the state after the writer's last finished
 * step, or after the one it was in: nothing between, nothing lost, nothing left behind.
 */
describe.each(DRIVERS)('kill -9, %s', (driver) => {
  it(`S1.2 after ${KILLS} kills at random moments every document is wholly there or wholly absent`, async () => {
    const { openStore, take, contentsOf, disagreements } = await steps();
    const folder = temporaryFolder();
    const seed = process.env.STRATA_SEED ?? `${driver} ${Date.now()}`;
    const model = await openStore('memory', folder);
    let next = 0;
    let inFlight = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const writer = start('writer.js', [driver, folder, seed, String(next)]);
      // Every tenth is killed while it starts and opens; the others at work.
      if (kill % 10 === 9) await sleep(40 + Math.random() * 150);
      else {
        await writer.said('open');
        await sleep(Math.random() * 300);
      }
      writer.process.kill('SIGKILL');
      const { stderr } = await writer.ended;
      expect(
        writer.lines.filter((line) => line.startsWith('error')),
        `seed ${seed}, kill ${kill}: ${stderr}`,
      ).toEqual([]);

      const done = lastDone(writer.lines, next - 1);
      for (; next <= done; next++) await take(model, seed, next);
      const store = await openStore(driver, folder);
      const found = await contentsOf(store);
      if (found !== (await contentsOf(model))) {
        // The step it was killed in may have been committed already.
        await take(model, seed, next);
        next++;
        inFlight++;
        expect(found, `seed ${seed}, kill ${kill}, step ${next - 1}`).toBe(await contentsOf(model));
      }
      expect(await disagreements(store), `seed ${seed}, kill ${kill}`).toEqual([]);
      await store.close();
      const left = readdirSync(folder).filter((name) => name.startsWith('.temp-'));
      expect(left).toEqual([]);
    }
    console.log(
      `${driver}: ${KILLS} kills, ${next} steps, ${inFlight} found committed though not yet reported`,
    );
    expect(next).toBeGreaterThan(KILLS);
  });
});
