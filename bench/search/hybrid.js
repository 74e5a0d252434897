// What fusing costs: node search/hybrid.js LIBRARY QUERIES.jsonl [--count 300]
// Each question is asked by words, by meaning and both together, in one process on an open library with all its vectors.
// Hybrid may take what the two channels and the question's embedding take, and 2 ms. Exits with 1 where it takes more.
// `strata eval … --library DIR` leaves such a library in DIR/<set>.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openLibrary } from '../../dist/index.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string', default: '300' } },
});
const [location, file] = positionals;
if (file === undefined) {
  console.error('usage: node search/hybrid.js LIBRARY QUERIES.jsonl [--count 300]');
  process.exit(2);
}
const questions = readFileSync(file, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line))
  .map(({ text, query, question }) => text ?? query ?? question)
  .slice(0, Number(values.count));

const library = await openLibrary({ library: location, create: false });
const embedder = await library.embedder();
if (embedder === null) throw new Error('the library has no model');
const middle = (times, part) => times.sort((a, b) => a - b)[Math.floor(times.length * part)];
const took = async (run) => {
  const started = performance.now();
  await run();
  return performance.now() - started;
};
const times = { embedding: [], keyword: [], vector: [], hybrid: [], again: [] };
try {
  // The first questions load the model and the index.
  for (const mode of ['keyword', 'vector', 'hybrid']) await library.search('warm up', { mode });
  for (const [n, question] of questions.entries()) {
    times.keyword.push(await took(() => library.search(question, { mode: 'keyword' })));
    // Each question is new to hybrid; asked by meaning afterwards, its embedding is remembered.
    times.hybrid.push(await took(() => library.search(question, { mode: 'hybrid' })));
    times.vector.push(await took(() => library.search(question, { mode: 'vector' })));
    times.again.push(await took(() => library.search(question, { mode: 'hybrid' })));
    // Other words of the same length, so that nothing is remembered.
    const other = `${question} ${n}`;
    times.embedding.push(await took(() => embedder.embed([other], 'query')));
  }
} finally {
  await library.close();
}
const p50 = Object.fromEntries(Object.entries(times).map(([what, list]) => [what, middle(list, 0.5)]));
const p95 = Object.fromEntries(Object.entries(times).map(([what, list]) => [what, middle(list, 0.95)]));
for (const what of Object.keys(times))
  console.log(`${what.padEnd(10)} p50 ${p50[what].toFixed(2)} ms, p95 ${p95[what].toFixed(2)} ms`);
const allowed = p50.keyword + p50.vector + p50.embedding + 2;
console.log(`hybrid ${p50.hybrid.toFixed(2)} ms of ${allowed.toFixed(2)} allowed`);
if (p50.hybrid > allowed) process.exitCode = 1;
