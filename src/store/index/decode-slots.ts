import type { Postings } from '../words/slot-list.js';
import { DEAD } from '../words/unit-page.js';

/** A posting list, or the part of it that one segment holds, as `encodePostings` has written it. */
export interface EncodedPart {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly count: number;
  /** What its first unit is written relative to. */
  readonly base: number;
}

/** What has been decoded so far: room for all entries, of which the first `length` are there. */
class Slots implements Postings {
  readonly units: Uint32Array;
  readonly body: Uint8Array;
  readonly title: Uint8Array;
  length = 0;
  /** All counts, one over the other: above 255 where one of them is. */
  counts = 0;

  constructor(total: number) {
    this.units = new Uint32Array(total);
    this.body = new Uint8Array(total);
    this.title = new Uint8Array(total);
  }
}

/**
 * The slots of a list's live units, with their counts in bytes; null where a count needs more. In one pass: the first time a
 * word is asked for, its list is decoded while somebody waits, and of a frequent word in a million passages that is what
 * takes the time.
 */
export function decodeSlots(
  parts: readonly EncodedPart[],
  slotOfPage: Int32Array,
  types: Uint8Array,
): Postings | null {
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  const slots = new Slots(total);
  for (const part of parts) decodePart(part, slotOfPage, types, slots);
  if (slots.counts > 255) return null;
  const { units, body, title, length } = slots;
  if (length === total) return slots;
  return {
    units: units.slice(0, length),
    body: body.slice(0, length),
    title: title.slice(0, length),
    length,
  };
}

/** The form is that of `decodePostings`; here, too, no calls inside. */
function decodePart(
  { bytes, start, count, base }: EncodedPart,
  slotOfPage: Int32Array,
  types: Uint8Array,
  slots: Slots,
): void {
  const { units, body, title } = slots;
  let [kept, counts, at, unit] = [slots.length, slots.counts, start, base];
  for (let i = 0; i < count; i++) {
    let byte = bytes[at++]!;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++]!;
      value |= (byte & 127) << shift;
    }
    unit += value >>> 2;
    const form = value & 3;
    let inBody = 1 - form;
    let inTitle = form;
    if (form > 1) {
      byte = bytes[at++]!;
      inBody = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++]!;
        inBody |= (byte & 127) << shift;
      }
      inTitle = 0;
      if (form === 3) {
        byte = bytes[at++]!;
        inTitle = byte & 127;
        for (let shift = 7; byte > 127; shift += 7) {
          byte = bytes[at++]!;
          inTitle |= (byte & 127) << shift;
        }
      }
    }
    const first = slotOfPage[unit >>> 6]!;
    // Not `first < 0`: beyond the array there is no number at all.
    if (!(first >= 0)) continue;
    const slot = first + (unit & 63);
    if (types[slot] === DEAD) continue;
    units[kept] = slot;
    body[kept] = inBody;
    title[kept] = inTitle;
    counts |= inBody | inTitle;
    kept++;
  }
  slots.length = kept;
  slots.counts = counts;
}
