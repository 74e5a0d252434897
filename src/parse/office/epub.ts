import { StrataError } from '../../model/errors.js';
import type { Tree } from '../../model/tree.js';
import { TreeBuilder } from '../builder.js';
import { htmlBlocks } from '../html/blocks.js';
import { readHtml } from '../html/events.js';
import type { ParseInput } from '../parser.js';
import { type Book, readBook } from './epub-book.js';
import { partText } from './opc.js';
import { openZip } from './zip.js';

/** Books: the chapters in reading order, by their own headings, else by their titles in the table of contents. */
export async function epubParser({ bytes, limits }: ParseInput): Promise<Tree> {
  const zip = openZip(bytes, limits.expanded);
  const book: Book = await readBook(zip, limits.nesting);
  const builder = new TreeBuilder();
  const names: string[] = [];
  let chapter: string | undefined;
  for (const part of book.chapters) {
    const html = partText(zip, part);
    if (html === undefined) continue;
    const title = book.titles.get(part);
    // A chapter may go on in further parts, which the table of contents does not name.
    chapter = title ?? chapter;
    names.push(chapter ?? part.slice(part.lastIndexOf('/') + 1));
    builder.page();
    if (title !== undefined && !/<h[1-6][\s>]/i.test(html)) builder.heading(1, title);
    const sink = htmlBlocks(builder);
    readHtml(html, sink, limits.nesting, true);
    sink.end();
  }
  if (builder.isEmpty && book.chapters.length === 0)
    throw new StrataError('CORRUPT', 'the book has no chapters');
  return builder.build({
    format: 'epub',
    title: book.title ?? null,
    metadata: book.metadata,
    page_names: names,
  });
}
