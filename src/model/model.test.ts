import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Chunk } from './chunk.js';
import { contentHash, hashByLines, normaliseForHash, repeatedHash, sha256 } from './hash.js';
import { chunkId, derivedId, mintId, sectionId } from './id.js';
import { cleanLabel, embedKey, indexedBody, indexedPrefix } from './indexed.js';
import { titlePath } from './tree.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('hashes', () => {
  it('S4.4 a hash is the SHA-256 of the normalised text', () => {
    expect(contentHash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(contentHash('a  \r\nb\n\n')).toBe(contentHash('a\nb'));
    expect(contentHash('e\u0301')).toBe(contentHash('é'));
    expect(contentHash('  a')).not.toBe(contentHash('a'));
    expect(contentHash('a\n\nb')).not.toBe(contentHash('a\nb'));
  });

  it('S4.4 a long text, hashed some lines at a time, has the hash of the whole', () => {
    const unit = fc.constantFrom(
      ' ',
      '\t',
      '\n',
      '\r',
      '\r\n',
      'a',
      'e\u0301',
      '\u0301',
      '知',
      'line',
      '\n\n\n',
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 60 }), fc.integer({ min: 1, max: 20 }), (units, part) => {
        const text = units.join('');
        expect(hashByLines(text, part)).toBe(sha256(normaliseForHash(text)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('normalising takes the short way only where nothing would change', () => {
    const slow = (text: string) =>
      text
        .normalize('NFC')
        .replace(/\r\n?/g, '\n')
        .replace(/[ \t]+$/gm, '')
        .replace(/^\n+|\n+$/g, '');
    const unit = fc.oneof(
      fc.constantFrom(
        ' ',
        '\t',
        '\n',
        '\r',
        '\u2028',
        'a',
        'é',
        'e\u0301',
        '中',
        '가',
        '\u1100',
        '\u1161',
        'ｱ',
        'か\u3099',
        'Å',
        '…',
        '。',
      ),
      fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 40 }), (units) => {
        expect(normaliseForHash(units.join(''))).toBe(slow(units.join('')));
      }),
      { numRuns: 800 },
    );
  });

  it('S4.4 the same text a second time in a document has a hash of its own', () => {
    const hash = sha256('same');
    expect(new Set([0, 1, 2].map((repeat) => repeatedHash(hash, repeat))).size).toBe(3);
    expect(repeatedHash(hash, 0)).toBe(hash);
  });
});

describe('ids', () => {
  it('are UUIDs; derived ones depend on their parts alone', () => {
    expect(mintId()).not.toBe(mintId());
    for (const id of [mintId(), chunkId('d', 'h'), sectionId('d', ['a', 'b'], 0)]) expect(id).toMatch(UUID);
    expect(chunkId('d', 'h')).toBe(chunkId('d', 'h'));
    const different = [
      chunkId('d', 'h'),
      chunkId('d2', 'h'),
      chunkId('d', 'h2'),
      sectionId('d', ['h'], 0),
      sectionId('d', ['h'], 1),
    ];
    expect(new Set(different).size).toBe(different.length);
    expect(derivedId('a', 'bc')).not.toBe(derivedId('ab', 'c'));
  });
});

describe('what is indexed', () => {
  it('leaves excluded ranges out and repeats the header of a cut table', () => {
    const content = 'a<!-- x -->b<!-- y -->c';
    const excluded = [
      [1, 11],
      [12, 22],
    ] as [number, number][];
    expect(indexedBody({ content, metadata: { excluded } })).toBe('a b c');
    expect(indexedBody({ content: '| 1 |', metadata: { table_header: '| a |\n|---|' } })).toBe(
      '| a |\n|---|\n| 1 |',
    );
  });

  it('S4.4 the key of what is embedded does not see blanks at line ends, and has not changed without them', () => {
    const chunk = {
      title_path: ['Guide', 'Backups'],
      parent_doc_title: 'Guide',
      source_hint: '',
      metadata: {},
    };
    const key = (content: string) => embedKey({ ...chunk, content } as unknown as Chunk);
    const line = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\r\n]/g, '').trimEnd());
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('', ' ', '\t  '), (lines, blanks) => {
        const text = lines.join('\n');
        expect(key(text)).toBe(sha256(`[TitlePath] Guide > Backups\n${text}`));
        expect(key(lines.map((one) => one + blanks).join('\n'))).toBe(key(text));
      }),
    );
  });

  it('S4.3 puts the path and the hint in front, cleaned, the document first', () => {
    const chunk = {
      title_path: ['部署', '[Nginx](x) {#n}'],
      parent_doc_title: 'Guide',
      source_hint: '[Code] nginx snippet',
    };
    expect(indexedPrefix(chunk)).toBe('[TitlePath] Guide > 部署 > Nginx\n[SectionHint] Code nginx snippet\n');
    expect(indexedPrefix({ title_path: ['Guide'], parent_doc_title: 'Guide', source_hint: '' })).toBe(
      '[TitlePath] Guide\n',
    );
  });

  it('S4.2 a label has no HTML, anchors, link targets, brackets or line breaks', () => {
    expect(cleanLabel('A <b>bold</b>\n[link](http://x) {#a} [x]')).toBe('A bold link x');
    expect(cleanLabel('a < b and c > d')).toBe('a < b and c > d');
    expect(cleanLabel('Map<String, T> <em class="x">one</em><!-- n -->')).toBe('Map<String, T> one');
  });
});

describe('paths', () => {
  it('lead from the top section down', () => {
    const span = { start: 0, end: 0 };
    const sections = [
      { title: '部署', level: 1, parent: -1, heading: span, span },
      { title: 'Nginx', level: 2, parent: 0, heading: span, span },
      { title: 'CORS', level: 3, parent: 1, heading: span, span },
    ];
    expect(titlePath(sections, 2)).toEqual(['部署', 'Nginx', 'CORS']);
    expect(titlePath(sections, -1)).toEqual([]);
  });
});
