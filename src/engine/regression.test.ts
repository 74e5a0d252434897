import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { evaluate } from './evaluate/evaluate.js';

const set = (name: string): string =>
  fileURLToPath(new URL(`../../test/fixtures/eval/${name}`, import.meta.url));

/**
 * Floors, a few hundredths below what was measured: a change that makes search worse in English, Chinese (both
 * scripts) or mixed technical text fails here. They need no model; docs/decisions/ has the large sets.
 */
const FLOORS = [
  { name: 'handbook', keyword: 0.95, tfidf: 0.95 },
  { name: 'zhidu', keyword: 0.97, tfidf: 0.97 },
  { name: 'manual', keyword: 0.97, tfidf: 0.97 },
] as const;

it.each(FLOORS)('B7 quality does not fall: $name', async ({ name, ...floors }) => {
  const rows = await evaluate([set(name)], { modes: ['keyword', 'tfidf'], library: { embedder: 'none' } });
  expect(rows).toHaveLength(2);
  for (const { mode, ndcg_10 } of rows) {
    expect(ndcg_10).toBeGreaterThanOrEqual(floors[mode as 'keyword' | 'tfidf']);
  }
});
