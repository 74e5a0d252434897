import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseQuery } from '../../text/query.js';
import { highlight } from './highlight.js';

const words = fc.array(
  fc.constantFrom(
    'kube-scheduler',
    'percentageOfNodesToScore',
    'nodes_to_score',
    'the',
    '`node`',
    '污点',
    '😀',
    'é',
  ),
  { minLength: 1, maxLength: 200 },
);

it('S2.7 a piece of text begins and ends with whole words, also where a part of one was found', () => {
  fc.assert(
    fc.property(words, (list) => {
      const text = list.join(' ');
      const found = highlight('content', text, parseQuery('score scheduler 污点'));
      if (found === null) return;
      const known = new Set(
        list.flatMap((word) => (/^\p{Script=Han}+$/u.test(word) ? [...word, word] : [word])),
      );
      const shown = found.text.trim().split(' ');
      expect(shown.filter((word) => !known.has(word))).toEqual([]);
      expect(text).toContain(found.text);
      expect(found.matches.length).toBeGreaterThan(0);
      for (const [start, end] of found.matches)
        expect(found.text.slice(start, end)).toMatch(/scor|schedul|污|点/i);
    }),
    { numRuns: 500 },
  );
});

it('S2.7 data without spaces is cut, and no character is halved', () => {
  const text = `${'😀'.repeat(400)}score${'😀'.repeat(400)}`;
  const found = highlight('content', text, parseQuery('score'))!;
  expect(found.text.length).toBeLessThan(400);
  expect(found.text.isWellFormed()).toBe(true);
});
