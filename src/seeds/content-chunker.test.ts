import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ContentChunker } from './content-chunker.js';

const texts = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.constantFrom(
        '\n\n',
        '\r\n',
        '# 标题\n',
        '## Heading\n',
        '这是一句话。',
        'A sentence here. ',
        '👨‍👩‍👧‍👦',
        '\0',
        '```\n',
      ),
      fc.nat(2000).map((length) => '长'.repeat(length)),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

describe('ContentChunker', () => {
  it('S2.3 has the defaults 100, 1500 and 0.2, all settable', () => {
    const { min_chunk_size, max_chunk_size, overlap_ratio } = new ContentChunker();
    expect([min_chunk_size, max_chunk_size, overlap_ratio]).toEqual([100, 1500, 0.2]);
    const other = new ContentChunker({ min_chunk_size: 10, max_chunk_size: 50, overlap_ratio: 0.1 });
    expect([other.min_chunk_size, other.max_chunk_size, other.overlap_ratio]).toEqual([10, 50, 0.1]);
  });

  it('S2.3 refuses settings out of range by the name the seed gives them', () => {
    expect(() => new ContentChunker({ min_chunk_size: -1 })).toThrow('min_chunk_size');
    expect(() => new ContentChunker({ max_chunk_size: 0 })).toThrow('max_chunk_size');
    expect(() => new ContentChunker({ min_chunk_size: 200, max_chunk_size: 100 })).toThrow('min_chunk_size');
    expect(() => new ContentChunker({ overlap_ratio: 1 })).toThrow('overlap_ratio');
    expect(() => new ContentChunker({ overlap_ratio: Number.NaN })).toThrow('overlap_ratio');
  });

  it('S2.3 and S2.8 a text shorter than twice the minimum is one chunk, as it is', () => {
    const text = '# Title\n\nshort\n\n## Other\n\ntext\n';
    const [chunk, ...others] = new ContentChunker().chunk(text, 'item');
    expect(others).toEqual([]);
    expect(chunk).toMatchObject({
      item_id: 'item',
      chunk_index: 0,
      content: text,
      start_position: 0,
      end_position: text.length,
    });
  });

  it('S2.3 a short text is one chunk that names the first heading it holds, also behind a byte order mark', () => {
    const text = '\uFEFF# 指南\n\n开头。\n\n## 安装\n\n先安装。\n';
    const chunks = new ContentChunker().chunk(text, 'item');
    expect(chunks.map(({ heading, content }) => [heading, content])).toEqual([['指南', text]]);
  });

  it('S2.3 sections come first, with their headings and positions', () => {
    const body = (name: string) => `${name} sentence goes on for a while. `.repeat(6).trim();
    const text = `# 指南\n\n${body('Intro')}\n\n## 安装\n\n${body('Setup')}\n\n## 使用\n\n${body('Usage')}\n`;
    const chunks = new ContentChunker().chunk(text, 'item');
    expect(chunks.map(({ heading }) => heading)).toEqual(['指南', '安装', '使用']);
    expect(chunks[1]!.content.startsWith('## 安装')).toBe(true);
    for (const { content, start_position, end_position } of chunks)
      expect(text.slice(start_position, end_position)).toBe(content);
  });

  it('S2.3 paragraphs come second: a long section is cut at blank lines', () => {
    const paragraph = (n: number) => `Paragraph ${n} ${'word '.repeat(120)}end.`;
    const text = Array.from({ length: 6 }, (_, n) => paragraph(n)).join('\n\n');
    const chunks = new ContentChunker({ overlap_ratio: 0 }).chunk(text, 'item');
    expect(chunks.length).toBeGreaterThan(1);
    for (const { content } of chunks) expect(content).toMatch(/^Paragraph \d/);
  });

  it('S2.3 what has no boundary is cut by a window whose neighbours overlap by the ratio', () => {
    const text = '字'.repeat(5000);
    const chunks = new ContentChunker().chunk(text, 'item');
    expect(chunks[0]).toMatchObject({ start_position: 0, end_position: 1500 });
    chunks.slice(1).forEach((chunk, index) => {
      expect(chunks[index]!.end_position - chunk.start_position).toBe(300);
      expect(chunk.content.length).toBeLessThanOrEqual(1500);
    });
    expect(chunks.at(-1)!.end_position).toBe(5000);
  });

  it('S2.3 sentences in a window: neighbours still overlap, and begin with a sentence', () => {
    const text = Array.from({ length: 200 }, (_, n) => `这是第${n}句话，它说明了一些事情。`).join('');
    const chunks = new ContentChunker().chunk(text, 'item');
    expect(chunks.length).toBeGreaterThan(2);
    chunks.slice(1).forEach((chunk, index) => {
      const overlap = chunks[index]!.end_position - chunk.start_position;
      expect(overlap).toBeGreaterThan(100);
      expect(overlap).toBeLessThan(300);
      expect(chunk.content).toMatch(/^这是第/);
    });
  });

  it('S2.3 any text that is not empty gives chunks: none empty, 0..n-1, slices of it, in order', () => {
    const settings = fc.record({
      min_chunk_size: fc.integer({ min: 0, max: 80 }),
      max_chunk_size: fc.integer({ min: 80, max: 400 }),
      overlap_ratio: fc.double({ min: 0, max: 0.5, noNaN: true }),
    });
    fc.assert(
      fc.property(texts, settings, (text, options) => {
        const chunks = new ContentChunker(options).chunk(text, 'item');
        expect(chunks.length > 0).toBe(text !== '');
        chunks.forEach((chunk, index) => {
          expect(chunk.chunk_index).toBe(index);
          expect(chunk.content).not.toBe('');
          expect(text.slice(chunk.start_position, chunk.end_position)).toBe(chunk.content);
        });
      }),
      { numRuns: 150 },
    );
  });

  it('S2.3 an exception inside gives the whole text as one chunk', () => {
    const broken = new ContentChunker({}, () => {
      throw new Error('no structure');
    });
    const text = 'word '.repeat(1000);
    expect(broken.chunk(text, 'item')).toMatchObject([
      { content: text, start_position: 0, end_position: text.length },
    ]);
  });
});
