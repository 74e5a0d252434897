// `npm run eval:all [set…]`: every set of SETS (default ../shared/data/retrieval) in every mode, as one table in
// bench/results/quality.md and .json, beside what others measured. Libraries are kept in KEEP (default
// .strata/eval), so that a second run adds and embeds nothing. MODES=keyword,tfidf leaves the model out. EMBEDDERS (default
// local) names others beside the first, each with a table of its own: local,local:bge-small-en-v1.5,local:all-MiniLM-L6-v2.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FIGURES } from './figures.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const sets = process.env.SETS ?? join(root, '../shared/data/retrieval');
const keep = process.env.KEEP ?? join(root, '.strata/eval');
const modes = (process.env.MODES ?? 'keyword,tfidf,vector,hybrid').split(',');
const embedders = (process.env.EMBEDDERS ?? 'local').split(',');
const wanted = process.argv.slice(2);

if (!existsSync(sets)) {
  console.error(`${sets}: there are no sets here; name their folder in SETS.`);
  process.exit(1);
}

/**
 * The questions of one language on the documents of the other are two files over another set's documents. Those have
 * English titles in both languages, which give answers away: so each direction has a row without titles, which is the
 * figure, and one with them for comparison.
 */
function argumentsFor(name) {
  const cross = /^xquad_(..)2(..)(_titles)?$/.exec(name);
  if (!cross) return [join(sets, name), ...(FIGURES[name].inside ? ['--inside'] : [])];
  const files = {
    queries: join(sets, 'xquad_crosslingual', `queries_${cross[1]}2${cross[2]}_public.jsonl`),
    docs: join(sets, 'kb_mixed_public', 'docs.jsonl'),
  };
  const flags = ['--queries', files.queries, '--docs', files.docs, '--doc-prefix', `xquad_${cross[2]}/`];
  return [join(sets, 'xquad_crosslingual'), ...flags, ...(cross[3] ? [] : ['--no-titles'])];
}

/** One set with one embedder, each in a library of its own: both rows of a direction have the same set, too. */
function evaluate(name, embedder) {
  const place = join(
    keep,
    embedder.replace(/[^\w.-]/g, '_'),
    ...(name.endsWith('_titles') ? ['titles'] : []),
  );
  const asked = modes.filter((mode) => embedder === embedders[0] || mode !== 'tfidf');
  const args = [
    join(root, 'dist/serve/main.js'),
    'eval',
    ...argumentsFor(name),
    ...asked.flatMap((mode) => ['--mode', mode]),
    '--embedder',
    embedder,
    '--library',
    place,
    '--json',
    '--quiet',
  ];
  const run = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    maxBuffer: 1e8,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (run.status !== 0) {
    console.error(`${name} (${embedder}): failed`);
    return [];
  }
  return JSON.parse(run.stdout).map((row) => ({ ...row, set: name, embedder }));
}

const rows = [];
for (const embedder of embedders) {
  for (const name of Object.keys(FIGURES)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const answered = evaluate(name, embedder);
    rows.push(...answered);
    const { main } = FIGURES[name];
    const figures = answered.map((row) => `${row.mode} ${row[main].toFixed(3)}`).join('  ');
    console.log(embedder.padEnd(24), name.padEnd(20), figures);
  }
}

const score = (value) => (value === undefined ? '' : value.toFixed(3).replace(/^0/, ''));
const signed = (value) => `${value < 0 ? '−' : '+'}${score(Math.abs(value))}`;
/** How sure the difference of a row from the first mode is. */
const interval = (row) =>
  row?.difference ? `${signed(row.difference.low)} … ${signed(row.difference.high)}` : '';

function tableOf(embedder) {
  const header = [
    'set',
    'questions',
    'metric',
    ...modes,
    `${modes.at(-1)} − ${modes[0]}, 95 %`,
    'lab: words / vectors / hybrid',
    'published',
  ];
  const lines = Object.entries(FIGURES).flatMap(([name, { label, main, lab, published }]) => {
    const own = rows.filter((row) => row.set === name && row.embedder === embedder);
    if (own.length === 0) return [];
    const figures = modes.map((mode) => score(own.find((row) => row.mode === mode)?.[main]));
    const earlier = lab
      ? [lab.keyword, lab.vector, lab.hybrid].map((value) => score(value) || '–').join(' / ')
      : '';
    const metric = main.replace('_', '@').replace('ndcg', 'nDCG');
    const sure = interval(own.find((row) => row.mode === modes.at(-1)));
    return [[label ?? name, own[0].queries, metric, ...figures, sure, earlier, published ?? '']];
  });
  return [header, header.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
const table = embedders
  .map((embedder) => `## \`--embedder ${embedder}\`\n\n${tableOf(embedder)}`)
  .join('\n\n');

mkdirSync(join(root, 'bench/results'), { recursive: true });
writeFileSync(join(root, 'bench/results/quality.json'), `${JSON.stringify(rows, null, 2)}\n`);
writeFileSync(
  join(root, 'bench/results/quality.md'),
  `# Retrieval quality\n\n\`npm run eval:all\`, default settings. Documents are scored by their best chunk; in answer-span sets (hit@k) a hit\nis a chunk of the right document that holds a whole answer. \`policyqa_dev\` searches inside the question's document.\nThe figure of a cross-lingual set is the row without titles: the titles of those articles are English in both languages.\n\n${table}\n`,
);
