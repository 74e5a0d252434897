import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { YAML_OPTIONS } from '../data/yaml.js';
import { plainFields } from './plain-fields.js';

it('reads what people write most', () => {
  const written = [
    'title: Pods and nodes',
    'weight: 10',
    '# a remark',
    'content_type: concept',
    'quoted: "a: b #c"',
    'empty:',
    'reviewers:',
    '- thockin',
    '- 张三',
    'tags:',
    '  - one two',
    'no_list: true',
    'text: >-',
    '  some words',
    '  on two lines',
    'l10n:',
    '  sourceCommit: ada5fa5e',
    '  other: 3',
    '',
  ];
  expect(plainFields(written.join('\n'))).toEqual({
    title: 'Pods and nodes',
    weight: 10,
    content_type: 'concept',
    quoted: 'a: b #c',
    empty: null,
    reviewers: ['thockin', '张三'],
    tags: ['one two'],
    no_list: true,
    text: 'some words on two lines',
    l10n: { sourceCommit: 'ada5fa5e', other: 3 },
  });
});

it.each([
  'a: [1, 2]',
  'a:\n  b:\n    c: d',
  'a: >\n  text\n\n  more',
  'a: yes',
  'a: b: c',
  'a: b #c',
  'a: b\n  c',
  'a: b\na: c',
  'a: "\\n"',
  '- a',
  'a:\n-',
  'a: *b',
])('leaves %j to the parser', (written) => expect(plainFields(written)).toBeNull());

/** Lines made of what has a meaning in YAML and of plain words. */
const piece = fc.constantFrom(
  ...[
    'a',
    'key',
    'Zwei',
    '中文',
    '10',
    '0',
    '007',
    '1.5',
    '-1',
    'true',
    'No',
    'null',
    '~',
    'on',
    '2026-01-01',
    '0x1f',
    'é',
    '😀',
    '\u00a0',
  ],
  ...[
    ':',
    ': ',
    ' :',
    '- ',
    '-',
    ' - ',
    '#',
    ' #',
    ' ',
    '  ',
    '"',
    "'",
    '[',
    ']',
    '{',
    '}',
    ',',
    '&a',
    '*a',
    '!',
    '|',
    '>',
    '%',
    '@',
    '`',
    '?',
    '? ',
    '\\',
    '.',
    '...',
    '---',
    '\t',
  ],
);
const line = fc.oneof(
  fc.array(piece, { maxLength: 5 }).map((parts) => parts.join('')),
  fc
    .tuple(fc.constantFrom('a', 'b', 'key', 'c-d'), fc.array(piece, { maxLength: 4 }))
    .map(([key, parts]) => `${key}: ${parts.join('')}`),
  fc.array(piece, { maxLength: 3 }).map((parts) => `- ${parts.join('')}`),
  fc.constantFrom(
    'a:',
    'b:',
    '',
    '  c: d',
    '  e: f',
    'a: >',
    'b: |',
    'key: >-',
    'a: |-',
    'b: >+',
    '  text',
    '  # x',
    '# y',
    '7a5',
    '7e5',
    '1.20',
    'key: 7a5e',
    'a: 0o7z',
    'b: 1.20',
    '   g: h',
    '  - i',
    ' - k',
    'true',
    '- l: m',
    '-',
  ),
);

it('what it reads is what a YAML parser reads', () => {
  let read = 0;
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), (lines) => {
      const written = lines.join('\n');
      const fields = plainFields(written);
      if (fields === null) return;
      read++;
      const document = parseDocument(written, YAML_OPTIONS);
      expect(document.errors).toEqual([]);
      expect(fields).toEqual(document.toJS() ?? {});
    }),
    { numRuns: 20_000 },
  );
  expect(read).toBeGreaterThan(500);
});
