// One engine in a process of its own: build, or open and ask. Prints one JSON line.
//   node measure.js build|ask ENGINE FOLDER CORPUS QUERIES
import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { ENGINES } from './engines.js';

const [phase, name, folder, corpus, queriesFile] = process.argv.slice(2);
const BATCH = 32;
const megabytes = () => {
  globalThis.gc?.();
  return Math.round(process.memoryUsage().rss / 1e6);
};
const before = megabytes();
const started = performance.now();
const engine = await ENGINES[name](folder);
const report = { engine: name, phase };

if (phase === 'build' || engine.inMemory) {
  let batch = [];
  let chunks = 0;
  let busy = 0;
  const flush = async () => {
    const from = performance.now();
    await engine.add(batch);
    busy += performance.now() - from;
    batch = [];
  };
  for await (const line of createInterface({ input: createReadStream(corpus) })) {
    const write = JSON.parse(line);
    chunks += write.chunks.length;
    if (batch.push(write) === BATCH) await flush();
  }
  if (batch.length > 0) await flush();
  const from = performance.now();
  await engine.finish();
  busy += performance.now() - from;
  Object.assign(report, { chunks, build_s: busy / 1000, chunks_per_s: (chunks * 1000) / busy });
}
if (phase === 'ask' || engine.inMemory) {
  const queries = JSON.parse(readFileSync(queriesFile, 'utf8'));
  await engine.search(queries.en[0]);
  // Until the first answer, from an empty process with the engine's code loaded.
  if (!engine.inMemory) report.open_ms = performance.now() - started;
  for (const [language, list] of Object.entries(queries)) {
    const times = [];
    let found = 0;
    for (const query of list) {
      const from = performance.now();
      found += (await engine.search(query)).length;
      times.push(performance.now() - from);
    }
    times.sort((a, b) => a - b);
    const at = (share) => times[Math.floor(times.length * share)];
    report[language] = { p50_ms: at(0.5), p95_ms: at(0.95), found };
  }
  report.rss_mb = megabytes();
  report.memory_mb = report.rss_mb - before;
}
await engine.close();
console.log(JSON.stringify(report));
process.exit(0);
