import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { globMatcher } from './glob.js';

/** The same as a regular expression: clear, and too slow for what a caller may write. */
function reference(glob: string): RegExp {
  const source = glob.replace(/\*\*\/|\*\*|\*|\?|[\\^$+.()|[\]{}]/g, (part) => {
    if (part === '**/') return '(?:.*/)?';
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    return part === '?' ? '[^/]' : `\\${part}`;
  });
  return new RegExp(`^${glob.includes('/') ? '' : '(?:.*/)?'}${source}(?:/.*)?$`, 'su');
}

describe('globs', () => {
  it('mean what the regular expression for them means', () => {
    const glob = fc.string({
      unit: fc.constantFrom('a', 'b', '.', '/', '*', '**', '**/', '?', '😀'),
      maxLength: 9,
    });
    const path = fc.string({ unit: fc.constantFrom('a', 'b', '.', '/', '😀'), maxLength: 12 });
    fc.assert(
      fc.property(glob, path, (pattern, text) => {
        expect(globMatcher(pattern)(text)).toBe(reference(pattern).test(text));
      }),
      { numRuns: 8_000 },
    );
  });

  // As a regular expression the shortest of these takes longer than the age of this file.
  it('B15 need no more steps than their length times that of the path', () => {
    for (const hostile of ['*?', '**/', '*a', '**a', '?*/']) {
      const matches = globMatcher(`${hostile.repeat(600)}!`);
      for (const path of ['a'.repeat(2000), 'a/'.repeat(1000), `${'ab'.repeat(2000)}!x`]) {
        expect(matches(path)).toBe(false);
      }
    }
  });
});
