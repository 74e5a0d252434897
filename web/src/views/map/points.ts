/** The map as it comes from the server, unpacked. */
export interface MapAnswer {
  readonly state: 'ready';
  readonly count: number;
  readonly passages: number;
  readonly points: string;
  readonly document_of: string;
  readonly documents: readonly {
    readonly id: string;
    readonly title: string;
    readonly folder: string;
    readonly format: string;
  }[];
}

export interface Points {
  /** x and y in turn, 0 to 1. */
  readonly at: Float32Array;
  readonly count: number;
  readonly documentOf: Uint32Array;
}

export function unpack({ points, document_of, count }: MapAnswer): Points {
  const places = new Uint16Array(bytesOf(points));
  const at = new Float32Array(count * 2);
  for (let i = 0; i < at.length; i++) at[i] = places[i]! / 65_535;
  return { at, count, documentOf: new Uint32Array(bytesOf(document_of)) };
}

const bytesOf = (base64: string): ArrayBuffer =>
  Uint8Array.from(atob(base64), (one) => one.charCodeAt(0)).buffer;

/** Points in squares of a grid, so that the nearest to a click is found without looking at all. */
const SIDE = 128;

export class Grid {
  readonly #cells = new Map<number, number[]>();
  readonly #at: Float32Array;

  constructor({ at, count }: Points) {
    this.#at = at;
    for (let i = 0; i < count; i++) {
      const cell =
        Math.min(SIDE - 1, Math.floor(at[2 * i]! * SIDE)) +
        SIDE * Math.min(SIDE - 1, Math.floor(at[2 * i + 1]! * SIDE));
      const list = this.#cells.get(cell);
      if (list) list.push(i);
      else this.#cells.set(cell, [i]);
    }
  }

  /** The nearest point within `reach`, or null. */
  nearest(x: number, y: number, reach: number): number | null {
    let [best, least] = [null as number | null, reach * reach];
    const span = (value: number): [number, number] => [
      Math.max(0, Math.floor((value - reach) * SIDE)),
      Math.min(SIDE - 1, Math.floor((value + reach) * SIDE)),
    ];
    const [left, right] = span(x);
    const [top, bottom] = span(y);
    for (let row = top; row <= bottom; row++) {
      for (let column = left; column <= right; column++) {
        for (const i of this.#cells.get(column + SIDE * row) ?? []) {
          const far = (this.#at[2 * i]! - x) ** 2 + (this.#at[2 * i + 1]! - y) ** 2;
          if (far < least) [best, least] = [i, far];
        }
      }
    }
    return best;
  }
}
