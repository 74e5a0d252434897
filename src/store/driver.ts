import type { Backend, PackedWrite, Reindex, StreamedWrite } from './backend.js';

/**
 * A driver as the engine knows it. Each has one in its folder, and the engine one table of them, so that a new driver
 * touches its own folder and one line. What opening or packing needs loads when it is called.
 */
export interface Driver {
  /** What `--store` calls it. */
  readonly name: string;
  /** How `--store` names it with a place, for help: `json:DIR`. */
  readonly usage: string;
  /** Where it keeps a library inside the library's own folder. A driver that keeps it elsewhere has none. */
  readonly inside?: string;
  /** A place as a person wrote it, made absolute. Without this it is a path. */
  place?(written: string, cwd: string): string;
  /** What of a place is written down beside the library: never a secret. Without this all of it is. */
  kept?(place: string): string;
  open(request: OpenRequest): Promise<Backend>;
  /** For a driver that takes documents packed: how one is made ready in another process than the one that commits it. */
  pack?(): Promise<Pack>;
}

export interface OpenRequest {
  /** Absolute; the driver's own choice where none was named. */
  readonly place: string | undefined;
  /** The library's folder. */
  readonly location: string;
  /** The place was named by the caller, now; otherwise it was found written down beside the library. */
  readonly isAsked: boolean;
  readonly reindex: Reindex;
}

/** What it gives `ahead` goes into the `ahead` of what it returns, wherever that arrives. */
export type Pack = (
  write: StreamedWrite,
  ahead?: (part: Uint8Array) => Promise<void>,
) => Promise<PackedWrite>;
