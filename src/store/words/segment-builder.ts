import type { UnitWords } from '../../model/words.js';
import { byCodePoint } from '../index/order.js';
import { PostingList } from '../index/postings.js';
import type { UnitKind } from '../lexical.js';
import { PostingPool } from './posting-pool.js';
import { type SegmentEncoder, termKey } from './segment.js';

/** Collects the words of new units, in ascending order of units, for one segment. */
export class SegmentBuilder {
  /** Each term's list in the pool. */
  readonly #lists: Record<UnitKind, Map<string, number>> = { chunk: new Map(), document: new Map() };
  readonly #pool = new PostingPool();
  first_unit = -1;
  last_unit = -1;
  units = 0;

  add(kind: UnitKind, unit: number, { terms, body, title }: UnitWords): void {
    const words = this.wordsOf(kind, terms);
    this.begin(unit);
    for (let i = 0; i < terms.length; i++) words.push(i, unit, body[i]!, title[i]!);
  }

  /** A unit's words follow, by `push`. */
  begin(unit: number): void {
    if (this.units === 0) this.first_unit = unit;
    this.last_unit = unit;
    this.units++;
  }

  /** Units that share most of their words, as a document's chunks do, look each of them up once. */
  wordsOf(kind: UnitKind, terms: readonly string[]): SharedWords {
    const words = new SharedWords(this.#pool, this.#lists[kind]);
    words.number(terms);
    return words;
  }

  /** All lists, in order; `finish` of the encoder is the caller's. */
  encode({ blocks }: SegmentEncoder): void {
    const list = new PostingList(64);
    let bytes = new Uint8Array(1024);
    for (const kind of ['chunk', 'document'] as const) {
      const lists = this.#lists[kind];
      for (const term of sorted([...lists.keys()])) {
        this.#pool.read(lists.get(term)!, list);
        const key = termKey(kind, term);
        if (key.length * 3 > bytes.length) bytes = new Uint8Array(key.length * 6);
        blocks.add(bytes, encoder.encodeInto(key, bytes).written, list);
      }
    }
  }
}

/** Words by number, each looked up once. */
export class SharedWords {
  readonly #pool: PostingPool;
  readonly #known: Map<string, number>;
  #terms: readonly string[] = [];
  /** The list in the pool for each term's number, or -1. */
  #lists = new Int32Array(0);

  constructor(pool: PostingPool, known: Map<string, number>) {
    this.#pool = pool;
    this.#known = known;
  }

  /** Gives the next numbers, from 0, to these terms. */
  number(terms: readonly string[]): void {
    const from = this.#terms.length;
    this.#terms = from === 0 ? terms : this.#terms.concat(terms);
    if (this.#terms.length > this.#lists.length) {
      const grown = new Int32Array(Math.max(this.#terms.length, Math.ceil(this.#lists.length * 1.5)));
      grown.set(this.#lists.subarray(0, from));
      this.#lists = grown;
    }
    this.#lists.fill(-1, from);
  }

  /** No term has a number any more. */
  restart(): void {
    this.#terms = [];
  }

  push(term: number, unit: number, body: number, title: number): void {
    const known = this.#lists[term]!;
    this.#pool.push(known < 0 ? this.#look(term) : known, unit, body, title);
  }

  #look(at: number): number {
    const term = this.#terms[at]!;
    let list = this.#known.get(term);
    if (list === undefined) {
      list = this.#pool.open();
      this.#known.set(term, list);
    }
    this.#lists[at] = list;
    return list;
  }
}

const encoder = new TextEncoder();

/** By code points. The built-in order, by UTF-16 units, is faster and differs only where there are surrogates. */
function sorted(terms: string[]): string[] {
  return /[\ud800-\udfff]/.test(terms.join('\n')) ? terms.sort(byCodePoint) : terms.sort();
}
