import { describe, expect, it } from 'vitest';
import { logTree, looksLikeLog } from './log.js';
import { blockTexts, expectSoundTree, outline } from './tree.suite.js';

describe('log', () => {
  it('keeps a record with its trace, and makes each day a section', () => {
    const text = [
      '2026-11-14 23:59:58,001 INFO start',
      '2026-11-14 23:59:59,002 ERROR failed',
      'Traceback (most recent call last):',
      '  File "a.py", line 1',
      '2026-11-15 00:00:01,003 INFO again',
      '2026-11-15 00:00:02,004 INFO done',
      '',
    ].join('\n');
    const tree = logTree(text);
    expectSoundTree(tree);
    expect(tree.text).toBe(text);
    expect(outline(tree)).toEqual(['1 2026-11-14', '1 2026-11-15']);
    expect(tree.blocks).toHaveLength(2);
    expect(tree.blocks[0]!.cuts!.map((at) => text.slice(at, at + 36))).toEqual([
      '2026-11-14 23:59:59,002 ERROR failed',
    ]);
  });

  it.each([
    '[2026-11-15T10:00:00Z] a',
    '2026/11/15 10:00:00 [notice] a',
    '127.0.0.1 - - [15/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200',
    'Nov 15 10:00:00 host sshd[1]: a',
    '10:00:00.123 DEBUG a',
    '1763200000.123 a',
  ])('knows the time in %s', (line) => {
    expect(looksLikeLog(`${line}\n`.repeat(5))).toBe(true);
    expectSoundTree(logTree(`${line}\n`.repeat(5)));
  });

  it('reads what has no times as text', () => {
    const tree = logTree('Building…\nDone.\n\nNext step.\n');
    expect(tree.format).toBe('log');
    expect(blockTexts(tree)).toEqual(['paragraph: Building…\nDone.', 'paragraph: Next step.']);
  });
});
