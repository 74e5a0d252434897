import type { ChildProcess } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { folder, guide } from './strata.js';
import { DRIVERS, lastDone, seedOf, start, steps, temporaryFolder, times } from './torture/torture.js';

const KILLS = times('STRATA_KILLS', 60);

/**
 * One library, one writer after the other, each killed at a random moment: while opening, adding, replacing, removing,
 * renaming, storing vectors or merging. After each, the next open must find the state after the writer's last finished
 * step, or after the one it was in: nothing between, nothing lost, nothing left behind.
 */
describe.each(DRIVERS)('kill -9, %s', (driver) => {
  it(`S1.2 after ${KILLS} kills at random moments every document is wholly there or wholly absent`, async () => {
    const { openStore, take, contentsOf, disagreements, chance } = await steps();
    const folder = temporaryFolder();
    const seed = seedOf(driver);
    const pick = chance(seed, 'moments');
    const model = await openStore('memory', folder);
    let next = 0;
    let inFlight = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const writer = start('writer.js', [driver, folder, seed, String(next)]);
      // Every tenth is killed while it starts and opens; the others at work.
      if (kill % 10 === 9) await sleep(40 + pick(150));
      else {
        await writer.said('open');
        await sleep(pick(400));
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
    expect(next).toBeGreaterThan(KILLS / 4);
  });
});

/** The program as people run it: a folder is added, and the machine is switched off again and again. */
describe.each(DRIVERS)('strata add is killed, kept by %s', (store) => {
  it('S1.2 the next run goes on, and all is well', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 80 }, (_, i) => [
        `doc-${i}.md`,
        guide(`Document ${i}`, `Topic${i}`, 'Shared', `Other${i}`),
      ]),
    );
    const here = folder(files);
    for (let kill = 0; kill < 8; kill++) {
      const killed = (child: ChildProcess) =>
        void setTimeout(() => child.kill('SIGKILL'), 300 + Math.random() * 700);
      await here.run(['add', '.', '--store', store, '--quiet'], { onStart: killed });
      const opened = await here.strata('doctor');
      // Killed before there was a library: nothing to open yet.
      if (!opened.stderr.includes('there is no library'))
        expect(opened).toMatchObject({ code: 0, stderr: '' });
    }
    expect(await here.strata('add', '.', '--store', store)).toMatchObject({ code: 0 });
    expect((await here.strata('list', '--json')).json<{ documents: unknown[] }>().documents).toHaveLength(80);
    expect((await here.strata('search', 'Topic37', '--json')).stdout).toContain('doc-37.md');
    expect(await here.strata('doctor')).toMatchObject({ code: 0, stdout: 'All is well.\n' });
    expect((await here.strata('add', '.', '--json')).json()).toMatchObject({
      added: 0,
      changed: 0,
      unchanged: 80,
    });
  });
});
