import { deflateSync } from 'node:zlib';
import type { Tree } from '../../model/tree.js';
import { DEFAULT_LIMITS, type ParseLimits } from '../parser.js';
import { expectSoundTree } from '../tree.suite.js';
import { pdfParser } from './pdf.js';

/** Writes small PDFs for tests: text at places, in a few fonts, with bookmarks, pictures and forms of damage. */
export interface TextItem {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size?: number;
  readonly font?: 'regular' | 'bold' | 'mono' | 'cjk';
}

export interface PageSpec {
  readonly items?: readonly TextItem[];
  /** Share of the page that a picture covers. */
  readonly picture?: number;
  readonly rotate?: number;
}

export interface BookmarkSpec {
  readonly title: string;
  /** From 0; none: leads nowhere. */
  readonly page?: number;
  readonly y?: number;
  readonly children?: readonly BookmarkSpec[];
}

export interface PdfSpec {
  readonly pages: readonly PageSpec[];
  readonly bookmarks?: readonly BookmarkSpec[];
  readonly title?: string;
}

export const WIDTH = 600;
export const HEIGHT = 800;

/** Lines of prose below each other. */
export const lines = (
  texts: readonly string[],
  at: { x?: number; y?: number; size?: number; leading?: number; font?: TextItem['font'] } = {},
): TextItem[] =>
  texts.map((text, index) => ({
    text,
    x: at.x ?? 60,
    y: (at.y ?? 700) - index * (at.leading ?? (at.size ?? 10) * 1.2),
    size: at.size ?? 10,
    ...(at.font === undefined ? {} : { font: at.font }),
  }));

export function writePdf(spec: PdfSpec): Uint8Array {
  const objects: string[] = [];
  const add = (body: string): number => objects.push(body);
  const reserve = (): number => objects.push('');
  const catalog = reserve();
  const pagesRoot = reserve();
  const fonts = fontObjects(add, usedCharacters(spec));
  const picture = add(
    stream(
      '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8',
      '\x80',
    ),
  );
  const pageIds = spec.pages.map((page) => {
    const content = add(stream('', contentOf(page)));
    return add(
      `<< /Type /Page /Parent ${pagesRoot} 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Rotate ${page.rotate ?? 0} ` +
        `/Resources << /Font << ${fonts} >> /XObject << /Im ${picture} 0 R >> >> /Contents ${content} 0 R >>`,
    );
  });
  objects[pagesRoot - 1] =
    `<< /Type /Pages /Count ${pageIds.length} /Kids [${pageIds.map((id) => `${id} 0 R`).join(' ')}] >>`;
  const outlines = spec.bookmarks ? outlineObjects(objects, spec.bookmarks, pageIds) : null;
  objects[catalog - 1] =
    `<< /Type /Catalog /Pages ${pagesRoot} 0 R${outlines === null ? '' : ` /Outlines ${outlines} 0 R`} >>`;
  const info = spec.title === undefined ? null : add(`<< /Title ${textString(spec.title)} >>`);
  return assemble(objects, catalog, info);
}

function assemble(objects: readonly string[], catalog: number, info: number | null): Uint8Array {
  let body = '%PDF-1.7\n';
  const offsets: number[] = [];
  for (const [at, object] of objects.entries()) {
    offsets.push(body.length);
    body += `${at + 1} 0 obj\n${object}\nendobj\n`;
  }
  const xref = body.length;
  body += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  for (const offset of offsets) body += `${String(offset).padStart(10, '0')} 00000 n \n`;
  body += `trailer\n<< /Size ${objects.length + 1} /Root ${catalog} 0 R${info === null ? '' : ` /Info ${info} 0 R`} >>\n`;
  return Buffer.from(`${body}startxref\n${xref}\n%%EOF\n`, 'latin1');
}

function stream(dictionary: string, data: string): string {
  const packed = deflateSync(Buffer.from(data, 'latin1')).toString('latin1');
  return `<< ${dictionary} /Filter /FlateDecode /Length ${packed.length} >>\nstream\n${packed}\nendstream`;
}

const FONT_NAMES = { regular: 'F1', bold: 'F2', mono: 'F3', cjk: 'F4' } as const;

function contentOf(page: PageSpec): string {
  const out = (page.items ?? []).map(({ text, x, y, size = 10, font = 'regular' }) => {
    const shown = font === 'cjk' ? `<${hex(text)}>` : `(${text.replace(/[\\()]/g, '\\$&')})`;
    return `BT /${FONT_NAMES[font]} ${size} Tf 1 0 0 1 ${x} ${y} Tm ${shown} Tj ET`;
  });
  if (page.picture !== undefined) {
    const side = Math.sqrt(page.picture);
    out.push(`q ${WIDTH * side} 0 0 ${HEIGHT * side} 0 0 cm /Im Do Q`);
  }
  return out.join('\n');
}

/** CJK text is shown by UTF-16 code, with a map back to Unicode and no embedded font, as many real files do it. */
function fontObjects(add: (body: string) => number, characters: ReadonlySet<string>): string {
  const simple = (name: string): number =>
    add(`<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`);
  const map = [...characters].map((character) => `<${hex(character)}> <${hex(character)}>`);
  const toUnicode = add(
    stream(
      '',
      `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def\n1 begincodespacerange <0000> <ffff> endcodespacerange\n${map.length} beginbfchar\n${map.join('\n')}\nendbfchar endcmap end end`,
    ),
  );
  const descriptor = add(
    '<< /Type /FontDescriptor /FontName /Song /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 700 /StemV 80 >>',
  );
  const cid = add(
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Song /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor ${descriptor} 0 R /DW 1000 >>`,
  );
  const composite = add(
    `<< /Type /Font /Subtype /Type0 /BaseFont /Song /Encoding /Identity-H /DescendantFonts [${cid} 0 R] /ToUnicode ${toUnicode} 0 R >>`,
  );
  const ids = [simple('Helvetica'), simple('Helvetica-Bold'), simple('Courier'), composite];
  return ids.map((id, at) => `/F${at + 1} ${id} 0 R`).join(' ');
}

const usedCharacters = (spec: PdfSpec): ReadonlySet<string> =>
  new Set(
    spec.pages.flatMap((page) =>
      (page.items ?? []).flatMap((item) => (item.font === 'cjk' ? [...item.text] : [])),
    ),
  );

const hex = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('hex');
const textString = (text: string): string => `<feff${hex(text)}>`;

function outlineObjects(
  objects: string[],
  bookmarks: readonly BookmarkSpec[],
  pages: readonly number[],
): number {
  const root = objects.push('');
  const write = (siblings: readonly BookmarkSpec[], parent: number): { first: number; last: number } => {
    const ids = siblings.map(() => objects.push(''));
    for (const [at, { title, page, y, children }] of siblings.entries()) {
      const below = children?.length ? write(children, ids[at]!) : null;
      const target = page === undefined ? '' : ` /Dest [${pages[page]} 0 R /XYZ 0 ${y ?? 'null'} null]`;
      objects[ids[at]! - 1] =
        `<< /Title ${textString(title)} /Parent ${parent} 0 R${target}` +
        (at > 0 ? ` /Prev ${ids[at - 1]} 0 R` : '') +
        (at + 1 < ids.length ? ` /Next ${ids[at + 1]} 0 R` : '') +
        (below ? ` /First ${below.first} 0 R /Last ${below.last} 0 R /Count ${children!.length}` : '') +
        ' >>';
    }
    return { first: ids[0]!, last: ids.at(-1)! };
  };
  const { first, last } = write(bookmarks, root);
  objects[root - 1] =
    `<< /Type /Outlines /First ${first} 0 R /Last ${last} 0 R /Count ${bookmarks.length} >>`;
  return root;
}

/** Parses a file, or one that is written first; whatever comes out is a sound tree. */
export async function readPdf(
  spec: PdfSpec | Uint8Array,
  password?: string,
  limits: ParseLimits = DEFAULT_LIMITS,
): Promise<Tree> {
  const bytes = spec instanceof Uint8Array ? spec : writePdf(spec);
  const tree = await pdfParser({
    bytes,
    name: 'a.pdf',
    limits,
    ...(password === undefined ? {} : { password }),
  });
  expectSoundTree(tree);
  return tree;
}
