import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { openZip } from './zip.js';

const LARGE = 2 ** 30;
const collect = async (pieces: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
};

describe('openZip', () => {
  it('reads back every entry, whole and in pieces', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.stringMatching(/^[a-z]{1,8}(\/[a-z]{1,4})?$/), fc.uint8Array({ maxLength: 300 })),
        fc.constantFrom(0 as const, 6 as const),
        async (files, level) => {
          const zip = openZip(zipSync(files, { level }), LARGE);
          expect([...zip.names].sort()).toEqual(Object.keys(files).sort());
          for (const [name, data] of Object.entries(files)) {
            expect(Buffer.from(zip.read(name)!)).toEqual(Buffer.from(data));
            expect(await collect(zip.stream(name))).toEqual(Buffer.from(data));
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('reads a zip behind other bytes, and has nothing for a name it lacks', async () => {
    const zip = openZip(Buffer.concat([Buffer.from('#!stub\n'), zipSync({ a: strToU8('hello') })]), LARGE);
    expect(Buffer.from(zip.read('a')!).toString()).toBe('hello');
    expect(zip.read('b')).toBeUndefined();
    expect(await collect(zip.stream('b'))).toHaveLength(0);
  });

  it('refuses a bomb by its stated size, before inflating', () => {
    const packed = Buffer.from(zipSync({ a: new Uint8Array(4_000_000) }));
    // Data that would be CORRUPT if it were inflated.
    packed.fill(0xff, 40, 60);
    expect(() => openZip(packed, 1_000_000).read('a')).toThrow(expect.objectContaining({ code: 'LIMIT' }));
    expect(() => openZip(packed, LARGE).read('a')).toThrow(expect.objectContaining({ code: 'CORRUPT' }));
  });

  it('stops a bomb that lies about its size, while inflating', async () => {
    const packed = Buffer.from(zipSync({ a: new Uint8Array(4_000_000) }));
    const directory = packed.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    packed.writeUInt32LE(10, directory + 24);
    expect(() => openZip(packed, 1_000_000).read('a')).toThrow(expect.objectContaining({ code: 'LIMIT' }));
    await expect(collect(openZip(packed, 1_000_000).stream('a'))).rejects.toMatchObject({ code: 'LIMIT' });
  });

  it('counts all entries against one budget', () => {
    const zip = openZip(zipSync({ a: new Uint8Array(600), b: new Uint8Array(600) }), 1_000);
    expect(zip.read('a')).toHaveLength(600);
    expect(() => zip.read('b')).toThrow(expect.objectContaining({ code: 'LIMIT' }));
  });

  it('names an encrypted entry', () => {
    const packed = Buffer.from(zipSync({ a: strToU8('secret') }));
    packed.writeUInt16LE(1, packed.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 8);
    expect(() => openZip(packed, LARGE).read('a')).toThrow(expect.objectContaining({ code: 'ENCRYPTED' }));
  });

  it('gives CORRUPT or the bytes, never another failure, for damaged zips', async () => {
    const whole = Buffer.from(
      zipSync({ 'a.xml': strToU8('<a/>'.repeat(50)), b: [strToU8('stored'), { level: 0 }] }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length - 1),
        fc.nat(255),
        fc.nat(whole.length),
        async (at, value, length) => {
          const bytes = Buffer.from(whole);
          bytes[at] = value;
          const expected = expect.stringMatching(/^(CORRUPT|LIMIT|ENCRYPTED|UNSUPPORTED)$/);
          try {
            const zip = openZip(bytes.subarray(0, length), 10_000);
            for (const name of zip.names) {
              zip.read(name);
              await collect(zip.stream(name));
            }
          } catch (error) {
            expect(error).toMatchObject({ code: expected });
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
