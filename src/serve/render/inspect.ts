import type { ChunkInspection, Inspection } from '../../engine/library.js';
import { printable } from '../cli/print.js';
import { type Colours, colours, oneLine, plural } from '../cli/terminal.js';
import type { View } from '../operation.js';
import { placeOf, titlePath } from './place.js';

export function renderInspect(found: Inspection, view: View): string {
  const paint = colours(view);
  if (!found.is_parent) {
    const from = `${paint.dim('Document:')} ${oneLine(found.parent_doc_title)}  ${paint.dim(found.parent_id)}`;
    return `${head(found, paint)}\n${from}\n\n${printable(found.content).trimEnd()}`;
  }
  const title = `${paint.bold(oneLine(found.title))}  ${paint.dim(oneLine(found.source_path))}`;
  const bodies = found.children.map(
    (chunk) => `${head(chunk, paint)}\n${printable(chunk.content).trimEnd()}`,
  );
  return [`${title}\n${plural(found.chunk_count, 'passage')}`, ...bodies].join('\n\n');
}

function head(chunk: ChunkInspection, paint: Colours): string {
  const place = placeOf(chunk.citation.source_path, chunk.loc);
  const path = oneLine(titlePath(chunk.title_path)) || oneLine(chunk.title);
  return `${paint.cyan(path)}  ${paint.dim(`${place}  ${chunk.id}`)}`;
}
