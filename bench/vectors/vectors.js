// How many of the ten nearest does the vector index find, and how fast, at 100,000 vectors of the default model?
//
//   node bench/vectors/vectors.js FOLDER… [--count 100000] [--real 10000] [--queries 200] [--vectors FILE]
//
// Paragraphs of the folders' files are embedded by the default model (`--real` of them; more take longer); beyond that
// they are repeated with noise, as in any test of size with too little data. Truth is an exact float scan. The library
// is a real SQLite file, opened anew for the first query. `--vectors FILE` keeps the embedded paragraphs for next time.
// Results: bench/results/vectors.json and .md.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sqliteBackend } from '../../dist/drivers/sqlite/backend.js';
import { openEmbedder, parseEmbedderSpec } from '../../dist/embed/open.js';
import { sampleWrite } from '../../dist/store/sample.js';
import { report } from '../embed/report.js';
import { paragraphsOf } from '../embed/texts.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '100000' },
    real: { type: 'string', default: '10000' },
    queries: { type: 'string', default: '200' },
    vectors: { type: 'string' },
  },
});
const count = Number(values.count);
const queries = Number(values.queries);
const DIMENSIONS = 896;

const real = await realVectors(Number(values.real) + queries);
const asked = real.splice(0, queries);
let seed = 7;
const random = () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32 - 0.5;
};
const vectors = Array.from({ length: count }, (_, i) =>
  i < real.length
    ? real[i]
    : real[i % real.length].map((value) => (value === 0 ? 0 : value + 0.04 * random())),
);

const folder = mkdtempSync(join(tmpdir(), 'strata-bench-'));
const path = join(folder, 'library.db');
const result = { count, embedded_texts: real.length, dimensions: DIMENSIONS, queries };
let backend = await sqliteBackend({ path });
const slotOfId = new Map();
await timed('words_s', async () => {
  for (let first = 0; first < count; first += 1000) {
    const writes = Array.from({ length: 10 }, (_, d) => document(first + d * 100));
    await backend.commit({ put: writes });
    writes.forEach((write, d) => {
      for (const [i, { chunk }] of write.chunks.entries()) slotOfId.set(chunk.id, first + d * 100 + i);
    });
  }
});
await timed('put_s', async () => {
  let next = 0;
  for (;;) {
    const texts = await backend.vectors.pending('bench', 1000);
    if (texts.length === 0) break;
    const entries = texts.map(({ embed_key }) => ({ embed_key, vector: vectors[next++] }));
    await backend.vectors.put({ fingerprint: 'bench', dimensions: DIMENSIONS, entries });
  }
});
await backend.close();
result.file_mb = statSync(path).size / 2 ** 20;

const before = process.memoryUsage.rss();
await timed('open_s', async () => {
  backend = await sqliteBackend({ path });
});
await timed('first_query_s', () => backend.vectors.near({ vector: asked[0], k: 10 }));
result.memory_mb = (process.memoryUsage.rss() - before) / 2 ** 20;

let found10 = 0;
const times = { k10: [], k100: [], filtered: [] };
for (const vector of asked) {
  const matches = await clocked('k10', () => backend.vectors.near({ vector, k: 10 }));
  await clocked('k100', () => backend.vectors.near({ vector, k: 100 }));
  await clocked('filtered', () => backend.vectors.near({ vector, k: 10, filter: { path: 'even' } }));
  const truth = new Set(exact(vector, 10));
  found10 += matches.filter(({ id }) => truth.has(slotOfId.get(id))).length;
}
// Once more without the exact scan in between, which empties the processor's cache.
times.k10.length = 0;
for (const vector of asked) await clocked('k10', () => backend.vectors.near({ vector, k: 10 }));
result.recall_at_10 = found10 / (10 * asked.length);
for (const [name, list] of Object.entries(times)) {
  list.sort((a, b) => a - b);
  result[`${name}_ms`] = { p50: list[list.length >> 1], p95: list[Math.floor(list.length * 0.95)] };
}

const [best] = await backend.vectors.near({ vector: asked[0], k: 1 });
const owner = await backend.chunk(best.id);
await backend.commit({ remove: [owner.doc_id] });
const [after] = await backend.vectors.near({ vector: asked[0], k: 1 });
result.deleted_at_once = after.id !== best.id;
await backend.close();
rmSync(folder, { recursive: true });
report('vectors', result);

function document(first) {
  const name = `${(first / 100) % 2 === 0 ? 'even' : 'odd'}/${first}.md`;
  const parts = Array.from({ length: 100 }, (_, i) => ({ heading: `S${i}`, body: `passage ${first + i}` }));
  return sampleWrite({ source: `file:${name}`, title: `D${first}`, parts });
}

function exact(query, k) {
  const top = [];
  for (const [slot, vector] of vectors.entries()) {
    let score = 0;
    for (let d = 0; d < DIMENSIONS; d++) score += query[d] * vector[d];
    if (top.length < k || score > top[k - 1].score) {
      top.push({ slot, score });
      top.sort((a, b) => b.score - a.score);
      top.length = Math.min(top.length, k);
    }
  }
  return top.map(({ slot }) => slot);
}

async function realVectors(wanted) {
  const file = values.vectors;
  if (file && existsSync(file)) {
    const bytes = readFileSync(file);
    const all = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    const kept = Math.min(wanted, all.length / DIMENSIONS);
    return Array.from({ length: kept }, (_, i) => all.slice(i * DIMENSIONS, (i + 1) * DIMENSIONS));
  }
  const texts = paragraphsOf(positionals, wanted);
  if (texts.length < wanted) console.error(`only ${texts.length} paragraphs there`);
  const embedder = await openEmbedder(parseEmbedderSpec('local', process.env));
  const made = [];
  for (let at = 0; at < texts.length; at += 500) {
    made.push(...(await embedder.embed(texts.slice(at, at + 500), 'passage')));
    process.stderr.write(`\rembedded ${made.length}`);
  }
  process.stderr.write('\n');
  await embedder.close();
  if (file) writeFileSync(file, Buffer.concat(made.map((vector) => Buffer.from(vector.buffer))));
  return made;
}

async function timed(name, work) {
  const since = performance.now();
  await work();
  result[name] = (performance.now() - since) / 1000;
}

async function clocked(name, work) {
  const since = performance.now();
  const answer = await work();
  times[name].push(performance.now() - since);
  return answer;
}
