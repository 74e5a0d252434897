import type { ContentType } from '../model/chunk.js';

/** A closed set, so that every driver can answer it exactly. Absent fields do not restrict; all given ones must hold. */
export interface Filter {
  readonly doc_ids?: readonly string[];
  /** Prefix of `source_path`, with `/`: a folder or a file. Or a glob, where it holds `*` or `?`. */
  readonly path?: string;
  /** `metadata.format`: markdown, pdf, … */
  readonly formats?: readonly string[];
  readonly content_types?: readonly ContentType[];
  /** All of them must be among `metadata.tags`. */
  readonly tags?: readonly string[];
  /** `metadata.collection` */
  readonly collections?: readonly string[];
  /** ISO 8601; `updated_at` at or after, and before. */
  readonly updated_after?: string;
  readonly updated_before?: string;
}
