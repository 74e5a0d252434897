import type { JsonObject } from './json/json.js';

/** The parent record. Its chunks and sections point to it by `doc_id`. */
export interface Document {
  readonly id: string;
  /**
   * What the document *is* to the library, unique there: `file:<path relative to the root, with />`, a URL,
   * or `table:<id>#<json pointer>`. Adding the same source again replaces; a rename changes it and keeps `id`.
   */
  readonly source: string;
  /** The path, URL or pointer as a person would write it. */
  readonly source_path: string;
  readonly title: string;
  /** The chunks' summaries joined, at most 500 characters. */
  readonly summary: string;
  /** SHA-256 of the normalised text (see hash.ts). */
  readonly hash: string;
  /** ISO 8601: when the source last changed (a file's modification time), else when it was added. */
  readonly updated_at: string;
  readonly chunk_count: number;
  readonly is_parent: true;
  /** Ours: `format`, `strategy`, `bytes_hash`, `size`, `mtime_ms`, `tags`, `collection`, front matter, … */
  readonly metadata: JsonObject;
}

const BARE_ID = /^(?:[a-z]+:)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What a person may know the document by: its path, or its title where only a program has named it (`langchain:<uuid>`). */
export const readableSource = ({ source_path, title }: Pick<Document, 'source_path' | 'title'>): string =>
  BARE_ID.test(source_path) && title.trim() !== '' ? title : source_path;
