import { StrataError } from '../../model/errors.js';
import type { Tree } from '../../model/tree.js';
import { NeedsOcrError, type ParseInput } from '../parser.js';
import { jpegPicture } from './jpeg.js';
import { pngPicture } from './png.js';
import { tiffPictures } from './tiff.js';
import { webpPicture } from './webp.js';
import { type PagePicture, wrapped } from './wrapped.js';

/** A picture of text: a scan, a photograph of a page. It is put into a PDF and read as a scanned one is. */
export async function pictureParser(input: ParseInput): Promise<Tree> {
  const pages = await pagesOf(input);
  if (input.ocr === undefined)
    throw new NeedsOcrError(
      pages.length,
      'it is a picture: `strata add --ocr auto` reads what is written in it',
    );
  const { pdfParser } = await import('../pdf/pdf.js');
  const tree = await pdfParser({
    ...input,
    bytes: wrapped(pages),
    ocr: { ...input.ocr, mode: 'always' },
  });
  return { ...tree, format: 'picture' };
}

async function pagesOf({ bytes, limits }: ParseInput): Promise<readonly PagePicture[]> {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (head.startsWith('\x89PNG')) return [pngPicture(bytes, limits.expanded)];
  if (head.startsWith('\xff\xd8\xff')) return [jpegPicture(bytes)];
  if (/^(?:II\*\0|MM\0\*)/.test(head)) return tiffPictures(bytes, limits.pages);
  if (/^RIFF....WEBP/s.test(head)) return [await webpPicture(bytes, limits.expanded)];
  throw new StrataError('CORRUPT', 'it is none of the pictures that can be read (PNG, JPEG, TIFF, WebP)');
}
