// The table of bench/results/stores.md, from what build.js, ask.js and ts-rank.js have printed.
//   node report.js FOLDER OUT.md      FOLDER holds build-STORE.json, ask-STORE.json and ask-ts_rank.json
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { STORES } from './open-store.js';

const [folder, out] = process.argv.slice(2);
const read = (name) =>
  existsSync(join(folder, name)) ? JSON.parse(readFileSync(join(folder, name), 'utf8') || 'null') : null;
const number = (value) => (value < 10 ? value.toFixed(1) : value.toFixed(0));
const times = (figures) => (figures ? `${number(figures.p50)} / ${number(figures.p95)}` : '–');
let chunks = 0;
const rows = STORES.map((store) => {
  const [built, asked] = [read(`build-${store}.json`), read(`ask-${store}.json`)];
  chunks = built?.chunks ?? chunks;
  const trips = ['keyword', 'vector', 'hybrid'].map((mode) => asked?.[mode]?.trips ?? 0);
  return [
    store,
    built ? `${number(built.records_s)} + ${number(built.vectors_s)} + ${number(built.tidy_s)}` : '–',
    ...['index', 'keyword', 'vector', 'hybrid'].map((what) => times(asked?.[what])),
    asked ? `${number(asked.memory_mb)} MB` : '–',
    built ? `${number(built.disk_mb)} MB` : '–',
    trips[0] === 0 ? '–' : trips.join(', '),
    asked ? number(asked.load) : '–',
  ];
});
const rank = read('ask-ts_rank.json');
if (rank)
  rows.push(['`ts_rank` over GIN', '–', times(rank.index), '–', '–', '–', '–', '–', '1', number(rank.load)]);
const table = [
  [
    'store',
    'build, s: records + vectors + tidy',
    'word index alone',
    'keyword',
    'vector',
    'hybrid',
    'memory',
    'disk',
    'round trips',
    'load',
  ],
  ['---', '---:', '---:', '---:', '---:', '---:', '---:', '---:', '---:', '---:'],
  ...rows,
].map((row) => `| ${row.join(' | ')} |`);
const text = `# One library of ${chunks} chunks in every store

${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0].model}, Node ${process.version}, **shared with other work**: the last column is the load while asking (2 cores), so times are for comparing rows of like load, and no more. p50 / p95 in ms of whole searches of a warm process (ten documents, with neighbours and citations); "word index alone" is the ten best chunks by BM25 and nothing else. The corpus and the questions are those of bench/search (Kubernetes and MDN documents, English and Chinese, repeated with changes); vectors are the bench's word vectors of 384 dimensions. PostgreSQL 15 with pgvector 0.8 on the same machine, through a proxy that counts round trips (keyword, vector, hybrid). \`ts_rank\` ranks the same words over a GIN index on the same server.

${table.join('\n')}
`;
console.log(text);
if (out) writeFileSync(out, text);
