import { statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { temporaryLibrary } from '../library.suite.js';
import { filledCopy, flipAndUse, type Outcome } from './damage.suite.js';

const FLIPS = Number(process.env.STRATA_FLIPS ?? 300);

it(`${FLIPS} random bit flips: nothing wrong is served, nothing crashes, everything is found or rebuilt`, async () => {
  const library = temporaryLibrary();
  const { original, written } = await filledCopy(library);
  const bits = statSync(original).size * 8;
  const outcomes: Record<Outcome, number> = { refused: 0, harmless: 0, repaired: 0, salvaged: 0 };
  for (let i = 0; i < FLIPS; i++) {
    const bit = Math.floor(Math.random() * bits);
    try {
      outcomes[await flipAndUse(original, library.path, bit, written)]++;
    } catch (error) {
      throw new Error(`bit ${bit} of ${bits}`, { cause: error });
    }
  }
  // Only the header and the schema, one page of some dozens, are beyond opening; most flips hit something that counts.
  expect(outcomes.refused, JSON.stringify(outcomes)).toBeLessThan(FLIPS / 10);
  expect(outcomes.repaired + outcomes.salvaged, JSON.stringify(outcomes)).toBeGreaterThan(FLIPS / 4);
});
