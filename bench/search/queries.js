// Queries of one to three words, drawn from the corpus: English, Chinese, mixed.
//   node queries.js CORPUS.jsonl OUT.json
import { createReadStream, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { randomFrom } from './random.js';

const COUNT = 1000;
const [corpus, out] = process.argv.slice(2);
const random = randomFrom(7);
const contents = [];
let line = 0;
for await (const text of createInterface({ input: createReadStream(corpus) })) {
  // Of a large corpus a part is enough; of a small one all is needed.
  if (line++ % 37 === 0 || line < 2000)
    contents.push(...JSON.parse(text).chunks.map(({ chunk }) => chunk.content));
}
const pick = (list) => list[Math.floor(random() * list.length)];
const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });
const english = (text) => text.match(/\b[A-Za-z]{3,}\b/g) ?? [];
const chinese = (text) =>
  [...segmenter.segment(text.slice(0, 3000))]
    .map(({ segment }) => segment)
    .filter((segment) => /^\p{Script=Han}{2,4}$/u.test(segment));

const queries = { en: [], zh: [], mixed: [] };
// A corpus in one language has no questions in the other: it is not looked for forever.
let left = 1000 * COUNT;
while (left-- > 0 && Object.values(queries).some((list) => list.length < COUNT)) {
  const text = pick(contents);
  const [en, zh] = [english(text), chinese(text)];
  const words = 1 + Math.floor(random() * 3);
  const some = (list) => Array.from({ length: words }, () => pick(list)).join(' ');
  if (en.length > 5 && zh.length === 0 && queries.en.length < COUNT) queries.en.push(some(en));
  if (zh.length > 5 && queries.zh.length < COUNT) queries.zh.push(some(zh));
  if (zh.length > 5 && en.length > 3 && queries.mixed.length < COUNT) {
    queries.mixed.push([pick(zh), pick(en), ...(words === 3 ? [pick(zh)] : [])].join(' '));
  }
}
writeFileSync(out, JSON.stringify(queries));
