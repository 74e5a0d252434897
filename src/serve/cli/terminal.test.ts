import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawBar } from './progress.js';
import { displayWidth, foldLines, foldSpans, oneLine, padEnd, shorten } from './terminal.js';

const anyText = fc.string({
  unit: fc.constantFrom('a', ' ', '中', '文', 'é', '👩‍👩‍👧', 'ＡＢ', '\u0301', 'x'),
});

describe('text on a terminal', () => {
  it('Chinese and emoji take two columns, marks none', () => {
    expect(displayWidth('ab')).toBe(2);
    expect(displayWidth('中文')).toBe(4);
    expect(displayWidth('e\u0301')).toBe(1);
    expect(displayWidth('👩‍👩‍👧')).toBe(2);
    expect(padEnd('中', 4)).toBe('中  ');
  });

  it('is never wider than asked for when shortened, and whole when it fits', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 40 }), (text, width) => {
        const short = shorten(text, width);
        expect(displayWidth(short)).toBeLessThanOrEqual(width);
        if (displayWidth(text) <= width) expect(short).toBe(text);
      }),
    );
  });

  it('folds into lines that fit and lose nothing', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 30 }), (text, width) => {
        const lines = foldSpans(text, width).map(([start, end]) => text.slice(start, end));
        expect(lines.join('')).toBe(text);
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      }),
    );
  });

  it('lets no document move the cursor or colour the screen', () => {
    expect(oneLine('a\u001b[2Jb\tc\n\u0007d')).toBe('a\ufffd[2Jb c \ufffdd');
  });

  it('draws progress with counts and the time left', () => {
    const bar = (done: number, elapsed: number): string =>
      drawBar({ stage: 'Reading files', done, total: 2_000, item: 'docs/a.md' }, elapsed, 120);
    expect(bar(500, 30_000)).toBe('Reading files ██████░░░░░░░░░░░░░░░░░░ 500/2,000 1:30 left docs/a.md');
    expect(bar(10, 100)).not.toContain('left');
    expect(bar(1, 10_000)).toContain('5:33:10 left');
    expect(drawBar({ stage: 'Looking', done: 7 }, 0, 80)).toBe('Looking 7');
    const deep = drawBar({ stage: 'Reading', done: 1, item: `${'folder/'.repeat(12)}guide.md` }, 0, 40);
    expect(deep).toMatch(/^Reading 1 …\/.*guide\.md$/);
    expect(
      displayWidth(drawBar({ stage: '读取', done: 1, total: 2, item: '很长的文件名'.repeat(20) }, 0, 60)),
    ).toBeLessThanOrEqual(60);
  });

  it('B3 long lines are broken between words, whatever their styles, and lose nothing but spaces', () => {
    expect(foldLines('  one two three four', 12)).toBe('  one two\n  three four');
    expect(foldLines('\u001b[1mbold words\u001b[22m here', 11)).toBe('\u001b[1mbold words\u001b[22m\nhere');
    fc.assert(
      fc.property(anyText, fc.integer({ min: 4, max: 20 }), (text, width) => {
        const folded = foldLines(text, width);
        for (const line of folded.split('\n'))
          expect(displayWidth(line.trimEnd())).toBeLessThanOrEqual(width);
        expect(folded.replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
      }),
    );
  });

  it('B3 no line begins with a mark that closes something', () => {
    expect(foldLines('今天下雨，明天晴。后天', 8)).toBe('今天下\n雨，明天\n晴。后天');
  });
});
