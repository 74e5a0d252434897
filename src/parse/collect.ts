import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';

/**
 * In characters: below, what is dead does not matter beside what a process needs anyway. (From 1 M on, adding 700 mixed
 * files took 15 % longer.)
 */
const LARGE = 4 * 2 ** 20;

/** From how many characters on; and what may lie dead, in bytes. */
let least = LARGE;
let mostDead = 4 * 2 ** 20;
/** Or as a part of what lives beyond the program's own: to collect a large heap takes long. */
const DEAD_PART = 0.4;
const OWN = 10 * 2 ** 20;

/** What lived after the last collection: in the heap, and outside it for the sake of objects in it. */
let inside = 0;
let outside = 0;

/**
 * Between two steps of a large document, or while many records are made and dropped. What a step leaves behind is as large
 * as what it has made, and V8 would let it lie while the next step needs as much again. Only where a process may ask for
 * it: those that do nothing but parse (engine/isolated-process.ts, engine/frugal.ts).
 */
export function collect(characters: number): void {
  if (characters < least || globalThis.gc === undefined) return;
  const allowed = Math.max(mostDead, (inside - OWN) * DEAD_PART);
  if (oldUsed() < inside + allowed && externalUsed() < outside + allowed) return;
  globalThis.gc();
  inside = oldUsed();
  outside = externalUsed();
}

/** Without what is new: V8 collects that often by itself, and it may be more than all that lives. */
const oldUsed = (): number =>
  getHeapSpaceStatistics().reduce(
    (sum, { space_name, space_used_size }) => (space_name.startsWith('new') ? sum : sum + space_used_size),
    0,
  );

const externalUsed = (): number => getHeapStatistics().external_memory;

/** For whoever has one document only, or little else to do: from how many characters on, and what may lie dead (bytes). */
export function collectFrom(characters: number, dead: number): void {
  least = characters;
  mostDead = dead;
}

/** How many records are made between two looks at the heap, which take some ten microseconds. */
const RECORDS = 64;

/** The same records, each dead after its turn. */
export function* tidily<T>(records: Iterable<T>, characters: number): Generator<T, void, undefined> {
  let made = 0;
  for (const record of records) {
    yield record;
    if (++made % RECORDS === 0) collect(characters);
  }
}
