import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alphabetOf } from './alphabet.js';
import { type Box, convexHull, findBoxes, parted, smallestRectangle } from './boxes.js';
import { cropLine } from './crop.js';
import { readCharacters } from './ctc.js';
import { splitAtGutters } from './gutters.js';
import { inkSpan } from './ink.js';
import { pageWords } from './page-words.js';
import { type QuarterTurns, type Raster, scaled, turned, turnedPoint } from './raster.js';

const white = (width: number, height: number): Raster => ({
  width,
  height,
  data: new Uint8Array(width * height * 3).fill(255),
});

/** Black where the test says so. */
function painted(width: number, height: number, isBlack: (x: number, y: number) => boolean): Raster {
  const picture = white(width, height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++)
      if (isBlack(x, y)) picture.data.fill(0, (y * width + x) * 3, (y * width + x) * 3 + 3);
  }
  return picture;
}

/** Print is mostly paper. */
const isStroke = (x: number): boolean => x % 8 < 3;

const box = (more: Partial<Box>): Box => ({
  x: 0,
  y: 0,
  width: 100,
  height: 20,
  angle: 0,
  score: 1,
  ...more,
});

describe('B14 from a picture to lines', () => {
  it('B14 a rectangle at any small angle is found again in the map, grown on all sides', () => {
    const shape = fc.record({
      width: fc.integer({ min: 40, max: 150 }),
      height: fc.integer({ min: 8, max: 24 }),
      degrees: fc.integer({ min: -30, max: 30 }),
    });
    fc.assert(
      fc.property(shape, ({ width, height, degrees }) => {
        const angle = (degrees * Math.PI) / 180;
        const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
        const map = new Float32Array(200 * 200);
        for (let at = 0; at < map.length; at++) {
          const [x, y] = [(at % 200) + 0.5 - 100, Math.floor(at / 200) + 0.5 - 100];
          const [along, across] = [x * cos + y * sin, y * cos - x * sin];
          if (Math.abs(along) < width / 2 && Math.abs(across) < height / 2) map[at] = 0.9;
        }
        const [found, ...others] = findBoxes(map, 200, 200);
        expect(others).toEqual([]);
        const grown = (1.6 * width * height) / (width + height);
        expect(found!.x).toBeCloseTo(100, -0.5);
        expect(Math.abs(found!.width - width - grown)).toBeLessThan(4);
        expect(Math.abs(found!.height - height - grown)).toBeLessThan(4);
        expect(Math.abs(found!.angle - angle)).toBeLessThan(0.12);
      }),
      { numRuns: 60 },
    );
  });

  it('B14 the smallest rectangle holds every point', () => {
    const point = fc.record({ x: fc.integer({ min: 0, max: 50 }), y: fc.integer({ min: 0, max: 50 }) });
    fc.assert(
      fc.property(fc.array(point, { minLength: 3, maxLength: 30 }), (points) => {
        const { x, y, width, height, angle } = smallestRectangle(convexHull(points));
        const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
        for (const one of points) {
          const [dx, dy] = [one.x - x, one.y - y];
          expect(Math.abs(dx * cos + dy * sin)).toBeLessThanOrEqual(width / 2 + 1e-6);
          expect(Math.abs(dy * cos - dx * sin)).toBeLessThanOrEqual(height / 2 + 1e-6);
        }
      }),
    );
  });

  it('B14 four quarter turns change nothing, and a point goes where its pixel goes', () => {
    const sizes = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }));
    fc.assert(
      fc.property(
        sizes,
        fc.constantFrom<QuarterTurns>(0, 1, 2, 3),
        fc.nat(),
        ([width, height], turns, seed) => {
          const [px, py] = [seed % width, Math.floor(seed / width) % height];
          const picture = painted(width, height, (x, y) => x === px && y === py);
          let back = turned(picture, turns);
          const { x, y } = turnedPoint({ x: px + 0.5, y: py + 0.5 }, picture, turns);
          expect(back.data[(Math.floor(y) * back.width + Math.floor(x)) * 3]).toBe(0);
          back = turned(back, ((4 - turns) % 4) as QuarterTurns);
          expect(back.data).toEqual(picture.data);
        },
      ),
    );
  });

  it('B14 a crop lays a slanted line level, and on its head the other way round', () => {
    const angle = 0.2;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    // Black on the left half of the line only.
    const picture = painted(200, 200, (x, y) => {
      const [dx, dy] = [x + 0.5 - 100, y + 0.5 - 100];
      const [along, across] = [dx * cos + dy * sin, dy * cos - dx * sin];
      return along > -60 && along < 0 && Math.abs(across) < 10;
    });
    const line = box({ x: 100, y: 100, width: 120, height: 20, angle });
    const mean = (data: Float32Array, width: number, from: number, to: number): number => {
      const middle = data.subarray(10 * width + from, 10 * width + to);
      return middle.reduce((sum, value) => sum + value, 0) / middle.length;
    };
    const crop = cropLine(picture, line, 20);
    expect(crop.width).toBe(120);
    expect(mean(crop.data, 120, 5, 55)).toBeLessThan(-0.95);
    expect(mean(crop.data, 120, 65, 115)).toBeGreaterThan(0.95);
    const flipped = cropLine(picture, line, 20, { flip: true });
    expect(mean(flipped.data, 120, 65, 115)).toBeLessThan(-0.95);
  });

  it('B14 a smaller picture keeps its brightness', () => {
    const picture = painted(64, 64, (x, y) => (x + y) % 2 === 0);
    const small = scaled(picture, 32, 32);
    expect(new Set(small.data)).toEqual(new Set([127]));
  });

  it('B14 a line with crumbs of its neighbour is cut at the paper between', () => {
    const line = box({ x: 150, y: 25, width: 300, height: 48 });
    const picture = painted(
      300,
      50,
      (x, y) => y > 10 && y < 40 && isStroke(x) && ((x > 20 && x < 260) || x > 293),
    );
    const crop = cropLine(picture, line, 48);
    const { from, to } = inkSpan(crop);
    expect(Math.abs(from - 21)).toBeLessThan(4);
    expect(Math.abs(to - 260)).toBeLessThan(4);
  });

  it('B14 two lines that were taken for one are parted where others show a gutter, and only at paper', () => {
    const rows = [30, 60, 90, 120];
    const isText = (x: number, y: number): boolean =>
      isStroke(x) &&
      rows.some((row) => Math.abs(y - row) < 8) &&
      ((x > 20 && x < 280) || (x > 320 && x < 580));
    const columns = rows
      .slice(0, 3)
      .flatMap((y) => [
        box({ x: 150, y, width: 270, height: 20 }),
        box({ x: 450, y, width: 270, height: 20 }),
      ]);
    const both = box({ x: 300, y: 120, width: 570, height: 20 });
    const found = splitAtGutters(painted(600, 160, isText), [...columns, both]);
    expect(found).toHaveLength(8);
    const halves = found.slice(6).map(({ x, width }) => [x - width / 2, x + width / 2].map(Math.round));
    expect(halves[0]![1]! - 280).toBeLessThan(8);
    expect(320 - halves[1]![0]!).toBeLessThan(8);
    const across = painted(
      600,
      160,
      (x, y) => isText(x, y) || (isStroke(x) && Math.abs(y - 120) < 8 && x > 20 && x < 580),
    );
    expect(splitAtGutters(across, [...columns, both])).toHaveLength(7);
  });

  it('B14 boxes that reach into each other on one row end half-way; others stay', () => {
    const [left, right, below] = parted([
      box({ x: 100, width: 110, y: 50 }),
      box({ x: 200, width: 110, y: 52 }),
      box({ x: 160, width: 110, y: 90 }),
    ]);
    expect(left!.x + left!.width / 2).toBeCloseTo(right!.x - right!.width / 2);
    expect(below).toEqual(box({ x: 160, width: 110, y: 90 }));
  });
});

describe('B14 from a network’s answer to words', () => {
  const alphabet = ['', 'a', 'b', '字', ' '];

  it('B14 reads back any text that is written with a pause between equal characters', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({ character: fc.integer({ min: 1, max: 4 }), steps: fc.integer({ min: 1, max: 3 }) }),
        ),
        (written) => {
          const path = written.flatMap(({ character, steps }) => [
            ...Array<number>(steps).fill(character),
            0,
          ]);
          const probabilities = new Float32Array(path.length * alphabet.length).fill(0.01);
          for (const [step, index] of path.entries()) probabilities[step * alphabet.length + index] = 0.9;
          const read = readCharacters(probabilities, path.length, alphabet);
          expect(read.map(({ text }) => text)).toEqual(written.map(({ character }) => alphabet[character]));
          expect(read.every(({ at }, index) => at > (read[index - 1]?.at ?? 0) && at < 1)).toBe(true);
        },
      ),
    );
  });

  it('B14 the alphabet is read from a model’s own metadata', () => {
    const field = (number: number, body: Buffer): Buffer =>
      Buffer.concat([Buffer.from([(number << 3) | 2, body.length]), body]);
    const entry = (key: string, value: string): Buffer =>
      field(14, Buffer.concat([field(1, Buffer.from(key)), field(2, Buffer.from(value))]));
    const file = Buffer.concat([
      Buffer.from([8, 7]),
      field(7, Buffer.from('a graph')),
      entry('shape', '48'),
      entry('character', '的\na\n b\n'),
    ]);
    expect(alphabetOf(file)).toEqual(['', '的', 'a', ' b', ' ']);
    expect(() => alphabetOf(Buffer.from('no model'))).toThrow(/characters/);
  });

  it('B14 a skewed page is straightened: words of one line share a baseline, whatever their letters', () => {
    const angle = 0.05;
    const line = (y: number, text: string, height: number) => ({
      box: box({ x: 500 + y * -Math.sin(angle), y: 100 + y, width: 800, height, angle }),
      ink: { from: 0.01, to: 0.99 },
      confidence: 0.9,
      characters: [...text].map((one, at) => ({ text: one, at: (at + 0.5) / text.length, confidence: 0.9 })),
    });
    const { words, confidence } = pageWords(
      { width: 1000, height: 1400, turns: 0, lines: [line(0, 'two words', 30), line(40, 'aceo more', 33)] },
      0.5,
    );
    const all = words[0]!.words;
    expect(all.map(({ text }) => text)).toEqual(['two', 'words', 'aceo', 'more']);
    expect(all[0]!.base).toBeCloseTo(all[1]!.base);
    expect(new Set(all.map(({ size }) => size)).size).toBe(1);
    expect(all[0]!.right).toBeLessThan(all[1]!.left);
    expect(all[0]!.base).toBeGreaterThan(all[2]!.base);
    expect(confidence).toBeCloseTo(0.9);
  });
});
