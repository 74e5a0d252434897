/** What `scout` gives: enough to choose, no content. */
export interface DocumentBrief {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly chunk_count: number;
  readonly is_parent: true;
}

export interface ChunkBrief {
  readonly id: string;
  readonly parent_id: string;
  readonly title: string;
  readonly parent_doc_title: string;
  readonly summary: string;
  readonly position: number;
  readonly is_parent: false;
}

export type Brief = DocumentBrief | ChunkBrief;
