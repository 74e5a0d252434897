// One chunker over one corpus, in a process of its own (run.js starts it): speed and memory, then what became of the
// structure. Prints one line of JSON.
import { setImmediate as turn } from 'node:timers/promises';
import { CHUNKERS, SIZE } from './chunkers.js';
import { documentsOf } from './documents.js';
import { structureOf } from './oracle.js';

const [, , id, mode, ...folders] = process.argv;
const documents = documentsOf(folders);
const bytes = documents.reduce((sum, document) => sum + document.bytes.length, 0);
const chunk = await CHUNKERS[id].create();

async function pass() {
  const started = performance.now();
  let done = 0;
  let chunks = 0;
  let peak = 0;
  for (const document of documents) {
    chunks += (await chunk(document)).length;
    if (++done % 20 === 0) {
      await turn();
      peak = Math.max(peak, process.memoryUsage.rss());
    }
  }
  return { seconds: (performance.now() - started) / 1000, chunks, peak };
}

/** Passes over the corpus until this much time has gone by: compilers need some before code runs at its speed. */
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);

/** The first pass, when nothing is compiled yet, and the best of the rest: what a long run comes to. */
async function speed() {
  const first = await pass();
  let best = Infinity;
  let peak = first.peak;
  for (const started = performance.now(); performance.now() - started < SECONDS * 1000; ) {
    const one = await pass();
    best = Math.min(best, one.seconds);
    peak = Math.max(peak, one.peak);
  }
  const rate = (seconds) => bytes / 1e6 / seconds;
  return { mb_per_second: rate(best), first_pass: rate(first.seconds), rss_mb: peak / 1e6 };
}

/** Of the code blocks and tables that fit, how many are in no chunk as a whole; and what chunks look like. */
async function structure() {
  const count = { chunks: 0, characters: 0, oversize: 0, largest: 0, unheaded: 0, midSentence: 0 };
  const whole = { code: [0, 0], table: [0, 0] };
  for (const document of documents) {
    const text = document.bytes
      .toString()
      .replace(/\r\n?/g, '\n')
      .replace(/^\ufeff/, '');
    const chunks = await chunk(document);
    const { headings, whole: blocks } = structureOf(text);
    const titles = headings.map(({ title }) => title).filter((title) => title !== '');
    for (const { text: content, headed } of chunks) {
      count.chunks++;
      count.characters += content.length;
      count.largest = Math.max(count.largest, content.length);
      if (content.length > SIZE) count.oversize++;
      if (!headed && !titles.some((title) => content.includes(title))) count.unheaded++;
      if (!/[.!?。！？；:：>`|)）”」}\]-]["'*_\s]*$/.test(content)) count.midSentence++;
    }
    for (const { start, end, type } of blocks) {
      const block = text.slice(start, end).trim();
      if (block.length > SIZE) continue;
      whole[type][0]++;
      if (!chunks.some(({ text: content }) => content.includes(block))) whole[type][1]++;
    }
  }
  const part = (some, all) => (all === 0 ? 0 : some / all);
  return {
    chunks: count.chunks,
    mean_characters: count.characters / count.chunks,
    largest: count.largest,
    oversize: part(count.oversize, count.chunks),
    code_cut: part(whole.code[1], whole.code[0]),
    tables_cut: part(whole.table[1], whole.table[0]),
    without_heading: part(count.unheaded, count.chunks),
    ends_mid_sentence: part(count.midSentence, count.chunks),
  };
}

const measured = mode === 'speed' ? await speed() : await structure();
console.log(JSON.stringify({ id, documents: documents.length, megabytes: bytes / 1e6, ...measured }));
