// Vectors for all passages of a library that a measurement has built: node search/fill.js LIBRARY
import { join } from 'node:path';
import { sqliteBackend } from '../../dist/drivers/sqlite/backend.js';
import { wordVectors } from './word-vectors.js';

const backend = await sqliteBackend({ path: join(process.argv[2], 'library.db') });
const { fingerprint, dimensions } = wordVectors;
let done = 0;
for (;;) {
  const texts = await backend.vectors.pending(fingerprint, 2000);
  if (texts.length === 0) break;
  const passages = await wordVectors.embedPassages(texts.map(({ text }) => text));
  const entries = passages.map((passage, at) => ({ ...passage, embed_key: texts[at].embed_key }));
  await backend.vectors.put({ fingerprint, dimensions, entries });
  done += texts.length;
  if (done % 50_000 < 2000) console.log(done);
}
await backend.close();
console.log(JSON.stringify({ vectors: done }));
