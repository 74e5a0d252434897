import { outlineLevel, type ParagraphStyles } from './docx-headings.js';
import type { Numbering } from './docx-numbering.js';
import { readXml } from './xml.js';

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
const UNWRAPPED = new Set(['w:fldSimple', 'w:dir', 'w:bdo', 'w:ruby', 'w:rubyBase']);

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
  const edits: Edit[] = [];
  const open: Paragraph[] = [];
  const path: string[] = [];
  const paragraphs: PlainParagraph[] = [];
  /** Start of the phonetic text above a ruby base, which is cut out. */
  let ruby: number | undefined;
  let choice = 0;
  let prefix = 'w:';

  const mark = (paragraph: Paragraph): number | undefined => {
    const own = paragraph.outline;
    const level = own === undefined ? styles.headingLevel(paragraph.style) : own <= 9 ? own : undefined;
    const isTitle = level === undefined && styles.isTitle(paragraph.style);
    const name = level === undefined ? (isTitle ? TITLE_STYLE : undefined) : `${HEADING_STYLE}${level}`;
    const style = name === undefined ? '' : `<${prefix}pStyle ${prefix}val="${name}"/>`;
    if (name === undefined && (own === undefined || paragraph.style === undefined)) return level;
    if (paragraph.styleTag) edits.push({ ...paragraph.styleTag, text: style });
    else if (paragraph.properties !== undefined) insert(paragraph.properties, style);
    else insert(paragraph.bodyStart, `<${prefix}pPr>${style}</${prefix}pPr>`);
    return level;
  };
  /** Counted for headings too, since lists go on from them, but shown before other paragraphs only. */
  const label = (paragraph: Paragraph, level: number | undefined): string => {
    const inherited = styles.numbering(paragraph.style);
    const numId = paragraph.numId ?? inherited.numId;
    if (numId === undefined || numId === '0') return '';
    const shown = numbering.next(numId, paragraph.numLevel ?? inherited.level ?? 0).trim();
    if (shown === '' || level !== undefined) return '';
    const text = shown.replace(/[<>&]/g, ' ');
    const at = paragraph.contentStart ?? paragraph.bodyStart;
    insert(at, `<${prefix}r><${prefix}t>${LABEL_START}${text}${LABEL_END}</${prefix}t></${prefix}r>`);
    return `${text} `;
  };
  const insert = (at: number, text: string): void => void edits.push({ start: at, end: at, text });
  /** The tag that ends at `end`, as an edit. */
  const tagAt = (end: number, text: string): Edit => ({ start: xml.lastIndexOf('<', end - 1), end, text });

  await readXml(xml, 'document.xml', nesting, {
    open(name, attributes, tag) {
      const { qualified, end } = tag;
      const selfClosed = xml.startsWith('/>', end - 2);
      if (path.length === 0) prefix = qualified.slice(0, qualified.length - name.length);
      const parent = path.at(-1);
      path.push(name);
      const word = `w:${name}`;
      const paragraph = open.at(-1);
      const own = qualified.startsWith(prefix);
      if (name === 'Choice') choice += 1;
      if (own && name === 'p') {
        open.push({ ...EMPTY, bodyStart: end });
      } else if (own && name === 'pPr' && parent === 'p' && paragraph && !selfClosed) {
        paragraph.properties = end;
      } else if (own && parent === 'pPr' && paragraph && path.at(-3) === 'p') {
        if (name === 'pStyle') {
          paragraph.style = attributes.val;
          paragraph.styleTag = selfClosed ? tagAt(end, '') : undefined;
        } else if (name === 'outlineLvl') paragraph.outline = outlineLevel(attributes.val);
      } else if (own && parent === 'numPr' && paragraph && path.at(-3) === 'pPr' && path.at(-4) === 'p') {
        if (name === 'numId') paragraph.numId = attributes.val;
        else if (name === 'ilvl') paragraph.numLevel = Number(attributes.val) || 0;
      } else if (own && name === 'rt' && parent === 'ruby') {
        ruby ??= tagAt(end, '').start;
      } else if (own && (name === 'tab' || name === 'br' || name === 'cr') && parent === 'r' && paragraph) {
        paragraph.text += name === 'tab' ? '\t' : '\n';
      } else if ((own && UNWRAPPED.has(word)) || (qualified.startsWith('m:') && !isMathText(name))) {
        edits.push(tagAt(end, ''));
      } else if (qualified.startsWith('m:')) {
        edits.push(tagAt(end, `<${prefix}${name}${selfClosed ? '/' : ''}>`));
      }
    },
    text(data) {
      if (path.at(-1) === 't' && ruby === undefined && choice === 0) {
        const paragraph = open.at(-1);
        if (paragraph) paragraph.text += data;
      }
    },
    close(name, { qualified, end }) {
      path.pop();
      if (name === 'Choice') choice -= 1;
      const selfClosed = xml.startsWith('/>', end - 2);
      const own = qualified.startsWith(prefix);
      if (own && name === 'p') {
        const paragraph = open.pop()!;
        if (selfClosed) return;
        const level = mark(paragraph);
        // What is stored twice is counted once.
        const number = choice === 0 ? label(paragraph, level) : '';
        if (choice === 0 && paragraph.text.trim() !== '') {
          paragraphs.push({ level, text: `${number}${paragraph.text}` });
        }
      } else if (own && name === 'pPr' && path.at(-1) === 'p' && open.length > 0) {
        open.at(-1)!.contentStart = end;
      } else if (own && name === 'rt' && ruby !== undefined && path.at(-1) === 'ruby') {
        edits.push({ start: ruby, end, text: '' });
        ruby = undefined;
      } else if (selfClosed) return;
      else if ((own && UNWRAPPED.has(`w:${name}`)) || (qualified.startsWith('m:') && !isMathText(name))) {
        edits.push(tagAt(end, ''));
      } else if (qualified.startsWith('m:')) edits.push(tagAt(end, `</${prefix}${name}>`));
    },
  });
  return { xml: withoutLooks(applyEdits(xml, edits)), paragraphs };
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
