import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Embedder } from '../embedder.js';
import { embedInParts, embedPassages } from '../passages.js';
import { partsOf } from './parts.js';

const PREFIX = '[TitlePath] Guide > Install\n[SectionHint] 安装\n';
const sentence = fc.constantFrom(
  'Nothing here is decided yet. ',
  '这是一句话。',
  'A line without an end\n',
  '第二句比第一句要长得多，因为它说了更多的事情！',
  '😀',
  '\n\n',
);
const body = fc.array(sentence, { minLength: 1, maxLength: 200 }).map((all) => all.join(''));

describe('parts of a passage', () => {
  it('S4.7 hold all of it in order, each with the titles in front', () => {
    fc.assert(
      fc.property(body, fc.boolean(), (text, titled) => {
        const prefix = titled ? PREFIX : '';
        const parts = partsOf(prefix + text);
        expect(parts.length).toBeLessThanOrEqual(17);
        if (parts.length === 1) return;
        for (const part of parts) expect(part.startsWith(prefix)).toBe(true);
        const joined = parts.map((part) => part.slice(prefix.length)).join('');
        expect(joined.replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
      }),
    );
  });

  it('S4.7 are a few sentences each: a short passage is one, a long one many', () => {
    const chinese = '配置文件位于服务器的主目录下，请先备份再修改。'.repeat(30);
    const english =
      'The file stands in the home folder of the server; keep a copy before you change it. '.repeat(12);
    expect(partsOf(`${PREFIX}一句话。`)).toEqual([`${PREFIX}一句话。`]);
    for (const [text, least, most] of [
      [chinese, 50, 110],
      [english, 400, 700],
    ] as const) {
      const sizes = partsOf(PREFIX + text).map((part) => part.length - PREFIX.length);
      expect(sizes.length).toBeGreaterThan(1);
      for (const size of sizes.slice(0, -1)) {
        expect(size).toBeGreaterThan(least);
        expect(size).toBeLessThan(most);
      }
    }
  });
});

describe('passages', () => {
  const unit = (...values: number[]): Float32Array =>
    Float32Array.from(values, (value) => value / Math.hypot(...values));
  const known: Record<string, Float32Array> = { a: unit(1, 0), b: unit(0, 1), c: unit(1, 1) };
  const embed = async (texts: readonly string[]): Promise<Float32Array[]> =>
    texts.map((text) => known[text]!);

  it('get their parts back, and a whole that points where they point together', async () => {
    const [first, second] = await embedInParts([['a', 'b'], ['c']], embed);
    expect(first!.parts).toEqual([known.a, known.b]);
    expect(first!.vector[0]).toBeCloseTo(Math.SQRT1_2, 6);
    expect(first!.vector[1]).toBeCloseTo(Math.SQRT1_2, 6);
    expect(second).toEqual({ vector: known.c });
  });

  it('are whole where the embedder cannot read parts', async () => {
    const whole = { embed } as Pick<Embedder, 'embed'> as Embedder;
    expect(await embedPassages(whole, ['a'])).toEqual([{ vector: known.a }]);
  });
});
