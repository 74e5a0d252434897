import type { BlockType } from './tree.js';

/** Where a thing stands in its source, for people: numbers from 1, ranges inclusive. Only what the format really has. */
export interface Loc {
  readonly page?: number;
  readonly page_end?: number;
  readonly slide?: number;
  readonly slide_end?: number;
  /** Cells of a notebook. */
  readonly cell?: number;
  readonly cell_end?: number;
  readonly chapter?: string;
  readonly sheet?: string;
  /** `B2:F40`. */
  readonly cells?: string;
  /** RFC 6901, in JSON and YAML. */
  readonly pointer?: string;
  readonly paragraph?: number;
  /** Of the file itself, never of text that was made from it. */
  readonly lines?: { readonly from: number; readonly to: number };
  readonly offset?: number;
  /** Its page was read from a picture: how sure that was, 0–1, the least of its pages. */
  readonly ocr?: number;
}

export interface BlockMeta {
  readonly lang?: string;
  readonly refer_line?: number;
  readonly source?: string;
  readonly token_count?: number;
}

export interface Block {
  readonly type: BlockType;
  readonly text: string;
  readonly meta: BlockMeta;
  readonly loc: Loc;
}

export interface Section {
  readonly id: string;
  readonly doc_id: string;
  /** The section above, or the document. */
  readonly parent_id: string;
  readonly title: string;
  readonly title_path: readonly string[];
  readonly level: number;
  readonly start_position: number;
  readonly end_position: number;
  readonly loc: Loc;
  readonly blocks: readonly Block[];
  readonly summary?: string;
}
