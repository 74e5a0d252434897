// One library through every store: SQLite → PostgreSQL → LanceDB → JSON → SQLite, killed at random moments and continued.
//   STRATA_POSTGRES_URL=… node move-chain.js DOCS.jsonl QUERIES.jsonl [--kills 20] [--documents 500] [--library DIR] [--out FILE.md]
// After each move: the same ids, contents and canonical vectors (one hash over all), the same answers by words, and hybrid
// search as good as before (the right document among the first ten). Vectors are the bench's word vectors, or those of a
// library that has some (as `strata eval` leaves them with --library): a copy of it is moved.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { partsOf } from '../../dist/engine/open-library.js';
import { openLibrary } from '../../dist/index.js';
import { wordEmbedder } from './word-embedder.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kills: { type: 'string', default: '20' },
    documents: { type: 'string', default: '100000' },
    questions: { type: 'string', default: '300' },
    library: { type: 'string' },
    out: { type: 'string' },
  },
});
const linesOf = (file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const work = mkdtempSync(join(tmpdir(), 'strata-chain-'));
process.env.STRATA_CONFIG = join(work, 'config');
const all = linesOf(positionals[0]);
const share = Math.max(1, Math.floor(all.length / Number(values.documents)));
const documents = all.filter((_, i) => i % share === 0).slice(0, Number(values.documents));
const known = new Set(documents.map(({ _id }) => _id));
const questions = linesOf(positionals[1]).filter(({ article_id }) => known.has(article_id));
const step = Math.max(1, Math.floor(questions.length / Number(values.questions)));
const asked = questions.filter((_, i) => i % step === 0).slice(0, Number(values.questions));
const embedder = values.library === undefined ? { embedder: wordEmbedder } : {};
const open = () => openLibrary({ library: join(work, '.strata'), cwd: work, ...embedder });

/** Everything a library holds, in one hash. */
async function digestOf({ backend }, dimensions) {
  const hash = createHash('sha256');
  let vectors = 0;
  for (const { id, source } of await backend.documents()) {
    const chunks = await backend.chunksOf(id);
    const stored = await backend.vectors.stored(chunks.map((chunk) => chunk.id));
    hash.update(`${id} ${source} ${(await backend.content(id)).text}`);
    for (const { id: own, content, hash: digest } of chunks) {
      const { embed_key, vector } = stored.get(own);
      hash.update(`${own} ${digest} ${embed_key} ${content}`);
      if (vector === null) continue;
      vectors++;
      hash.update(`${vector.scale}`).update(vector.codes.subarray(0, dimensions));
    }
  }
  return { digest: hash.digest('hex').slice(0, 16), vectors };
}

async function answersOf(library) {
  const found = { keyword: [], hybrid: [] };
  let hits = 0;
  for (const { text, article_id } of asked)
    for (const mode of ['keyword', 'hybrid']) {
      const { results } = await library.search(text, { mode, limit: 10 });
      found[mode].push(results.map(({ item }) => item.id).join());
      if (mode === 'hybrid' && results.some(({ item }) => isOf(item, article_id))) hits++;
    }
  return { ...found, hit: (100 * hits) / asked.length };
}
const nameOf = (id) => id.replace(/[^\w-]/g, '_');

async function stateOf() {
  const library = await open();
  try {
    const parts = partsOf(library);
    const { driver } = parts.backend;
    const { dimensions, model } = (await library.status()).vectors;
    return { driver, model, ...(await digestOf(parts, dimensions)), ...(await answersOf(library)) };
  } finally {
    await library.close();
  }
}

const move = (to) =>
  spawn(
    process.execPath,
    [join(import.meta.dirname, '../../dist/serve/main.js'), 'move', '--to', to, '--switch', '--quiet'],
    {
      cwd: work,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );

const isOf = ({ source_path }, id) => source_path.endsWith(`/${id}`) || source_path.includes(nameOf(id));

if (values.library !== undefined) cpSync(values.library, join(work, '.strata'), { recursive: true });
else {
  mkdirSync(join(work, 'docs'));
  for (const { _id, title, text } of documents)
    writeFileSync(join(work, 'docs', `${nameOf(_id)}.md`), `# ${title}\n\n${text}\n`);
}
const made = await open();
if (values.library === undefined) await made.add([join(work, 'docs')], { cwd: work });
const { chunks } = await made.status();
await made.close();
const first = await stateOf();
console.error(
  JSON.stringify({ documents: documents.length, chunks, vectors: first.vectors, hit: first.hit }),
);

const hops = [
  'postgres',
  `lancedb:${join(work, 'lance')}`,
  `json:${join(work, 'json')}`,
  `sqlite:${join(work, 'back.db')}`,
];
const rows = [];
let span = 20_000;
for (const [i, to] of hops.entries()) {
  const kills =
    Math.floor(((i + 1) * Number(values.kills)) / hops.length) -
    Math.floor((i * Number(values.kills)) / hops.length);
  let killed = 0;
  const from = performance.now();
  while (killed < kills) {
    const child = move(to);
    const exit = once(child, 'exit');
    const ended = await Promise.race([
      exit.then(() => true),
      sleep(500 + Math.random() * span).then(() => false),
    ]);
    if (ended) {
      // It was done before the blow; the rest must hit earlier.
      span = Math.max(1000, span / 2);
      if (child.exitCode !== 0) throw new Error(`move to ${to} failed`);
      break;
    }
    child.kill('SIGKILL');
    await exit;
    killed++;
  }
  const last = move(to);
  const [code] = await once(last, 'exit');
  const took = (performance.now() - from) / 1000;
  const now = await stateOf();
  // A blow after the switch leaves nothing to move, and the last command says so.
  if (code !== 0 && !to.startsWith(now.driver)) throw new Error(`move to ${to} failed`);
  const same = (mode) => (100 * now[mode].filter((one, n) => one === first[mode][n]).length) / asked.length;
  rows.push([
    now.driver,
    took.toFixed(0),
    killed,
    now.digest === first.digest ? 'equal' : 'DIFFERENT',
    `${now.vectors} of ${chunks}`,
    `${same('keyword').toFixed(1)} %`,
    `${same('hybrid').toFixed(1)} %`,
    `${now.hit.toFixed(1)} (${first.hit.toFixed(1)} before)`,
  ]);
  console.error(JSON.stringify(rows.at(-1)));
}
const table = [
  [
    'moved to',
    's, with what was killed',
    'kills',
    'ids, contents, vectors',
    'vectors',
    'same top ten, keyword',
    'same top ten, hybrid',
    'hybrid hit@10, points',
  ],
  ['---', '---:', '---:', '---', '---:', '---:', '---:', '---'],
  ...rows,
].map((row) => `| ${row.join(' | ')} |`);
const text = `# Moving a library through every store\n\n${new Date().toISOString().slice(0, 10)}, 2 cores, Node ${process.version}, load ${loadavg()[0].toFixed(1)}. ${documents.length} documents, ${chunks} passages, ${asked.length} questions; vectors: ${first.model}${values.library === undefined ? " (the bench's own word vectors, not a model's)" : ''}.\n\n${table.join('\n')}\n`;
console.log(text);
if (values.out) writeFileSync(values.out, text);
rmSync(work, { recursive: true, force: true });
process.exit(rows.every((row) => row[3] === 'equal') ? 0 : 1);
