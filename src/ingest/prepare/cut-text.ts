import { DocumentRecords } from '../../chunk/chunk.js';
import type { ChunkSettings } from '../../chunk/settings.js';
import type { Chunk } from '../../model/chunk.js';
import { derivedId } from '../../model/id.js';
import type { Tree } from '../../model/tree.js';

/** How a text would be cut, for whoever tries settings out without a library. */
export interface CutText {
  readonly format: string;
  readonly title: string;
  readonly text: string;
  readonly sections: readonly {
    readonly title: string;
    readonly level: number;
    readonly start: number;
    readonly end: number;
  }[];
  readonly chunks: readonly CutChunk[];
  readonly warnings: readonly string[];
}

export type CutChunk = Pick<
  Chunk,
  'chunk_index' | 'title_path' | 'content_type' | 'start_position' | 'end_position' | 'token_count'
>;

export function cutText(tree: Tree, name: string, settings: ChunkSettings): CutText {
  const title = tree.title ?? name;
  const doc_id = derivedId('playground', name);
  const records = new DocumentRecords(tree, { doc_id, title, source: name, settings });
  return {
    format: tree.format,
    title,
    text: tree.text,
    sections: tree.sections.map(({ title: heading, level, span }) => ({ title: heading, level, ...span })),
    chunks: Array.from(records.chunks(), shown),
    warnings: tree.warnings,
  };
}

const shown = (chunk: Chunk): CutChunk => {
  const { chunk_index, title_path, content_type, start_position, end_position, token_count } = chunk;
  return { chunk_index, title_path, content_type, start_position, end_position, token_count };
};
