import type { ContentType } from '../model/chunk.js';

/** A closed set, so that every driver can answer it exactly. Absent fields do not restrict; all given ones must hold. */
export interface Filter {
  readonly doc_ids?: readonly string[];
  /** `source_path` with `/`: a folder or a file, from the start. Or a glob, where it holds `*`, `**` or `?` (glob.ts). */
  readonly path?: string;
  /** `metadata.format`: markdown, pdf, … */
  readonly file_types?: readonly string[];
  /** A chunk's own; a document passes when one of its chunks does. */
  readonly content_types?: readonly ContentType[];
  /** All of them must be among `metadata.tags`. */
  readonly tags?: readonly string[];
  /** `metadata.collection` */
  readonly collections?: readonly string[];
  /** ISO 8601; `updated_at` at or after, and before. */
  readonly updated_after?: string;
  readonly updated_before?: string;
  /** One of them must be among `metadata.search_tools`: strings of a table that a search tool indexes. */
  readonly tools?: readonly string[];
  /** Grants: only strings of these tables (`metadata.table_id`), which is all that the caller may know of the library. */
  readonly granted_tables?: readonly string[];
}
