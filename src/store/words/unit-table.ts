import { StrataError } from '../../model/errors.js';
import { decodeSlots, type EncodedPart } from '../index/decode-slots.js';
import { decodePostings, PostingList } from '../index/postings.js';
import { bm25Saturation, type CollectionStats, meanLength, weightedLength } from '../index/scoring.js';
import type { UnitKind } from '../lexical.js';
import { isCount } from '../stored.js';
import type { Postings } from './slot-list.js';
import { DEAD, DOCUMENT, idText, MOST_UNITS, PAGE_UNITS, UnitPage } from './unit-page.js';

/** A page as it is kept. */
export type PageRow = readonly [page: number, data: Uint8Array];

/**
 * All live units in memory, in flat arrays: 33 bytes each. Unit numbers only grow, so a unit's place (its *slot*) is
 * found through its page: memory follows what is live, however often documents are replaced. Slots ascend as units do,
 * so that posting lists ascend in both.
 */
export class UnitTable {
  /** First slot of each page; -1 where the page has no live unit. */
  #slotOfPage = new Int32Array(1024).fill(-1);
  /** Slots of pages that are gone. */
  #unused = 0;
  /** The last page that has slots. */
  #lastPage = -1;
  #slots = 0;
  types = new Uint8Array(0);
  items = new Uint32Array(0);
  #body = new Uint32Array(0);
  #title = new Uint32Array(0);
  norms = new Float32Array(0);
  #ids = new Uint8Array(0);
  readonly #stats = { chunk: { ...EMPTY }, document: { ...EMPTY } };
  readonly #saturations = new Map<string, Float64Array>();

  /** How many slots there are: the size for arrays beside these. */
  get size(): number {
    return this.#slots;
  }

  stats(kind: UnitKind): CollectionStats {
    return this.#stats[kind];
  }

  /** -1 for a dead unit. */
  slot(unit: number): number {
    const first = this.#slotOfPage[Math.floor(unit / PAGE_UNITS)] ?? -1;
    if (first === -1) return -1;
    const slot = first + (unit % PAGE_UNITS);
    return this.types[slot] === DEAD ? -1 : slot;
  }

  /** How many units of a range are live. */
  countLive(first: number, last: number): number {
    let live = 0;
    for (let unit = first; unit <= last; unit++) if (this.slot(unit) !== -1) live++;
    return live;
  }

  id(slot: number): string {
    return idText(this.#ids, slot * 16);
  }

  /** Ids compare as their bytes do, without making strings of them. */
  compareIds(a: number, b: number): number {
    const ids = this.#ids;
    for (let i = 0; i < 16; i++) {
      const difference = ids[a * 16 + i]! - ids[b * 16 + i]!;
      if (difference !== 0) return difference;
    }
    return 0;
  }

  /** The slots of the live units of a list, with their counts. */
  decode(parts: readonly EncodedPart[]): Postings {
    return decodeSlots(parts, this.#slotOfPage, this.types) ?? this.#decodeLarge(parts);
  }

  /** The same where counts above 255 are among them, which is rare. */
  #decodeLarge(parts: readonly EncodedPart[]): Postings {
    const list = new PostingList(1024);
    for (const { bytes, start, count, base } of parts) decodePostings(list, bytes, start, count, base);
    const { units, body, title, length } = list;
    const live = Array.from({ length }, (_, i) => i).filter((i) => this.slot(units[i]!) !== -1);
    return {
      units: Uint32Array.from(live, (i) => this.slot(units[i]!)),
      body: Uint32Array.from(live, (i) => body[i]!),
      title: Uint32Array.from(live, (i) => title[i]!),
      length: live.length,
    };
  }

  /** BM25's length part for every unit of a kind, computed once for a state of the library. */
  saturations(kind: UnitKind, titleWeight: number): Float64Array {
    const key = `${kind} ${titleWeight}`;
    const known = this.#saturations.get(key);
    if (known !== undefined) return known;
    const mean = meanLength(this.#stats[kind], titleWeight);
    const values = new Float64Array(this.#slots);
    for (let slot = 0; slot < this.#slots; slot++) {
      values[slot] = bm25Saturation(weightedLength(this.#body[slot]!, this.#title[slot]!, titleWeight), mean);
    }
    // Passages and documents, each with the weight of its titles, are all that searches ask for.
    if (this.#saturations.size > 3) this.#saturations.clear();
    this.#saturations.set(key, values);
    return values;
  }

  /** An empty page has no data. */
  load(rows: readonly PageRow[]): void {
    this.#reserve(rows);
    for (const [page, data] of [...rows].sort(([a], [b]) => a - b)) {
      if (data.length === 0) this.#drop(page);
      else this.#place(page, UnitPage.decode(data, page));
    }
    this.#compact();
    this.#saturations.clear();
  }

  kill(unit: number): void {
    const slot = this.slot(unit);
    if (slot === -1) return;
    this.#count(slot, slot + 1, -1);
    this.types[slot] = DEAD;
    this.#saturations.clear();
  }

  clear(): void {
    this.#slotOfPage.fill(-1);
    this.#unused = 0;
    this.#lastPage = -1;
    this.#slots = 0;
    this.types = new Uint8Array(0);
    this.#stats.chunk = { ...EMPTY };
    this.#stats.document = { ...EMPTY };
    this.#saturations.clear();
  }

  #place(page: number, content: UnitPage): void {
    let first = this.#slotOfPage[page]!;
    if (first === -1) {
      first = this.#open(page);
    } else {
      this.#count(first, first + PAGE_UNITS, -1);
    }
    this.types.set(content.types, first);
    this.items.set(content.items, first);
    this.#body.set(content.body, first);
    this.#title.set(content.title, first);
    this.norms.set(content.norms, first);
    this.#ids.set(content.ids, first * 16);
    this.#count(first, first + PAGE_UNITS, 1);
  }

  /** New slots behind all others. A page between others, which no store of ours writes, has the later ones moved. */
  #open(page: number): number {
    let first = this.#slots;
    this.#slots += PAGE_UNITS;
    for (let later = this.#lastPage; later > page; later--) {
      const slot = this.#slotOfPage[later]!;
      if (slot === -1) continue;
      this.#move(slot, first);
      this.#slotOfPage[later] = first;
      first = slot;
    }
    this.#lastPage = Math.max(this.#lastPage, page);
    this.#slotOfPage[page] = first;
    return first;
  }

  /** The slots of pages that are gone are taken back once they are a quarter of all. */
  #compact(): void {
    if (this.#unused * 4 < this.#slots) return;
    let next = 0;
    for (let page = 0; page <= this.#lastPage; page++) {
      const slot = this.#slotOfPage[page]!;
      if (slot === -1) continue;
      if (slot !== next) this.#move(slot, next);
      this.#slotOfPage[page] = next;
      next += PAGE_UNITS;
    }
    this.types.fill(DEAD, next, this.#slots);
    this.#slots = next;
    this.#unused = 0;
  }

  #move(from: number, to: number): void {
    const end = from + PAGE_UNITS;
    for (const array of [this.types, this.items, this.#body, this.#title, this.norms])
      array.copyWithin(to, from, end);
    this.#ids.copyWithin(to * 16, from * 16, end * 16);
    this.types.fill(DEAD, from, end);
  }

  #drop(page: number): void {
    const first = this.#slotOfPage[page]!;
    if (first === -1) return;
    this.#count(first, first + PAGE_UNITS, -1);
    this.types.fill(DEAD, first, first + PAGE_UNITS);
    this.#slotOfPage[page] = -1;
    this.#unused += PAGE_UNITS;
  }

  #count(from: number, to: number, by: 1 | -1): void {
    for (let slot = from; slot < to; slot++) {
      const type = this.types[slot]!;
      if (type === DEAD) continue;
      const stats = type === DOCUMENT ? this.#stats.document : this.#stats.chunk;
      stats.units += by;
      stats.body_length += by * this.#body[slot]!;
      stats.title_length += by * this.#title[slot]!;
    }
  }

  #reserve(rows: readonly PageRow[]): void {
    let highest = 0;
    for (const [page] of rows) {
      if (!isCount(page) || page >= MOST_UNITS / PAGE_UNITS) {
        const message = `Word statistics have an impossible page (${page}); run \`strata doctor --fix\`.`;
        throw new StrataError('STORE_DAMAGED', message);
      }
      highest = Math.max(highest, page);
    }
    if (highest >= this.#slotOfPage.length) {
      const pages = new Int32Array(Math.max(highest + 1, this.#slotOfPage.length * 2)).fill(-1);
      pages.set(this.#slotOfPage);
      this.#slotOfPage = pages;
    }
    const needed = this.#slots + rows.length * PAGE_UNITS;
    if (needed <= this.types.length) return;
    // A quarter more than needed: memory matters more here than the cost of growing.
    const capacity = Math.max(needed, Math.ceil((this.types.length * 1.25) / PAGE_UNITS) * PAGE_UNITS);
    this.types = copied(new Uint8Array(capacity), this.types);
    this.items = copied(new Uint32Array(capacity), this.items);
    this.#body = copied(new Uint32Array(capacity), this.#body);
    this.#title = copied(new Uint32Array(capacity), this.#title);
    this.norms = copied(new Float32Array(capacity), this.norms);
    this.#ids = copied(new Uint8Array(capacity * 16), this.#ids);
  }
}

const EMPTY = { units: 0, body_length: 0, title_length: 0 };

function copied<T extends Uint8Array | Uint32Array | Float32Array>(to: T, from: T): T {
  to.set(from.subarray(0, to.length) as never);
  return to;
}
