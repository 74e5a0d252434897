import type { Chunk } from '../../src/model/chunk.js';
import type { Document } from '../../src/model/document.js';
import type { Section } from '../../src/model/section.js';
import type { BlockType } from '../../src/model/tree.js';

/** Answers of the API as the page uses them; the records are the library's own. */
export type {
  ChannelEvidence,
  Highlight,
  MatchedChunk,
  SearchAnswer,
  SearchResult,
} from '../../src/model/result.js';
export type { Loc } from '../../src/model/section.js';
export type { Chunk, Document, Section };

export type SourceState = 'same' | 'changed' | 'missing' | 'unknown';

export interface Outline {
  readonly document: Document;
  readonly state: SourceState;
  readonly length: number;
  readonly sections: readonly Pick<
    Section,
    'id' | 'title' | 'level' | 'start_position' | 'end_position' | 'title_path' | 'loc'
  >[];
  readonly blocks: readonly { start: number; end: number; type: BlockType; lang?: string }[];
  readonly chunks: readonly OutlineChunk[];
  readonly pages: readonly number[];
}

export type OutlineChunk = Pick<
  Chunk,
  'id' | 'chunk_index' | 'title' | 'content_type' | 'start_position' | 'end_position' | 'token_count' | 'loc'
>;

export interface Count {
  readonly name: string;
  readonly documents: number;
  readonly chunks: number;
}

export interface Overview {
  readonly folders: readonly Count[];
  readonly formats: readonly Count[];
  readonly collections: readonly Count[];
  readonly lengths: readonly { readonly from: number; readonly count: number }[];
  readonly failures: readonly { readonly source_path: string; readonly reason: string }[];
}

export interface Who {
  readonly name: string;
  readonly access: 'read' | 'write' | 'owner';
  readonly version: string;
  readonly library: string;
}

/** A span of a text. */
export interface Mark {
  readonly start: number;
  readonly end: number;
}
