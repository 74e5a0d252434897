import { readXml } from './xml.js';

/** What stands on a slide, in the order it is drawn. */
export interface SlideText {
  readonly title: string;
  readonly body: readonly SlidePart[];
}

export type SlidePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly { readonly level: number; readonly text: string }[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[] };

/** Placeholders that repeat on every slide, or hold a picture of the slide. */
const FURNITURE = new Set(['dt', 'ftr', 'sldNum', 'hdr', 'sldImg']);

/** A slide, its notes, or the data of a diagram on it: all are DrawingML paragraphs. */
export async function readSlide(xml: string, part: string, nesting: number): Promise<SlideText> {
  let title = '';
  const body: SlidePart[] = [];
  let placeholder: string | undefined;
  let paragraphs: { level: number; text: string }[] = [];
  let paragraph: { level: number; text: string } | undefined;
  let rows: string[][] | undefined;
  let inText = false;
  /** PowerPoint 2010 stores some shapes twice; the second is for older readers. */
  let fallback = 0;

  const endShape = (): void => {
    const filled = paragraphs.filter(({ text }) => text.trim() !== '');
    paragraphs = [];
    if (filled.length === 0 || FURNITURE.has(placeholder ?? '')) return;
    if (placeholder === 'title' || placeholder === 'ctrTitle') {
      title = `${title} ${filled.map(({ text }) => text).join(' ')}`.replace(/\s+/g, ' ').trim();
    } else if (filled.length === 1 && placeholder !== 'body' && placeholder !== 'obj') {
      body.push({ kind: 'text', text: filled[0]!.text.trim() });
    } else {
      body.push({
        kind: 'list',
        items: filled.map(({ level, text }) => ({
          level,
          text: text.trim().replace(/(?<!\s)\s*\n\s*/g, ' '),
        })),
      });
    }
  };

  await readXml(xml, part, nesting, {
    open(name, attributes) {
      if (name === 'Fallback') fallback += 1;
      if (fallback > 0) return;
      if (name === 'sp' || name === 'pt') {
        placeholder = undefined;
        paragraphs = [];
      } else if (name === 'ph') placeholder = attributes.type ?? 'obj';
      else if (name === 'p') paragraph = { level: 0, text: '' };
      else if (name === 'pPr' && paragraph)
        paragraph.level = Math.min(8, Math.max(0, Number(attributes.lvl) || 0));
      else if (name === 'br' && paragraph) paragraph.text += '\n';
      else if (name === 't') inText = true;
      else if (name === 'tbl') rows = [];
      else if (name === 'tr') rows?.push([]);
    },
    text(data) {
      if (inText && paragraph && fallback === 0) paragraph.text += data;
    },
    close(name) {
      if (name === 'Fallback') fallback -= 1;
      if (fallback > 0) return;
      if (name === 't') inText = false;
      else if (name === 'p' && paragraph) {
        paragraphs.push(paragraph);
        paragraph = undefined;
      } else if (name === 'tc' && rows) {
        rows.at(-1)?.push(
          paragraphs
            .map(({ text }) => text)
            .join(' ')
            .trim(),
        );
        paragraphs = [];
      } else if (name === 'tbl' && rows) {
        body.push({ kind: 'table', rows: rows.filter((row) => row.some((cell) => cell !== '')) });
        rows = undefined;
      } else if (name === 'sp' || name === 'pt') endShape();
    },
  });
  return { title, body };
}
