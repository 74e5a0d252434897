import { renameSync, rmSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { folder } from './strata.js';
import { held, onDisk, until, watching } from './watching.js';

describe('strata watch under load', () => {
  it.each([7, 8, 9])(
    '1,000 changes in 10 s end in the right state (seed %i)',
    { timeout: 180_000 },
    async (start_seed) => {
      const here = folder({ 'docs/keep.txt': 'Kept.' });
      const watch = await watching(here);
      let seed = start_seed;
      const random = (below: number): number => {
        seed = (seed * 1103515245 + 12345) % 2147483648;
        return seed % below;
      };
      const start = Date.now();
      for (let change = 0; change < 1000; change++) {
        const path = join(here.path, `docs/f${random(8)}/file${random(25)}.txt`);
        const kind = random(10);
        try {
          if (kind < 6) here.write({ [path.slice(here.path.length + 1)]: `Words number ${change}.` });
          else if (kind < 8) unlinkSync(path);
          else if (kind < 9) renameSync(path, `${path.slice(0, -4)}-${change}.txt`);
          else rmSync(join(path, '..'), { recursive: true });
        } catch {
          // Nothing there to delete or move.
        }
        const early = change * 10 - (Date.now() - start);
        if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
      }
      const wanted = onDisk(here);
      let last: Record<string, string> = {};
      await until('the right state', async () => {
        last = await held(here);
        return isDeepStrictEqual(last, wanted);
      }).catch((error) => {
        // What differs is the first thing to know.
        expect(last).toEqual(wanted);
        throw error;
      });
      expect((await watch.stop()).code).toBe(0);
      expect(await held(here)).toEqual(wanted);
    },
  );
});
