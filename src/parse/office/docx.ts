import { reasonOf, StrataError } from '../../model/errors.js';
import type { Tree } from '../../model/tree.js';
import { TreeBuilder } from '../builder.js';
import { type Attributes, type HtmlBlocks, type HtmlSink, htmlBlocks } from '../html/blocks.js';
import { readHtml } from '../html/events.js';
import type { ParseInput } from '../parser.js';
import { TracedText } from '../traced-text.js';
import {
  HEADING_STYLE,
  LABEL_END,
  LABEL_START,
  type PreparedDocument,
  prepareDocument,
  TITLE_STYLE,
} from './docx-document.js';
import { readParagraphStyles } from './docx-headings.js';
import { readNumbering } from './docx-numbering.js';
import { isOle, oleProblem } from './ole.js';
import { coreProperties, partText, relationships } from './opc.js';
import { openZip, type ZipArchive } from './zip.js';

/** Lists as mammoth maps them by default (five levels), headings by our marks, references without their looks. */
const STYLE_MAP: readonly string[] = [
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `p.${HEADING_STYLE}${n} => h${Math.min(n, 6)}:fresh`),
  `p.${TITLE_STYLE} => p.${TITLE_STYLE}:fresh`,
  ...[1, 2, 3, 4, 5].flatMap((depth) =>
    (['unordered', 'ordered'] as const).map((kind) => {
      const above = 'ul|ol > li > '.repeat(depth - 1);
      return `p:${kind}-list(${depth}) => ${above}${kind === 'ordered' ? 'ol' : 'ul'} > li:fresh`;
    }),
  ),
];

/**
 * Word documents through mammoth's HTML. mammoth reads the zip through our reader, which caps what is
 * expanded, and sees headings by the styles that `docx-document.ts` put there.
 */
export async function docxParser({ bytes, limits }: ParseInput): Promise<Tree> {
  if (isOle(bytes)) throw oleProblem(bytes);
  const zip = openZip(bytes, limits.expanded);
  const main = await mainPart(zip, limits.nesting);
  const related = await relationships(zip, main, limits.nesting);
  const part = (name: string): string | undefined =>
    partText(zip, related.find(({ type }) => type === name)?.target ?? `word/${name}.xml`);
  const styles = await readParagraphStyles(part('styles') ?? '<styles/>', limits.nesting);
  const numbering = await readNumbering(part('numbering'), limits.nesting).catch(() => NO_NUMBERS);
  const prepared = await prepareDocument(partText(zip, main)!, styles, numbering, limits.nesting);
  const { title: coreTitle, ...metadata } = await coreProperties(zip, limits.nesting).catch(
    () => ({}) as never,
  );

  const builder = new TreeBuilder();
  const warnings: string[] = [];
  let styledTitle: string | undefined;
  try {
    styledTitle = await viaMammoth(zip, main, prepared, builder, limits.nesting);
  } catch (error) {
    if (error instanceof StrataError) throw error;
    return asPlainText(prepared, coreTitle, `tables and lists were read as text: ${reasonOf(error)}`);
  }
  const tree = builder.build({ format: 'docx', metadata, warnings, unit: 'paragraph' });
  const firstHeading = tree.sections.find(({ level }) => level === 1)?.title;
  return { ...tree, title: styledTitle ?? firstHeading ?? coreTitle ?? null };
}

/** Numbering that cannot be read leaves the text as it is; mammoth may refuse the document for it all the same. */
const NO_NUMBERS = { next: () => '' };

async function mainPart(zip: ZipArchive, nesting: number): Promise<string> {
  const related = (await relationships(zip, '', nesting)).find(({ type }) => type === 'officeDocument');
  const part = [related?.target, 'word/document.xml'].find((name) => name !== undefined && zip.has(name));
  if (part === undefined) throw new StrataError('CORRUPT', 'the zip holds no Word document');
  return part;
}

/** How mammoth's own command line hands over a document; its published types know only paths and buffers. */
interface OpenedZip {
  exists(name: string): boolean;
  read(name: string, encoding?: string): Promise<string | Uint8Array>;
}
type ConvertOpenedZip = (
  input: { readonly file: OpenedZip },
  options: Parameters<Mammoth['convertToHtml']>[1],
) => ReturnType<Mammoth['convertToHtml']>;
type Mammoth = typeof import('mammoth');

/** Fills the builder; gives the text of the paragraph in the style "Title". */
async function viaMammoth(
  zip: ZipArchive,
  main: string,
  prepared: PreparedDocument,
  builder: TreeBuilder,
  nesting: number,
): Promise<string | undefined> {
  const { default: mammoth } = await import('mammoth');
  const file: OpenedZip = {
    exists: (name) => zip.has(name),
    // mammoth asks for text with an encoding; pictures, without one, are never wanted.
    read: async (name, encoding) =>
      encoding === undefined ? new Uint8Array() : name === main ? prepared.xml : (partText(zip, name) ?? ''),
  };
  const convert = mammoth.convertToHtml as unknown as ConvertOpenedZip;
  const { value: html } = await convert(
    { file },
    {
      styleMap: [...STYLE_MAP],
      includeDefaultStyleMap: false,
      includeEmbeddedStyleMap: false,
      convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
    },
  );
  const reader = new MammothHtml(builder);
  readHtml(html, reader, nesting);
  return reader.end();
}

/** What mammoth gives, read into blocks, with the number of each paragraph as a reader of the document would count them. */
class MammothHtml implements HtmlSink {
  readonly #blocks: HtmlBlocks;
  #title: string | undefined;
  #inTitle = false;
  #inBackLink = false;
  #paragraph = 0;
  #begins = false;

  constructor(builder: TreeBuilder) {
    this.#blocks = htmlBlocks(builder);
  }

  open(name: string, attributes: Attributes): void {
    if (attributes.class === TITLE_STYLE) this.#inTitle = this.#title === undefined;
    this.#begins ||= /^(?:p|h[1-6]|li)$/.test(name);
    this.#inBackLink ||= /^#(?:foot|end)note-ref-/.test(attributes.href ?? '');
    this.#blocks.open(name, attributes);
  }

  text(data: string): void {
    if (this.#begins && data.trim() !== '') {
      this.#paragraph += 1;
      this.#begins = false;
    }
    if (this.#inTitle) this.#title = (this.#title ?? '') + data;
    if (this.#inBackLink) return;
    const number = LABEL.exec(data);
    if (number !== null) this.#blocks.mark(number[1]!);
    const text = number === null ? data : data.slice(number[0].length);
    this.#blocks.text(text.replaceAll('\n', ' '), this.#paragraph);
  }

  close(name: string): void {
    if (name === 'p') this.#inTitle = false;
    if (name === 'a') this.#inBackLink = false;
    this.#blocks.close(name);
  }

  /** Gives the text of the paragraph in the style "Title". */
  end(): string | undefined {
    this.#blocks.end();
    return this.#title?.replace(/\s+/g, ' ').trim() || undefined;
  }
}

const LABEL = new RegExp(`^${LABEL_START}([^${LABEL_END}]*)${LABEL_END}`);

function asPlainText(prepared: PreparedDocument, title: string | undefined, warning: string): Tree {
  const builder = new TreeBuilder();
  let paragraph = 0;
  for (const { level, text } of prepared.paragraphs) {
    if (text.trim() === '') continue;
    paragraph += 1;
    const traced = new TracedText().add(text, paragraph);
    if (level === undefined) builder.paragraph(traced);
    else builder.heading(level, traced);
  }
  return builder.build({ format: 'docx', title: title ?? null, warnings: [warning], unit: 'paragraph' });
}
