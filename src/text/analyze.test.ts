import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyze, termSpans } from './analyze.js';
import { normalise, normalText } from './normalise.js';

const terms = (text: string): string[] => analyze(text).map(({ term }) => term);

const mixed = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.constantFrom(
        'getUserById',
        'max_chunk_size',
        '數據庫',
        '资料库',
        'ﬁle',
        '½',
        'ＡＰＩ',
        'v1.2.3',
        ' ',
        '\n',
      ),
      fc.constantFrom(
        'e\u0301',
        '각',
        '\u1100\u1161\u11a8',
        'ｶﾞ',
        "don't",
        '12,345',
        '𠮷野家',
        '👩‍👩‍👧',
        'C++',
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

describe('termSpans', () => {
  it('finds the wanted terms where analyze does', () => {
    const asked = fc.record({ text: mixed, every: fc.integer({ min: 1, max: 4 }), prefix: fc.boolean() });
    fc.assert(
      fc.property(asked, ({ text, every, prefix: typed }) => {
        const tokens = analyze(text);
        const wanted = new Set(tokens.filter((_, index) => index % every === 0).map(({ term }) => term));
        const prefix = typed
          ? (tokens.find(({ kind }) => kind === 'word')?.surface.slice(0, 2) ?? null)
          : null;
        const expected = tokens.filter(
          ({ term, surface }) => wanted.has(term) || (prefix !== null && surface.startsWith(prefix)),
        );
        expect(termSpans(text, wanted, prefix)).toEqual(expected.map(({ start, end }) => [start, end]));
      }),
    );
  });
});

describe('analyze', () => {
  it('gives spans inside the original text, in order of their starts, none empty', () => {
    fc.assert(
      fc.property(mixed, (text) => {
        let last = 0;
        for (const { start, end, term } of analyze(text)) {
          expect(term).not.toBe('');
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          last = Math.min(start, end);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('a span of the original, analysed alone, gives its term again', () => {
    fc.assert(
      fc.property(mixed, (text) => {
        for (const token of analyze(text)) {
          if (token.kind === 'part' || token.surface === `${token.term}t` || token.term === 'not') continue;
          expect(terms(text.slice(token.start, token.end))).toContain(token.term);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('normalises to NFKC with offsets that only grow', () => {
    fc.assert(
      fc.property(fc.oneof(mixed, fc.string({ unit: 'binary', maxLength: 30 })), (text) => {
        const { text: normal, at } = normalise(text);
        expect(normal).toBe(text.normalize('NFKC'));
        expect(normalText(text)).toBe(normal);
        if (!at) return;
        expect(at.length).toBe(normal.length + 1);
        expect(at.at(-1)).toBe(text.length);
        for (let index = 1; index < at.length; index++)
          expect(at[index]!).toBeGreaterThanOrEqual(at[index - 1]!);
      }),
      { numRuns: 1_000 },
    );
  });

  it('folds case, width, accents, ligatures and traditional characters', () => {
    expect(terms('ＡＰＩ Café ﬁle')).toEqual(terms('api cafe file'));
    expect(terms('數據庫')).toEqual(terms('数据库'));
    expect(terms('後台 裏面')).toEqual(terms('后台 里面'));
  });

  it('maps a span through NFKC to the original', () => {
    const text = 'aﬃx of ½ ㌔ 數據';
    const found = analyze(text).find(({ term }) => term === 'affix')!;
    expect(text.slice(found.start, found.end)).toBe('aﬃx');
    const pair = analyze(text).find(({ term }) => term === '数据')!;
    expect(text.slice(pair.start, pair.end)).toBe('數據');
  });

  it('finds identifiers whole and by part, whatever the style', () => {
    for (const style of ['getUserById', 'get_user_by_id', 'get-user-by-id', 'GetUserByID']) {
      expect(terms(style)).toContain('getuserbyid');
      expect(terms(style)).toContain('user');
    }
    expect(terms('kube-proxy')).toEqual(['kubeproxi', 'kube', 'proxi']);
    expect(terms('foo.bar()')).toEqual(['foobar', 'foo', 'bar']);
    expect(terms('XMLHttpRequest')).toEqual(
      expect.arrayContaining(['xmlhttprequest', 'xml', 'http', 'request']),
    );
    expect(terms('URLs')).toEqual(['url']);
    expect(terms('C++ and C#')).toEqual(['c++', 'and', 'c#']);
  });

  it('keeps versions and numbers in one piece', () => {
    expect(terms('v1.2.3')).toEqual(['1.2.3', '1.2']);
    expect(terms('1.2.3')).toEqual(['1.2.3', '1.2']);
    expect(terms('12,345')).toEqual(['12345']);
    expect(terms('3.14')).toEqual(['3.14']);
  });

  it('gives characters and pairs of dense scripts, across a line break too', () => {
    expect(terms('数据库')).toEqual(['数', '数据', '据', '据库', '库']);
    expect(terms('数据\n库')).toEqual(terms('数据库'));
    expect(terms('数据 库')).not.toContain('据库');
    expect(terms('𠮷野')).toEqual(['𠮷', '𠮷野', '野']);
    expect(terms('データ')).toContain('デー');
    expect(terms('한국어')).toContain('한국');
  });

  it('reads mixed text', () => {
    expect(terms('配置 Nginx CORS')).toEqual(['配', '配置', '置', 'nginx', 'cor']);
  });

  it('reads contractions', () => {
    expect(terms("it's John's don't we'll O'Brien")).toEqual([
      'it',
      'john',
      'not',
      'we',
      'obrien',
      'o',
      'brien',
    ]);
  });
});
