import type { Chunk } from '../../model/chunk.js';
import type { Document } from '../../model/document.js';
import { trueLoc } from '../../model/line-marks.js';
import type { Section } from '../../model/section.js';
import type { BlockType } from '../../model/tree.js';
import { readConsistently } from '../consistent-read.js';
import type { Library } from '../library.js';
import { partsOf } from '../open-library.js';
import { type SourceState, sourceState } from '../verify/stale.js';

/** A document without its text: what a reader needs to lay it out before the first page of text has come. */
export interface DocumentOutline {
  readonly document: Document;
  readonly state: SourceState;
  /** In UTF-16 units. */
  readonly length: number;
  readonly sections: readonly OutlineSection[];
  /** Where each block stands; headings are none. */
  readonly blocks: readonly OutlineBlock[];
  readonly chunks: readonly OutlineChunk[];
  /** The offset at which each page starts; empty for formats without pages. */
  readonly pages: readonly number[];
}

export type OutlineSection = Pick<
  Section,
  'id' | 'title' | 'level' | 'start_position' | 'end_position' | 'title_path' | 'loc'
>;

export interface OutlineBlock {
  readonly start: number;
  readonly end: number;
  readonly type: BlockType;
  readonly lang?: string;
}

export type OutlineChunk = Pick<
  Chunk,
  'id' | 'chunk_index' | 'title' | 'content_type' | 'start_position' | 'end_position' | 'token_count' | 'loc'
>;

export async function documentOutline(library: Library, target: string): Promise<DocumentOutline> {
  const document = await library.find(target);
  const state = await sourceState(partsOf(library), document);
  return readConsistently(partsOf(library).backend, async (backend) => {
    const [sections, content, chunks] = await Promise.all([
      backend.sections(document.id),
      backend.content(document.id),
      backend.chunksOf(document.id),
    ]);
    const { format } = document.metadata;
    return {
      document,
      state,
      length: content?.text.length ?? 0,
      sections: sections.map(({ id, title, level, start_position, end_position, title_path, loc }) => ({
        ...{ id, title, level, start_position, end_position, title_path, loc },
      })),
      blocks: (content?.blocks ?? []).map(({ start, end, type, lang }) => ({
        start,
        end,
        type,
        ...(lang !== undefined && { lang }),
      })),
      chunks: chunks.map((chunk) => ({
        id: chunk.id,
        chunk_index: chunk.chunk_index,
        title: chunk.title,
        content_type: chunk.content_type,
        start_position: chunk.start_position,
        end_position: chunk.end_position,
        token_count: chunk.token_count,
        loc: trueLoc(chunk, format),
      })),
      pages: content?.pages ?? [],
    };
  });
}

/** A part of a document's text: a long one is read as it is scrolled. */
export async function documentText(
  library: Library,
  { document: target, from, to }: { readonly document: string; readonly from: number; readonly to: number },
): Promise<{ readonly from: number; readonly to: number; readonly text: string }> {
  const document = await library.find(target);
  const content = await partsOf(library).backend.content(document.id);
  const text = (content?.text ?? '').slice(from, to);
  return { from, to: from + text.length, text };
}

/** All fields of one node: a chunk or a section, by its id. */
export async function nodeFields(
  library: Library,
  { document: target, id }: { readonly document: string; readonly id: string },
): Promise<{ readonly kind: 'chunk' | 'section'; readonly fields: Chunk | Section }> {
  const chunk = await partsOf(library).backend.chunk(id);
  if (chunk) return { kind: 'chunk', fields: chunk };
  const document = await library.find(target);
  const section = (await partsOf(library).backend.sections(document.id)).find((one) => one.id === id);
  if (section) return { kind: 'section', fields: section };
  const { StrataError } = await import('../../model/errors.js');
  throw new StrataError('NOT_FOUND', `${id}: no passage or section of ${document.source_path} has this id`);
}
