import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';

const WORDS =
  'the of and to in a is that for it as was with be by on not he his but at are this have from which she they were all'.split(
    ' ',
  );
const HAN =
  '的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定';

/** `count` texts of `size` characters in each language, from the files below the folders, or made up. */
export function textsOf(folders, size, count) {
  const text = { en: '', zh: '' };
  for (const path of folders.flatMap(filesBelow)) {
    if (text.en.length > size * count && text.zh.length > size * count) break;
    const content = readFileSync(path, 'utf8').replace(/\s+/g, ' ');
    const han = content.match(/\p{Script=Han}/gu)?.length ?? 0;
    text[han > content.length * 0.3 ? 'zh' : 'en'] += content;
  }
  const cut = (all) => Array.from({ length: count }, (_, i) => all.slice(i * size, (i + 1) * size));
  return {
    en: cut(text.en.length >= size * count ? text.en : madeUp(WORDS, ' ', size * count)),
    zh: cut(text.zh.length >= size * count ? text.zh : madeUp([...HAN], '', size * count)),
  };
}

function filesBelow(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(join(path, name)))
    .filter((name) => ['.md', '.txt', '.jsonl'].includes(extname(name)));
}

function madeUp(words, between, length) {
  let text = '';
  for (let i = 0, at = 7; text.length < length; i++) {
    at = (at * 48_271) % 2_147_483_647;
    text += words[at % words.length] + (i % 13 === 12 ? '. ' : between);
  }
  return text;
}

/** Different paragraphs of 25 to 200 characters, in an order that mixes the files. */
export function paragraphsOf(folders, count) {
  const seen = new Set();
  for (const path of folders.flatMap(filesBelow)) {
    for (const paragraph of readFileSync(path, 'utf8').split(/\n\s*\n/)) {
      const text = paragraph.trim().replace(/\s+/g, ' ').slice(0, 200);
      if (text.length >= 25) seen.add(text);
    }
  }
  const all = [...seen];
  let at = 12_345;
  for (let i = all.length - 1; i > 0; i--) {
    at = (Math.imul(at, 1664525) + 1013904223) >>> 0;
    const j = at % (i + 1);
    [all[i], all[j]] = [all[j], all[i]];
  }
  return all.slice(0, count);
}
