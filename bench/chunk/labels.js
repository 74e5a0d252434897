// Checks on real documents that every passage is labelled with the section it stands in: node chunk/labels.js FOLDER…
// No chunk crosses a section, every section with text has a chunk of its own, and for phrases that stand in one section
// only the first hit by words cites that section. Exits with 1 where one of these does not hold.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chunkDocument, chunkSettings, DEFAULT_LIMITS, openLibrary, parseDocument } from 'strata-kb';
import { cleanLabel } from '../../dist/model/indexed.js';
import { documentsOf } from './documents.js';

const PHRASES = Number(process.env.PHRASES ?? 1000);
const NO_TEXT = -2;

/** For each character the section whose text it is; NO_TEXT for headings, white space and what is excluded. */
function owners({ text, sections, excluded }) {
  const found = new Int32Array(text.length).fill(-1);
  for (const [index, { heading }] of sections.entries()) found.fill(index, heading.start);
  for (const { heading } of sections) found.fill(NO_TEXT, heading.start, heading.end);
  for (const { start, end } of excluded) found.fill(NO_TEXT, start, end);
  for (const { index } of text.matchAll(/\s/g)) found[index] = NO_TEXT;
  return found;
}

/** The same numbers in every run. */
let state = 20_261;
const random = (below) => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};

const counts = { documents: 0, chunks: 0, crossing: 0, mislabelled: 0, sections: 0, unlabelled: 0 };
const documents = [];
for (const { name, bytes } of documentsOf(process.argv.slice(2))) {
  const tree = await parseDocument({ bytes, name, limits: DEFAULT_LIMITS });
  const request = { doc_id: name, title: tree.title ?? name, source: name, settings: chunkSettings() };
  const { chunks, sections } = chunkDocument(tree, request);
  const owner = owners(tree);
  const ids = sections.map(({ id }) => id);
  const labelled = new Set();
  for (const chunk of chunks) {
    const held = new Set(owner.subarray(chunk.start_position, chunk.end_position));
    held.delete(NO_TEXT);
    if (held.size > 1) counts.crossing++;
    if (held.size > 0 && !held.has(ids.indexOf(chunk.section_id))) counts.mislabelled++;
    labelled.add(ids.indexOf(chunk.section_id));
  }
  const withText = new Set(owner);
  withText.delete(NO_TEXT);
  for (const index of withText) if (!labelled.has(index)) counts.unlabelled++;
  counts.documents++;
  counts.chunks += chunks.length;
  counts.sections += withText.size;
  // A citation names a section by its words, without marks such as `{#anchor}`.
  const paths = sections.map(({ title_path }) => title_path.map(cleanLabel));
  documents.push({ name, tree, owner, paths });
}

/** Words without marks between them: what a person would quote. */
const PHRASE = /(?<![\w'-])[A-Za-z]+(?: [A-Za-z]+){5}(?![\w'-])|\p{Script=Han}{12}/gu;
const plain = (text) => text.replace(/[\s*_`>]+/g, ' ').toLowerCase();
const corpus = plain(documents.map(({ tree }) => tree.text).join('\n\n'));
function isUnique(phrase) {
  const first = corpus.indexOf(plain(phrase));
  return first >= 0 && corpus.indexOf(plain(phrase), first + 1) < 0;
}

function somePhrase() {
  const { name, tree, owner, paths } = documents[random(documents.length)];
  PHRASE.lastIndex = random(tree.text.length);
  const match = PHRASE.exec(tree.text);
  if (match === null) return null;
  const at = match.index;
  const held = new Set(owner.subarray(at, at + match[0].length));
  held.delete(NO_TEXT);
  if (held.size !== 1 || owner[at] === NO_TEXT || !isUnique(match[0])) return null;
  return { phrase: match[0], name, path: paths[owner[at]] ?? [] };
}

const phrases = [];
for (let tries = 0; phrases.length < PHRASES && tries < PHRASES * 20; tries++) {
  const found = somePhrase();
  if (found !== null && !phrases.some(({ phrase }) => phrase === found.phrase)) phrases.push(found);
}

const place = mkdtempSync(join(tmpdir(), 'strata-labels-'));
const library = await openLibrary({ library: join(place, '.strata'), embedder: 'none' });
let right = 0;
try {
  await library.add(
    process.argv.slice(2).map((folder) => resolve(folder)),
    { embed: false },
  );
  let shown = 0;
  for (const { phrase, name, path } of phrases) {
    const { results } = await library.search(`"${phrase}"`, { mode: 'keyword', limit: 1 });
    const citation = results[0]?.matched_chunks[0]?.citation;
    const file = resolve(name).replace(/\.md$/, '');
    const isRight =
      citation !== undefined &&
      resolve(library.root, citation.source_path).replace(/\.(md|txt|markdown)$/, '') === file &&
      JSON.stringify(citation.title_path.map(cleanLabel)) === JSON.stringify(path);
    if (isRight) right++;
    else if (shown++ < 10)
      console.log(`  "${phrase}": ${citation?.source_path} ${citation?.title_path}, not ${name} ${path}`);
  }
} finally {
  await library.close();
  rmSync(place, { recursive: true, force: true });
}

console.log(
  `${counts.documents} documents, ${counts.chunks} chunks: ${counts.crossing} cross a section, ${counts.mislabelled} have another's label`,
);
console.log(`${counts.sections} sections with text: ${counts.unlabelled} without a chunk of their own`);
console.log(
  `${phrases.length} phrases: ${right} cited by their section (${((100 * right) / phrases.length).toFixed(1)} %)`,
);
const holds =
  counts.crossing + counts.mislabelled + counts.unlabelled === 0 && right >= phrases.length * 0.99;
process.exitCode = holds ? 0 : 1;
