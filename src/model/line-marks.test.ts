import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineOf, packLineMarks, trueLoc } from './line-marks.js';

describe('B11 lines of the file', () => {
  it('B11 line marks come back as they were packed', () => {
    const step = fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: -20, max: 90 }));
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
        let [offset, line] = [-steps[0]![0], 500];
        const pairs = steps.map(([more, lines]) => {
          offset += more;
          line += lines;
          return [offset, line] as const;
        });
        const content = 'x'.repeat(offset + 10);
        const chunk = {
          content,
          loc: { lines: { from: 1, to: 1 } },
          metadata: { line_marks: packLineMarks(pairs) },
        };
        for (const [at, [from, number]] of pairs.entries()) {
          expect(lineOf(chunk, from)).toBe(number);
          expect(lineOf(chunk, (pairs[at + 1]?.[0] ?? content.length) - 1)).toBe(number);
        }
      }),
    );
  });

  it('B11 a text that is the file itself is counted by its line breaks', () => {
    const chunk = { content: 'a\nb\n\nc', loc: { lines: { from: 7, to: 10 } }, metadata: {} };
    expect([0, 2, 5].map((at) => lineOf(chunk, at))).toEqual([7, 8, 10]);
    expect(lineOf({ ...chunk, loc: { page: 2 } }, 0)).toBeUndefined();
  });

  it('B11 lines that were counted in a converted text are not shown', () => {
    const loc = { lines: { from: 3, to: 9 }, pointer: '/a' };
    const placed = { content: '', loc, metadata: {} };
    expect(trueLoc(placed, 'json')).toEqual({ pointer: '/a' });
    expect(trueLoc(placed, 'docx')).toEqual({ pointer: '/a' });
    expect(trueLoc(placed, 'markdown')).toBe(loc);
    expect(trueLoc({ ...placed, metadata: { line_marks: [0, 3] } }, 'json')).toBe(loc);
  });
});
