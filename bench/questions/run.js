// Thirty-six questions as people type them, in both languages, on folders of real documents. Which files answer a
// question was written down by reading them, before any search (`files`); `also` are files that came first in a search
// and were found to answer, too, when they were read afterwards: they are counted apart. The documents are not in the
// repository.
//   node bench/questions/run.js DOCUMENTS [LIBRARY] [--mode keyword|hybrid|vector]
// DOCUMENTS holds docs_k8s, docs_mdn, pdf and docx; LIBRARY is made by words when it is not there, and kept.
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openLibrary } from '../../dist/index.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { mode: { type: 'string', default: 'hybrid' } },
});
const folder = resolve(positionals[0] ?? '../shared/data/documents');
const folders = ['docs_k8s/en', 'docs_k8s/zh-cn', 'docs_mdn/en-us', 'docs_mdn/zh-cn', 'pdf', 'docx'];
const missing = folders.filter((name) => !existsSync(join(folder, name)));
if (missing.length > 0) {
  console.log(`Skipped: ${folder} has no ${missing.join(', ')}.`);
  process.exit(0);
}
const questions = readFileSync(new URL('./questions.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

const library = await openLibrary({
  library: resolve(positionals[1] ?? join(tmpdir(), 'strata-questions')),
  create: true,
});
if ((await library.status()).documents === 0)
  await library.add(
    folders.map((name) => join(folder, name)),
    { embed: false, ocr: 'off' },
  );

const tally = { en: [0, 0, 0, 0], zh: [0, 0, 0, 0] };
for (const { language, question, files, also = [] } of questions) {
  const { results } = await library.search(question, { mode: values.mode, limit: 5 });
  const found = results.map(({ item }) => relative(folder, resolve(library.root, item.source_path)));
  const rank = found.findIndex((path) => files.includes(path)) + 1;
  const counts = tally[language];
  counts[0]++;
  if (rank === 1) counts[1]++;
  if (rank === 1 || also.includes(found[0])) counts[2]++;
  if (rank > 0) counts[3]++;
  console.log(`${rank === 0 ? '-' : rank}  ${question}`);
  if (rank !== 1) for (const path of found) console.log(`     ${path}`);
}
await library.close();
for (const [language, [asked, first, read, among]] of Object.entries(tally))
  console.log(
    `${language}: ${first} of ${asked} first (${read} with those read afterwards), ${among} among the first 5 (${values.mode})`,
  );
