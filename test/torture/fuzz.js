import { readdirSync, readFileSync, writeSync } from 'node:fs';
import { extname, join } from 'node:path';
import { chance } from './steps.js';

/**
 * `fuzz.js FOLDER FORMAT SEED FROM TO`: for each number one of the folder's files, damaged, is parsed as FORMAT and cut.
 * A tree is right or an error has a message; what is wrong is said in one line. The number is said first, so that
 * whoever started this process knows what it died of or hangs in.
 */
const [folder, format, seed, from, to] = process.argv.slice(2);
const dist = (file) => import(new URL(`../../dist/${file}`, import.meta.url).href);
const { PARSERS } = await dist('parse/parse.js');
const { DEFAULT_LIMITS } = await dist('parse/parser.js');
const { cutDocument } = await dist('chunk/cut.js');
const { chunkSettings } = await dist('chunk/settings.js');
const { isStrataError } = await dist('model/errors.js');
const say = (line) => writeSync(1, `${line}\n`);

const parser = await PARSERS.find((one) => one.format === format).load();
const samples = readdirSync(folder).map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
const own = samples.filter(({ name }) => name.startsWith(`${format}.`));
const settings = chunkSettings();
/** A fuzzed file is a few kilobytes: whoever takes this long for one has met something that grows. */
const LONGEST_MS = 5_000;

/** What parsers trip over, more often than over any byte. */
const PIECES = [
  ...[
    '\0',
    '\n',
    '\r\n',
    '\ufeff',
    '\ud83d',
    '\u0301',
    '"',
    '<',
    '>',
    '</',
    '<!--',
    ']]>',
    '&',
    '&#x110000;',
  ],
  ...[
    '```',
    '~~~',
    '|',
    '---\n',
    '    ',
    '\t',
    '[',
    ']',
    '](',
    '{',
    '}',
    ',',
    ':',
    '\\',
    '\\u',
    '- ',
    '> ',
    '#',
    '%',
  ],
  ...[
    '9'.repeat(400),
    '-1',
    '1e999',
    '0 0 R',
    'endobj',
    'stream\n',
    'PK\u0003\u0004',
    '<w:p>',
    '<table>',
    '<tr>',
  ],
].map((piece) => Buffer.from(piece));

function damaged(pick) {
  let bytes = own[pick(own.length)].bytes;
  for (let left = 1 + pick(6); left > 0; left--) bytes = DAMAGES[pick(DAMAGES.length)](bytes, pick);
  return bytes;
}

const splice = (bytes, at, gone, put) =>
  Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(Math.min(bytes.length, at + gone))]);
const DAMAGES = [
  (bytes, pick) => {
    const copy = Buffer.from(bytes);
    if (copy.length > 0) copy[pick(copy.length)] ^= 1 << pick(8);
    return copy;
  },
  (bytes, pick) => splice(bytes, pick(bytes.length + 1), pick(40), Buffer.alloc(0)),
  (bytes, pick) => splice(bytes, pick(bytes.length + 1), pick(3), PIECES[pick(PIECES.length)]),
  (bytes, pick) => {
    const at = pick(bytes.length + 1);
    return splice(bytes, pick(bytes.length + 1), 0, bytes.subarray(at, at + pick(200)));
  },
  (bytes, pick) => bytes.subarray(0, pick(bytes.length + 1)),
  (bytes, pick) => {
    const piece = PIECES[pick(PIECES.length)];
    return splice(bytes, pick(bytes.length + 1), 0, Buffer.concat(Array(1 + pick(300)).fill(piece)));
  },
  (bytes, pick) => {
    const other = samples[pick(samples.length)].bytes;
    return splice(bytes, pick(bytes.length + 1), pick(100), other.subarray(pick(other.length + 1)));
  },
];

/** What is wrong with a tree, or null. */
function wrongOf({ text, sections, blocks, excluded }) {
  const isSpan = ({ start, end }) => start >= 0 && start <= end && end <= text.length;
  const spans = [...sections.map(({ heading }) => heading), ...blocks, ...(excluded ?? [])];
  const outside = spans.find((span) => !isSpan(span));
  if (outside !== undefined)
    return `a span of ${outside.start} to ${outside.end} in ${text.length} characters`;
  for (const { section } of blocks) if (section >= sections.length) return `a block of section ${section}`;
  return null;
}

for (let n = Number(from); n < Number(to); n++) {
  say(`try ${n}`);
  const bytes = damaged(chance(seed, format, n));
  const name = `fuzzed${extname(own[0].name)}`;
  const started = performance.now();
  try {
    const tree = await parser.parse({ bytes, name, format, limits: DEFAULT_LIMITS });
    const wrong = wrongOf(tree);
    if (wrong !== null) say(`WRONG ${n} ${wrong}`);
    for (const { start, end } of cutDocument(tree, settings))
      if (!(start >= 0 && start < end && end <= tree.text.length))
        say(`WRONG ${n} a chunk from ${start} to ${end}`);
  } catch (error) {
    // Libraries of others throw their own errors, of which `parseDocument` makes CORRUPT; ours are told by their names.
    if (error instanceof RangeError && /stack/i.test(error.message)) say(`WRONG ${n} ${error.message}`);
    else if (isStrataError(error) && !(error.message.length > 5))
      say(`WRONG ${n} an error without a message`);
  }
  const took = performance.now() - started;
  if (took > LONGEST_MS) say(`WRONG ${n} took ${Math.round(took)} ms`);
}
say('closed');
