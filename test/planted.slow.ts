import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** `STRATA_PLANTS=5000` for the full number. */
const RUNS = process.env.STRATA_PLANTS ?? '300';
const HARNESS = fileURLToPath(new URL('torture/plant.js', import.meta.url));

it('B15 no mutated library reaches anything outside its folder', async () => {
  const seed = String(Date.now() % 100_000);
  const { stdout } = await promisify(execFile)(process.execPath, [HARNESS, RUNS, seed]);
  expect(JSON.parse(stdout)).toMatchObject({ runs: Number(RUNS), strange: {}, escapes: [] });
});
