import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isStrataError } from '../model/errors.js';
import { decode, normaliseText } from './decode.js';
import { parseDocument } from './parse.js';
import { DEFAULT_LIMITS } from './parser.js';
import { textTree } from './text.js';

const utf16 = (text: string, big: boolean): Uint8Array => {
  const bytes = Buffer.from(text, 'utf16le');
  return big ? bytes.swap16() : bytes;
};
const bytesOf = (hex: string): Uint8Array => Buffer.from(hex.replace(/\s/g, ''), 'hex');

describe('decode', () => {
  it('reads UTF-8 and UTF-16, with and without a byte order mark', () => {
    const text = 'Knowledge base 知识库\nsecond line 第二行\n';
    for (const bytes of [
      Buffer.from(text),
      Buffer.from(`\ufeff${text}`),
      utf16(text, false),
      utf16(text, true),
      utf16(`\ufeff${text}`, false),
      utf16(`\ufeff${text}`, true),
    ]) {
      expect(decode(bytes)).toBe(text);
    }
  });

  it('reads GB18030, Big5, Shift_JIS, EUC-KR, windows-1251 and windows-1252 where they can be told', () => {
    // 知识库的内容是我们的 · 這是我們的國家 · これはテストです · 이것은 한국어 · Это русский текст · “café” – naïve
    const samples: [string, string][] = [
      ['d6aa cab6 bfe2 b5c4 c4da c8dd cac7 ced2 c3c7 b5c4', '知识库的内容是我们的'],
      ['b36f ac4f a7da adcc aaba b0ea ae61', '這是我們的國家'],
      ['82b1 82ea 82cd 8365 8358 8367 82c5 82b7', 'これはテストです'],
      ['c0cc b0cd c0ba 20 c7d1 b1b9 beee c0d4 b4cf b4d9', '이것은 한국어입니다'],
      ['ddf2ee 20 f0f3f1f1eae8e9 20 f2e5eaf1f2', 'Это русский текст'],
      ['93 636166e9 94 20 96 20 6e61ef7665 20 7465787420 666f7220 796f75', '“café” – naïve text for you'],
    ];
    for (const [hex, text] of samples) expect(decode(bytesOf(hex))).toBe(text);
  });

  it('believes an HTML or XML file that says its encoding', () => {
    const head = Buffer.from('<?xml version="1.0" encoding="EUC-KR"?><a>');
    expect(decode(Buffer.concat([head, bytesOf('b0a1')]))).toBe(
      '<?xml version="1.0" encoding="EUC-KR"?><a>가',
    );
  });

  it('makes newlines \\n, and replaces zero bytes and lone surrogates', () => {
    expect(decode(Buffer.from('a\r\nb\rc\0d'))).toBe('a\nb\nc\ufffdd');
    expect(normaliseText('a\ud800b')).toBe('a\ufffdb');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const read = normaliseText(text);
        expect(/[\r\0]/.test(read)).toBe(false);
        expect(read.isWellFormed()).toBe(true);
      }),
    );
  });

  it('refuses what is no text', async () => {
    const noise = Uint8Array.from({ length: 4000 }, (_, at) => (at * 7919 + (at >> 3) * 31) % 256);
    const error = await parseDocument({ bytes: noise, name: 'x.txt', limits: DEFAULT_LIMITS }).catch(
      (thrown: unknown) => thrown,
    );
    expect(isStrataError(error, 'BINARY')).toBe(true);
    const png = bytesOf('89504e470d0a1a0a0000000d49484452');
    const picture = await parseDocument({ bytes: png, name: 'x.md', limits: DEFAULT_LIMITS }).catch(
      (thrown: unknown) => thrown,
    );
    expect(picture).toMatchObject({ name: 'StrataError' });
  });
});

describe('plain text', () => {
  it('is paragraphs between blank lines', () => {
    const { blocks, text } = textTree('  one\ntwo  \n\n \n# three\n');
    expect(blocks.map(({ start, end }) => text.slice(start, end))).toEqual(['one\ntwo', '# three']);
    expect(textTree('').blocks).toEqual([]);
  });
});
