// One library through every store: SQLite → PostgreSQL → LanceDB → JSON → SQLite, killed at random moments and continued.
//   STRATA_POSTGRES_URL=… node move-chain.js WORK DOCS.jsonl QUERIES.jsonl [--kills 20] [--documents 500] [--library DIR]
//     [--questions 300] [--minutes 8] [--out FILE.md]
// How far it has come is kept in WORK: after so many minutes it ends with code 3, and the same command goes on.
// After each move: the same ids, contents and canonical vectors (one hash over all), the same answers by words, and hybrid
// search as good as before (the right document among the first ten). Vectors are the bench's word vectors, or those of a
// library that has some (as `strata eval` leaves them with --library): a copy of it is moved.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
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
    minutes: { type: 'string', default: '8' },
    library: { type: 'string' },
    out: { type: 'string' },
  },
});
const deadline = performance.now() + Number(values.minutes) * 60_000;
const linesOf = (file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const work = resolve(positionals[0]);
mkdirSync(work, { recursive: true });
process.env.STRATA_CONFIG = join(work, 'config');
const all = linesOf(positionals[1]);
const share = Math.max(1, Math.floor(all.length / Number(values.documents)));
const documents = all.filter((_, i) => i % share === 0).slice(0, Number(values.documents));
const known = new Set(documents.map(({ _id }) => _id));
const questions = linesOf(positionals[2]).filter(({ article_id }) => known.has(article_id));
const step = Math.max(1, Math.floor(questions.length / Number(values.questions)));
const asked = questions.filter((_, i) => i % step === 0).slice(0, Number(values.questions));
const embedder = values.library === undefined ? { embedder: wordEmbedder } : {};
const open = () => openLibrary({ library: join(work, '.strata'), cwd: work, ...embedder });
const nameOf = (id) => id.replace(/[^\w-]/g, '_');
const isOf = ({ source_path }, id) => source_path.endsWith(`/${id}`) || source_path.includes(nameOf(id));
const hops = [
  'postgres',
  `lancedb:${join(work, 'lance')}`,
  `json:${join(work, 'json')}`,
  `sqlite:${join(work, 'back.db')}`,
];

/** How far it has come; written whole, or not at all. */
const stateFile = join(work, 'chain.json');
const progress = existsSync(stateFile)
  ? JSON.parse(readFileSync(stateFile, 'utf8'))
  : { first: null, rows: [], killed: 0, seconds: 0, span: 20_000 };
function keep() {
  writeFileSync(`${stateFile}.new`, JSON.stringify(progress));
  renameSync(`${stateFile}.new`, stateFile);
}
function stopWhenLate() {
  keep();
  if (performance.now() < deadline) return;
  console.error(`${progress.rows.length} of ${hops.length} moves done; the same command goes on.`);
  process.exit(3);
}

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
      // Some stores leave out zeros at the end.
      for (const { scale, codes } of [vector, ...(vector.parts ?? [])])
        hash.update(
          `${scale} ${codes
            .slice(0, dimensions)
            .join()
            .replace(/(,0)+$/, '')}`,
        );
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

async function stateOf() {
  const library = await open();
  try {
    const parts = partsOf(library);
    const { driver } = parts.backend;
    const { chunks, vectors } = await library.status();
    const { dimensions, model } = vectors;
    return { driver, model, chunks, ...(await digestOf(parts, dimensions)), ...(await answersOf(library)) };
  } finally {
    await library.close();
  }
}

/** The command itself; how it ended, or null when it was still at work after `most_ms` and got `signal`. */
async function move(to, flags, most_ms, signal) {
  const main = join(import.meta.dirname, '../../dist/serve/main.js');
  const child = spawn(process.execPath, [main, 'move', '--to', to, '--quiet', ...flags], {
    cwd: work,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exit = once(child, 'exit');
  const late = new AbortController();
  const ended = await Promise.race([
    exit.then(([code]) => code),
    sleep(most_ms, null, { signal: late.signal }).catch(() => null),
  ]);
  late.abort();
  if (ended !== null) return ended;
  child.kill(signal);
  await exit;
  return null;
}

/** Without `--switch`: a move that is done before the blow can be done again, and compares all of it. */
async function killSome(to, wanted) {
  while (progress.killed < wanted) {
    stopWhenLate();
    const from = performance.now();
    const code = await move(to, [], 300 + Math.random() * progress.span, 'SIGKILL');
    const took = performance.now() - from;
    progress.seconds += took / 1000;
    if (code === null) progress.killed++;
    else if (code !== 0) throw new Error(`move to ${to} failed`);
    else progress.span = Math.max(1000, took * 0.9);
  }
}

async function prepare() {
  if (values.library !== undefined) cpSync(values.library, join(work, '.strata'), { recursive: true });
  else {
    mkdirSync(join(work, 'docs'), { recursive: true });
    for (const { _id, title, text } of documents)
      writeFileSync(join(work, 'docs', `${nameOf(_id)}.md`), `# ${title}\n\n${text}\n`);
    const library = await open();
    await library.add([join(work, 'docs')], { cwd: work });
    await library.close();
  }
  progress.first = await stateOf();
}

if (progress.first === null) await prepare();
const { first } = progress;
while (progress.rows.length < hops.length) {
  const i = progress.rows.length;
  const to = hops[i];
  const share = (n) => Math.floor((n * Number(values.kills)) / hops.length);
  await killSome(to, share(i + 1) - share(i));
  stopWhenLate();
  const from = performance.now();
  // Another store may have been switched to by a call that ended before it had looked at the result.
  const code = progress.moved ? 0 : await move(to, ['--switch'], deadline + 60_000 - from, 'SIGINT');
  progress.seconds += (performance.now() - from) / 1000;
  if (code === null) continue;
  if (code !== 0) throw new Error(`move to ${to} failed`);
  progress.moved = true;
  stopWhenLate();
  const now = await stateOf();
  const same = (mode) => (100 * now[mode].filter((one, n) => one === first[mode][n]).length) / asked.length;
  progress.rows.push([
    now.driver,
    progress.seconds.toFixed(0),
    progress.killed,
    now.digest === first.digest ? 'equal' : 'DIFFERENT',
    `${now.vectors} of ${now.chunks}`,
    `${same('keyword').toFixed(1)} %`,
    `${same('hybrid').toFixed(1)} %`,
    `${now.hit.toFixed(1)} (${first.hit.toFixed(1)} before)`,
  ]);
  console.error(JSON.stringify(progress.rows.at(-1)));
  Object.assign(progress, { killed: 0, seconds: 0, span: 20_000, moved: false });
  stopWhenLate();
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
  ...progress.rows,
].map((row) => `| ${row.join(' | ')} |`);
const text = `# Moving a library through every store\n\n${new Date().toISOString().slice(0, 10)}, 2 cores, Node ${process.version}, load ${loadavg()[0].toFixed(1)}. ${documents.length} documents, ${first.chunks} passages, ${asked.length} questions; vectors: ${first.model}${values.library === undefined ? " (the bench's own word vectors, not a model's)" : ''}.\n\n${table.join('\n')}\n`;
console.log(text);
if (values.out) writeFileSync(values.out, text);
process.exit(progress.rows.every((row) => row[3] === 'equal') ? 0 : 1);
