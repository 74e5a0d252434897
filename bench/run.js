// Everything that is claimed, in one run and one table: npm run bench [-- --quick] [-- FOLDER…].
//
// Cutting, adding, searching at growing sizes, starting: Strata beside others, each in a process of its own, one after the
// other. FOLDERs of Markdown and text are the corpus (this repository's own documents unless given), repeated with
// changed words until there are enough chunks. What takes longer than its limit "did not finish"; what is not installed
// says so. Results: bench/results/bench.md, bench.json and the plots growth-*.svg.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { plot } from './plot.js';

const here = import.meta.dirname;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    sizes: { type: 'string' },
    engines: { type: 'string', default: 'strata,lancedb,fts5-trigram,minisearch,flexsearch,orama' },
    /** Seconds that one step of one engine may take. */
    limit: { type: 'string' },
    /** Keeps corpora and indexes for the next run. */
    work: { type: 'string' },
    out: { type: 'string', default: join(here, 'results') },
  },
});
const folders = positionals.length > 0 ? positionals.map((one) => resolve(one)) : [resolve(here, '../docs')];
const sizes = (values.sizes ?? (values.quick ? '3000,10000' : '10000,100000,1000000')).split(',').map(Number);
const limit = Number(values.limit ?? (values.quick ? 90 : 1800));
const engines = values.engines.split(',');
const work = values.work ?? mkdtempSync(join(tmpdir(), 'strata-bench-'));
mkdirSync(work, { recursive: true });
mkdirSync(values.out, { recursive: true });

/** A script's last line of JSON, or why there is none. */
function measured(script, args, { seconds = limit, env = {} } = {}) {
  const flags = ['--expose-gc', '--max-old-space-size=6000'];
  console.error(`… ${script} ${args.map((arg) => arg.replace(work, '')).join(' ')}`);
  try {
    const output = execFileSync(process.execPath, [...flags, join(here, script), ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: seconds * 1000,
      maxBuffer: 2 ** 26,
      env: { ...process.env, ...env },
    });
    return JSON.parse(output.trim().split('\n').at(-1));
  } catch (error) {
    if (error.code === 'ETIMEDOUT') return { failed: `did not finish in ${seconds} s` };
    const said = String(error.stderr ?? error.message);
    if (/Cannot find package/.test(said)) return { failed: 'not installed' };
    if (/heap out of memory|Array buffer allocation/.test(said))
      return { failed: 'did not finish: out of memory' };
    return { failed: (/^\w*Error: .*$/m.exec(said)?.[0] ?? said.trim().split('\n')[0]).slice(0, 120) };
  }
}

const bytesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

const load = { before: loadavg()[0] };
const started = Date.now();

function cutting() {
  const seconds = values.quick ? '1' : '4';
  return Object.fromEntries(
    ['strata', 'strata-records', 'langchain-recursive'].map((id) => [
      id,
      measured('chunk/measure.js', [id, 'speed', ...folders], { env: { BENCH_SECONDS: seconds } }),
    ]),
  );
}

const adding = () =>
  Object.fromEntries(
    ['strata', 'minisearch', 'orama', 'lancedb', 'qmd'].map((tool) => [
      tool,
      measured('add/adding.js', [tool, ...folders]),
    ]),
  );

function searching(size) {
  const corpus = join(work, `corpus-${size}.jsonl`);
  const queries = join(work, `queries-${size}.json`);
  if (!existsSync(corpus))
    measured('search/corpus.js', [corpus, String(size), ...folders], { seconds: 3600 });
  if (!existsSync(queries)) measured('search/queries.js', [corpus, queries], { seconds: 3600 });
  const found = {};
  for (const engine of engines) {
    const folder = join(work, `${engine}-${size}`);
    const note = join(work, `${engine}-${size}.json`);
    // An index that an earlier run has finished is asked again, not built again.
    let built = existsSync(note) ? JSON.parse(readFileSync(note, 'utf8')) : null;
    if (built === null) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
      built = measured('search/measure.js', ['build', engine, folder, corpus, queries]);
      if (built.failed === undefined && built.en === undefined) writeFileSync(note, JSON.stringify(built));
    }
    const isAsked = built.failed === undefined && built.en === undefined;
    const asked = isAsked ? measured('search/measure.js', ['ask', engine, folder, corpus, queries]) : {};
    found[engine] = { ...built, ...asked, ...(isAsked && { disk_mb: bytesIn(folder) / 1e6 }) };
    console.error(JSON.stringify(found[engine]));
  }
  const strata = join(work, `strata-${size}`);
  // The index was made through the store alone: this makes the folder a library that the program opens.
  if (existsSync(strata)) writeFileSync(join(strata, 'store.json'), '{"driver":"sqlite"}');
  return { engines: found, cold: existsSync(strata) ? measured('start/cold.js', [strata]) : null };
}

const results = { cutting: cutting(), adding: adding(), sizes: {} };
for (const size of sizes) results.sizes[size] = searching(size);
load.after = loadavg()[0];

const number = (value, digits = 1) => (typeof value === 'number' ? value.toFixed(digits) : '–');
const ratio = (own, other) => (own > 0 && other > 0 ? `${(own / other).toFixed(2)} ×` : '–');
const lines = [
  '# Strata beside others',
  '',
  `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0].model}, ${(totalmem() / 2 ** 30).toFixed(0)} GB, Node ${process.version}, load ${number(load.before)} before and ${number(load.after)} after, ${Math.round((Date.now() - started) / 60_000)} minutes, one run${values.quick ? ' (--quick)' : ''}. Each measurement in a process of its own, one after the other. Corpus: ${positionals.length > 0 ? positionals.map((one) => one.split('/').slice(-2).join('/')).join(', ') : "this repository's documents"}, repeated with one word in eight changed.`,
  '',
  `Versions: ${versions()}.`,
  '',
  '## Cutting, one thread',
  '',
  '| | MB/s, warm | first pass | RSS, MB | warm beside LangChain | first pass beside LangChain |',
  '| --- | --- | --- | --- | --- | --- |',
];
const langchain = results.cutting['langchain-recursive'];
for (const [id, row] of Object.entries(results.cutting))
  lines.push(
    row.failed
      ? `| ${id} | ${row.failed} | | | | |`
      : `| ${id} | ${number(row.mb_per_second)} | ${number(row.first_pass)} | ${number(row.rss_mb, 0)} | ${ratio(row.mb_per_second, langchain.mb_per_second)} | ${ratio(row.first_pass, langchain.first_pass)} |`,
  );
lines.push(
  '',
  '## Adding the corpus by words, in a new process',
  '',
  '| | seconds | chunks | peak, MB | time beside Strata |',
  '| --- | --- | --- | --- | --- |',
);
const ADDED_BY = { strata: 'strata', qmd: 'qmd (whole files, not chunks)' };
for (const [tool, row] of Object.entries(results.adding))
  lines.push(
    row.failed
      ? `| ${tool} | ${row.failed} | | | |`
      : `| ${ADDED_BY[tool] ?? `LangChain + ${tool}`} | ${number(row.seconds)} | ${row.chunks} | ${number(row.peak_mb, 0)} | ${ratio(row.seconds, results.adding.strata.seconds)} |`,
  );
for (const size of sizes) {
  const { engines: found, cold } = results.sizes[size];
  lines.push(
    '',
    `## Search by words, ${size.toLocaleString('en')} chunks`,
    '',
    'p50 / p95 in ms of 1,000 questions each, k = 10, any of the words; memory and opening of a process that only asks (in-memory engines must build first).',
    '',
    '| | English | Chinese | mixed | build, chunks/s | memory, MB | disk, MB | open + first answer, ms | p50 beside LanceDB (en, zh, mixed) |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
  );
  const times = (one) => (one ? `${number(one.p50_ms, 2)} / ${number(one.p95_ms, 2)}` : '–');
  for (const [engine, row] of Object.entries(found)) {
    const beside = ['en', 'zh', 'mixed']
      .map((mix) => ratio(row[mix]?.p50_ms, found.lancedb?.[mix]?.p50_ms))
      .join(', ');
    lines.push(
      row.failed && !row.en
        ? `| ${engine} | ${row.failed} | | | ${number(row.chunks_per_s, 0)} | | | | |`
        : `| ${engine} | ${times(row.en)} | ${times(row.zh)} | ${times(row.mixed)} | ${number(row.chunks_per_s, 0)} | ${number(row.memory_mb, 0)} | ${number(row.disk_mb, 0)} | ${number(row.open_ms, 0)} | ${beside} |`,
    );
  }
  if (cold?.failed) lines.push('', `A new process: ${cold.failed}`);
  else if (cold)
    lines.push(
      '',
      `A new process: bare Node ${number(cold.node_ms, 0)} ms, \`strata search\` by words ${number(cold.search_ms, 0)} ms (2 × bare Node + 150 is ${number(2 * cold.node_ms + 150, 0)}), MCP \`initialize\` ${number(cold.initialize_ms, 0)} ms.`,
    );
}
lines.push(
  '',
  'Vectors and hybrid: `node bench/vectors/vectors.js` (real vectors for 10,000 paragraphs, perturbed above) and `node bench/search/hybrid.js`; both need the models.',
  '',
);

function versions() {
  const of = (name) => {
    try {
      return `${name} ${JSON.parse(readFileSync(join(here, 'node_modules', name, 'package.json'), 'utf8')).version}`;
    } catch {
      return `${name} (not installed)`;
    }
  };
  return [
    '@langchain/textsplitters',
    '@lancedb/lancedb',
    'minisearch',
    'flexsearch',
    '@orama/orama',
    '@tobilu/qmd',
  ]
    .map(of)
    .join(', ');
}

for (const [name, title, unit, of] of [
  ['search', 'Median of mixed questions by words', 'ms', (row) => row.mixed?.p50_ms],
  ['memory', 'Memory of a process that asks', 'MB', (row) => row.memory_mb],
]) {
  const plotted = engines.map((engine) => ({
    name: engine,
    points: sizes.map((size) => [size, of(results.sizes[size].engines[engine] ?? {}) ?? 0]),
  }));
  const picture = plot({ title, unit, lines: plotted });
  if (picture !== null) writeFileSync(join(values.out, `growth-${name}.svg`), picture);
}
writeFileSync(join(values.out, 'bench.json'), `${JSON.stringify({ load, ...results }, null, 2)}\n`);
writeFileSync(join(values.out, 'bench.md'), lines.join('\n'));
console.log(lines.join('\n'));
if (values.work === undefined) rmSync(work, { recursive: true, force: true });
