import fc from 'fast-check';
import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import { wordDiff } from './word-diff.js';

const plain = pc.createColors(false);

describe('the difference between a quotation and its source', () => {
  it('B12 shows the words that changed, in both languages', () => {
    expect(wordDiff('The server waits ten minutes.', 'The server waits five minutes.', plain)).toBe(
      'The server waits [-ten-]{+five+} minutes.',
    );
    expect(wordDiff('备份保留七天，之后删除。', '备份保留三十天，之后删除。', plain)).toBe(
      '备份保留[-七-]{+三十+}天，之后删除。',
    );
    expect(wordDiff('one two three four', 'one two three', plain)).toBe('one two three[- four-]');
  });

  it('B12 leaves out what is far from a change, and gives up where little is shared', () => {
    const long = 'word '.repeat(100);
    expect(wordDiff(`${long}old end`, `${long}new end`, plain)!.length).toBeLessThan(100);
    expect(wordDiff('nothing in common', 'quite different words here', plain)).toBeNull();
  });

  it('B12 both texts can be read from the difference', () => {
    const text = fc.array(fc.constantFrom('alpha', 'beta', ' ', '\n', '备', '份', '.'), { maxLength: 30 });
    fc.assert(
      fc.property(text, text, (one, other) => {
        const [before, after] = [one.join(''), other.join('')];
        const shown = wordDiff(before, after, plain);
        if (shown === null || shown.includes('…')) return;
        expect(shown.replace(/\{\+.*?\+\}/gs, '').replace(/\[-(.*?)-\]/gs, '$1')).toBe(before);
        expect(shown.replace(/\[-.*?-\]/gs, '').replace(/\{\+(.*?)\+\}/gs, '$1')).toBe(after);
      }),
    );
  });
});
