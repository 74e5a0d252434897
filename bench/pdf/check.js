// Is a PDF's text all there, and are its bookmarks sections? node pdf/check.js FOLDER [--all]
// Compares with pdftotext (Debian's poppler-utils) and pdf.js's bookmarks. FOLDER may hold a manifest.jsonl with
// {file, password}; otherwise every *.pdf below it is read. Lists what falls short; --all lists everything.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'strata-kb';
import { pdfFiles } from './files.js';
import { outlineOf } from './outline.js';
import { found, withoutRunningLines, wordsOf } from './words.js';

const [folder, flag] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: node pdf/check.js FOLDER [--all]');
  process.exit(2);
}
const TEXT = 0.98;
const BOOKMARKS = 0.95;

const files = pdfFiles(folder);

const errors = {};
const sums = { files: 0, words: 0, hits: 0, outlined: 0, bookmarks: 0, placed: 0, slowest: 0 };
const short = { text: [], bookmarks: [], slow: [] };
for (const { file, password } of files) {
  const path = join(folder, file);
  const started = performance.now();
  const read = await parse(path, { password }).catch((error) => error);
  const seconds = (performance.now() - started) / 1000;
  sums.slowest = Math.max(sums.slowest, seconds);
  if (seconds > 20) short.slow.push(file);
  const wanted = wordsOf(withoutRunningLines(pdftotext(path, password)));
  if (read instanceof Error) {
    const note = wanted.length > 0 ? ` (pdftotext: ${wanted.length} words)` : '';
    const code = read.code ?? 'CRASH';
    errors[code] = [...(errors[code] ?? []), `${file}${note}`];
    if (flag === '--all') console.log(`${read.code} ${file}: ${read.message}`);
    continue;
  }
  const { hits, missing } = found(wanted, wordsOf(read.text));
  sums.files++;
  sums.words += wanted.length;
  sums.hits += hits;
  const share = wanted.length === 0 ? 1 : hits / wanted.length;
  const line = `${(100 * share).toFixed(1)} % of ${wanted.length} words ${seconds.toFixed(2)} s ${file} ${read.warnings.join('; ')}`;
  if (share < TEXT) short.text.push(`${line} ${JSON.stringify(missing.slice(0, 10))}`);
  const outline = await outlineOf(readFileSync(path), password);
  if (outline?.length > 0) {
    const placed = inOrder(outline, read.sections);
    sums.outlined++;
    sums.bookmarks += outline.length;
    sums.placed += placed;
    if (placed < BOOKMARKS * outline.length) short.bookmarks.push(`${placed} of ${outline.length} ${file}`);
  }
  if (flag === '--all') console.log(line);
}

const percent = (part, whole) => `${((100 * part) / whole).toFixed(2)} %`;
for (const [code, list] of Object.entries(errors))
  console.log(`${code}: ${list.length}\n  ${list.join('\n  ')}`);
console.log(`read: ${sums.files}; words: ${percent(sums.hits, sums.words)} of ${sums.words}`);
console.log(`below ${100 * TEXT} %: ${short.text.length}\n  ${short.text.join('\n  ')}`);
console.log(
  `bookmarks: ${percent(sums.placed, sums.bookmarks)} of ${sums.bookmarks} in ${sums.outlined} files`,
);
console.log(`below ${100 * BOOKMARKS} %: ${short.bookmarks.length}\n  ${short.bookmarks.join('\n  ')}`);
console.log(`slowest: ${sums.slowest.toFixed(1)} s; over 20 s: ${short.slow.length}`);
process.exit(0);

function pdftotext(path, password) {
  const args = ['-enc', 'UTF-8', ...(password === undefined ? [] : ['-upw', password]), path, '-'];
  return spawnSync('pdftotext', args, { encoding: 'utf8', timeout: 60_000, maxBuffer: 1 << 30 }).stdout ?? '';
}

/**
 * How many bookmarks are sections in the right order with the right page. Document order within a page is either the
 * outline's own or that of the heights it points to (an outline may visit a page twice): the better one counts.
 */
function inOrder(outline, sections) {
  const label = (title, page) => `${title.normalize('NFKC').replace(/\s+/g, ' ').trim() || '—'}@${page}`;
  const given = sections.map((section) => label(section.title, section.loc.page));
  const orders = [
    (a, b) => a.page - b.page || a.at - b.at,
    (a, b) => a.page - b.page || (a.y !== null && b.y !== null ? b.y - a.y : 0) || a.at - b.at,
  ];
  const marked = outline.map((bookmark, at) => ({ ...bookmark, at }));
  return Math.max(
    ...orders.map((order) =>
      commonSubsequence(
        [...marked].sort(order).map(({ title, page }) => label(title, page)),
        given,
      ),
    ),
  );
}

function commonSubsequence(a, b) {
  let below = new Array(b.length + 1).fill(0);
  for (let at = a.length - 1; at >= 0; at--) {
    const row = new Array(b.length + 1).fill(0);
    for (let to = b.length - 1; to >= 0; to--) {
      row[to] = a[at] === b[to] ? 1 + below[to + 1] : Math.max(below[to], row[to + 1]);
    }
    below = row;
  }
  return below[0];
}
