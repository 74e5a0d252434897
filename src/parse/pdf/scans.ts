import type { JsonObject } from '../../model/json/json.js';
import { DOUBTFUL, ocrMetadata } from '../../model/ocr.js';
import { pageWords } from '../ocr/page-words.js';
import type { Raster } from '../ocr/raster.js';
import type { OcrReader } from '../parser.js';
import type { TurnedWords } from './layout/words.js';
import { pagesNamed } from './legibility.js';

/** Letter and A4 are about as wide: the layout's rules are in points of pages of about this size. */
const PAGE_POINTS = 600;

/** Reads the pages of one document from pictures of them, and keeps account of it. */
export class ScanReader {
  readonly mode: OcrReader['mode'];
  readonly #reader: OcrReader;
  readonly #pages: number[] = [];
  readonly #confidence: number[] = [];

  constructor(reader: OcrReader) {
    this.mode = reader.mode;
    this.#reader = reader;
  }

  /** The words of a page; undefined where it cannot be drawn. */
  async page(
    file: { picture(index: number): Raster | null },
    index: number,
  ): Promise<readonly TurnedWords[] | undefined> {
    const picture = file.picture(index);
    if (picture === null) return undefined;
    const read = await this.#reader.read(picture);
    const { words, confidence } = pageWords(read, PAGE_POINTS / Math.min(read.width, read.height));
    this.#pages.push(index + 1);
    this.#confidence.push(confidence ?? 0);
    return words;
  }

  metadata(): JsonObject {
    if (this.#pages.length === 0) return {};
    const { model } = this.#reader;
    return { ocr: ocrMetadata({ model, pages: this.#pages, confidence: this.#confidence }) };
  }

  warnings(): string[] {
    const doubtful = this.#pages.filter((_, at) => {
      const confidence = this.#confidence[at]!;
      return confidence > 0 && confidence < DOUBTFUL;
    });
    if (doubtful.length === 0) return [];
    return [
      `read by OCR with doubt: ${pagesNamed(doubtful)}; a poor scan, or a script other than Chinese and Latin`,
    ];
  }
}
