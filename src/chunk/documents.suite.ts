import fc from 'fast-check';

/** Random documents: mixed scripts, emoji families, CRLF, tabs, NUL, odd fences, half tables, comments, deep nesting. */
const words = fc.constantFrom(
  'alpha',
  'beta',
  'gamma',
  'the',
  'and',
  '部署',
  '集群',
  '配置文件',
  '你好',
  'ありがとう',
  '안녕하세요',
  'été',
  'e\u0301',
  'नमस्ते',
  'ไทย',
  '👨‍👩‍👧‍👦',
  '🏳️‍🌈',
  '🇨🇳🇫🇷',
  '👍🏽',
  '😀',
  'ﷺ',
  '`code`',
  '**bold**',
  '[link](http://x.y/z)',
  '<b>',
  '&amp;',
  '$x$',
  '\0',
  '\t',
  'Q:',
  'A:',
  '问：',
  '答：',
);
const sentence = fc
  .tuple(
    fc.array(words, { minLength: 1, maxLength: 24 }),
    fc.constantFrom('. ', '。', '！', '? ', '；', ' ', ', ', '\n', '…'),
  )
  .map(([parts, end]) => parts.join(end === '。' || end === '；' ? '' : ' ') + end);
const paragraph = fc.array(sentence, { minLength: 1, maxLength: 14 }).map((parts) => parts.join(''));
const long = fc.tuple(words, fc.integer({ min: 200, max: 900 })).map(([word, times]) => word.repeat(times));
const heading = fc
  .tuple(
    fc.constantFrom('#', '##', '###', '####', '#######', ' ##', '    #'),
    words,
    fc.constantFrom('', ' #', '?', '？', ' {#id}'),
  )
  .map(([marks, title, end]) => `${marks} ${title}${end}`);
const setext = fc
  .tuple(words, fc.constantFrom('===', '---', '-', '='))
  .map(([title, line]) => `${title}\n${line}`);
const code = fc
  .tuple(
    fc.constantFrom('```', '~~~', '````', '```js', '``'),
    fc.array(sentence, { maxLength: 30 }),
    fc.constantFrom('```', '~~~', '````', ''),
  )
  .map(([open, lines, close]) => `${open}\n${lines.join('\n')}\n# no heading\n${close}`);
const row = fc.array(words, { minLength: 1, maxLength: 4 }).map((cells) => `| ${cells.join(' | ')} |`);
const table = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.array(row, { maxLength: 40 }), fc.boolean())
  .map(([columns, rows, half]) =>
    [`|${' h |'.repeat(columns)}`, `|${'---|'.repeat(half ? columns + 1 : columns)}`, ...rows].join('\n'),
  );
const list = fc
  .array(
    fc.tuple(fc.constantFrom('- ', '* ', '1. ', '2) ', '  - ', '    ', '   ```\n   x\n   ```\n'), paragraph),
    { minLength: 1, maxLength: 12 },
  )
  .map((items) => items.map(([mark, text]) => `${mark}${text}`).join('\n'));
const quote = fc.tuple(fc.integer({ min: 1, max: 4 }), paragraph).map(([depth, text]) =>
  text
    .split('\n')
    .map((line) => `${'>'.repeat(depth)} ${line}`)
    .join('\n'),
);
const html = fc.constantFrom(
  '<!-- ## hidden\n\ncomment -->',
  'text <!-- inline --> more',
  '<div>\n## no heading\n</div>',
  '<!-- open',
  '`<!--`',
  '<!-->',
  '<script>\n# x\n</script>',
);
const faq = fc.tuple(words, paragraph).map(([question, answer]) => `Q: ${question}?\nA: ${answer}`);
const block = fc.oneof(
  { weight: 6, arbitrary: paragraph },
  { weight: 3, arbitrary: heading },
  { weight: 1, arbitrary: setext },
  { weight: 2, arbitrary: code },
  { weight: 2, arbitrary: table },
  { weight: 2, arbitrary: list },
  { weight: 1, arbitrary: quote },
  { weight: 1, arbitrary: html },
  { weight: 1, arbitrary: faq },
  { weight: 1, arbitrary: long },
);
const front = fc.constantFrom(
  '',
  '',
  '---\ntitle: 标题\ntags: [a, b]\n---\n',
  '+++\ntitle = "T"\n+++\n',
  '---\nopen: yes\n',
);

export const markdownDocuments: fc.Arbitrary<string> = fc
  .tuple(
    front,
    fc.array(fc.tuple(block, fc.constantFrom('\n\n', '\n\n', '\n', '\r\n\r\n', '\n \t\n')), {
      maxLength: 14,
    }),
  )
  .map(([head, blocks]) => head + blocks.map(([text, gap]) => text + gap).join(''));
