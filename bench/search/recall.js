// Is everything found that is there? On real text: node search/recall.js FOLDER… [--words 1000] [--characters 200]
// 1. Two-character words and single characters are drawn from the Chinese text of the indexed chunks; a search with
//    limit 0 must list every chunk that contains one (in its own spelling, or in the other script's).
// 2. Questions of one to three words drawn from the chunks: the index must find every chunk that SQLite's FTS5 finds
//    with the same words, and have the same ten at the top for at least 95 % of them. Equal weights: titles count like
//    text, a chunk is as long as FTS5 takes it to be, by all its terms, and a term is worth what FTS5 thinks (nothing,
//    where more than half of all chunks have it). Strata itself counts words and uses Lucene's formula for a term's
//    worth, see docs/decisions/ranking-words.md.
// Exits with 1 where either does not hold.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DatabaseSync } from '@photostructure/sqlite';
import { sqliteBackend } from '../../dist/drivers/sqlite/backend.js';
import { partsOf } from '../../dist/engine/open-library.js';
import { openLibrary } from '../../dist/index.js';
import { embedKey, indexedBody } from '../../dist/model/indexed.js';
import { bm25Idf } from '../../dist/store/index/scoring.js';
import { chunkWords, documentWords } from '../../dist/text/words.js';
import { randomFrom } from './random.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    words: { type: 'string', default: '1000' },
    characters: { type: 'string', default: '200' },
    queries: { type: 'string', default: '500' },
  },
});
if (positionals.length === 0) {
  console.error('usage: node search/recall.js FOLDER… [--words 1000] [--characters 200] [--queries 500]');
  process.exit(2);
}

const total = (counts) => counts.reduce((sum, count) => sum + count, 0);
const byTerms = (words) => ({ ...words, body_length: total(words.body), title_length: total(words.title) });

const random = randomFrom(11);
const pick = (list) => list[Math.floor(random() * list.length)];
const folder = mkdtempSync(join(tmpdir(), 'strata-recall-'));
const library = await openLibrary({ library: join(folder, '.strata'), embedder: 'none' });
const kept = partsOf(library).backend;
try {
  await library.add(positionals, { embed: false });
  const documents = await kept.documents();
  const chunks = [];
  for (const { id } of documents) chunks.push(...(await kept.chunksOf(id)));
  console.log(`${documents.length} documents, ${chunks.length} chunks`);
  const whole = await recall(chunks);
  const same = await besideFts5(documents, chunks);
  if (!whole || !same) process.exitCode = 1;
} finally {
  await library.close();
  rmSync(folder, { recursive: true, force: true });
}

async function recall(all) {
  const texts = all.map((chunk) => ({ id: chunk.id, text: indexedBody(chunk) }));
  const runs = texts.flatMap(({ text }) => text.match(/\p{Script=Han}{2,}/gu) ?? []);
  if (runs.length === 0) {
    console.log('no Chinese text: nothing to draw from');
    return true;
  }
  const draw = (length) => {
    const run = [...pick(runs)];
    const at = Math.floor(random() * (run.length - length + 1));
    return run.slice(at, at + length).join('');
  };
  const some = (count, length) => {
    const found = new Set();
    for (let tries = 0; found.size < count && tries < count * 100; tries++) found.add(draw(length));
    return [...found];
  };
  let complete = true;
  for (const [what, queries] of [
    ['two-character words', some(Number(values.words), 2)],
    ['single characters', some(Number(values.characters), 1)],
  ]) {
    let wanted = 0;
    let missed = 0;
    for (const query of queries) {
      const { results } = await library.search(query, { mode: 'keyword', limit: 0 });
      const found = new Set(
        results.flatMap(({ matched_chunks }) => matched_chunks.map(({ chunk_id }) => chunk_id)),
      );
      for (const { id, text } of texts) {
        if (!text.includes(query)) continue;
        wanted++;
        if (!found.has(id)) {
          missed++;
          if (missed <= 3) console.log(`  ${query}: not found in ${id}: ${around(text, query)}`);
        }
      }
    }
    console.log(`${queries.length} ${what}: ${wanted - missed} of ${wanted} chunks found`);
    complete &&= missed === 0;
  }
  return complete;
}

function around(text, word) {
  const at = text.indexOf(word);
  return JSON.stringify(text.slice(Math.max(0, at - 20), at + 20));
}

/** The same chunks in an index of their own, each as long as all its terms. */
async function indexByTerms(documents, all) {
  const backend = await sqliteBackend({ path: join(folder, 'terms.db') });
  const own = grouped(all);
  for (const document of documents) {
    const content = await kept.content(document.id);
    const put = (own.get(document.id) ?? []).map((chunk) => ({
      chunk: { ...chunk, section_id: null },
      embed_key: embedKey(chunk),
      words: byTerms(chunkWords(chunk)),
    }));
    await backend.commit({
      put: [{ document, sections: [], content, chunks: put, words: byTerms(documentWords(document)) }],
    });
  }
  return backend;
}

function grouped(all) {
  const groups = new Map();
  for (const chunk of all) groups.set(chunk.doc_id, [...(groups.get(chunk.doc_id) ?? []), chunk]);
  return groups;
}

async function besideFts5(documents, all) {
  const backend = await indexByTerms(documents, all);
  const encode = (term) => `x${Buffer.from(term).toString('hex')}`;
  const repeat = ({ terms }, counts) =>
    terms.flatMap((term, index) => Array(counts[index]).fill(encode(term))).join(' ');
  const oracle = new DatabaseSync(':memory:');
  oracle.exec("CREATE VIRTUAL TABLE fts USING fts5(id UNINDEXED, title, body, tokenize = 'unicode61')");
  const insert = oracle.prepare('INSERT INTO fts VALUES (?, ?, ?)');
  const vocabularies = [];
  const frequency = new Map();
  oracle.exec('BEGIN');
  for (const chunk of all) {
    const words = chunkWords(chunk);
    insert.run(chunk.id, repeat(words, words.title), repeat(words, words.body));
    vocabularies.push(words.terms);
    for (const term of words.terms) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  }
  oracle.exec('COMMIT');
  const ask = oracle.prepare('SELECT id, bm25(fts) AS score FROM fts WHERE fts MATCH ? ORDER BY score, id');
  const count = Number(values.queries);
  let complete = true;
  let same = 0;
  for (let n = 0; n < count; n++) {
    const terms = [...new Set(Array.from({ length: 1 + (n % 3) }, () => pick(pick(vocabularies))))];
    const expected = ask.all(terms.map(encode).join(' OR '));
    const found = await backend.words.match({
      terms: terms.map((term) => ({ term, weight: worth(frequency.get(term), all.length) })),
      k: Number.POSITIVE_INFINITY,
      kind: 'chunk',
      scorer: 'bm25',
      title_weight: 1,
    });
    const ids = new Set(found.map(({ id }) => id));
    const missing = expected.filter(({ id }) => !ids.has(id)).length;
    if (missing > 0) {
      complete = false;
      console.log(`  ${terms.join(' ')}: ${missing} of ${expected.length} not found`);
    }
    if (sameTop(found, expected)) same++;
  }
  oracle.close();
  await backend.close();
  console.log(
    `${count} questions beside FTS5: ${complete ? 'every chunk found' : 'chunks MISSING'}, the same ten in ${((100 * same) / count).toFixed(1)} %`,
  );
  return complete && same >= 0.95 * count;
}

/** FTS5's inverse document frequency, as a share of ours. */
function worth(frequency, count) {
  const fts5 = Math.max(1e-6, Math.log((count - frequency + 0.5) / (frequency + 0.5)));
  return fts5 / bm25Idf(count, frequency);
}

/** The same ten, where those that tie with the tenth count as the tenth. */
function sameTop(found, expected) {
  const scores = new Map(expected.map(({ id, score }) => [id, score]));
  const last = expected[Math.min(10, expected.length) - 1]?.score ?? 0;
  const ours = found.slice(0, 10);
  return (
    ours.length === Math.min(10, expected.length) &&
    ours.every(({ id }) => scores.has(id) && scores.get(id) <= last + 1e-6 * Math.abs(last))
  );
}
