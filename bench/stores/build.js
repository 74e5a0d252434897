// Builds one store from the corpus of bench/search/corpus.js, and prints what it took.
//   node build.js STORE LOCATION CORPUS.jsonl
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { chunkWords, documentWords } from '../../dist/text/words.js';
import { buildStore, diskOf } from './open-store.js';
import { wordEmbedder } from './word-embedder.js';

const [name, location, corpus] = process.argv.slice(2);
const BATCH = 32;
const backend = await buildStore(name, location);
const spent = { records: 0, vectors: 0, tidy: 0 };
const timed = async (what, run) => {
  const from = performance.now();
  const result = await run();
  spent[what] += performance.now() - from;
  return result;
};
let batch = [];
let chunks = 0;
const flush = async () => {
  const put = batch;
  batch = [];
  await timed('records', () => backend.commit({ put }));
  const entries = [];
  for (const { chunks: own } of put)
    for (const { chunk, embed_key } of own)
      entries.push({ embed_key, vector: (await wordEmbedder.embed([chunk.content]))[0] });
  const { fingerprint, dimensions } = wordEmbedder;
  await timed('vectors', () => backend.vectors.put({ fingerprint, dimensions, entries }));
};
for await (const line of createInterface({ input: createReadStream(corpus) })) {
  const write = JSON.parse(line);
  chunks += write.chunks.length;
  const own = write.chunks.map((entry) => ({ ...entry, words: chunkWords(entry.chunk) }));
  batch.push({ ...write, words: documentWords(write.document), chunks: own });
  if (batch.length === BATCH) await flush();
}
await flush();
await timed('tidy', () => backend.tidy());
await backend.close();
const seconds = Object.fromEntries(Object.entries(spent).map(([what, ms]) => [`${what}_s`, ms / 1000]));
console.log(
  JSON.stringify({ store: name, chunks, ...seconds, disk_mb: (await diskOf(name, location)) / 1e6 }),
);
process.exit(0);
