import type { Chunk } from './chunk.js';
import type { JsonObject } from './json/json.js';
import type { Block, Section } from './section.js';

/** What `parse(path)` gives: a document's structure and chunks, before any library is involved. */
export interface ParsedDoc {
  readonly id: string;
  readonly path: string;
  readonly title: string;
  readonly summary: string;
  readonly format: string;
  readonly text: string;
  readonly hash: string;
  readonly metadata: JsonObject;
  readonly warnings: readonly string[];
  readonly sections: readonly Section[];
  /** Blocks before the first heading; the others are in their sections. */
  readonly blocks: readonly Block[];
  readonly chunks: readonly Chunk[];
  readonly chunk_count: number;
}
