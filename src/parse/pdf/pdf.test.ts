import { describe, expect, it } from 'vitest';
import type { Tree } from '../../model/tree.js';
import { blockTexts, outline } from '../tree.suite.js';
import { lines, readPdf, type TextItem } from './pdf-writer.suite.js';

const pageOf = (tree: Tree, offset: number): number => tree.pages.filter((start) => start <= offset).length;

const PROSE = [
  'The quick brown fox jumps over the lazy dog and runs on through the wood',
  'until it comes to the river, where it stops to drink and to look at its own',
  'image in the water for a while.',
];

describe('PDF structure', () => {
  it('S4.2 headings come from bookmarks, with level, order and page', async () => {
    const tree = await readPdf({
      title: 'Report',
      bookmarks: [
        { title: '1 Scope', page: 0, y: 740, children: [{ title: '1.1 Terms', page: 0, y: 600 }] },
        { title: '2 Method', page: 1, y: 740 },
      ],
      pages: [
        {
          items: [
            { text: '1 Scope', x: 60, y: 730, size: 10 },
            ...lines(PROSE, { y: 700 }),
            { text: '1.1 Terms', x: 60, y: 590 },
            ...lines(PROSE, { y: 570 }),
          ],
        },
        {
          items: [
            { text: '2  Method', x: 60, y: 730 },
            ...lines(PROSE, { y: 700 }),
            { text: 'BIG BUT NO BOOKMARK', x: 60, y: 300, size: 30 },
          ],
        },
      ],
    });
    expect(tree.title).toBe('Report');
    expect(outline(tree)).toEqual(['1 1 Scope', '2 1.1 Terms', '1 2 Method']);
    expect(tree.sections.map((section) => pageOf(tree, section.heading.start))).toEqual([1, 1, 2]);
    expect(tree.sections.map(({ heading }) => tree.text.slice(heading.start, heading.end))).toEqual([
      '1 Scope',
      '1.1 Terms',
      '2 Method',
    ]);
    expect(tree.blocks.map((block) => block.section)).toEqual([0, 1, 2, 2]);
  });

  it('S4.2 a bookmark whose title is not on its page opens an empty heading there, on empty pages too', async () => {
    const tree = await readPdf({
      bookmarks: [
        { title: 'Cover', page: 0 },
        { title: 'Blank', page: 1 },
        { title: 'Lower half', page: 2, y: 500 },
        { title: 'Web', children: [{ title: 'End', page: 3 }] },
      ],
      pages: [
        { items: lines(PROSE) },
        {},
        { items: [...lines(PROSE, { y: 700 }), ...lines(['Here the lower half begins.'], { y: 480 })] },
        {},
      ],
    });
    expect(outline(tree)).toEqual(['1 Cover', '1 Blank', '1 Lower half', '1 Web', '2 End']);
    expect(tree.sections.map((section) => pageOf(tree, section.heading.start))).toEqual([1, 2, 3, 4, 4]);
    expect(tree.sections.every(({ heading }) => heading.start === heading.end)).toBe(true);
    expect(tree.text.slice(tree.sections[2]!.span.start).trim()).toBe('Here the lower half begins.');
    expect(new Set(tree.pages).size).toBe(4);
  });

  it('S4.2 without bookmarks headings come from size, weight and numbering', async () => {
    const tree = await readPdf({
      pages: [
        {
          items: [
            { text: 'A Study of Foxes', x: 60, y: 750, size: 24 },
            { text: '1. Introduction', x: 60, y: 710, size: 14, font: 'bold' },
            ...lines(PROSE, { y: 690 }),
            { text: '1.1 Earlier work', x: 60, y: 630, size: 10, font: 'bold' },
            ...lines(PROSE, { y: 615 }),
            { text: '2. Results', x: 60, y: 550, size: 14, font: 'bold' },
            ...lines(PROSE, { y: 530 }),
            { text: 'Figure 1. Sizes of foxes', x: 60, y: 470, size: 10, font: 'bold' },
          ],
        },
      ],
    });
    expect(tree.title).toBe('A Study of Foxes');
    expect(outline(tree)).toEqual([
      '1 A Study of Foxes',
      '2 1. Introduction',
      '3 1.1 Earlier work',
      '2 2. Results',
    ]);
    expect(blockTexts(tree).at(-1)).toBe('paragraph: Figure 1. Sizes of foxes');
  });

  it('reads two columns one after the other, between lines across the page', async () => {
    const column = (name: string, x: number): TextItem[] =>
      lines(
        Array.from({ length: 12 }, (_, at) => `${name}${at} some words that fill the column`),
        { x, y: 680 },
      );
    const [left, right] = [column('left', 60), column('right', 330)];
    // Drawn line by line across both columns, as no column reader would expect it.
    const mixed = left.flatMap((item, at) => [item, right[at]!]);
    const items = [
      {
        text: 'A line that goes all the way across the two columns of this page of text here',
        x: 60,
        y: 720,
      },
      ...mixed,
      { text: 'Another line that goes all the way across the two columns of this page again', x: 60, y: 500 },
    ];
    for (const order of [items, [items[0]!, ...left, ...right, items.at(-1)!]]) {
      const found = (await readPdf({ pages: [{ items: order }] })).text.match(/left\d+|right\d+|line that/g);
      expect(found).toEqual([
        'line that',
        ...left.map((_, at) => `left${at}`),
        ...right.map((_, at) => `right${at}`),
        'line that',
      ]);
    }
  });

  it('keeps a word that is too long for its column in that column', async () => {
    const column = (name: string, x: number): TextItem[] =>
      lines(
        Array.from({ length: 12 }, (_, at) =>
          at === 5 && name === 'left'
            ? 'left5 --feature-gates=CoordinatedLeaderElection=true,AndMore'
            : `${name}${at} some words that fill the column`,
        ),
        { x, y: 680 },
      );
    const [left, right] = [column('left', 60), column('right', 270)];
    const { text } = await readPdf({ pages: [{ items: [...left, ...right] }] });
    expect(text.match(/left\d+|right\d+/g)).toEqual([
      ...left.map((_, at) => `left${at}`),
      ...right.map((_, at) => `right${at}`),
    ]);
  });

  it('joins lines into paragraphs and broken words, and keeps the hyphen of compounds', async () => {
    const tree = await readPdf({
      pages: [
        {
          items: [
            ...lines([
              'The engine is well-known for its struc-',
              'ture and for being well-',
              'known in the whole of the wide world out',
            ]),
            ...lines(['there. A new paragraph stands further down the page than'], { y: 640 }),
          ],
        },
      ],
    });
    expect(blockTexts(tree)).toEqual([
      'paragraph: The engine is well-known for its structure and for being well-known in the whole of the wide world out',
      'paragraph: there. A new paragraph stands further down the page than',
    ]);
  });

  it('lets a sentence run over the end of a page and knows where the page starts', async () => {
    const tree = await readPdf({
      pages: [
        {
          items: lines(
            [...PROSE.slice(0, 2), 'and the last line of this page is as full as the ones above it, so that'],
            { y: 700 },
          ),
        },
        { items: lines(['the sentence goes on here and ends.', ''], { y: 700 }) },
      ],
    });
    expect(tree.blocks).toHaveLength(1);
    expect(tree.text).toContain('so that the sentence goes on here');
    expect(tree.text.slice(tree.pages[1]!)).toMatch(/^the sentence/);
  });

  it('leaves out running heads and page numbers, but never all that a page has', async () => {
    const page = (at: number, body: readonly string[]): { items: TextItem[] } => ({
      items: [
        { text: 'Annual report 2024', x: 60, y: 780, size: 8 },
        { text: `Page ${at + 1} of 5`, x: 280, y: 20, size: 8 },
        ...lines(body),
      ],
    });
    const bodies = ['alpha', 'beta', 'gamma', 'delta'].map((word) => [
      `${word} ${PROSE[0]}`,
      PROSE[1]!,
      PROSE[2]!,
    ]);
    const tree = await readPdf({ pages: [...bodies, []].map((body, at) => page(at, body)) });
    expect(tree.text.match(/alpha|beta|gamma|delta/g)).toEqual(['alpha', 'beta', 'gamma', 'delta']);
    expect(tree.text.match(/Annual report/g)).toEqual(['Annual report']);
    expect(tree.text.slice(0, tree.pages[4]!)).not.toMatch(/Page \d|Annual/);
  });

  it('keeps a table as rows, with its header and cuts between rows', async () => {
    const row = (cells: readonly string[], y: number): TextItem[] =>
      cells.map((text, at) => ({ text, x: 60 + at * 120, y }));
    const tree = await readPdf({
      pages: [
        {
          items: [
            ...lines(PROSE, { y: 740 }),
            ...row(['Name', 'Port', 'Owner'], 660),
            ...row(['web', '80', 'Ada'], 645),
            ...row(['db', '5432', 'Grace Hopper'], 630),
            ...row(['cache', '', 'Linus'], 615),
            ...lines(PROSE, { y: 560 }),
          ],
        },
      ],
    });
    const table = tree.blocks.find((block) => block.type === 'table')!;
    expect(tree.text.slice(table.start, table.end).split('\n')).toEqual([
      'Name | Port | Owner',
      'web | 80 | Ada',
      'db | 5432 | Grace Hopper',
      'cache |  | Linus',
    ]);
    expect(tree.text.slice(table.header!.start, table.header!.end)).toBe('Name | Port | Owner');
    expect(table.cuts!.map((cut) => tree.text.slice(cut).split(' ')[0])).toEqual(['db', 'cache']);
  });

  it('knows lists and code', async () => {
    const tree = await readPdf({
      pages: [
        {
          items: [
            ...lines(PROSE, { y: 740 }),
            ...lines(['1. wash the apples and', '   the pears', '2. cut them', '3. cook them'], { y: 680 }),
            ...lines(['if ready:'], { y: 600, font: 'mono' }),
            ...lines(['serve()'], { x: 84, y: 588, font: 'mono' }),
            ...lines(PROSE, { y: 550 }),
          ].map((item) => (item.text.startsWith('   ') ? { ...item, text: item.text.trim(), x: 72 } : item)),
        },
      ],
    });
    expect(blockTexts(tree).slice(1, 3)).toEqual([
      'list: 1. wash the apples and the pears\n2. cut them\n3. cook them',
      'code: if ready:\n    serve()',
    ]);
  });

  it('reads Chinese, and closes up characters set apart', async () => {
    const tree = await readPdf({
      pages: [
        {
          items: [
            { text: '目', x: 60, y: 740, size: 18, font: 'cjk' },
            { text: '录', x: 96, y: 740, size: 18, font: 'cjk' },
            ...lines(
              [
                '第一章讲述知识库的分层切分设计以及标题结构树的构建方法，目的是提升检索',
                '的精度并增强引用的溯源能力。',
              ],
              { y: 700, font: 'cjk' },
            ),
          ],
        },
      ],
    });
    expect(outline(tree)).toEqual(['1 目录']);
    expect(blockTexts(tree)).toEqual([
      'paragraph: 第一章讲述知识库的分层切分设计以及标题结构树的构建方法，目的是提升检索的精度并增强引用的溯源能力。',
    ]);
  });

  it('reads pages that are turned', async () => {
    const upright = await readPdf({ pages: [{ items: lines(PROSE) }] });
    expect((await readPdf({ pages: [{ rotate: 90, items: lines(PROSE) }] })).text).toBe(upright.text);
  });

  it('keeps line numbers out of the lines and out of the index', async () => {
    const numbers = Array.from({ length: 12 }, (_, at) => ({
      text: String(at + 1),
      x: 30,
      y: 700 - at * 12,
    }));
    const body = lines(
      Array.from(
        { length: 12 },
        (_, at) => `${at % 2 ? 'and so the text' : 'the words'} of a law go on and on in a line`,
      ),
    );
    const tree = await readPdf({ pages: [{ items: [...numbers, ...body] }] });
    expect(tree.blocks.every((block) => block.type === 'paragraph')).toBe(true);
    expect(tree.excluded).toHaveLength(1);
    expect(tree.text.slice(tree.excluded[0]!.start, tree.excluded[0]!.end)).toBe(
      '1 2 3 4 5 6 7 8 9 10 11 12',
    );
  });
});
