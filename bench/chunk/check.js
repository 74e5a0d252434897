// Checks on real documents what the chunker promises: node chunk/check.js FOLDER… Exits with 1 where a promise is broken.
import { chunkDocument, chunkSettings, DEFAULT_LIMITS, parseDocument } from 'strata-kb';
import { documentsOf } from './documents.js';
import { structureOf } from './oracle.js';

const STRATEGIES = ['hierarchical', 'h2', 'content'];
const counts = new Map();
const shown = new Map();

function broken(promise, name, detail) {
  counts.set(promise, (counts.get(promise) ?? 0) + 1);
  shown.set(promise, (shown.get(promise) ?? 0) + 1);
  if (shown.get(promise) <= 5) console.log(`  ${promise}: ${name}: ${detail}`);
}

/** For each of mdast's headings the titles from the top down to it. */
function pathsOf(headings) {
  const stack = [];
  return headings.map(({ level, title }) => {
    while (stack.length > 0 && stack.at(-1).level >= level) stack.pop();
    stack.push({ level, title });
    return stack.map((entry) => entry.title);
  });
}

function checkStructure(tree, { headings }, name) {
  const own = tree.sections.map(({ level, heading }) => `${level}@${heading.start}`).join(' ');
  const theirs = headings.map(({ level, start }) => `${level}@${start}`).join(' ');
  if (own !== theirs) broken('headings agree with mdast', name, `${own} | ${theirs}`);
}

function checkChunks(tree, chunks, settings, { headings, whole, hidden }, name) {
  const { text } = tree;
  const covered = new Uint8Array(text.length);
  for (const { start, end } of hidden) covered.fill(1, start, end);
  // A bare title is the title of its slices, and in none of them.
  if (settings.strategy === 'h2')
    for (const { level, heading } of tree.sections)
      if (level === 1) covered.fill(1, heading.start, heading.end);
  chunks.forEach((chunk, index) => {
    const { start_position: start, end_position: end, content } = chunk;
    covered.fill(1, start, end);
    if (text.slice(start, end) !== content) broken('content is a slice', name, `chunk ${index}`);
    if (chunk.chunk_index !== index) broken('indexes 0..n-1', name, `chunk ${index}`);
    if (content.trim() === '') broken('no chunk is empty', name, `chunk ${index}`);
    if (content.length > settings.max && /\s/.test(content.trim())) {
      broken('no chunk over the maximum', name, `chunk ${index}: ${content.length}`);
    }
  });
  for (let at = 0; at < text.length; at++) {
    if (covered[at] === 0 && /\S/.test(text[at])) {
      broken('every character is in a chunk', name, JSON.stringify(text.slice(at, at + 40)));
      break;
    }
  }
  for (const { start, end, type } of whole) {
    const stop = start + text.slice(start, end).trimEnd().length;
    if (stop - start > settings.max) continue;
    const held = chunks.some(
      (chunk) => chunk.start_position <= firstInk(text, start) && chunk.end_position >= stop,
    );
    if (!held) broken(`fitting ${type} is not cut`, name, `${start}..${stop} (${stop - start})`);
  }
  checkPaths(tree, chunks, settings, headings, name);
}

function firstInk(text, start) {
  let at = start;
  while (/\s/.test(text[at])) at++;
  return at;
}

/** A chunk carries the path of the heading over its first text; `h2` and `content` may carry another that it holds. */
function checkPaths(tree, chunks, settings, headings, name) {
  const paths = pathsOf(headings);
  chunks.forEach((chunk, index) => {
    const first = firstText(tree, chunk);
    const above = headings.findLastIndex(({ start }) => start <= first);
    const path = JSON.stringify(above < 0 ? [] : paths[above]);
    const own = JSON.stringify(chunk.title_path.map((title) => title.replace(/\s+/g, ' ')));
    const held = headings.flatMap(({ start }, at) =>
      start >= chunk.start_position && start < chunk.end_position ? [JSON.stringify(paths[at])] : [],
    );
    const agrees =
      path === own ||
      (settings.strategy !== 'hierarchical' && (path.startsWith(own.slice(0, -1)) || held.includes(own)));
    if (!agrees) broken('full title_path', name, `chunk ${index}: ${own}, not ${path}`);
  });
}

/** Where a chunk's text begins, after the headings at its start. */
function firstText({ text, sections, excluded }, { start_position: start, end_position: end }) {
  let at = start;
  for (let section = sections.findIndex(({ heading }) => heading.start === start); ; section++) {
    while (at < end && (/\s/.test(text[at]) || excluded.some((range) => range.start <= at && at < range.end)))
      at++;
    if (sections[section]?.heading.start !== at || sections[section].heading.end >= end) return at;
    at = sections[section].heading.end;
  }
}

const documents = documentsOf(process.argv.slice(2));
const totals = Object.fromEntries(
  STRATEGIES.map((strategy) => [strategy, { chunks: 0, characters: 0, small: 0 }]),
);
for (const { name, bytes } of documents) {
  const tree = await parseDocument({ bytes, name, limits: DEFAULT_LIMITS });
  const structure = structureOf(tree.text);
  checkStructure(tree, structure, name);
  for (const strategy of STRATEGIES) {
    const settings = chunkSettings({ strategy });
    const request = { doc_id: name, title: tree.title ?? name, source: name, settings };
    const { chunks } = chunkDocument(tree, request);
    checkChunks(tree, chunks, settings, structure, `${strategy} ${name}`);
    for (const { content } of chunks) {
      totals[strategy].chunks++;
      totals[strategy].characters += content.length;
      if (content.length < settings.min / 2) totals[strategy].small++;
    }
  }
}
console.log(`${documents.length} documents`);
for (const [strategy, { chunks, characters, small }] of Object.entries(totals)) {
  console.log(
    `${strategy}: ${chunks} chunks, mean ${Math.round(characters / chunks)} characters, ${((100 * small) / chunks).toFixed(1)} % under half the minimum`,
  );
}
for (const [promise, count] of counts) console.log(`BROKEN ${promise}: ${count}`);
if (counts.size === 0) console.log('all promises kept');
process.exitCode = counts.size === 0 ? 0 : 1;
