import { DocumentRecords } from '../../chunk/chunk.js';
import type { ChunkSettings } from '../../chunk/settings.js';
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

export interface CutChunk {
  readonly chunk_index: number;
  readonly title_path: readonly string[];
  readonly content_type: string;
  readonly start_position: number;
  readonly end_position: number;
  readonly token_count: number;
}

export function cutText(tree: Tree, name: string, settings: ChunkSettings): CutText {
  const title = tree.title ?? name;
  const doc_id = derivedId('playground', name);
  const records = new DocumentRecords(tree, { doc_id, title, source: name, settings });
  return {
    format: tree.format,
    title,
    text: tree.text,
    sections: tree.sections.map(({ title: heading, level, span }) => ({ title: heading, level, ...span })),
    chunks: [...records.chunks()].map((chunk) => ({
      chunk_index: chunk.chunk_index,
      title_path: chunk.title_path,
      content_type: chunk.content_type,
      start_position: chunk.start_position,
      end_position: chunk.end_position,
      token_count: chunk.token_count,
    })),
    warnings: tree.warnings,
  };
}
