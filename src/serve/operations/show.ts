import type { DocumentDetails } from '../../engine/library.js';
import { factLines } from '../answers/facts.js';
import { outline } from '../answers/outline.js';
import { printable } from '../cli/print.js';
import { colours, oneLine, plural } from '../cli/terminal.js';
import { argument, flag } from '../fields.js';
import { operation, type View } from '../operation.js';

export const show = operation({
  name: 'show',
  summary: 'Show one document: what it is, its outline, its text',
  description: "A document's record, its sections as an outline, and its text as the library keeps it.",
  access: 'read',
  library: 'existing',
  input: {
    document: argument(
      'A path, an id or its beginning (#0d8b53), a place (guide.md:12), or a citation',
      'DOCUMENT',
    ),
    text: flag('Only the text'),
  },
  output: ({ z, document, section }) => z.object({ document, sections: z.array(section), text: z.string() }),
  examples: [
    { command: 'strata show docs/guide.md', explanation: 'by path' },
    { command: 'strata show 0b8f2c1e --text', explanation: "the text, by an id's beginning" },
  ],
  handler: (library, { document }, { cwd }) => library.show(document, { cwd }),
  render: renderShow,
  isRaw: (input) => input.text,
});

function renderShow(details: DocumentDetails, view: View, input: { readonly text: boolean }): string {
  if (input.text) return printable(details.text).trimEnd();
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
    ...factLines(facts, paint),
    ...(sections.length > 0 ? ['', ...outline(sections, paint)] : []),
  ].join('\n');
}
