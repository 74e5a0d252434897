import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HEIGHT, lines, WIDTH, writePdf } from './pdf-writer.suite.js';
import { markedLines, pagePicture } from './picture.js';
import { png } from './png.js';

const PROSE = [
  'The first line of the page says little,',
  'the second tells of zebras and their stripes,',
  'and the third of okapis, which are shy.',
];

describe('the picture of a PDF page', () => {
  it('S4.8 is a PNG of the wanted width, with a box on each line of the passage', async () => {
    const bytes = writePdf({ pages: [{ items: [] }, { items: lines(PROSE) }] });
    const passage = `tells of zebras and their stripes,\n${PROSE[2]}`;
    const picture = await pagePicture({ bytes, page: 2, width: 300, passage });
    expect(picture).toMatchObject({ page: 2, page_count: 2, width: 300, height: (300 * HEIGHT) / WIDTH });
    expect(Buffer.from(picture.png).toString('latin1')).toMatch(/^\x89PNG\r\n\x1a\n/);
    // Half as large as the page's own units: line 2 stands at x 60, and 688 above the bottom.
    expect(picture.boxes).toHaveLength(2);
    const [box] = picture.boxes;
    expect(box!.x).toBeCloseTo(30, -0.5);
    expect(Math.abs(box!.y + box!.height - (HEIGHT - 688) / 2)).toBeLessThan(4);
  });

  it('S4.8 says which pages there are when there is no such page, and what is wrong with a broken file', async () => {
    const bytes = writePdf({ pages: [{ items: lines(PROSE) }] });
    await expect(pagePicture({ bytes, page: 9, width: 100, passage: '' })).rejects.toThrow(
      /1 pages, and no page 9/,
    );
    const broken = { bytes: Buffer.from('%PDF-1.4 nothing'), page: 1, width: 100, passage: '' };
    await expect(pagePicture(broken)).rejects.toMatchObject({ code: 'CORRUPT' });
  });

  it('S4.8 marks the lines a passage was made of, however they were joined', () => {
    const word = fc.stringMatching(/^[a-z]{3,9}$/);
    const line = fc.array(word, { minLength: 3, maxLength: 8 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(fc.uniqueArray(line, { minLength: 3, maxLength: 8 }), fc.nat(), fc.nat(), (texts, a, b) => {
        const [from, to] = [a % texts.length, b % texts.length].sort((x, y) => x - y) as [number, number];
        const passage = texts.slice(from, to + 1).join(' ');
        const marked = markedLines(
          texts.map((text) => ({ text })),
          passage,
        ).map(({ text }) => text);
        for (const text of texts.slice(from, to + 1)) expect(marked).toContain(text);
      }),
    );
    expect(markedLines([{ text: 'something else entirely' }], 'a passage of other words')).toEqual([]);
  });

  it('S4.8 packs every pixel', () => {
    const rgb = Uint8Array.from({ length: 3 * 5 * 7 }, (_, at) => at);
    const file = Buffer.from(png(5, 7, rgb));
    const at = file.indexOf('IDAT');
    const rows = inflateSync(file.subarray(at + 4, at + 4 + file.readUInt32BE(at - 4)));
    const pixels = Array.from({ length: 7 }, (_, y) => [...rows.subarray(y * 16 + 1, y * 16 + 16)]).flat();
    expect(pixels).toEqual([...rgb]);
  });
});
