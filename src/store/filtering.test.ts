import { describe, expect, it } from 'vitest';
import { pathMatcher } from './filtering.js';
import { byCodePoint } from './index/order.js';

describe('pathMatcher', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['docs', 'docs/a/b.md', true],
    ['docs/', 'docs/a.md', true],
    ['docs', 'docs2/a.md', false],
    ['docs/a.md', 'docs/a.md', true],
    ['docs\\a.md', 'docs/a.md', true],
    ['docs', 'docs\\a.md', true],
    ['', 'anything', true],
    ['/', '/etc/hosts', true],
    ['*.md', 'deep/down/a.md', true],
    ['*.md', 'a.mdx', false],
    ['docs/*.md', 'docs/a.md', true],
    ['docs/*.md', 'docs/deep/a.md', false],
    ['docs/**/*.md', 'docs/deep/down/a.md', true],
    ['docs/**/*.md', 'docs/a.md', true],
    ['docs/*', 'docs/deep/a.md', true],
    ['a?c.md', 'abc.md', true],
    ['a?c.md', 'a/c.md', false],
    ['文档/*(1).md', '文档/甲(1).md', true],
    ['a.b*', 'axb', false],
    ['https://x.org/guide', 'https://x.org/guide/one?q=1', true],
  ];
  it.each(cases)('%s on %s: %s', (pattern, path, expected) => {
    expect(pathMatcher(pattern)(path)).toBe(expected);
  });
});

it('orders by code point, as UTF-8 bytes do', () => {
  const texts = ['', 'a', 'ab', 'Z', 'é', '文', 'ｚ', '😀', '😀a', '\u{10FFFF}', '\uFFFD'];
  const byBytes = [...texts].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  expect([...texts].sort(byCodePoint)).toEqual(byBytes);
});
