// Do many updates make a LanceDB library larger or slower?
//   node lancedb-updates.js LOCATION tidy                          before and after, so that both are compacted alike
//   node lancedb-updates.js LOCATION measure QUERIES.json          seconds: on a quiet machine
//   node lancedb-updates.js LOCATION update CORPUS.jsonl UPDATES [LINE]   minutes; in parts: each says at which line the next begins
// Documents of the corpus are put again with one changed chunk each, one commit per document, with their vectors.
import { createReadStream, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { lancedbBackend } from '../../dist/drivers/lancedb/backend.js';
import { contentHash } from '../../dist/model/hash.js';
import { chunkId } from '../../dist/model/id.js';
import { embedKey } from '../../dist/model/indexed.js';
import { parseQuery } from '../../dist/text/query.js';
import { chunkWords, documentWords } from '../../dist/text/words.js';
import { diskOf } from './open-store.js';
import { wordEmbedder } from './word-embedder.js';

const [location, what, file, wanted = '500', firstLine = '0'] = process.argv.slice(2);
const backend = await lancedbBackend({ path: join(location, 'lancedb') });
const { fingerprint, dimensions } = wordEmbedder;

async function measure() {
  const questions = Object.values(JSON.parse(readFileSync(file, 'utf8'))).flatMap((list) =>
    list.slice(0, 70),
  );
  const disk_mb = (await diskOf('lancedb', location)) / 1e6;
  const times = { keyword: [], vector: [] };
  for (let round = 0; round < 2; round++)
    for (const question of questions) {
      const { terms } = parseQuery(question);
      const [vector] = await wordEmbedder.embed([question]);
      const asked = {
        keyword: () => backend.words.match({ terms, k: 10, kind: 'chunk', scorer: 'bm25' }),
        vector: () => backend.vectors.near({ vector, k: 10, fingerprint }),
      };
      for (const [what, ask] of Object.entries(asked)) {
        const from = performance.now();
        await ask();
        if (round === 1) times[what].push(performance.now() - from);
      }
    }
  const at = (list, q) => list.toSorted((a, b) => a - b)[Math.floor(list.length * q)];
  const figures = Object.fromEntries(
    Object.entries(times).map(([what, list]) => [what, { p50: at(list, 0.5), p95: at(list, 0.95) }]),
  );
  console.log(JSON.stringify({ disk_mb, ...figures, load: loadavg()[0] }));
}

/** The first chunk's last letters differ from before: a new hash, id and vector. */
function changed(write, i) {
  const [first, ...rest] = write.chunks;
  const content = `${first.chunk.content.slice(0, -6)}${String(i).padStart(6, '0')}`;
  if (content.length !== first.chunk.content.length) return null;
  const { start_position: start, end_position: end } = first.chunk;
  const text = write.content.text.slice(0, start) + content + write.content.text.slice(end);
  const hash = contentHash(content);
  const chunk_hash = first.chunk.chunk_hash.replace(first.chunk.hash, hash);
  const chunk = { ...first.chunk, content, hash, chunk_hash, id: chunkId(write.document.id, chunk_hash) };
  const summary = chunk.content.startsWith(chunk.summary) ? chunk.summary : chunk.content.slice(0, 100);
  const chunks = [{ chunk: { ...chunk, summary } }, ...rest].map(({ chunk: own }) => ({
    chunk: own,
    embed_key: embedKey(own),
    words: chunkWords(own),
  }));
  const document = { ...write.document, hash: contentHash(text) };
  return { ...write, document, content: { ...write.content, text }, chunks, words: documentWords(document) };
}

async function update() {
  let done = 0;
  let failed = 0;
  let at = 0;
  const times = [];
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (done === Number(wanted)) break;
    if (at++ < Number(firstLine)) continue;
    const write = changed(JSON.parse(line), at);
    if (write === null) continue;
    const from = performance.now();
    try {
      await backend.commit({ put: [write] });
    } catch (error) {
      // Chunks that overlap the changed one no longer match the text.
      if (failed++ > 5000) throw error;
      continue;
    }
    const { embed_key, chunk } = write.chunks[0];
    const [vector] = await wordEmbedder.embed([chunk.content]);
    await backend.vectors.put({ fingerprint, dimensions, entries: [{ embed_key, vector }] });
    times.push(performance.now() - from);
    done++;
  }
  const ms = times.toSorted((a, b) => a - b)[Math.floor(done / 2)];
  console.log(JSON.stringify({ updates: done, ms, next_line: at }));
}

await { tidy: () => backend.tidy(), measure, update }[what]();
await backend.close();
process.exit(0);
