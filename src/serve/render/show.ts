import type { DocumentDetails } from '../../engine/library.js';
import { printable } from '../cli/print.js';
import { colours, oneLine, plural } from '../cli/terminal.js';
import type { View } from '../operation.js';
import { outline } from './outline.js';

export function renderShow(
  details: DocumentDetails,
  view: View,
  input: Readonly<Record<string, unknown>>,
): string {
  if (input.text === true) return printable(details.text).trimEnd();
  const paint = colours(view);
  const { document, sections } = details;
  const facts: [string, string][] = [
    ['Path', oneLine(document.source_path)],
    ['Id', document.id],
    ['Format', String(document.metadata.format ?? '')],
    ['Changed', document.updated_at],
    ['Passages', String(document.chunk_count)],
    ['Length', plural(details.text.length, 'character')],
  ];
  if (Array.isArray(document.metadata.tags)) facts.push(['Tags', document.metadata.tags.join(', ')]);
  if (document.metadata.collection) facts.push(['Collection', String(document.metadata.collection)]);
  return [
    paint.bold(oneLine(document.title)),
    ...facts.map(([name, value]) => `${paint.dim(name.padEnd(11))}${value}`),
    ...(sections.length > 0 ? ['', ...outline(sections, paint)] : []),
  ].join('\n');
}
