import { describe, expect, it } from 'vitest';
import { numeral } from './numerals.js';

describe('numeral', () => {
  it.each([
    [7, 'decimal', '7'],
    [7, 'decimalZero', '07'],
    [1994, 'upperRoman', 'MCMXCIV'],
    [4, 'lowerRoman', 'iv'],
    [27, 'lowerLetter', 'aa'],
    [52, 'upperLetter', 'ZZ'],
    [10, 'chineseCounting', '十'],
    [12, 'chineseCounting', '十二'],
    [20, 'chineseCountingThousand', '二十'],
    [105, 'chineseCountingThousand', '一百零五'],
    [2003, 'japaneseCounting', '二千零三'],
    [3, 'ideographTraditional', '丙'],
    [20, 'decimalEnclosedCircle', '⑳'],
    [99_999, 'chineseCounting', '99999'],
    [5, 'unknownFormat', '5'],
  ])('%i as %s: %s', (value, format, written) => {
    expect(numeral(value, format)).toBe(written);
  });
});
