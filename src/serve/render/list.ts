import type { DocumentPage } from '../../engine/library.js';
import { colours, displayWidth, oneLine, padEnd, padStart, plural, shorten } from '../cli/terminal.js';
import type { View } from '../operation.js';

/** A column this wide holds most paths; a longer one pushes its own line only. */
const PATH_COLUMN = 48;

export function renderList(page: DocumentPage, view: View): string {
  const paint = colours(view);
  if (page.documents.length === 0) return 'No documents.';
  const paths = page.documents.map((document) => oneLine(document.source_path));
  const column = Math.min(PATH_COLUMN, Math.max(...paths.map(displayWidth)));
  const rows = page.documents.map((document, at) => {
    const row = [
      paint.dim(document.id.slice(0, 8)),
      padEnd(paths[at]!, column),
      padStart(String(document.chunk_count), 5),
      document.updated_at.slice(0, 10),
      paint.bold(oneLine(document.title)),
    ];
    return Number.isFinite(view.width) && !view.colour ? shorten(row.join('  '), view.width) : row.join('  ');
  });
  const total = page.next === null ? plural(page.documents.length, 'document') : `more after ${page.next}`;
  return view.quiet ? paths.join('\n') : [...rows, '', total].join('\n');
}
