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

interface Paragraph {
  level: number;
  text: string;
}

/** A slide, its notes, or the data of a diagram on it: all are DrawingML paragraphs. */
export async function readSlide(xml: string, part: string, nesting: number): Promise<SlideText> {
  const slide = new SlideReader();
  await readXml(xml, part, nesting, slide);
  return { title: slide.title, body: slide.body };
}

class SlideReader {
  title = '';
  readonly body: SlidePart[] = [];
  #placeholder: string | undefined;
  #paragraphs: Paragraph[] = [];
  #paragraph: Paragraph | undefined;
  #rows: string[][] | undefined;
  #inText = false;
  /** PowerPoint 2010 stores some shapes twice; the second is for older readers. */
  #fallback = 0;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'Fallback') this.#fallback += 1;
    if (this.#fallback > 0) return;
    const paragraph = this.#paragraph;
    if (name === 'sp' || name === 'pt') {
      this.#placeholder = undefined;
      this.#paragraphs = [];
    } else if (name === 'ph') this.#placeholder = attributes.type ?? 'obj';
    else if (name === 'p') this.#paragraph = { level: 0, text: '' };
    else if (name === 'pPr' && paragraph)
      paragraph.level = Math.min(8, Math.max(0, Number(attributes.lvl) || 0));
    else if (name === 'br' && paragraph) paragraph.text += '\n';
    else if (name === 't') this.#inText = true;
    else if (name === 'tbl') this.#rows = [];
    else if (name === 'tr') this.#rows?.push([]);
  }

  text(data: string): void {
    if (this.#inText && this.#paragraph && this.#fallback === 0) this.#paragraph.text += data;
  }

  close(name: string): void {
    if (name === 'Fallback') this.#fallback -= 1;
    if (this.#fallback > 0) return;
    if (name === 't') this.#inText = false;
    else if (name === 'p' && this.#paragraph) {
      this.#paragraphs.push(this.#paragraph);
      this.#paragraph = undefined;
    } else if (name === 'tc' && this.#rows) {
      const texts = this.#paragraphs.map(({ text }) => text);
      this.#rows.at(-1)?.push(texts.join(' ').trim());
      this.#paragraphs = [];
    } else if (name === 'tbl' && this.#rows) {
      this.body.push({ kind: 'table', rows: this.#rows.filter((row) => row.some((cell) => cell !== '')) });
      this.#rows = undefined;
    } else if (name === 'sp' || name === 'pt') this.#endShape();
  }

  #endShape(): void {
    const filled = this.#paragraphs.filter(({ text }) => text.trim() !== '');
    const placeholder = this.#placeholder;
    this.#paragraphs = [];
    if (filled.length === 0 || FURNITURE.has(placeholder ?? '')) return;
    if (placeholder === 'title' || placeholder === 'ctrTitle') {
      const texts = filled.map(({ text }) => text).join(' ');
      this.title = `${this.title} ${texts}`.replace(/\s+/g, ' ').trim();
    } else if (filled.length === 1 && placeholder !== 'body' && placeholder !== 'obj') {
      this.body.push({ kind: 'text', text: filled[0]!.text.trim() });
    } else {
      const items = filled.map(({ level, text }) => ({
        level,
        text: text.trim().replace(/(?<!\s)\s*\n\s*/g, ' '),
      }));
      this.body.push({ kind: 'list', items });
    }
  }
}
