/** What became of a document's file since it was added; nothing where it is the same, or is no file. */
export interface Staleness {
  readonly stale?: boolean;
  /** With `stale`: the file is no longer there. */
  readonly gone?: boolean;
}

/** What `scout` gives: enough to choose, no content. */
export interface DocumentBrief extends Staleness {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly chunk_count: number;
  readonly is_parent: true;
}

export interface ChunkBrief extends Staleness {
  readonly id: string;
  readonly parent_id: string;
  readonly title: string;
  readonly parent_doc_title: string;
  readonly summary: string;
  readonly position: number;
  readonly is_parent: false;
}

export type Brief = DocumentBrief | ChunkBrief;
