import type { Span } from '../model/tree.js';
import { isPlain, safeCut } from '../text/graphemes.js';
import { addBlocks, addInner, addLast, Boundaries } from './boundaries.js';
import type { Item } from './items.js';
import { Selection } from './select.js';
import type { ChunkSettings } from './settings.js';
import { isSpace, type Visible } from './visible.js';

/** A part of a piece that was too long, and how it was cut off from the one before it. */
export interface Part extends Span {
  /** A sliding window: no boundary of any kind was near. */
  readonly window: boolean;
}

/** What a part may hold so that the overlap still fits before it. */
export const coreLength = ({ max, overlap }: ChunkSettings): number =>
  Math.max(1, max - Math.round(max * overlap));

/**
 * How far a peak is from the next, as a part of what fits. Farther apart, chunks are larger but an edit moves more of them
 * (2,000 edits with a minimum of 300, more than three moved: 0, 1, 1 and 2 at 0.3, 0.35, 0.4 and 0.5; mean lengths 652,
 * 699, 725, 729. With the default minimum of 400, 5 at 0.4).
 */
const PEAK_DISTANCE = 0.4;

/** Parts without a peak that are longer than this many chunks are halved. */
const MONOTONOUS = 16;

/**
 * Divides the pieces of a document that are too long for one chunk: at blocks, then at their inner boundaries, then, for
 * large things with little around them, where ever less text is left on one side, and last by windows.
 */
export class Divider {
  readonly #visible: Visible;
  readonly #settings: ChunkSettings;
  readonly #selection: Selection;
  readonly #blocks = new Boundaries();
  readonly #inner = new Boundaries();
  readonly #last = new Boundaries();
  /** Lengths: what fits with its overlap, and how much text a cut leaves on both sides, at best and at least. */
  readonly #core: number;
  readonly #wide: number;
  readonly #narrow: number;

  constructor(visible: Visible, settings: ChunkSettings) {
    this.#visible = visible;
    this.#settings = settings;
    this.#selection = new Selection(visible);
    this.#core = coreLength(settings);
    this.#wide = Math.max(1, settings.min, Math.floor(this.#core * PEAK_DISTANCE));
    this.#narrow = Math.max(1, Math.min(this.#wide, Math.max(settings.min, this.#core / 4)));
  }

  divide(items: readonly Item[]): Part[] {
    const { max } = this.#settings;
    const blocks = this.#blocks.clear();
    addBlocks(blocks, items);
    let parts: Span[] = [{ start: items[0]!.start, end: items[items.length - 1]!.end }];
    parts = this.#cutLonger(parts, blocks);
    if (longest(parts) > this.#core) {
      const inner = this.#innerOf(items, parts);
      parts = this.#cutLonger(parts, inner);
      if (longest(parts) > max) {
        const last = this.#last.clear();
        addLast(last, items, max);
        for (const boundaries of [blocks, inner, last]) {
          parts = this.#cutEach(parts, max, (part) => this.#selection.middle(part, boundaries));
        }
      }
    }
    const result: Part[] = [];
    for (const { start, end } of parts) {
      if (end - start <= max) result.push({ start, end, window: false });
      else this.#addWindows(result, start, end);
    }
    return result;
  }

  /** Cuts the parts that do not fit: at peaks, then at the best boundary between two that are too far apart. */
  #cutLonger(given: Span[], boundaries: Boundaries): Span[] {
    if (boundaries.count === 0) return given;
    const parts: Span[] = [];
    for (const part of given) {
      if (this.#fits(part)) parts.push(part);
      else this.#addSpans(parts, part, this.#selection.peaks(part, boundaries, this.#wide));
    }
    return this.#cutEach(parts, this.#core, (part) =>
      // Text that repeats itself has hardly a peak; halving it keeps the work linear.
      part.end - part.start > MONOTONOUS * this.#core
        ? this.#selection.middle(part, boundaries)
        : this.#selection.best(part, boundaries, this.#narrow),
    );
  }

  /** Cuts parts longer than `most` in two, and the halves again, for as long as `choose` finds a place. */
  #cutEach(given: Span[], most: number, choose: (part: Span) => number): Span[] {
    if (longest(given) <= most) return given;
    const parts: Span[] = [];
    // A list of what is left, not recursion: a long text may be cut in two very often.
    const left: Span[] = [];
    for (const whole of given) {
      for (let part: Span | undefined = whole; part !== undefined; part = left.pop()) {
        const at = part.end - part.start > most ? choose(part) : -1;
        const first = at < 0 ? null : this.#visible.trim(part.start, at);
        const second = at < 0 ? null : this.#visible.trim(at, part.end);
        if (first === null || second === null) parts.push(part);
        else left.push(second, first);
      }
    }
    return parts;
  }

  /** Boundaries inside the blocks of the parts that do not fit. */
  #innerOf(items: readonly Item[], parts: readonly Span[]): Boundaries {
    const found = this.#inner.clear();
    let part = 0;
    for (const item of items) {
      while (part < parts.length && (parts[part]!.end <= item.start || this.#fits(parts[part]!))) part++;
      if (part === parts.length) break;
      if (item.end > parts[part]!.start) addInner(found, this.#visible.text, item, this.#settings.max);
    }
    return found;
  }

  #fits({ start, end }: Span): boolean {
    return end - start <= this.#core;
  }

  /** The spans between cuts, without white space and comments at their ends. */
  #addSpans(parts: Span[], part: Span, cuts: readonly number[]): void {
    if (cuts.length === 0) {
      parts.push(part);
      return;
    }
    let { start } = part;
    for (let index = 0; index <= cuts.length; index++) {
      const end = index < cuts.length ? cuts[index]! : part.end;
      const span = this.#visible.trim(start, end);
      if (span !== null) parts.push(span);
      start = end;
    }
  }

  /** Whether the next window follows this one: not where this one held comments only. */
  #addWindow(parts: Part[], start: number, end: number, window: boolean): boolean {
    const span = this.#visible.isTight(start, end) ? { start, end } : this.#visible.trim(start, end);
    if (span !== null) parts.push({ start: span.start, end: span.end, window });
    return span !== null;
  }

  /** Windows of `max` that overlap by the ratio (the overlap itself is added with all others, see overlap.ts). */
  #addWindows(parts: Part[], from: number, last: number): void {
    const { text } = this.#visible;
    let start = from;
    let window = false;
    for (
      let size = parts.length > 0 ? this.#core : this.#settings.max;
      last - start > size;
      size = this.#core
    ) {
      const end = wordCut(text, safeCut(text, start + size, start), start, size);
      window = this.#addWindow(parts, start, end, window);
      start = end;
    }
    this.#addWindow(parts, start, last, window);
  }
}

function longest(parts: readonly Span[]): number {
  let most = 0;
  for (const { start, end } of parts) if (end - start > most) most = end - start;
  return most;
}

/** Back to the end of a word, where one ends within the last eighth of the window. */
function wordCut(text: string, at: number, start: number, size: number): number {
  const code = text.charCodeAt(at - 1);
  if (isSpace(code) || !isPlain(code)) return at;
  for (let back = at; back > start && at - back < size / 8; back--) {
    if (isSpace(text.charCodeAt(back - 1))) return back;
  }
  return at;
}
