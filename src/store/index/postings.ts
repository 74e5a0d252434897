import type { ByteWriter } from '../bytes.js';

/**
 * A posting list: which units hold a term, and how often in body and title. Units ascend; each entry is the distance
 * to the one before, times four, plus how the counts are written:
 *   0: once in the body · 1: once in the title · 2: a count in the body · 3: a count in each
 * so most entries take one or two bytes.
 */
export class PostingList {
  units: Uint32Array;
  body: Uint32Array;
  title: Uint32Array;
  length = 0;

  constructor(capacity: number) {
    this.units = new Uint32Array(capacity);
    this.body = new Uint32Array(capacity);
    this.title = new Uint32Array(capacity);
  }

  get bytes(): number {
    return 3 * this.units.byteLength;
  }

  reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.units.length) return;
    const capacity = Math.max(needed, this.units.length * 2);
    this.units = grown(this.units, capacity);
    this.body = grown(this.body, capacity);
    this.title = grown(this.title, capacity);
  }

  push(unit: number, body: number, title: number): void {
    if (this.length === this.units.length) this.reserve(1);
    this.units[this.length] = unit;
    this.body[this.length] = body;
    this.title[this.length] = title;
    this.length++;
  }
}

function grown(array: Uint32Array, capacity: number): Uint32Array {
  const larger = new Uint32Array(capacity);
  larger.set(array);
  return larger;
}

/** Units are written relative to `base`, the first unit of the segment. */
export function encodePostings(writer: ByteWriter, list: PostingList, base: number): void {
  let before = base;
  for (let i = 0; i < list.length; i++) {
    const unit = list.units[i]!;
    const body = list.body[i]!;
    const title = list.title[i]!;
    const distance = (unit - before) * 4;
    before = unit;
    if (title === 0) {
      writer.varint(distance + (body === 1 ? 0 : 2));
      if (body !== 1) writer.varint(body);
    } else if (title === 1 && body === 0) {
      writer.varint(distance + 1);
    } else {
      writer.varint(distance + 3);
      writer.varint(body);
      writer.varint(title);
    }
  }
}

/** Appends `count` entries to `list`; gives the offset behind them. The hot loop of a search: no calls inside. */
export function decodePostings(
  list: PostingList,
  bytes: Uint8Array,
  start: number,
  count: number,
  base: number,
): number {
  list.reserve(count);
  const { units, body, title } = list;
  const last = list.length + count;
  let at = start;
  let unit = base;
  for (let i = list.length; i < last; i++) {
    let byte = bytes[at++]!;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++]!;
      value |= (byte & 127) << shift;
    }
    unit += value >>> 2;
    units[i] = unit;
    const form = value & 3;
    if (form < 2) {
      body[i] = 1 - form;
      title[i] = form;
      continue;
    }
    byte = bytes[at++]!;
    value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++]!;
      value |= (byte & 127) << shift;
    }
    body[i] = value;
    title[i] = 0;
    if (form === 2) continue;
    byte = bytes[at++]!;
    value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++]!;
      value |= (byte & 127) << shift;
    }
    title[i] = value;
  }
  list.length = last;
  return at;
}
