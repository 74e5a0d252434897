// Chunkers side by side on one corpus: node chunk/run.js FOLDER… [--only id,id]. Each runs in a process of its own, one
// after the other, in one run. Writes bench/results/chunk-<name>.json and .md (name: the folders' names).
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CHUNKERS, OVERLAP, SIZE } from './chunkers.js';

const here = dirname(fileURLToPath(import.meta.url));
const args = process.argv.slice(2);
const only = args.includes('--only')
  ? args.splice(args.indexOf('--only'), 2)[1].split(',')
  : Object.keys(CHUNKERS);
if (args.length === 0) {
  console.error('usage: node chunk/run.js FOLDER… [--only strata,langchain-recursive]');
  process.exit(2);
}

const measure = (id, mode) =>
  JSON.parse(
    execFileSync(process.execPath, ['--expose-gc', join(here, 'measure.js'), id, mode, ...args], {
      maxBuffer: 1 << 26,
    }),
  );

const rows = only.map((id) => {
  console.error(`${CHUNKERS[id].label} …`);
  return {
    ...measure(id, 'structure'),
    ...measure(id, 'speed'),
    label: CHUNKERS[id].label,
    offsets: CHUNKERS[id].offsets,
  };
});

const percent = (value) => `${(100 * value).toFixed(1)} %`;
const table = [
  '| chunker | MB/s | first pass | RSS, MB | chunks | mean length | over size | code that would fit, cut | tables that would fit, cut | chunks without heading | end mid-sentence | offsets |',
  '|---|---|---|---|---|---|---|---|---|---|---|---|',
  ...rows.map((row) =>
    [
      '',
      row.label,
      row.mb_per_second.toFixed(1),
      row.first_pass.toFixed(1),
      row.rss_mb.toFixed(0),
      row.chunks,
      row.mean_characters.toFixed(0),
      `${percent(row.oversize)} (up to ${row.largest})`,
      percent(row.code_cut),
      percent(row.tables_cut),
      percent(row.without_heading),
      percent(row.ends_mid_sentence),
      row.offsets,
      '',
    ]
      .join(' | ')
      .trim(),
  ),
].join('\n');

const name = args.map((folder) => [basename(dirname(folder)), basename(folder)].join('-')).join('+');
const results = join(here, '..', 'results');
const about = {
  measured: new Date().toISOString().slice(0, 10),
  node: process.version,
  cpu: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
  size: SIZE,
  overlap: OVERLAP,
  corpus: name,
  documents: rows[0].documents,
  megabytes: rows[0].megabytes,
};
mkdirSync(results, { recursive: true });
writeFileSync(join(results, `chunk-${name}.json`), `${JSON.stringify({ ...about, rows }, null, 2)}\n`);
const heading = `Parse + chunk, ${about.documents} documents, ${about.megabytes.toFixed(1)} MB (${name}); target ${SIZE} characters, overlap ${OVERLAP}; Node ${process.version}, one thread each.`;
writeFileSync(join(results, `chunk-${name}.md`), `${heading}\n\n${table}\n`);
console.log(`${heading}\n\n${table}`);
