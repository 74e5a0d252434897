import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TreeBuilder } from './builder.js';
import { TracedText } from './traced-text.js';
import { blockTexts, expectSoundTree, outline } from './tree.suite.js';

type Step =
  | { readonly do: 'heading' | 'section'; readonly level: number; readonly text: string }
  | { readonly do: 'paragraph' | 'quote' | 'code'; readonly text: string }
  | { readonly do: 'list'; readonly items: readonly string[] }
  | { readonly do: 'table'; readonly rows: readonly (readonly string[])[]; readonly header: number }
  | { readonly do: 'page' };

const words = fc.string({
  unit: fc.constantFrom('a', '词', ' ', '\n', '\r\n', '|', '\ud800', '😀', '#'),
  maxLength: 12,
});
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constantFrom('heading' as const, 'section' as const),
    level: fc.integer({ min: 0, max: 9 }),
    text: words,
  }),
  fc.record({ do: fc.constantFrom('paragraph' as const, 'quote' as const, 'code' as const), text: words }),
  fc.record({ do: fc.constant('list' as const), items: fc.array(words, { maxLength: 4 }) }),
  fc.record({
    do: fc.constant('table' as const),
    rows: fc.array(fc.array(words, { maxLength: 3 }), { maxLength: 4 }),
    header: fc.integer({ min: 0, max: 2 }),
  }),
  fc.constant({ do: 'page' as const }),
);

function take(builder: TreeBuilder, step: Step): void {
  if (step.do === 'heading') builder.heading(step.level, step.text);
  else if (step.do === 'section') builder.section(step.level, step.text);
  else if (step.do === 'list') builder.list(step.items);
  else if (step.do === 'table') builder.table(step.rows, step.header);
  else if (step.do === 'page') builder.page();
  else builder[step.do](step.text);
}

describe('TreeBuilder', () => {
  it('gives a sound tree whatever is written', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), fc.array(step, { maxLength: 6 }), (steps, inner) => {
        const builder = new TreeBuilder();
        for (const next of steps) take(builder, next);
        const other = new TreeBuilder();
        for (const next of inner.filter((step) => step.do !== 'page')) take(other, next);
        const written = other.build({ format: 'inner' });
        builder.append(written, TracedText.of(written.text));
        const tree = builder.build({ format: 'test' });
        expectSoundTree(tree);
        expect(tree.pages.length).toBe(steps.filter((step) => step.do === 'page').length);
      }),
    );
  });

  it('keeps the words of every block', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const builder = new TreeBuilder();
        for (const next of steps) take(builder, next);
        const written = steps.flatMap((step) =>
          step.do === 'page' || step.do === 'section'
            ? []
            : step.do === 'list'
              ? step.items
              : step.do === 'table'
                ? step.rows.flat()
                : [step.text],
        );
        const letters = (text: string): string => [...text].filter((c) => /[a词😀]/u.test(c)).join('');
        expect(letters(builder.build({ format: 'test' }).text)).toBe(letters(written.join('')));
      }),
    );
  });

  it('writes text that reads as Markdown, with the spans of its parts', () => {
    const tree = new TreeBuilder()
      .heading(1, 'Deploy\n guide')
      .paragraph('  First.  \r\n\r\n\r\n\r\nSecond.')
      .heading(3, '部署')
      .list(['- one', '- two\n  - deeper'])
      .table([['Name', 'Port'], ['web', '80|81'], ['db']], 1)
      .heading(2, '  ')
      .heading(2, 'Code')
      .code('\n  if (x)\n\n    y();\n\n', 'js')
      .build({ format: 'test', title: 'Deploy' });
    expectSoundTree(tree);
    expect(outline(tree)).toEqual(['1 Deploy guide', '3 部署', '2 Code']);
    expect(tree.sections.map((section) => section.parent)).toEqual([-1, 0, 0]);
    expect(blockTexts(tree)).toEqual([
      'paragraph: First.\n\nSecond.',
      'list: - one\n- two\n  - deeper',
      'table: | Name | Port |\n| --- | --- |\n| web | 80\\|81 |\n| db |  |',
      'code:   if (x)\n\n    y();',
    ]);
    const table = tree.blocks[2]!;
    expect(tree.text.slice(table.header!.start, table.header!.end)).toBe('| Name | Port |');
    expect(table.cuts!.map((cut) => tree.text.slice(cut).split('\n')[0])).toEqual(['| db |  |']);
    expect(tree.blocks[3]!.lang).toBe('js');
    expect(tree.text.startsWith('# Deploy guide\n\nFirst.\n\nSecond.\n\n### 部署\n\n- one')).toBe(true);
  });

  it('knows where each page starts, empty ones too', () => {
    const tree = new TreeBuilder()
      .page()
      .paragraph('one')
      .page()
      .page()
      .paragraph('three')
      .page()
      .build({ format: 'x' });
    expect(tree.text).toBe('one\n\nthree');
    expect(tree.pages).toEqual([0, 3, 5, 10]);
  });
});
