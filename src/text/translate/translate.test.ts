import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Dictionary, openDictionary, readDictionary } from './dictionary.js';
import { glossKey } from './gloss-key.js';
import { fromChinese, fromEnglish } from './translate.js';

const all = async (terms: readonly string[]): Promise<ReadonlySet<string>> => new Set(terms);
const wayTexts = (concepts: Awaited<ReturnType<typeof fromChinese>>) =>
  new Map(concepts.map(({ source, ways }) => [source, ways.map(({ text }) => text)]));

const chinese = (await openDictionary('zh-en')) as Dictionary;
const english = (await openDictionary('en-zh')) as Dictionary;

describe('the dictionary', () => {
  it('B13 has words of both languages, with how sure a translation is', () => {
    expect(chinese.translationsOf('大学').map(({ text }) => text)).toContain('university');
    expect(english.translationsOf(glossKey('universities')).map(({ text }) => text)).toContain('大学');
    expect(chinese.has('长江大桥') || chinese.has('长江')).toBe(true);
    for (const { share } of [...chinese.translationsOf('打'), ...english.translationsOf('run')]) {
      expect(share).toBeGreaterThan(0);
      expect(share).toBeLessThanOrEqual(1);
    }
    expect(chinese.translationsOf('不成词的词')).toEqual([]);
  });

  it('B13 its keys are made by the analysis of today: words of the file are found again', () => {
    // A change of stemming or folding makes the keys stale: scripts/make-dictionary.js must then be run again.
    for (const word of [
      'government',
      'mathematics',
      'running water',
      'to attack',
      'Olympic Games',
      'geology',
    ]) {
      expect(english.translationsOf(glossKey(word)), word).not.toEqual([]);
    }
  });

  it('B13 finds every line of a sorted file and no other', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'strata-dictionary-'));
    try {
      const words = fc.uniqueArray(fc.stringMatching(/^[a-e]{1,4}$/), { maxLength: 30 });
      await fc.assert(
        fc.asyncProperty(words, fc.stringMatching(/^[a-e]{1,4}$/), async (keys, other) => {
          const file = join(folder, 'x.bin');
          await writeFile(
            file,
            brotliCompressSync(
              keys
                .map((key) => `${key}\t1${key}!|4b\n`)
                .sort()
                .join(''),
            ),
          );
          const dictionary = await readDictionary(pathToFileURL(file));
          for (const key of keys) {
            expect(dictionary.translationsOf(key)).toEqual([
              { text: `${key}!`, share: 1 },
              { text: 'b', share: 0.5 },
            ]);
          }
          expect(dictionary.has(other)).toBe(keys.includes(other));
        }),
        { numRuns: 30 },
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('a question in another language', () => {
  it('B13 phrases come before words, and names stay as they are', async () => {
    const found = wayTexts(await fromEnglish('Which team won the Olympic Games in Kuechly?', english, all));
    expect(found.get('Olympic Games')).toContain('奥运会');
    expect(found.has('Games')).toBe(false);
    expect(found.has('Kuechly')).toBe(false);
    expect(found.has('Which')).toBe(false);
  });

  it('B13 Chinese words are translated, traditional as simplified, and what only joins is not', async () => {
    for (const question of ['华沙的大学有多少个学生？', '華沙的大學有多少個學生？']) {
      const found = await fromChinese(question, chinese, all);
      const ways = found.flatMap(({ ways: [, ...others] }) => others.map(({ text }) => text));
      expect(ways).toEqual(expect.arrayContaining(['Warsaw', 'university']));
      expect(found.some(({ source }) => '的有多少'.includes(source))).toBe(false);
    }
  });

  it('B13 what the library does not hold is no translation; a phrase then falls back to its words', async () => {
    const held = async (terms: readonly string[]): Promise<ReadonlySet<string>> =>
      new Set(terms.filter((term) => ['游戏', '大学'].includes(term)));
    const found = wayTexts(await fromEnglish('Olympic Games at a university', english, held));
    expect(found.has('Olympic Games')).toBe(false);
    expect(found.get('Games')).toEqual(['Games', '游戏']);
    expect(found.get('university')).toEqual(['university', '大学']);
    expect(await fromEnglish('university', english, async () => new Set())).toEqual([]);
  });

  it('B13 concepts stand where the question has their words, in order, without overlaps', async () => {
    const piece = fc.constantFrom(
      '大学',
      '華沙',
      '的',
      ' CORS ',
      '奥运会',
      '？',
      'university ',
      'the ',
      '𠀀',
      '1990年',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const question = pieces.join('');
        for (const concepts of [
          await fromChinese(question, chinese, all),
          await fromEnglish(question, english, all),
        ]) {
          let last = 0;
          for (const { start, end, source, ways } of concepts) {
            expect(start).toBeGreaterThanOrEqual(last);
            expect(question.slice(start, end)).toBe(source);
            expect(ways.length).toBeGreaterThan(1);
            expect(ways.every(({ terms, share }) => terms.length > 0 && share > 0 && share <= 1)).toBe(true);
            last = end;
          }
        }
      }),
    );
  });
});
