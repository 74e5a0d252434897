// Asks one store that build.js has made, in a process of its own: p50/p95 of whole searches, memory, round trips.
//   node ask.js STORE LOCATION QUERIES.json [COUNT]
import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { partsOf } from '../../dist/engine/open-library.js';
import { openLibrary } from '../../dist/index.js';
import { parseQuery } from '../../dist/text/query.js';
import { countingProxy } from './counting-proxy.js';
import { placeAt, serverUrl } from './open-store.js';
import { wordEmbedder } from './word-embedder.js';

const [name, location, queriesFile, count = '40'] = process.argv.slice(2);
process.env.STRATA_CONFIG ??= join(location, '..', 'config');
const questions = Object.values(JSON.parse(readFileSync(queriesFile, 'utf8'))).flatMap((list) =>
  list.slice(0, Number(count)),
);
const proxy = name === 'postgres' ? await countingProxy(serverUrl()) : null;
// The proxy is another server, and the library would say so.
if (proxy) writeFileSync(join(location, 'store.json'), `${JSON.stringify({ driver: name })}\n`);
const store = proxy ? { store: placeAt(proxy.url, 'bench') } : {};
if (proxy)
  writeFileSync(
    join(location, 'store.json'),
    `${JSON.stringify({ driver: name, place: shown(store.store) })}\n`,
  );
const started = performance.now();
const library = await openLibrary({ library: location, create: false, embedder: wordEmbedder, ...store });
await library.search(questions[0], { mode: 'keyword' });
const report = { store: name, open_ms: performance.now() - started };
const at = (list, q) => list.toSorted((a, b) => a - b)[Math.floor(list.length * q)];
const { words } = partsOf(library).backend;
const asks = {
  index: async (question) => {
    const { terms } = parseQuery(question);
    await words.match({ terms, k: 10, kind: 'chunk', scorer: 'bm25' });
  },
  ...Object.fromEntries(
    ['keyword', 'vector', 'hybrid'].map((mode) => [
      mode,
      (question) => library.search(question, { mode, limit: 10 }),
    ]),
  ),
};
for (const [what, ask] of Object.entries(asks)) {
  const times = [];
  const trips = [];
  for (let round = 0; round < 2; round++)
    for (const question of questions) {
      const [before, from] = [proxy?.counted.trips ?? 0, performance.now()];
      await ask(question);
      if (round === 0) continue;
      times.push(performance.now() - from);
      if (proxy) trips.push(proxy.counted.trips - before);
    }
  report[what] = { p50: at(times, 0.5), p95: at(times, 0.95), ...(proxy && { trips: at(trips, 0.5) }) };
}
globalThis.gc?.();
report.memory_mb = process.memoryUsage().rss / 1e6;
report.load = loadavg()[0];
console.log(JSON.stringify(report));
process.exit(0);

function shown(text) {
  const url = new URL(text);
  return `postgres://${url.host}${url.pathname}?library=bench&schema=${url.searchParams.get('schema')}`;
}
