import { readXml } from './xml.js';

/**
 * Which paragraphs of a Word document are headings, and of which level. Word decides by the outline level:
 * a paragraph's own, else its style's, which may come from the style it is based on; the built-in heading styles are
 * known by name in English and Chinese. mammoth by itself knows the English names alone.
 */
export interface ParagraphStyles {
  /** 1–9; undefined for body text. */
  headingLevel(styleId: string | undefined): number | undefined;
  isTitle(styleId: string | undefined): boolean;
  /** The numbering a style, or the one it is based on, gives its paragraphs. */
  numbering(styleId: string | undefined): StyleNumbering;
}

export interface StyleNumbering {
  readonly numId?: string;
  readonly level?: number;
}

interface Style {
  readonly id: string;
  readonly isDefault: boolean;
  name: string;
  basedOn: string | undefined;
  outline: number | undefined;
  numId: string | undefined;
  numLevel: number | undefined;
}

const HEADING_NAME = /^(?:heading|标题|標題)\s*([1-9])$/i;
const TITLE_NAME = /^(?:title|标题|標題)$/i;

export async function readParagraphStyles(xml: string, nesting: number): Promise<ParagraphStyles> {
  const styles = new Map<string, Style>();
  let style: Style | undefined;
  let inParagraphProperties = false;
  await readXml(xml, 'styles.xml', nesting, {
    open(name, attributes) {
      if (name === 'style') {
        const { styleId, type } = attributes;
        if (styleId === undefined || (type ?? 'paragraph') !== 'paragraph') return;
        const isDefault = isOn(attributes.default ?? 'false');
        style = { ...EMPTY, id: styleId, isDefault };
        // ECMA-376 17.7.4.17: of two styles with one id, the first keeps it.
        if (!styles.has(styleId)) styles.set(styleId, style);
      } else if (style === undefined) return;
      else if (name === 'name') style.name ||= attributes.val ?? '';
      else if (name === 'basedOn') style.basedOn = attributes.val;
      else if (name === 'pPr') inParagraphProperties = true;
      else if (!inParagraphProperties) return;
      else if (name === 'outlineLvl') style.outline = outlineLevel(attributes.val);
      else if (name === 'numId') style.numId = attributes.val;
      else if (name === 'ilvl') style.numLevel = Number(attributes.val) || 0;
    },
    close(name) {
      if (name === 'style') style = undefined;
      if (name === 'pPr') inParagraphProperties = false;
    },
  });
  const fallback = [...styles.values()].find((candidate) => candidate.isDefault);
  const find = (id: string | undefined): Style | undefined => (id === undefined ? fallback : styles.get(id));

  return {
    headingLevel(styleId) {
      // A document without that style (or without styles at all) still names it: `Heading2`.
      if (styleId !== undefined && !styles.has(styleId)) return levelOf(styleId);
      const seen = new Set<Style>();
      for (let at = find(styleId); at !== undefined && !seen.has(at); ) {
        seen.add(at);
        const named = levelOf(at.name);
        if (named !== undefined) return named;
        if (at.outline !== undefined) return at.outline <= 9 ? at.outline : undefined;
        at = at.basedOn === undefined ? undefined : styles.get(at.basedOn);
      }
      return undefined;
    },
    numbering(styleId) {
      const seen = new Set<Style>();
      for (let at = find(styleId); at !== undefined && !seen.has(at); ) {
        seen.add(at);
        if (at.numId !== undefined) {
          return { numId: at.numId, ...(at.numLevel === undefined ? {} : { level: at.numLevel }) };
        }
        at = at.basedOn === undefined ? undefined : styles.get(at.basedOn);
      }
      return {};
    },
    isTitle: (styleId) => styleId !== undefined && TITLE_NAME.test(styles.get(styleId)?.name.trim() ?? ''),
  };
}

const EMPTY = { name: '', basedOn: undefined, outline: undefined, numId: undefined, numLevel: undefined };

function levelOf(name: string): number | undefined {
  const digit = HEADING_NAME.exec(name.trim())?.[1];
  return digit === undefined ? undefined : Number(digit);
}

/** `w:outlineLvl` counts from 0; 9 means body text (here 10). */
export const outlineLevel = (value: string | undefined): number | undefined =>
  value !== undefined && /^[0-9]$/.test(value) ? Number(value) + 1 : undefined;

const isOn = (value: string): boolean => value === '1' || value === 'true' || value === 'on';
