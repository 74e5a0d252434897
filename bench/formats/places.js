// Does the line of the file that a chunk cites hold the passage's first words? And does every JSON pointer resolve?
// node places.js HTML_DIR JSON_DIR [CHUNKS_PER_SET]
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { chunkDocument } from '../../dist/chunk/chunk.js';
import { chunkSettings } from '../../dist/chunk/settings.js';
import { resolvePointer } from '../../dist/model/json/pointer.js';
import { parseDocument } from '../../dist/parse/parse.js';
import { DEFAULT_LIMITS as limits } from '../../dist/parse/parser.js';

const [html, json, wanted = '300'] = process.argv.slice(2);
const squash = (text) => text.replace(/[\s\u00a0]+/g, ' ').trim();
// The same choice in every run: a small generator with a fixed seed.
let seed = 7;
const random = () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
  return seed / 2 ** 31;
};

const decoded = (line) =>
  line
    .replace(/\\"/g, '"')
    .replace(/\\[nrt]/g, ' ')
    .replace(/\\u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));

const isKey = (line, cited) => /\d/.test(line) && cited.includes(`"${line.replace(/\D/g, '')}"`);

/** A passage's first words: without the marks and paths that the text adds to what the file says. */
function firstWords(content, isJson, cited) {
  // A number as heading is a key of the file (`"200": {`), or an item's index, which is no word of it.
  const [first = ''] = content
    .split('\n')
    .filter((line) => !(isJson ? /^(?:#* ?\d*)$/ : /^#*$/).test(line.trim()) || isKey(line, cited));
  const bare = first.replace(/^(?:#{1,6} |[-*>] |\d+\. |\| )+/, '').replace(/ \|.*$/, '');
  const value = isJson ? bare.replace(/^\d+ (?=\S)/, '').replace(/^[^\s:]*: /, '') : bare;
  return squash(value).split(' ').slice(0, 4).join(' ').slice(0, 40);
}

async function measure(name, files) {
  const chunks = [];
  for (const file of files) {
    const bytes = readFileSync(file);
    const tree = await parseDocument({ bytes, name: file, limits });
    const request = { doc_id: 'd', title: 'd', source: file, settings: chunkSettings({}) };
    const lines = bytes.toString().replace(/\r\n?/g, '\n').split('\n');
    const document = !/json$/.test(file)
      ? undefined
      : /ndjson$/.test(file)
        ? lines.filter((line) => line.trim()).map((line) => JSON.parse(line))
        : JSON.parse(bytes.toString());
    for (const chunk of chunkDocument(tree, request).chunks) chunks.push({ chunk, file, lines, document });
  }
  const chosen = chunks.map((chunk) => [random(), chunk]).sort((a, b) => a[0] - b[0]);
  let verbatim = 0;
  let right = 0;
  let pointers = 0;
  let resolved = 0;
  for (const [, { chunk, file, lines, document }] of chosen.slice(0, Number(wanted))) {
    if (document !== undefined) {
      pointers += 1;
      if (chunk.loc.pointer !== undefined && resolvePointer(document, chunk.loc.pointer) !== undefined)
        resolved += 1;
      else console.log('pointer', file, chunk.loc.pointer);
    }
    const words = firstWords(chunk.content, document !== undefined, lines[chunk.loc.lines.from - 1] ?? '');
    const shown = (line) =>
      squash(document === undefined ? (line ?? '').replace(/<[^<>]*>/g, '') : decoded(line ?? ''));
    if (words.length < 3 || !lines.some((line) => shown(line).includes(words))) continue;
    verbatim += 1;
    // The first of the words must stand on the cited line; a line break may stand before the others.
    const { from } = chunk.loc.lines;
    const [cited, ...next] = lines.slice(from - 1, from + 3).map(shown);
    const at = [cited, ...next].join(' ').indexOf(words);
    if (at >= 0 && at < cited.length) right += 1;
    else console.log('wrong', file, chunk.loc.lines, JSON.stringify(words));
  }
  const share = ((100 * right) / verbatim).toFixed(1);
  console.log(`${name}: ${right} of ${verbatim} verbatim passages on the cited line (${share} %)`);
  if (pointers > 0) console.log(`${name}: ${resolved} of ${pointers} pointers resolve`);
}

const below = (folder, pattern) =>
  readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => pattern.test(path) && statSync(path).isFile())
    .sort();
await measure('html', below(html, /source\.html$/));
await measure('json', below(json, /(?<!manifest)\.(nd)?json$/));
