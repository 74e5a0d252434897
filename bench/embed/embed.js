// How fast is embedding, is it right, and does a question wait for it?
//
//   node bench/embed/embed.js [FOLDER…] [--texts N]
//
// Texts of 500 characters are cut from the files of the folders (English and Chinese apart), or made up when there are
// none. Needs the default models (they are fetched when first used). Results: bench/results/embed.json and .md.
import { parseArgs } from 'node:util';
import { openEmbedder, parseEmbedderSpec } from '../../dist/embed/open.js';
import { report } from './report.js';
import { textsOf } from './texts.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { texts: { type: 'string', default: '250' }, size: { type: 'string', default: '500' } },
});
const count = Number(values.texts);
const { en, zh } = textsOf(positionals, Number(values.size), count);
const spec = parseEmbedderSpec('local', process.env);
const open = (workers) => openEmbedder(spec, { workers });
const mb = () => Math.round(process.memoryUsage.rss() / 2 ** 20);
const percentile = (times, p) =>
  times.sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * p))];

async function rate(embedder, texts) {
  await embedder.embed(texts.slice(0, 8), 'passage');
  const since = performance.now();
  await embedder.embed(texts, 'passage');
  return texts.length / ((performance.now() - since) / 1000);
}

/** Repeats keep clocks and neighbours from deciding: the best of three counts, as for any benchmark on a shared machine. */
async function best(embedder, texts) {
  const rates = [];
  for (let i = 0; i < 3; i++) rates.push(await rate(embedder, texts));
  return Math.max(...rates);
}

const result = { texts: count, characters: Number(values.size), node: process.version };

const one = await open(1);
result.one_worker = { en: await best(one, en), zh: await best(one, zh) };
await one.close();

const two = await open(2);
result.two_workers = { en: await best(two, en), zh: await best(two, zh) };
result.speedup = {
  en: result.two_workers.en / result.one_worker.en,
  zh: result.two_workers.zh / result.one_worker.zh,
};
result.rss_mb_after_all = mb();

// Together or alone, a text must have the same vector.
const mixed = [...en, ...zh].slice(0, 500);
const together = await two.embed(mixed, 'passage');
let least = 1;
for (const [i, text] of mixed.entries()) {
  const [alone] = await two.embed([text], 'passage');
  const dot = alone.reduce((sum, value, d) => sum + value * together[i][d], 0);
  const norms = Math.hypot(...alone) * Math.hypot(...together[i]);
  least = Math.min(least, dot / norms);
}
result.least_cosine_batched_to_alone = least;
result.padding_waste = 0; // One text a run: there is nothing to pad.

// A question while passages are embedded.
const questions = [...en, ...zh].map((text) => text.slice(40, 90)).slice(0, 120);
const ask = async () => {
  const times = [];
  for (const question of questions) {
    const since = performance.now();
    await two.embed([question], 'query');
    times.push(performance.now() - since);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
};
await ask();
result.question_idle_ms = await ask();
let stop = false;
const work = (async () => {
  while (!stop) await two.embed([...en, ...zh].slice(0, 64), 'passage');
})();
result.question_while_embedding_ms = await ask();
stop = true;
await work;
result.question_ratio_p95 = result.question_while_embedding_ms.p95 / result.question_idle_ms.p95;
await two.close();

report('embed', result);
