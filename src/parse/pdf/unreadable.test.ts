import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { init } from '@embedpdf/pdfium';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StrataError } from '../../model/errors.js';
import { DEFAULT_LIMITS } from '../parser.js';
import { lines, type PdfSpec, readPdf, writePdf } from './pdf-writer.suite.js';

const failure = async (spec: PdfSpec | Uint8Array, password?: string): Promise<StrataError> => {
  const error: unknown = await readPdf(spec, password).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StrataError);
  return error as StrataError;
};

const PROSE = [
  'The quick brown fox jumps over the lazy dog and runs on through the wood',
  'until it comes to the river, where it stops to drink and to look at its own',
  'image in the water for a while.',
];

describe('PDF that cannot be read', () => {
  it('names pictures of text, and warns of some among text', async () => {
    const scan = { picture: 0.9 };
    expect(await failure({ pages: [scan, scan] })).toMatchObject({ code: 'NEEDS_OCR' });
    const mixed = await readPdf({ pages: [{ items: lines(PROSE) }, scan] });
    expect(mixed.warnings.join()).toMatch(/page 2 of 2 .*OCR/);
    expect((await readPdf({ pages: [{ picture: 0.1, items: lines(PROSE) }] })).warnings).toEqual([]);
  });

  it('names encryption, a wrong password, and opens with the right one', async () => {
    const secret = await encrypted(writePdf({ pages: [{ items: lines(PROSE) }] }), 'pässwort');
    expect(await failure(secret)).toMatchObject({
      code: 'ENCRYPTED',
      message: expect.stringMatching(/needs a password/),
    });
    expect(await failure(secret, 'guess')).toMatchObject({
      code: 'ENCRYPTED',
      message: expect.stringMatching(/wrong/),
    });
    expect((await readPdf(secret, 'pässwort')).text).toContain('quick brown fox');
  });

  it('names damage', async () => {
    const whole = writePdf({ pages: [{ items: lines(PROSE) }] });
    expect(await failure(Buffer.from('%PDF-1.7 and nothing else'))).toMatchObject({ code: 'CORRUPT' });
    expect(await failure(whole.subarray(0, 40))).toMatchObject({ code: 'CORRUPT' });
    expect(await failure(new Uint8Array())).toMatchObject({ code: 'CORRUPT' });
  });

  it('stops at the limit of pages', async () => {
    const bytes = writePdf({ pages: [{ items: lines(PROSE) }, {}, {}] });
    const error = await readPdf(bytes, undefined, { ...DEFAULT_LIMITS, pages: 2 }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: 'LIMIT', message: expect.stringMatching(/3 pages.*2/) });
  });

  it('gives a sound tree or a StrataError whatever bytes are changed', async () => {
    const whole = writePdf({
      bookmarks: [{ title: 'One', page: 0 }],
      pages: [{ items: lines(PROSE) }, { picture: 0.5, items: lines(PROSE, { font: 'mono' }) }],
    });
    const change = fc.tuple(fc.nat(whole.length - 1), fc.uint8Array({ minLength: 1, maxLength: 20 }));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const bytes = Uint8Array.from(whole);
        for (const [at, patch] of changes) bytes.set(patch.subarray(0, bytes.length - at), at);
        await readPdf(bytes).catch((error: unknown) => expect(error).toBeInstanceOf(StrataError));
      }),
      { numRuns: 300 },
    );
  });

  it('loses no word, wherever words stand', async () => {
    const place = fc.record({
      text: fc.stringMatching(/^[a-z]{2,8}( [a-z]{2,8}){0,5}$/),
      x: fc.integer({ min: 10, max: 500 }),
      y: fc.integer({ min: 10, max: 780 }),
      size: fc.integer({ min: 6, max: 20 }),
      font: fc.constantFrom('regular' as const, 'bold' as const, 'mono' as const),
    });
    const letters = (text: string): string => [...text.replace(/[^a-z]/g, '')].sort().join('');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(place, { maxLength: 15 }), { minLength: 1, maxLength: 2 }),
        async (pages) => {
          const tree = await readPdf({ pages: pages.map((items) => ({ items })) });
          expect(letters(tree.text)).toBe(
            letters(
              pages
                .flat()
                .map((item) => item.text)
                .join(''),
            ),
          );
        },
      ),
      { numRuns: 100 },
    );
  });
});

/** PDFium itself writes the encrypted file. */
async function encrypted(bytes: Uint8Array, password: string): Promise<Uint8Array> {
  const wasm = readFileSync(createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm'));
  const module = await init({
    wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength),
  });
  module.PDFiumExt_Init();
  const { malloc } = module.pdfium.wasmExports;
  const heap = (): Uint8Array => (module.pdfium as unknown as { HEAPU8: Uint8Array }).HEAPU8;
  const at = malloc(bytes.length);
  heap().set(bytes, at);
  const document = module.FPDF_LoadMemDocument(at, bytes.length, '');
  module.EPDF_SetEncryption(document, password, 'owner', 0xfffffffc);
  const writer = module.PDFiumExt_OpenFileWriter();
  module.PDFiumExt_SaveAsCopy(document, writer);
  const size = module.PDFiumExt_GetFileWriterSize(writer);
  const out = malloc(size);
  module.PDFiumExt_GetFileWriterData(writer, out, size);
  return Uint8Array.from(heap().subarray(out, out + size));
}
