import { outlineLevel, type ParagraphStyles } from './docx-headings.js';
import type { Numbering } from './docx-numbering.js';
import { readXml, type XmlAttributes, type XmlHandler, type XmlTag } from './xml.js';

/**
 * Prepares `document.xml` for mammoth: every heading's paragraph gets one of nine styles of ours, so that a style map
 * of nine lines finds them all, and what mammoth would drop with its text (simple fields, bidirectional runs, ruby
 * bases, formulas) is unwrapped. The XML is edited by offsets, so that the rest stays as it was.
 */
export interface PreparedDocument {
  readonly xml: string;
  /** The same paragraphs as plain text, for a document that mammoth cannot convert. */
  readonly paragraphs: readonly PlainParagraph[];
}

export interface PlainParagraph {
  readonly level: number | undefined;
  readonly text: string;
}

export const HEADING_STYLE = 'StrataHeading';
export const TITLE_STYLE = 'StrataTitle';
/** Around a counted number, on its way through mammoth: characters for private use. */
export const LABEL_START = '\ue000';
export const LABEL_END = '\ue001';

/** Dropped by mammoth together with the text inside; the text is wanted. */
const UNWRAPPED = new Set(['fldSimple', 'dir', 'bdo', 'ruby', 'rubyBase']);

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Paragraph {
  readonly bodyStart: number;
  /** Where `w:pPr`'s content starts; undefined while the paragraph has none. */
  properties: number | undefined;
  style: string | undefined;
  styleTag: Edit | undefined;
  outline: number | undefined;
  /** Where `w:pPr` ends. */
  contentStart: number | undefined;
  numId: string | undefined;
  numLevel: number | undefined;
  text: string;
}

export async function prepareDocument(
  xml: string,
  styles: ParagraphStyles,
  numbering: Numbering,
  nesting: number,
): Promise<PreparedDocument> {
  const marker = new DocumentMarker(xml, styles, numbering);
  await readXml(xml, 'document.xml', nesting, marker);
  return { xml: withoutLooks(applyEdits(xml, marker.edits)), paragraphs: marker.paragraphs };
}

/** Notes the edits while `document.xml` is read. */
class DocumentMarker implements XmlHandler {
  readonly edits: Edit[] = [];
  readonly paragraphs: PlainParagraph[] = [];
  readonly #xml: string;
  readonly #styles: ParagraphStyles;
  readonly #numbering: Numbering;
  /** Paragraphs that are open: one in a text box stands inside another. */
  readonly #open: Paragraph[] = [];
  readonly #path: string[] = [];
  /** Start of the phonetic text above a ruby base, which is cut out. */
  #ruby: number | undefined;
  /** How many `mc:Choice` are open: what they hold stands in the fallback once more. */
  #choices = 0;
  /** The document's prefix of Word's own names. */
  #prefix = 'w:';

  constructor(xml: string, styles: ParagraphStyles, numbering: Numbering) {
    this.#xml = xml;
    this.#styles = styles;
    this.#numbering = numbering;
  }

  open(name: string, attributes: XmlAttributes, { qualified, end }: XmlTag): void {
    if (this.#path.length === 0) this.#prefix = qualified.slice(0, qualified.length - name.length);
    this.#path.push(name);
    if (name === 'Choice') this.#choices += 1;
    const isSelfClosed = this.#xml.startsWith('/>', end - 2);
    if (qualified.startsWith(this.#prefix) && this.#openOwn(name, attributes, end, isSelfClosed)) return;
    this.#unwrap(name, qualified, end, `<${this.#prefix}${name}${isSelfClosed ? '/' : ''}>`);
  }

  text(data: string): void {
    const paragraph = this.#open.at(-1);
    if (paragraph && this.#path.at(-1) === 't' && this.#ruby === undefined && this.#choices === 0)
      paragraph.text += data;
  }

  close(name: string, { qualified, end }: XmlTag): void {
    this.#path.pop();
    if (name === 'Choice') this.#choices -= 1;
    const isSelfClosed = this.#xml.startsWith('/>', end - 2);
    const above = this.#path.at(-1);
    const isOwn = qualified.startsWith(this.#prefix);
    if (isOwn && name === 'p') {
      const paragraph = this.#open.pop()!;
      if (!isSelfClosed) this.#finish(paragraph);
    } else if (isOwn && name === 'pPr' && above === 'p' && this.#open.length > 0) {
      this.#open.at(-1)!.contentStart = end;
    } else if (isOwn && name === 'rt' && this.#ruby !== undefined && above === 'ruby') {
      this.edits.push({ start: this.#ruby, end, text: '' });
      this.#ruby = undefined;
    } else if (!isSelfClosed) this.#unwrap(name, qualified, end, `</${this.#prefix}${name}>`);
  }

  /** A tag in Word's own namespace; false if it says nothing here. */
  #openOwn(name: string, attributes: XmlAttributes, end: number, isSelfClosed: boolean): boolean {
    const [parent, above, top] = [this.#path.at(-2), this.#path.at(-3), this.#path.at(-4)];
    const paragraph = this.#open.at(-1);
    if (name === 'p') this.#open.push({ ...EMPTY, bodyStart: end });
    else if (name === 'rt' && parent === 'ruby') this.#ruby ??= this.#tagAt(end, '').start;
    else if (paragraph === undefined) return false;
    else if (name === 'pPr' && parent === 'p' && !isSelfClosed) paragraph.properties = end;
    else if (parent === 'pPr' && above === 'p') {
      if (name === 'pStyle') {
        paragraph.style = attributes.val;
        paragraph.styleTag = isSelfClosed ? this.#tagAt(end, '') : undefined;
      } else if (name === 'outlineLvl') paragraph.outline = outlineLevel(attributes.val);
    } else if (parent === 'numPr' && above === 'pPr' && top === 'p') {
      if (name === 'numId') paragraph.numId = attributes.val;
      else if (name === 'ilvl') paragraph.numLevel = Number(attributes.val) || 0;
    } else if (parent === 'r' && (name === 'tab' || name === 'br' || name === 'cr'))
      paragraph.text += name === 'tab' ? '\t' : '\n';
    else return false;
    return true;
  }

  /** Takes the tag away, or puts Word's own text in a formula's place. */
  #unwrap(name: string, qualified: string, end: number, asText: string): void {
    const isMath = qualified.startsWith('m:');
    const isWrapping = qualified.startsWith(this.#prefix) && UNWRAPPED.has(name);
    if (isMath || isWrapping)
      this.edits.push(this.#tagAt(end, isMath && !isWrapping && isMathText(name) ? asText : ''));
  }

  #finish(paragraph: Paragraph): void {
    const level = this.#markHeading(paragraph);
    // What is stored twice is counted once.
    if (this.#choices > 0) return;
    const label = this.#label(paragraph, level);
    if (paragraph.text.trim() !== '') this.paragraphs.push({ level, text: `${label}${paragraph.text}` });
  }

  #markHeading(paragraph: Paragraph): number | undefined {
    const { outline, style, styleTag, properties, bodyStart } = paragraph;
    const level =
      outline === undefined ? this.#styles.headingLevel(style) : outline <= 9 ? outline : undefined;
    const isTitle = level === undefined && this.#styles.isTitle(style);
    const name = level === undefined ? (isTitle ? TITLE_STYLE : undefined) : `${HEADING_STYLE}${level}`;
    if (name === undefined && (outline === undefined || style === undefined)) return level;
    const prefix = this.#prefix;
    const tag = name === undefined ? '' : `<${prefix}pStyle ${prefix}val="${name}"/>`;
    if (styleTag) this.edits.push({ ...styleTag, text: tag });
    else if (properties !== undefined) this.#insert(properties, tag);
    else this.#insert(bodyStart, `<${prefix}pPr>${tag}</${prefix}pPr>`);
    return level;
  }

  /** Counted for headings too, since lists go on from them, but shown before other paragraphs only. */
  #label(paragraph: Paragraph, level: number | undefined): string {
    const inherited = this.#styles.numbering(paragraph.style);
    const numId = paragraph.numId ?? inherited.numId;
    if (numId === undefined || numId === '0') return '';
    const shown = this.#numbering.next(numId, paragraph.numLevel ?? inherited.level ?? 0).trim();
    if (shown === '' || level !== undefined) return '';
    const text = shown.replace(/[<>&]/g, ' ');
    const prefix = this.#prefix;
    this.#insert(
      paragraph.contentStart ?? paragraph.bodyStart,
      `<${prefix}r><${prefix}t>${LABEL_START}${text}${LABEL_END}</${prefix}t></${prefix}r>`,
    );
    return `${text} `;
  }

  #insert(at: number, text: string): void {
    this.edits.push({ start: at, end: at, text });
  }

  /** The tag that ends at `end`, as an edit. */
  #tagAt(end: number, text: string): Edit {
    return { start: this.#xml.lastIndexOf('<', end - 1), end, text };
  }
}

/**
 * Fonts, colours, spell-checker marks and revision numbers are most of Word's XML and no part of the HTML; without
 * them a document.xml of 12.6 MB took 3.1 s in place of 4.7.
 */
const withoutLooks = (xml: string): string =>
  xml
    .replace(/ w:rsid\w*="[^"]*"/g, '')
    .replace(
      /<w:(?:proofErr|lang|rFonts|szCs|sz|color|spacing|kern|bCs|iCs|tcW|shd|noProof|ind|jc|top|left|bottom|right|gridCol|vAlign|snapToGrid|autoSpaceD[EN]|adjustRightInd|widowControl|lastRenderedPageBreak)(?: [^<>]*)?\/>/g,
      '',
    );

const EMPTY = {
  properties: undefined,
  style: undefined,
  styleTag: undefined,
  outline: undefined,
  contentStart: undefined,
  numId: undefined,
  numLevel: undefined,
  text: '',
};

const isMathText = (name: string): boolean => name === 'r' || name === 't';

function applyEdits(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    // Edits inside a range that was cut out (a ruby's phonetic text) went with it.
    if (edit.start < at) continue;
    parts.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  parts.push(text.slice(at));
  return parts.join('');
}
