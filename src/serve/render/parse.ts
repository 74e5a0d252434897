import type { Chunk } from '../../model/chunk.js';
import type { ParsedDoc } from '../../model/parsed.js';
import type { View } from '../operation.js';
import type { ParseAnswer } from '../operations/parse.js';
import { type Colours, colours, oneLine, padStart, plural, shorten } from '../terminal.js';
import { outline } from './outline.js';
import { placeOf, titlePath } from './place.js';

export function renderParse({ documents }: ParseAnswer, view: View): string {
  const paint = colours(view);
  return documents.map((document) => renderDocument(document, view, paint)).join('\n\n');
}

function renderDocument(document: ParsedDoc, view: View, paint: Colours): string {
  const facts = [
    document.format,
    plural(document.text.length, 'character'),
    plural(document.sections.length, 'section'),
    plural(document.chunk_count, 'chunk'),
  ];
  const lines = [
    `${paint.bold(oneLine(document.title))}  ${paint.dim(oneLine(document.path))}`,
    paint.dim(facts.join(', ')),
    ...document.warnings.map((warning) => paint.yellow(`! ${oneLine(warning)}`)),
  ];
  if (document.sections.length > 0) lines.push('', ...outline(document.sections, paint));
  if (document.chunks.length > 0)
    lines.push('', ...document.chunks.map((chunk) => chunkLine(chunk, view, paint)));
  return lines.join('\n');
}

/** Number, kind, length, place, title path, and how it begins. */
function chunkLine(chunk: Chunk, view: View, paint: Colours): string {
  const width = Number.isFinite(view.width) ? view.width : 120;
  const kind = chunk.content_type.padEnd(5);
  const left = `${padStart(`#${chunk.chunk_index}`, 5)} ${kind} ${padStart(String(chunk.content.length), 6)} `;
  const place = placeOf('', chunk.loc).padEnd(12);
  const path = oneLine(titlePath(chunk.title_path));
  const room = Math.max(20, width - left.length - place.length - 2);
  const title = shorten(path, Math.floor(room / 2));
  const start = shorten(oneLine(chunk.content), Math.max(10, room - title.length));
  return `${paint.dim(left + place)} ${paint.cyan(title)} ${paint.dim(start)}`;
}
