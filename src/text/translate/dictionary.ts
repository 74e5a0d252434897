import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

/** One translation of a word, as it is written, and how sure it is that the word means this: 1 where it has no other. */
export interface Translation {
  readonly text: string;
  readonly share: number;
}

/** CC-CEDICT in one direction: docs/decisions/translation.md says why it is part of the package, and its form. */
export interface Dictionary {
  /** Whether it has the word at all: for Chinese that is also where words end. */
  has(word: string): boolean;
  translationsOf(word: string): readonly Translation[];
}

export type Direction = 'zh-en' | 'en-zh';

const loaded = new Map<Direction, Promise<Dictionary | null>>();

/** null where the file is missing or broken: search then goes on with the question's own words. */
export function openDictionary(direction: Direction): Promise<Dictionary | null> {
  const known =
    loaded.get(direction) ?? readDictionary(new URL(`./${direction}.bin`, import.meta.url)).catch(() => null);
  loaded.set(direction, known);
  return known;
}

export async function readDictionary(file: URL): Promise<Dictionary> {
  const text = await promisify(brotliDecompress)(await readFile(file), { maxOutputLength: MOST_BYTES });
  return new SortedLines(text.toString('utf8'));
}

const MOST_BYTES = 64 * 2 ** 20;

/** Sorted lines `key<TAB>translation|translation…`, searched where they stand: nothing is built when they are loaded. */
class SortedLines implements Dictionary {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  has(word: string): boolean {
    return this.#find(word) !== null;
  }

  translationsOf(word: string): readonly Translation[] {
    const found = this.#find(word);
    // The first character says how many translations the word has.
    return found === null
      ? []
      : found.split('|').map((entry) => ({ text: entry.slice(1), share: 1 / Math.sqrt(Number(entry[0])) }));
  }

  #find(word: string): string | null {
    const text = this.#text;
    let low = 0;
    let high = text.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const start = text.lastIndexOf('\n', middle - 1) + 1;
      const tab = text.indexOf('\t', start);
      const key = text.slice(start, tab);
      const end = text.indexOf('\n', tab);
      if (key === word) return text.slice(tab + 1, end);
      if (key < word) low = end + 1;
      else high = start;
    }
    return null;
  }
}
