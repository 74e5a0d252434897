import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { glossaryConcepts, readGlossary } from './glossary.js';

const glossary = readGlossary('\ufeff# ours\nk8s\tKubernetes\t容器编排\n首付款\tdown payment\r\n\n', 'g.tsv');
const said = (question: string) =>
  glossaryConcepts(question, glossary).map(({ source, ways }) => [
    source,
    ...ways.slice(1).map(({ text }) => text),
  ]);

describe('a glossary', () => {
  it('B13 is read by lines, either column may be asked for', () => {
    expect(glossary.problems).toEqual([]);
    expect(said('how is K8s set up?')).toEqual([['K8s', 'Kubernetes', '容器编排']]);
    expect(said('Kubernetes 怎么装')).toEqual([['Kubernetes', 'k8s']]);
    expect(said('購房首付款比例')).toEqual([['首付款', 'down payment']]);
    expect(said('a down payment of 30 %')).toEqual([['down payment', '首付款']]);
  });

  it('B13 a term stands as a word of its own: k8s is not in k8stats', () => {
    expect(said('k8stats and xk8s')).toEqual([]);
    expect(said('用k8s部署')).toEqual([['k8s', 'Kubernetes', '容器编排']]);
  });

  it('B13 what cannot be used is named by its line, and the rest counts', () => {
    const read = readGlossary(`one\nk8s\tKubernetes\n\t x\n${'y'.repeat(101)}\tz\n!!!\t???\n`, 'g.tsv');
    expect(read.entries).toEqual([['k8s', 'Kubernetes']]);
    expect(read.problems.map((problem) => problem.split(':')[1])).toEqual(['1', '3', '4', '5']);
    const many = readGlossary('a\n'.repeat(100), 'g.tsv');
    expect(many.problems).toHaveLength(6);
    const long = readGlossary(Array.from({ length: 10_050 }, (_, n) => `t${n}\tu${n}`).join('\n'), 'g.tsv');
    expect(long.entries).toHaveLength(10_000);
    expect(long.problems).toEqual(['g.tsv: only the first 10,000 terms are used']);
  });

  it('B13 takes any text, and gives concepts that stand in the question', () => {
    const cell = fc.constantFrom('k8s', 'K', '首付', '付款', '𠀀', '!', 'a b', ' ', '\u0000', 'ﬁ', 'İ');
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { maxLength: 3 }), { maxLength: 6 }),
        fc.array(cell),
        (rows, words) => {
          const read = readGlossary(rows.map((row) => row.join('\t')).join('\n'), 'g.tsv');
          const question = words.join(' ');
          for (const { start, end, source, ways } of glossaryConcepts(question, read)) {
            expect(question.slice(start, end)).toBe(source);
            expect(ways.every(({ terms }) => terms.length > 0)).toBe(true);
          }
        },
      ),
    );
  });
});
