import { crc32, deflateRawSync } from 'node:zlib';

/** Files that are meant to hurt: each small to write, large or endless to read. */

/** A deflated run of the same byte, `megabytes` long, without ever being that long here. */
export function deflatedRun(megabytes: number, byte = 0x20): Buffer {
  const piece = deflateRawSync(Buffer.alloc(2 ** 20, byte), {
    finishFlush: 3 /* Z_FULL_FLUSH: pieces can be joined */,
  });
  const last = deflateRawSync(Buffer.alloc(0));
  return Buffer.concat([...Array.from({ length: megabytes }, () => piece), last]);
}

export interface ZipPart {
  readonly name: string;
  readonly data: Buffer;
  /** Already deflated, with the size it claims to have. */
  readonly deflated?: number;
}

/** A zip as office files are: nothing is checked here, so that the reader has to. */
export function zip(parts: readonly ZipPart[]): Buffer {
  const out: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, data, deflated } of parts) {
    const packed = deflated === undefined ? deflateRawSync(data) : data;
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(20, 4);
    head.writeUInt16LE(8, 8);
    head.writeUInt32LE(deflated === undefined ? crc32(data) : 0, 14);
    head.writeUInt32LE(packed.length, 18);
    head.writeUInt32LE(deflated ?? data.length, 22);
    head.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(20, 6);
    head.copy(entry, 8, 6, 30);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(offset, 42);
    directory.push(entry, Buffer.from(name));
    out.push(head, Buffer.from(name), packed);
    offset += 30 + name.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...out, listed, end]);
}

const TYPES =
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/></Types>';
const relation = (target: string): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="${target}"/></Relationships>`;

/** The parts that make a zip an office file, with its main part given. */
export const officeFile = (main: string, part: Omit<ZipPart, 'name'>): Buffer =>
  zip([
    { name: '[Content_Types].xml', data: Buffer.from(TYPES) },
    { name: '_rels/.rels', data: Buffer.from(relation(main)) },
    { name: main, ...part },
  ]);

/** Ten entities of ten entities of …: a billion words. */
export const entityBomb = (body: (reference: string) => string): string => {
  const levels = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`);
  return `<?xml version="1.0"?>\n<!DOCTYPE b [<!ENTITY l0 "lol">${levels.join('')}]>\n${body('&l9;')}`;
};

export const yamlBomb = (): string => {
  const levels = Array.from(
    { length: 9 },
    (_, at) => `l${at + 1}: &l${at + 1} [${Array(10).fill(`*l${at}`).join(', ')}]`,
  );
  return ['l0: &l0 ["lol", "lol"]', ...levels].join('\n');
};

/** A PDF from whole objects, numbered from 1; the first is the catalog. */
export function pdf(objects: readonly (string | Buffer)[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let length = parts[0]!.length;
  const add = (part: Buffer): void => {
    parts.push(part);
    length += part.length;
  };
  for (const [at, object] of objects.entries()) {
    offsets.push(length);
    add(Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]));
  }
  const xref = length;
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  add(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${xref}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

export const pdfStream = (dictionary: string, data: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`<< ${dictionary} /Length ${data.length} >>\nstream\n`),
    data,
    Buffer.from('\nendstream'),
  ]);

const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

/** `count` pages, each with a line of its own. */
export function manyPages(count: number): Buffer {
  const pages = Array.from({ length: count }, (_, at) => [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << /Font << /F 3 0 R >> >> /Contents ${5 + at * 2} 0 R >>`,
    pdfStream(
      '',
      Buffer.from(`BT /F 12 Tf 60 700 Td (Here page ${at + 1} says a few words of its own.) Tj ET`),
    ),
  ]);
  const kids = pages.map((_, at) => `${4 + at * 2} 0 R`).join(' ');
  return pdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${count} /Kids [${kids}] >>`,
    FONT,
    ...pages.flat(),
  ]);
}

/** One page whose content expands twice over: a thousandfold, and that a thousandfold. */
export function pdfBomb(): Buffer {
  const zlib = (raw: Buffer): Buffer => Buffer.concat([Buffer.from([0x78, 0x9c]), raw]);
  const inner = zlib(deflatedRun(2048));
  return pdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [4 0 R] >>',
    FONT,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << /Font << /F 3 0 R >> >> /Contents 5 0 R >>',
    pdfStream('/Filter [/FlateDecode /FlateDecode]', zlib(deflateRawSync(inner))),
  ]);
}

/** Pages that are their own parents, bookmarks that follow themselves. */
export const pdfCycle = (): Buffer =>
  pdf([
    '<< /Type /Catalog /Pages 2 0 R /Outlines 5 0 R >>',
    '<< /Type /Pages /Count 2 /Kids [2 0 R 4 0 R] >>',
    FONT,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] >>',
    '<< /Type /Outlines /First 6 0 R /Last 6 0 R /Count 1 >>',
    '<< /Title (Again) /Parent 5 0 R /Next 6 0 R /First 6 0 R /Dest [4 0 R /Fit] >>',
  ]);
