import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanForModel, firstUnits } from './clean.js';
import { cjkShare } from './language.js';
import { join, passageWeights, queryWeights } from './pair.js';

const anyText = fc.string({
  unit: fc.oneof(fc.string(), fc.constantFrom('<a>', '](', '中', '\ud800', '\ud83d\ude00', '\n')),
});

describe('a text as a model reads it', () => {
  it('S4.2 keeps the words and drops what a reader does not see', () => {
    expect(cleanForModel('See [the guide](https://x.y/a_(b)) and ![a figure](f.png "F")')).toBe(
      'See the guide and a figure',
    );
    expect(cleanForModel('<a id="q"></a>标题<br/>二 {#anchor}')).toBe('标题 二');
    expect(cleanForModel('Map<string, T> and a < b')).toBe('Map<string, T> and a < b');
    expect(cleanForModel('one\u200b\u00adtwo<!-- no\nno -->')).toBe('onetwo');
  });

  it('gives well-formed text, and the same again', () => {
    fc.assert(
      fc.property(anyText, fc.nat(40), (text, units) => {
        const clean = cleanForModel(text);
        for (const one of [clean, firstUnits(clean, units)])
          expect(() => encodeURIComponent(one)).not.toThrow();
        expect(clean.startsWith(firstUnits(clean, units))).toBe(true);
      }),
    );
  });
});

describe('the weights of the pair', () => {
  it('follow the language', () => {
    expect(cjkShare('')).toBe(0);
    expect(cjkShare('plain English')).toBe(0);
    expect(cjkShare('中文，标点。')).toBe(1);
    expect(cjkShare('𠀀 rare')).toBeCloseTo(0.2);
    expect(queryWeights('如何部署服务').second).toBe(0);
    expect(passageWeights('如何部署服务').second).toBe(0);
    expect(queryWeights('how to deploy').second).toBeGreaterThan(0.7);
    expect(queryWeights('怎样配置 nginx reverse proxy').second).toBeGreaterThan(0);
  });

  it('never make a vector longer than 1', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const weights of [queryWeights(text), passageWeights(text)]) {
          const joined = join(Float32Array.of(1, 0), Float32Array.of(0, 1), weights, 4);
          expect(Math.hypot(...joined)).toBeLessThanOrEqual(1.000001);
        }
      }),
    );
  });
});
