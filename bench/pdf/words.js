// What the check compares: words, and pairs of neighbouring characters where a script has no spaces.
const CJK = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ー';
const ANY_CJK = new RegExp(`[${CJK}]`, 'u');
const PARTS = new RegExp(`[${CJK}]+|[^${CJK}]+`, 'gu');

export function wordsOf(text) {
  const plain = text.normalize('NFKC').toLowerCase().replaceAll('\u00ad', '');
  const words = [];
  for (const run of plain.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []) {
    for (const part of run.match(PARTS) ?? []) if (!ANY_CJK.test(part)) words.push(part);
  }
  const characters = [...plain].filter((character) => ANY_CJK.test(character));
  for (let at = 0; at + 1 < characters.length; at++) words.push(characters[at] + characters[at + 1]);
  return words;
}

/** How many of the wanted words are there, counted as often as they occur, and which are not. */
export function found(wanted, given) {
  const left = new Map();
  for (const word of given) left.set(word, (left.get(word) ?? 0) + 1);
  const missing = [];
  for (const word of wanted) {
    const count = left.get(word) ?? 0;
    if (count > 0) left.set(word, count - 1);
    else missing.push(word);
  }
  return { hits: wanted.length - missing.length, missing };
}

const EDGE = 4;
const TIMES = 3;
const shape = (line) =>
  line
    .trim()
    .toLowerCase()
    .replace(/\d+/g, '#')
    .replace(/^[ivxlc]+$/, '#');

/** pdftotext's pages (parted by form feeds) without the lines at their edges that come back on three pages or more. */
export function withoutRunningLines(text) {
  const pages = text.split('\f').map((page) => {
    const lines = page.split('\n');
    const filled = lines.flatMap((line, at) => (line.trim() === '' ? [] : [at]));
    return { lines, edges: new Set([...filled.slice(0, EDGE), ...filled.slice(-EDGE)]) };
  });
  const times = new Map();
  for (const { lines, edges } of pages) {
    for (const key of new Set([...edges].map((at) => shape(lines[at]))))
      times.set(key, (times.get(key) ?? 0) + 1);
  }
  return pages
    .map(({ lines, edges }) =>
      lines.filter((line, at) => !edges.has(at) || times.get(shape(line)) < TIMES).join('\n'),
    )
    .join('\f');
}
