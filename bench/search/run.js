// Search beside MiniSearch, Orama and LanceDB's FTS: p50/p95, build rate, memory, disk, time to open.
//   node search/run.js FOLDER… [--chunks 100000] [--engines strata,lancedb,…] [--work DIR]
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    chunks: { type: 'string', default: '100000' },
    engines: { type: 'string', default: 'strata,lancedb,minisearch,orama' },
    work: { type: 'string' },
  },
});
const here = import.meta.dirname;
const work = values.work ?? mkdtempSync(join(tmpdir(), 'strata-bench-search-'));
mkdirSync(work, { recursive: true });
const node = (script, ...args) =>
  execFileSync(process.execPath, ['--expose-gc', '--max-old-space-size=6000', join(here, script), ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
const corpus = join(work, 'corpus.jsonl');
const queries = join(work, 'queries.json');
if (!existsSync(corpus)) node('corpus.js', corpus, values.chunks, ...positionals);
if (!existsSync(queries)) node('queries.js', corpus, queries);

const bytesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

const results = [];
for (const engine of values.engines.split(',')) {
  const folder = mkdtempSync(join(work, `${engine}-`));
  try {
    const built = JSON.parse(node('measure.js', 'build', engine, folder, corpus, queries));
    const asked = built.en ? {} : JSON.parse(node('measure.js', 'ask', engine, folder, corpus, queries));
    results.push({ ...built, ...asked, disk_mb: bytesIn(folder) / 1e6 });
  } catch (error) {
    results.push({ engine, failed: String(error.message).split('\n', 1)[0] });
  }
  console.error(JSON.stringify(results.at(-1)));
}

const number = (value, digits = 1) => (value === undefined ? '–' : value.toFixed(digits));
const times = (result) => (result ? `${number(result.p50_ms, 2)} / ${number(result.p95_ms, 2)}` : '–');
const markdown = [
  `# Search at ${values.chunks} chunks`,
  '',
  `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0].model}, Node ${process.version}, load ${loadavg()[0].toFixed(1)}. p50 / p95 in ms, k = 10; memory and opening are those of a process that only asks (MiniSearch and Orama must build first).`,
  '',
  '| engine | English | Chinese | mixed | build, chunks/s | memory, MB | disk, MB | open + first answer, ms |',
  '| --- | --- | --- | --- | --- | --- | --- | --- |',
  ...results.map((r) =>
    r.failed
      ? `| ${r.engine} | ${r.failed} | | | | | | |`
      : `| ${r.engine} | ${times(r.en)} | ${times(r.zh)} | ${times(r.mixed)} | ${number(r.chunks_per_s, 0)} | ${number(r.memory_mb, 0)} | ${number(r.disk_mb, 0)} | ${number(r.open_ms, 0)} |`,
  ),
  '',
].join('\n');
const out = join(here, '..', 'results');
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'search.json'), `${JSON.stringify(results, null, 2)}\n`);
writeFileSync(join(out, 'search.md'), markdown);
console.log(markdown);
