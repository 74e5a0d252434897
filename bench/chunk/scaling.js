// Doubling the input at most triples the time: node chunk/scaling.js. Each shape is read at three sizes; the best of
// four runs counts. Exits with 1 where one grows faster.
import { chunkDocument, chunkSettings, DEFAULT_LIMITS, parseDocument } from 'strata-kb';

const lines = (count, line) => Array.from({ length: count }, (_, n) => line(n)).join('\n');
const SHAPES = {
  'one line of words': (n) => 'word '.repeat(n * 20_000),
  'one line of Chinese': (n) => '字'.repeat(n * 100_000),
  'one line of emoji families': (n) => '👨‍👩‍👧‍👦'.repeat(n * 4000),
  paragraphs: (n) =>
    lines(n * 1000, (at) => `Paragraph ${at} says something. ${'And it goes on. '.repeat(12)}\n`),
  'headings with text': (n) => lines(n * 5000, (at) => `## Heading [${at}]\n\ntext ${at}\n`),
  'table rows': (n) => `| a | b |\n|---|---|\n${lines(n * 10_000, (at) => `| ${at} | value |`)}`,
  'code lines': (n) => `\`\`\`\n${lines(n * 20_000, (at) => `call(${at});`)}\n\`\`\``,
  'nested quotes': (n) => `${'>'.repeat(n * 2500)} deep\n`.repeat(10),
  'nested lists': (n) => lines(n * 500, (at) => `${'  '.repeat(at % 200)}- item ${at}`),
  'unclosed comments': (n) => lines(n * 10_000, (at) => `> <!-- ${at}\n`),
  'the same paragraph': (n) => 'The same paragraph again.\n\n'.repeat(n * 10_000),
};

async function seconds(text) {
  const bytes = Buffer.from(text);
  let best = Infinity;
  for (let run = 0; run < 4; run++) {
    const started = performance.now();
    const tree = await parseDocument({ bytes, name: 'a.md', limits: DEFAULT_LIMITS });
    chunkDocument(tree, { doc_id: 'd', title: 'T', source: 's', settings: chunkSettings() });
    best = Math.min(best, (performance.now() - started) / 1000);
  }
  return best;
}

let worst = 0;
for (const [name, make] of Object.entries(SHAPES)) {
  const times = [];
  for (const size of [8, 16, 32]) times.push(await seconds(make(size)));
  const growth = Math.max(times[1] / times[0], times[2] / times[1]);
  worst = Math.max(worst, growth);
  console.log(
    `${name.padEnd(28)} ${times.map((time) => `${(time * 1000).toFixed(0)} ms`.padStart(9)).join('')}   × ${growth.toFixed(1)}`,
  );
}
console.log(`largest growth of a doubling: × ${worst.toFixed(1)}`);
process.exitCode = worst <= 3 ? 0 : 1;
