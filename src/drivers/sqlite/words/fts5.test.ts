import { DatabaseSync } from '@photostructure/sqlite';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { UnitWords } from '../../../model/words.js';
import { sampleWrite } from '../../../store/sample.js';
import { temporaryLibrary } from '../library.suite.js';

/** A term as FTS5's own tokenizer keeps it whole. */
const encode = (term: string): string => `x${Buffer.from(term).toString('hex')}`;
const repeat = ({ terms }: UnitWords, counts: readonly number[]): string =>
  terms.flatMap((term, i) => Array<string>(counts[i]!).fill(encode(term))).join(' ');

/** Words as they come in texts: few are frequent, most are rare. */
const VOCABULARY = Array.from({ length: 400 }, (_, i) => (i % 3 === 0 ? `词${i}` : `word${i}`));
const word = fc
  .double({ min: 0, max: 0.999, noNaN: true })
  .map((x) => VOCABULARY[Math.floor(VOCABULARY.length * x ** 3)]!);

it('finds what FTS5 finds, and ranks it the same', async () => {
  const library = temporaryLibrary();
  const backend = await library.open();
  const oracle = new DatabaseSync(':memory:');
  oracle.exec("CREATE VIRTUAL TABLE fts USING fts5(id UNINDEXED, title, body, tokenize = 'unicode61')");
  const insert = oracle.prepare('INSERT INTO fts VALUES (?, ?, ?)');
  const bodies = fc.sample(fc.array(word, { minLength: 5, maxLength: 60 }), { numRuns: 600, seed: 42 });
  for (let d = 0; d < 100; d++) {
    const parts = bodies
      .slice(d * 6, d * 6 + 6)
      .map((words, i) => ({ heading: `h${i} ${words[0]}`, body: words.join(' ') }));
    const write = sampleWrite({ source: `file:${d}`, title: `t${d}`, parts });
    await backend.commit({ put: [write] });
    if (d % 10 === 0) continue;
    for (const { chunk, words } of write.chunks)
      insert.run(chunk.id, repeat(words, words.title), repeat(words, words.body));
  }
  // One in ten is removed again: both must forget it.
  const removed = (await backend.documents()).filter(({ title }) => Number(title.slice(1)) % 10 === 0);
  await backend.commit({ remove: removed.map(({ id }) => id) });

  const queries = fc.sample(fc.uniqueArray(word, { minLength: 1, maxLength: 3 }), { numRuns: 300, seed: 7 });
  const ask = oracle.prepare('SELECT id, bm25(fts) AS score FROM fts WHERE fts MATCH ? ORDER BY score, id');
  let same = 0;
  for (const words of queries) {
    const expected = ask.all(words.map(encode).join(' OR ')) as { id: string; score: number }[];
    const terms = words.map((term) => ({ term, weight: 1 }));
    const found = await backend.words.match({
      terms,
      k: Number.POSITIVE_INFINITY,
      kind: 'chunk',
      scorer: 'bm25',
      title_weight: 1,
    });
    expect(found.map(({ id }) => id).sort()).toEqual(expected.map(({ id }) => id).sort());
    const best = (ids: readonly { id: string }[]) =>
      ids
        .slice(0, 10)
        .map(({ id }) => id)
        .sort()
        .join();
    if (best(found) === best(expected)) same++;
  }
  expect(same / queries.length).toBeGreaterThanOrEqual(0.95);
  oracle.close();
});
