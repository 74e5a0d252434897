/** Large documents that break careless parsers and chunkers: each by its name, made when asked for. */
const MB = 2 ** 20;
const lines = (count: number, line: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => line(n)).join('\n');

export const HOSTILE: Readonly<Record<string, () => string>> = {
  'one line of 1 MB': () => 'word '.repeat(MB / 5),
  'one line of 1 MB without a space': () => 'x'.repeat(MB),
  'one line of 1 MB of Chinese': () => '字'.repeat(MB),
  'one line of emoji families': () => '👨‍👩‍👧‍👦'.repeat(40_000),
  'one line of flags': () => '🇨🇳'.repeat(100_000),
  'one endless grapheme': () => `e${'\u0301'.repeat(200_000)}`,
  '10,000 nested quotes': () => `${'>'.repeat(10_000)} deep\n`.repeat(20),
  '10,000 nested lists on one line': () => `${'- '.repeat(10_000)}deep\n\n# End\n`,
  'lists nested by indentation': () => lines(2000, (n) => `${'  '.repeat(n % 400)}- item ${n}`),
  '100,000 headings': () => lines(100_000, (n) => `${'#'.repeat(1 + (n % 6))} Heading [${n}]\n`),
  '100,000 headings with text': () => lines(100_000, (n) => `## H${n}\n\ntext ${n}\n`),
  'fences that never close': () => lines(50_000, (n) => `> \`\`\`\n> code ${n}\n`),
  'comments that never close': () => lines(50_000, (n) => `> <!-- ${n}\n`),
  'a table of 50,000 rows': () => `| a | b |\n|---|---|\n${lines(50_000, (n) => `| ${n} | value ${n} |`)}`,
  'a table of one endless row': () => `|${'a|'.repeat(100_000)}\n|${'-|'.repeat(100_000)}\n`,
  'code of 100,000 lines': () => `\`\`\`js\n${lines(100_000, (n) => `call(${n});`)}\n\`\`\``,
  'the same paragraph 20,000 times': () => 'The same paragraph again and again.\n\n'.repeat(20_000),
  'stops and nothing else': () => '。'.repeat(500_000),
  'brackets and backticks': () => '[`*_'.repeat(100_000),
  'blank lines': () => `a${'\n'.repeat(MB)}b`,
  'link definitions': () => `${lines(20_000, (n) => `[l${n}]: http://x/${n}`)}\n===\n`,
  '50 MB of prose': () =>
    lines(
      100_000,
      (n) =>
        `Paragraph ${n} has some words. ${'And it goes on with more words, as prose does. '.repeat(10)}\n`,
    ),
};
