import type { Chunk } from '../../model/chunk.js';
import { isStrataError, reasonOf } from '../../model/errors.js';
import type { ParsedDoc } from '../../model/parsed.js';
import { outlineLine } from '../answers/outline.js';
import { placeOf, titlePath } from '../answers/place.js';
import { type Colours, colours, oneLine, padStart, plural, shorten } from '../cli/terminal.js';
import { chunkingFields } from '../fields/chunking.js';
import { MOST_PATHS, optionalText, texts } from '../fields.js';
import { say } from '../language/language.js';
import { translate } from '../language/translate.js';
import { operation, type View } from '../operation.js';

interface ParseAnswer {
  readonly documents: readonly ParsedDoc[];
  readonly failed: readonly { readonly path: string; readonly reason: string; readonly code: string }[];
}

export const parse = operation({
  name: 'parse',
  summary: "Show a file's structure and how it would be cut, without a library",
  description:
    'Parses files and shows their sections and passages as an outline; with --json the whole parsed document (sections, blocks, chunks with offsets, hashes and titles): an object for one file, a list for several.',
  access: 'read',
  library: 'none',
  input: {
    paths: texts('Files', { most: MOST_PATHS, cli: { positional: true, value: 'FILE' } }),
    ...chunkingFields,
    password: optionalText('For encrypted documents', { cli: { value: 'TEXT' } }),
  },
  output: ({ z, block, chunk, section }) =>
    z.object({
      documents: z.array(
        z.object({
          id: z.string(),
          path: z.string(),
          title: z.string(),
          summary: z.string(),
          format: z.string(),
          text: z.string(),
          hash: z.string(),
          metadata: z.record(z.string(), z.unknown()),
          warnings: z.array(z.string()),
          sections: z.array(section),
          blocks: z.array(block),
          chunks: z.array(chunk),
          chunk_count: z.number(),
        }),
      ),
      failed: z.array(z.object({ path: z.string(), reason: z.string(), code: z.string() })),
    }),
  examples: [
    { command: 'strata parse README.md', explanation: 'the outline' },
    { command: 'strata parse README.md --strategy h2 --json', explanation: 'everything, for programs' },
  ],
  handler: async (_library, { paths, ...options }, { signal }): Promise<ParseAnswer> => {
    const { parse: parseFile } = await import('../../ingest/parse-file.js');
    const documents: ParsedDoc[] = [];
    const failed: ParseAnswer['failed'][number][] = [];
    for (const path of paths) {
      if (signal.aborted) break;
      try {
        documents.push(await parseFile(path, options));
      } catch (error) {
        // A wrong option is wrong for every file.
        if (!isStrataError(error) || error.code === 'INVALID_ARGUMENT') throw error;
        failed.push({ path, reason: reasonOf(error), code: error.code });
      }
    }
    return { documents, failed };
  },
  render: async ({ documents }, view) => {
    const { recordsOf } = await import('../../ingest/parsed-doc.js');
    return renderParse(documents, view, recordsOf);
  },
  problems: ({ failed }) => failed.map(({ reason }) => reason),
  toJson: async ({ documents, failed }) => {
    const { writtenDocument } = await import('../cli/written-document.js');
    const written = documents.map(writtenDocument);
    return documents.length + failed.length === 1 ? written[0] : written;
  },
});

type RecordsOf = typeof import('../../ingest/parsed-doc.js').recordsOf;

/** Yields one line at a time: a large document has as many lines as records, and nobody needs them all at once. */
function* renderParse(documents: readonly ParsedDoc[], view: View, recordsOf: RecordsOf): Generator<string> {
  const paint = colours(view);
  for (const [at, document] of documents.entries()) {
    let before = at === 0 ? '' : '\n\n';
    for (const line of documentLines(document, recordsOf(document), view, paint)) {
      yield `${before}${line}`;
      before = '\n';
    }
  }
}

function* documentLines(
  document: ParsedDoc,
  records: ReturnType<RecordsOf>,
  view: View,
  paint: Colours,
): Generator<string> {
  yield `${paint.bold(oneLine(document.title))}  ${paint.dim(oneLine(document.path))}`;
  const facts = [
    document.format,
    plural(document.text.length, 'character'),
    plural(records.section_count, 'section'),
    plural(document.chunk_count, 'chunk'),
  ];
  yield paint.dim(facts.join(say(', ')));
  for (const warning of document.warnings) yield paint.yellow(`! ${oneLine(translate(warning))}`);
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
