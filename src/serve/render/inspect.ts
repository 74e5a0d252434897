import type { Inspection } from '../../engine/library.js';
import type { Chunk } from '../../model/chunk.js';
import type { View } from '../operation.js';
import { type Colours, colours, oneLine, plural, printable } from '../terminal.js';
import { placeOf, titlePath } from './place.js';

export function renderInspect(found: Inspection, view: View): string {
  const paint = colours(view);
  if (found.kind === 'chunk') {
    const from = `${paint.dim('Document:')} ${oneLine(found.parent_title)}  ${paint.dim(found.parent_id)}`;
    return `${head(found.chunk, paint)}\n${from}\n\n${printable(found.chunk.content).trimEnd()}`;
  }
  const { document, chunks } = found;
  const title = `${paint.bold(oneLine(document.title))}  ${paint.dim(oneLine(document.source_path))}`;
  const bodies = chunks.map((chunk) => `${head(chunk, paint)}\n${printable(chunk.content).trimEnd()}`);
  return [`${title}\n${plural(chunks.length, 'passage')}`, ...bodies].join('\n\n');
}

function head(chunk: Chunk, paint: Colours): string {
  const place = placeOf(`#${chunk.chunk_index}`, chunk.loc);
  return `${paint.cyan(oneLine(titlePath(chunk.title_path)) || oneLine(chunk.title))}  ${paint.dim(`${place}  ${chunk.id}`)}`;
}
