import { describe, expect, it } from 'vitest';
import { sentenceStarts } from './sentences.js';

const split = (text: string): string[] => {
  const edges = [0, ...sentenceStarts(text, 0, text.length), text.length];
  return edges.slice(1).map((end, index) => text.slice(edges[index], end).trim());
};

describe('sentences', () => {
  it.each([
    ['今天晴。明天雨！后天呢？也许；好。', ['今天晴。', '明天雨！', '后天呢？', '也许；', '好。']],
    ['他说：“走吧。”然后走了。', ['他说：“走吧。”', '然后走了。']],
    [
      'One is here. Two is there! Is it three? Yes.',
      ['One is here.', 'Two is there!', 'Is it three?', 'Yes.'],
    ],
    [
      'Use e.g. this one. See Dr. Smith at 3.5 km. Done.',
      ['Use e.g. this one.', 'See Dr. Smith at 3.5 km.', 'Done.'],
    ],
    ['He said "go." Then left. (So it was.) End.', ['He said "go."', 'Then left.', '(So it was.)', 'End.']],
    [
      'Version 1.2.3 of node.js runs. J. Smith agrees.',
      ['Version 1.2.3 of node.js runs.', 'J. Smith agrees.'],
    ],
    ['Wait... what? 没错。OK.', ['Wait... what?', '没错。', 'OK.']],
    ['no stop at all', ['no stop at all']],
    ['', ['']],
  ])('%s', (text, sentences) => {
    expect(split(text)).toEqual(sentences);
  });

  it('offsets lie strictly inside and ascend', () => {
    const text = '一。二。三。 Four. Five! ';
    const starts = sentenceStarts(text, 2, text.length - 3);
    for (const at of starts) expect(at > 2 && at < text.length - 3).toBe(true);
    expect([...starts].sort((a, b) => a - b)).toEqual(starts);
  });
});
