import { recordsOf } from '../../ingest/parsed-doc.js';
import type { Chunk } from '../../model/chunk.js';
import type { ParsedDoc } from '../../model/parsed.js';
import { type Colours, colours, oneLine, padStart, plural, shorten } from '../cli/terminal.js';
import type { View } from '../operation.js';
import type { ParseAnswer } from '../operations/parse.js';
import { outlineLine } from './outline.js';
import { placeOf, titlePath } from './place.js';

/** A line at a time: of a large document there are as many as there are records. */
export function* renderParse({ documents }: ParseAnswer, view: View): Generator<string> {
  const paint = colours(view);
  for (const [at, document] of documents.entries()) {
    let before = at === 0 ? '' : '\n\n';
    for (const line of documentLines(document, view, paint)) {
      yield `${before}${line}`;
      before = '\n';
    }
  }
}

function* documentLines(document: ParsedDoc, view: View, paint: Colours): Generator<string> {
  const records = recordsOf(document);
  yield `${paint.bold(oneLine(document.title))}  ${paint.dim(oneLine(document.path))}`;
  const facts = [
    document.format,
    plural(document.text.length, 'character'),
    plural(records.section_count, 'section'),
    plural(document.chunk_count, 'chunk'),
  ];
  yield paint.dim(facts.join(', '));
  for (const warning of document.warnings) yield paint.yellow(`! ${oneLine(warning)}`);
  if (records.section_count > 0) yield '';
  for (const section of records.sections()) yield outlineLine(section, paint);
  if (document.chunk_count > 0) yield '';
  for (const chunk of records.chunks()) yield chunkLine(chunk, view, paint);
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
