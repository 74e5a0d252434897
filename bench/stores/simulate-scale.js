// What would the word index be at a million, 10 and 100 million chunks? From the real distribution of terms.
//   node simulate-scale.js CORPUS.jsonl QUERIES.json [OUT.md]
// Counted: in how many chunks each term of the corpus stands, and how new terms appear with more chunks (Heaps' law, fitted on
// the unrepeated part). Assumed: a term's share of the chunks stays, a posting takes what it takes here (blocks and
// checksums included), the index has 6 KB blocks, and longer lists are read in such blocks as far as they are read. Every
// question reads the lists of its terms to the end: what skipping saves is left out, so the figures are upper bounds.
import { createReadStream, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseQuery } from '../../dist/text/query.js';
import { chunkWords } from '../../dist/text/words.js';
import { randomFrom } from '../search/random.js';

const [corpus, queriesFile, out] = process.argv.slice(2);
const BLOCK = 6 * 1024;
/** Blocks of the library of bench/results/stores.md: 23.6 MB for 108,735 units (chunks and documents). */
const BYTES_PER_UNIT = 217;
const UNIT_BYTES = 33;

const frequencies = new Map();
const growth = [];
let chunks = 0;
let postings = 0;
for await (const line of createInterface({ input: createReadStream(corpus) })) {
  const { document, chunks: own } = JSON.parse(line);
  // Later rounds repeat the same pages with changed words: new terms come from the first only.
  if (document.source.startsWith('file:copy')) break;
  for (const { chunk } of own) {
    chunks++;
    for (const term of new Set(chunkWords(chunk).terms)) {
      frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
      postings++;
    }
    if (chunks % 2000 === 0) growth.push([chunks, frequencies.size]);
  }
}
// vocabulary = a · chunks^b, by the two halves of what was seen.
const BYTES_PER_POSTING = BYTES_PER_UNIT / (postings / chunks);
const [n1, v1] = growth[Math.floor(growth.length / 2)];
const [n2, v2] = growth.at(-1);
const b = Math.log(v2 / v1) / Math.log(n2 / n1);
const a = v2 / n2 ** b;

const asked = Object.values(JSON.parse(readFileSync(queriesFile, 'utf8')))
  .flat()
  .map((text) => parseQuery(text).terms.map(({ term }) => term));
const random = randomFrom(11);

/** Least recently used lists go first; one that is read whole is there whole, or not. */
function hitRate(blocksOf, cacheBytes, questions) {
  const most = Math.floor(cacheBytes / BLOCK);
  const cache = new Map();
  let held = 0;
  let read = 0;
  let hits = 0;
  for (let i = 0; i < questions; i++) {
    const isWarm = i >= questions / 2;
    for (const term of asked[Math.floor(random() * asked.length)]) {
      const blocks = blocksOf(term);
      const isThere = cache.delete(term);
      cache.set(term, blocks);
      if (!isThere) held += blocks;
      for (const [oldest, size] of cache) {
        if (held <= most) break;
        cache.delete(oldest);
        held -= size;
      }
      if (!isWarm) continue;
      read += blocks;
      if (isThere) hits += blocks;
    }
  }
  return { read: read / (questions / 2), rate: hits / read, fetched: (read - hits) / (questions / 2) };
}

const rows = [];
for (const size of [1e6, 1e7, 1e8]) {
  const scale = size / chunks;
  const blocksOf = (term) =>
    Math.ceil(((frequencies.get(term) ?? 0) * scale * BYTES_PER_POSTING) / BLOCK) || 1;
  const index = (postings / chunks) * size * BYTES_PER_POSTING;
  const questions = 20_000;
  for (const cache of [64 * 2 ** 20, 2 ** 30, 8 * 2 ** 30]) {
    const { read, rate, fetched } = hitRate(blocksOf, cache, questions);
    rows.push([
      `${size / 1e6} million`,
      `${(index / 1e9).toFixed(1)} GB`,
      `${((size * UNIT_BYTES) / 1e9).toFixed(2)} GB`,
      `${((a * size ** b) / 1e6).toFixed(1)} million`,
      cache >= 2 ** 30 ? `${cache / 2 ** 30} GB` : `${cache / 2 ** 20} MB`,
      read.toFixed(0),
      `${(rate * 100).toFixed(1)} %`,
      `${((fetched * BLOCK) / 1e6).toFixed(2)} MB`,
    ]);
  }
}
const table = [
  [
    'chunks',
    'postings',
    'unit table',
    'terms',
    'cache',
    'blocks a question reads',
    'found in the cache',
    'fetched per question',
  ],
  ['---', '---:', '---:', '---:', '---:', '---:', '---:', '---:'],
  ...rows,
].map((row) => `| ${row.join(' | ')} |`);
const text = `# The word index at scale: a simulation\n\n${new Date().toISOString().slice(0, 10)}. Counted on ${chunks} chunks with ${frequencies.size} terms and ${(postings / chunks).toFixed(0)} postings each; the vocabulary grows as chunks^${b.toFixed(2)}. ${asked.length} questions of one to three words, drawn from the chunks (English, Chinese, mixed). What is counted and what is assumed: \`bench/stores/simulate-scale.js\`. No index of these sizes was built.\n\n${table.join('\n')}\n\nLists are read to their ends here, and the bench's questions have common words as often as the texts do: both are upper bounds.\n`;
console.log(text);
if (out) writeFileSync(out, text);
