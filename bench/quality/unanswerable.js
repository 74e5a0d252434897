// What does a library say to questions it cannot answer, and to those it can?
//   node bench/quality/unanswerable.js LIBRARY [SET]
// LIBRARY is a library's folder (those that `npm run eval:all` keeps will do), SET the folder of the questions that it
// answers (BEIR or answer-span form). Asked in MODE (hybrid): words of the library with a typing error, nonsense, and
// questions about everyday things (test/fixtures/unanswerable), which few libraries hold. One line of figures per kind:
// refused, weak, with a suggestion; `held` is the share that meets the line wanted of its kind.
import { readFileSync } from 'node:fs';
import { loadEvalSet } from '../../dist/engine/evaluate/question-set.js';
import { openLibrary } from '../../dist/index.js';

const [place, set] = process.argv.slice(2);
const mode = process.env.MODE ?? 'hybrid';
const most = Number(process.env.MOST ?? 300);
const show = process.env.SHOW;

let state = 20_261_116;
const random = () => {
  state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
  return state / 2 ** 31;
};
const draw = (list, count) => {
  const rest = [...list];
  return Array.from(
    { length: Math.min(count, rest.length) },
    () => rest.splice(Math.floor(random() * rest.length), 1)[0],
  );
};

/** One letter left out, doubled, replaced or swapped with the next; in a Chinese word, one character replaced. */
function misspelt(word) {
  const letters = [...word];
  if (/\p{Script=Han}/u.test(word)) {
    letters[Math.floor(random() * letters.length)] = draw('鲸榴笛雹翘苔虱', 1)[0];
    return letters.join('');
  }
  const at = 1 + Math.floor(random() * (letters.length - 2));
  const edits = [
    () => letters.splice(at, 1),
    () => letters.splice(at, 0, letters[at]),
    () => letters.splice(at, 1, letters[at] === 'x' ? 'q' : 'x'),
    () => letters.splice(at, 2, letters[at + 1], letters[at]),
  ];
  draw(edits, 1)[0]();
  return letters.join('');
}

async function typos(library, count) {
  const words = new Set();
  const chinese = new Set();
  const { documents } = await library.list();
  for (const { id } of draw(documents, 200)) {
    const [{ content }] = draw((await library.inspect(id)).children, 1);
    for (const [word] of content.matchAll(/\b[a-z]{6,14}\b/g)) words.add(word);
    for (const [word] of content.matchAll(/(?<!\p{Script=Han})\p{Script=Han}{2,4}(?!\p{Script=Han})/gu))
      chinese.add(word);
  }
  const pairs = [...draw(words, chinese.size > 20 ? count / 2 : count), ...draw(chinese, count / 2)].map(
    (word) => ({
      query: misspelt(word),
      meant: word,
    }),
  );
  return pairs.filter(({ query }) => !words.has(query)).slice(0, count);
}

const fixture = (name) =>
  readFileSync(new URL(`../../test/fixtures/unanswerable/${name}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

async function ask(library, kind, questions, holds) {
  const counts = { questions: 0, refused: 0, weak: 0, suggested: 0, held: 0, meant: 0, ms: 0 };
  for (const { query, meant } of questions) {
    const started = performance.now();
    const { results, weak = false, suggestion } = await library.search(query, { mode, context: 'none' });
    counts.ms += performance.now() - started;
    const answer = { refused: results.length === 0, weak, suggested: suggestion !== undefined };
    counts.questions++;
    for (const name of ['refused', 'weak', 'suggested']) counts[name] += Number(answer[name]);
    counts.held += Number(holds(answer));
    counts.meant += Number(meant !== undefined && suggestion?.toLowerCase() === meant);
    if (show === kind && !holds(answer))
      console.log(JSON.stringify({ query, suggestion, weak, first: results[0]?.item.title }));
  }
  const share = (value) => (value / Math.max(1, counts.questions)).toFixed(3);
  console.log(
    `${kind.padEnd(15)} ${String(counts.questions).padStart(4)}  refused ${share(counts.refused)}  weak ${share(counts.weak)}` +
      `  suggested ${share(counts.suggested)}  held ${share(counts.held)}` +
      (kind === 'typos' ? `  meant ${share(counts.meant)}` : '') +
      `  ${(counts.ms / Math.max(1, counts.questions)).toFixed(0)} ms`,
  );
}

const library = await openLibrary({ library: place });
const notMadeUp = ({ refused, suggested }) => refused || suggested;
const doubted = ({ refused, weak }) => refused || weak;
console.log(`# ${place} (${mode})`);
await ask(library, 'typos', await typos(library, 50), notMadeUp);
await ask(library, 'nonsense', fixture('nonsense'), notMadeUp);
await ask(library, 'other subjects', fixture('other-subjects'), doubted);
if (set !== undefined) {
  const { queries } = await loadEvalSet(set, {});
  const asked = draw(
    queries.filter(({ text }) => text.trim() !== ''),
    most,
  );
  await ask(
    library,
    'answered',
    asked.map(({ text }) => ({ query: text })),
    (answer) => !doubted(answer),
  );
}
await library.close();
