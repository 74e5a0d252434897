import type { PostingList } from '../index/postings.js';

const PAGE_BITS = 16;
const PAGE = 2 ** PAGE_BITS;
/** A list's first piece holds one or two postings, as most lists do; each further one is twice as long, up to a limit. */
const FIRST = 8;
const LONGEST = 1024;
/** At a piece's end stands where the next one is. */
const LINK = 4;

const longer = (size: number): number => Math.min(size * 2, LONGEST);

/**
 * Many posting lists that grow side by side, in a few bytes a posting: arrays of numbers take thirty, which made the
 * words of one large document most of what a commit needs. Lists are chains of pieces in common pages.
 */
export class PostingPool {
  readonly #pages: Uint8Array[] = [new Uint8Array(PAGE)];
  #free = 0;
  #lists = 0;
  /** Of each list: where it starts, where its next byte goes, its last piece's size and end, its last unit, its count. */
  #start: Uint32Array = new Uint32Array(1024);
  #next: Uint32Array = new Uint32Array(1024);
  #size: Uint32Array = new Uint32Array(1024);
  #end: Uint32Array = new Uint32Array(1024);
  #last: Uint32Array = new Uint32Array(1024);
  #count: Uint32Array = new Uint32Array(1024);

  /** A new list, by its number. */
  open(): number {
    const list = this.#lists++;
    if (list === this.#start.length) this.#grow();
    const at = this.#take(FIRST);
    this.#start[list] = at;
    this.#next[list] = at;
    this.#size[list] = FIRST;
    this.#end[list] = at + FIRST - LINK;
    return list;
  }

  /** Units ascend. Counts are written as in `encodePostings`. */
  push(list: number, unit: number, body: number, title: number): void {
    const distance = (unit - this.#last[list]!) * 4;
    this.#last[list] = unit;
    this.#count[list] = this.#count[list]! + 1;
    if (title === 0) {
      this.#varint(list, distance + (body === 1 ? 0 : 2));
      if (body !== 1) this.#varint(list, body);
    } else if (title === 1 && body === 0) {
      this.#varint(list, distance + 1);
    } else {
      this.#varint(list, distance + 3);
      this.#varint(list, body);
      this.#varint(list, title);
    }
  }

  /** The list's postings, in place of what `into` held. */
  read(list: number, into: PostingList): void {
    into.length = 0;
    const chain = new Chain(this.#pages, this.#start[list]!);
    let unit = 0;
    for (let left = this.#count[list]!; left > 0; left--) {
      const value = chain.varint();
      const form = value % 4;
      unit += Math.floor(value / 4);
      const body = form === 0 ? 1 : form === 1 ? 0 : chain.varint();
      into.push(unit, body, form === 1 ? 1 : form === 3 ? chain.varint() : 0);
    }
  }

  #varint(list: number, value: number): void {
    let rest = value;
    while (rest > 127) {
      this.#byte(list, (rest % 128) + 128);
      rest = Math.floor(rest / 128);
    }
    this.#byte(list, rest);
  }

  #byte(list: number, value: number): void {
    let at = this.#next[list]!;
    if (at === this.#end[list]) at = this.#extend(list, at);
    this.#pages[at >>> PAGE_BITS]![at % PAGE] = value;
    this.#next[list] = at + 1;
  }

  #extend(list: number, end: number): number {
    const size = longer(this.#size[list]!);
    const at = this.#take(size);
    const page = this.#pages[end >>> PAGE_BITS]!;
    for (let i = 0; i < LINK; i++) page[(end % PAGE) + i] = at >>> (8 * i);
    this.#size[list] = size;
    this.#end[list] = at + size - LINK;
    return at;
  }

  /** Pieces do not cross pages: sizes are powers of two, and what is left of a page goes unused. */
  #take(size: number): number {
    if ((this.#free % PAGE) + size > PAGE || this.#free === this.#pages.length * PAGE) {
      this.#free = this.#pages.length * PAGE;
      this.#pages.push(new Uint8Array(PAGE));
    }
    const at = this.#free;
    this.#free += size;
    return at;
  }

  #grow(): void {
    const larger = (array: Uint32Array): Uint32Array => {
      const copy = new Uint32Array(array.length * 2);
      copy.set(array);
      return copy;
    };
    this.#start = larger(this.#start);
    this.#next = larger(this.#next);
    this.#size = larger(this.#size);
    this.#end = larger(this.#end);
    this.#last = larger(this.#last);
    this.#count = larger(this.#count);
  }
}

/** Reads a list's bytes, piece after piece. */
class Chain {
  readonly #pages: readonly Uint8Array[];
  #at: number;
  #size = FIRST;
  #end: number;

  constructor(pages: readonly Uint8Array[], start: number) {
    this.#pages = pages;
    this.#at = start;
    this.#end = start + FIRST - LINK;
  }

  varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#byte();
      value += (byte % 128) * scale;
      if (byte < 128) return value;
    }
  }

  #byte(): number {
    if (this.#at === this.#end) {
      const page = this.#pages[this.#end >>> PAGE_BITS]!;
      let at = 0;
      for (let i = LINK - 1; i >= 0; i--) at = at * 256 + page[(this.#end % PAGE) + i]!;
      this.#size = longer(this.#size);
      this.#at = at;
      this.#end = at + this.#size - LINK;
    }
    const at = this.#at++;
    return this.#pages[at >>> PAGE_BITS]![at % PAGE]!;
  }
}
