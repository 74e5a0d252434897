import type { Loc } from './section.js';

/** Where a passage stands, and what it said: enough to check later that the source still says so. */
export interface Citation {
  /** One line for people and for `strata verify`: see search/cite.ts for its form. */
  readonly ref: string;
  readonly doc_id: string;
  readonly chunk_id: string;
  readonly source_path: string;
  readonly title_path: readonly string[];
  readonly loc: Loc;
  readonly start_position: number;
  readonly end_position: number;
  /** `hash` of the chunk. */
  readonly content_hash: string;
}
