import { timingSafeEqual } from 'node:crypto';
import type { PageRow } from './unit-table.js';
import type { SegmentRow } from './words-change.js';
import type { WordsState } from './words-reader.js';

/** The units of a word index at some moment, or what changed of them since a generation (-1: all of them). */
export interface UnitsEntry {
  readonly since: number;
  readonly state: WordsState;
  readonly pages: readonly PageRow[];
  /** Without their directories in the file, which has those of all entries beside it. */
  readonly segments: readonly SegmentRow[];
}

type Seal = (payload: Uint8Array) => Buffer;

const SEAL = 32;
const NONE = new Uint8Array();

/** `seal, length, payload`; a payload is `length, JSON, the pages' bytes`. */
export function packedUnits({ since, state, pages, segments }: UnitsEntry, seal: Seal): Buffer {
  const { generation, index_version, purged, identity } = state;
  const header = Buffer.from(
    JSON.stringify({
      since,
      state: { generation, index_version, purged, buried: [], identity },
      segments: segments.map(({ directory: _, ...segment }) => segment),
      pages: pages.map(([page, { length }]) => [page, length]),
    }),
  );
  const payload = Buffer.concat([number(header.length), header, ...pages.map(([, data]) => data)]);
  return Buffer.concat([seal(payload), number(payload.length), payload]);
}

/**
 * All entries of a file together, as far as they are whole. Two processes may have written the same change, or one of them
 * a change since an older generation: an entry counts where it leads on from what is known.
 */
export function unpackedUnits(
  log: Buffer,
  seal: Seal,
): { readonly entry: UnitsEntry | null; readonly count: number; readonly isWhole: boolean } {
  let entry: UnitsEntry | null = null;
  let count = 0;
  const pages = new Map<number, Uint8Array>();
  let at = 0;
  while (at + SEAL + 4 <= log.length) {
    const end = at + SEAL + 4 + log.readUInt32LE(at + SEAL);
    const payload = log.subarray(at + SEAL + 4, end);
    if (end > log.length || !timingSafeEqual(log.subarray(at, at + SEAL), seal(payload))) break;
    const next = readEntry(payload);
    if (next.since < 0) pages.clear();
    if (next.since < 0 || (entry !== null && leadsOn(entry, next))) {
      for (const [page, data] of next.pages) pages.set(page, data);
      entry = next;
    }
    count += 1;
    at = end;
  }
  return { entry: entry && { ...entry, since: -1, pages: [...pages] }, count, isWhole: at === log.length };
}

const leadsOn = ({ state: known }: UnitsEntry, { since, state }: UnitsEntry): boolean =>
  since <= known.generation &&
  state.generation >= known.generation &&
  state.index_version >= known.index_version;

type Header = Omit<UnitsEntry, 'pages'> & { readonly pages: readonly (readonly [number, number])[] };

/** Its seal says that a Strata wrote it that could read the library: its shape is believed. */
function readEntry(payload: Buffer): UnitsEntry {
  const length = payload.readUInt32LE(0);
  const { since, state, segments, pages } = JSON.parse(payload.toString('utf8', 4, 4 + length)) as Header;
  let at = 4 + length;
  const read = pages.map(([page, size]): PageRow => {
    const data = payload.subarray(at, at + size);
    at += size;
    return [page, data];
  });
  return {
    since,
    state,
    segments: segments.map((segment) => ({ ...segment, directory: NONE })),
    pages: read,
  };
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
