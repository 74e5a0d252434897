/**
 * A picture as a page of a PDF. PDFium, which runs inside WebAssembly, knows the ways in which PNG, JPEG and TIFF pack their
 * pixels: so the packed data are handed to it as they are, and no decoder of our own meets what strangers send.
 */
export interface PagePicture {
  readonly width: number;
  readonly height: number;
  /** In strips or tiles, each packed by itself. */
  readonly parts: readonly PicturePart[];
}

export interface PicturePart {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Of the PDF's image dictionary: colours, bits, filter. */
  readonly dictionary: string;
  readonly data: Uint8Array;
}

/** At this many pixels to the inch a page is drawn for OCR: each pixel as one. */
const POINTS_PER_PIXEL = 72 / 200;

export function wrapped(pages: readonly PagePicture[]): Uint8Array {
  const chunks: Buffer[] = [];
  const offsets: number[] = [];
  let length = 0;
  const write = (bytes: Uint8Array | string): void => {
    const chunk = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : Buffer.from(bytes);
    chunks.push(chunk);
    length += chunk.length;
  };
  const object = (id: number, body: string, stream?: Uint8Array): void => {
    offsets[id] = length;
    write(`${id} 0 obj\n${body}\n`);
    if (stream !== undefined) {
      write('stream\n');
      write(stream);
      write('\nendstream\n');
    }
    write('endobj\n');
  };
  write('%PDF-1.7\n');
  let next = 3;
  const kids: number[] = [];
  for (const { width, height, parts } of pages) {
    const page = next++;
    const content = next++;
    const first = next;
    next += parts.length;
    kids.push(page);
    const names = parts.map((_, at) => `/I${at} ${first + at} 0 R`).join(' ');
    const box = `[0 0 ${width * POINTS_PER_PIXEL} ${height * POINTS_PER_PIXEL}]`;
    object(
      page,
      `<< /Type /Page /Parent 2 0 R /MediaBox ${box} /Resources << /XObject << ${names} >> >> /Contents ${content} 0 R >>`,
    );
    const drawing = parts.map((part, at) => {
      const bottom = height - part.y - part.height;
      const place = [part.width, 0, 0, part.height, part.x, bottom].map((value) => value * POINTS_PER_PIXEL);
      return `q ${place.join(' ')} cm /I${at} Do Q`;
    });
    const commands = Buffer.from(drawing.join('\n'), 'latin1');
    object(content, `<< /Length ${commands.length} >>`, commands);
    for (const [at, part] of parts.entries()) {
      const shape = `/Type /XObject /Subtype /Image /Width ${part.width} /Height ${part.height}`;
      object(first + at, `<< ${shape} ${part.dictionary} /Length ${part.data.length} >>`, part.data);
    }
  }
  object(1, '<< /Type /Catalog /Pages 2 0 R >>');
  object(2, `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((id) => `${id} 0 R`).join(' ')}] >>`);
  const xref = length;
  write(`xref\n0 ${next}\n0000000000 65535 f \n`);
  for (let id = 1; id < next; id++) write(`${String(offsets[id]).padStart(10, '0')} 00000 n \n`);
  write(`trailer\n<< /Size ${next} /Root 1 0 R >>\nstartxref\n${xref}\n%%EOF\n`);
  return Buffer.concat(chunks);
}
