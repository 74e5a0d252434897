import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanForModel, firstUnits } from './clean.js';
import { cjkShare } from './language.js';
import { join, readAsPair } from './pair.js';

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

describe('the pair', () => {
  it('weighs by language, and lets the English model read what is not Chinese', () => {
    expect(cjkShare('')).toBe(0);
    expect(cjkShare('plain English')).toBe(0);
    expect(cjkShare('中文，标点。')).toBe(1);
    expect(cjkShare('𠀀 rare')).toBeCloseTo(0.2);
    expect(readAsPair('如何部署服务（三）2.1？').second).toBeNull();
    expect(readAsPair('[TitlePath] 部署 > 服务\n[SectionHint] 代码\n如何').second).toBeNull();
    expect(readAsPair('[TitlePath] 部署 > Nginx\n如何').second).toMatchObject({ text: '> Nginx' });
    expect(readAsPair('怎样配置 nginx 的 reverse proxy？').second).toMatchObject({
      text: 'nginx reverse proxy',
    });
    const english = readAsPair('[TitlePath] Deploy\nhow to deploy');
    expect(english.second).toMatchObject({ text: '[TitlePath] Deploy\nhow to deploy' });
    expect(english.second!.weight).toBeGreaterThan(readAsPair('怎样配置 nginx').second!.weight);
    expect(readAsPair('2 + 2').second).not.toBeNull();
  });

  it('never makes a vector longer than 1', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const joined = join(readAsPair(text), Float32Array.of(1, 0), null, 4);
        expect(Math.hypot(...joined)).toBeLessThan(1);
        const reading = readAsPair(text);
        if (reading.second === null) return;
        const both = join(reading, Float32Array.of(1, 0), Float32Array.of(0, 1), 4);
        expect(Math.hypot(...both)).toBeLessThanOrEqual(1.000001);
      }),
    );
  });
});
