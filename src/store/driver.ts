import type { Backend, DocumentWrite, PackedWrite, Reindex } from './backend.js';

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
  /** A place as a person wrote it, or where none was named, made absolute. Without this it is a path. */
  place?(
    written: string | undefined,
    from: { readonly cwd: string; readonly location: string },
  ): string | undefined;
  /** What of a place is written down beside the library: never a secret. Without this all of it is. */
  kept?(place: string): string;
  open(request: OpenRequest): Promise<Backend>;
  /** For a driver with a form of its own for documents that are about to be written; the others take records. */
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
  /** A folder of this machine for what a store elsewhere is asked for again and again; only where the user wants one. */
  readonly cache?: string | undefined;
}

/**
 * Makes a document ready for a driver. Parts of a large one are given to `send` as soon as they are made, so that they
 * can travel to another process while the next is made; the receiver puts them into `parts`.
 */
export type Pack = (
  write: DocumentWrite,
  send: (part: Uint8Array) => Promise<void> | void,
) => Promise<Omit<PackedWrite, 'parts'>>;
