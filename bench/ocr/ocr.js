// How well are scans read? Pages of text PDFs are drawn (150 and 300 dpi; turned, askew, noisy, two columns), put into PDFs
// of nothing but that picture, added with OCR, and compared with the text that the original's own characters give.
//   node bench/ocr/ocr.js FOLDER_OF_PDFS [pages]
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { init } from '@embedpdf/pdfium';
import { openLibrary, parse } from '../../dist/index.js';

const [folder, most = '40'] = process.argv.slice(2);
const KINDS = [
  { name: '150 dpi', dpi: 150 },
  { name: '300 dpi', dpi: 300 },
  { name: '150 dpi, turned by 90°', dpi: 150, turns: 1 },
  { name: '150 dpi, on its head', dpi: 150, turns: 2 },
  { name: '150 dpi, 1.5° askew', dpi: 150, skew: 1.5 },
  { name: '150 dpi, noisy', dpi: 150, noise: 60 },
];

const wasm = readFileSync(createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm'));
const pdfium = await init({
  wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength),
});
pdfium.PDFiumExt_Init();
const heap = () => pdfium.pdfium.HEAPU8;
const place = await mkdtemp(join(tmpdir(), 'strata-ocr-'));

function* textPages() {
  const files = readdirSync(folder, { recursive: true })
    .filter((name) => String(name).endsWith('.pdf'))
    .sort();
  for (const name of files) {
    const bytes = readFileSync(join(folder, String(name)));
    const at = pdfium.pdfium.wasmExports.malloc(bytes.length);
    heap().set(bytes, at);
    const document = pdfium.FPDF_LoadMemDocument(at, bytes.length, '');
    if (document === 0) continue;
    const count = Math.min(10, pdfium.FPDF_GetPageCount(document));
    for (let page = 0; page < count; page++)
      yield { name: `${basename(String(name), '.pdf')}-${page + 1}`, document, page };
    pdfium.FPDF_CloseDocument(document);
  }
}

function onePage({ document, page }) {
  const copy = pdfium.FPDF_CreateNewDocument();
  pdfium.FPDF_ImportPages(copy, document, String(page + 1), 0);
  const writer = pdfium.PDFiumExt_OpenFileWriter();
  pdfium.PDFiumExt_SaveAsCopy(copy, writer);
  const size = pdfium.PDFiumExt_GetFileWriterSize(writer);
  const out = pdfium.pdfium.wasmExports.malloc(size);
  pdfium.PDFiumExt_GetFileWriterData(writer, out, size);
  const bytes = Uint8Array.from(heap().subarray(out, out + size));
  pdfium.FPDF_CloseDocument(copy);
  return bytes;
}

function drawn({ document, page }, { dpi }) {
  const handle = pdfium.FPDF_LoadPage(document, page);
  const [width, height] = [pdfium.FPDF_GetPageWidthF(handle), pdfium.FPDF_GetPageHeightF(handle)].map(
    (points) => Math.round((points * dpi) / 72),
  );
  const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, 1, 0, 0);
  pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff);
  pdfium.FPDF_RenderPageBitmap(bitmap, handle, 0, 0, width, height, 0, 1 | 8);
  const [from, stride] = [pdfium.FPDFBitmap_GetBuffer(bitmap), pdfium.FPDFBitmap_GetStride(bitmap)];
  const grey = new Uint8Array(width * height);
  for (let y = 0; y < height; y++)
    grey.set(heap().subarray(from + y * stride, from + y * stride + width), y * width);
  pdfium.FPDFBitmap_Destroy(bitmap);
  pdfium.FPDF_ClosePage(handle);
  return { width, height, grey };
}

/** Pixels moved and dirtied; the noise is the same every time. */
function spoiled({ width, height, grey }, { turns = 0, skew = 0, noise = 0 }) {
  const [wide, high] = turns % 2 === 1 ? [height, width] : [width, height];
  const out = new Uint8Array(wide * high).fill(255);
  const [cos, sin] = [Math.cos((skew * Math.PI) / 180), Math.sin((skew * Math.PI) / 180)];
  let seed = 1;
  for (let y = 0; y < high; y++) {
    for (let x = 0; x < wide; x++) {
      let [u, v] = turns === 1 ? [y, height - 1 - x] : turns === 2 ? [width - 1 - x, height - 1 - y] : [x, y];
      if (skew !== 0) {
        const [dx, dy] = [u - width / 2, v - height / 2];
        [u, v] = [Math.round(dx * cos + dy * sin + width / 2), Math.round(dy * cos - dx * sin + height / 2)];
      }
      let value = u < 0 || v < 0 || u >= width || v >= height ? 255 : grey[v * width + u];
      if (noise > 0) {
        seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
        value = Math.max(0, Math.min(255, value + ((seed >>> 16) / 65536 - 0.5) * 2 * noise));
      }
      out[y * wide + x] = value;
    }
  }
  return { width: wide, height: high, grey: out };
}

function picturePdf({ width, height, grey }, dpi) {
  const data = deflateSync(grey);
  const [w, h] = [(width * 72) / dpi, (height * 72) / dpi];
  const content = `q ${w} 0 0 ${h} 0 0 cm /I Do Q`;
  const objects = [
    ['<< /Type /Catalog /Pages 2 0 R >>'],
    ['<< /Type /Pages /Count 1 /Kids [3 0 R] >>'],
    [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${w} ${h}] /Resources << /XObject << /I 5 0 R >> >> /Contents 4 0 R >>`,
    ],
    [`<< /Length ${content.length} >>`, Buffer.from(content)],
    [
      `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode /Length ${data.length} >>`,
      data,
    ],
  ];
  const parts = [Buffer.from('%PDF-1.7\n')];
  for (const [at, [head, stream]] of objects.entries()) {
    parts.push(Buffer.from(`${at + 1} 0 obj\n${head}\n`));
    if (stream) parts.push(Buffer.from('stream\n'), stream, Buffer.from('\nendstream\n'));
    parts.push(Buffer.from('endobj\n'));
  }
  parts.push(Buffer.from('trailer\n<< /Root 1 0 R /Size 6 >>\n%%EOF\n'));
  return Buffer.concat(parts);
}

/** Spaces and the widths of punctuation are not what is read. */
const bare = (text) => text.normalize('NFKC').replace(/[\s\u00ad]+/g, '');
/** Passages that overlap would count some text twice. */
const CUT = { overlap: 0 };
const textOf = (chunks) => bare(chunks.map(({ content }) => content).join('\n'));

/** This process and its children, from the system's own books: CPU seconds, and the most memory one of them has had. */
function used() {
  const [ticks, peaks] = [[], []];
  const statOf = (pid) => {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
  };
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = statOf(pid);
      if (Number(pid) !== process.pid && fields[1] !== process.pid) continue;
      // User and system time, its own and that of children that have ended.
      ticks.push(fields[11] + fields[12] + fields[13] + fields[14]);
      const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
      if (Number(pid) !== process.pid) peaks.push(Number(peak?.[1] ?? 0) / 1024);
    } catch {
      // Gone while we looked.
    }
  }
  return { cpu: ticks.reduce((a, b) => a + b, 0) / 100, peak: Math.max(0, ...peaks) };
}
let peak = 0;
const sampler = setInterval(() => {
  peak = Math.max(peak, used().peak);
}, 200);

function distance(a, b) {
  let row = Uint32Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = new Uint32Array(b.length + 1);
    next[0] = i;
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    row = next;
  }
  return row[b.length];
}

const library = await openLibrary({ library: join(place, 'library'), embedder: 'none', onNotice: () => {} });
console.log('| page | kind | characters | errors, % | CPU s |\n| --- | --- | --- | --- | --- |');
const sums = new Map();
let done = 0;
for (const page of textPages()) {
  if (done >= Number(most)) break;
  const original = join(place, `${page.name}.pdf`);
  writeFileSync(original, onePage(page));
  const truth = await parse(original, CUT).then(
    (document) => textOf(document.chunks),
    () => '',
  );
  if (truth.length < 400) continue;
  const kind = KINDS[done % KINDS.length];
  const scan = join(place, `${page.name}-scan.pdf`);
  writeFileSync(scan, picturePdf(spoiled(drawn(page, kind), kind), kind.dpi));
  const before = used().cpu;
  const { entries } = await library.add([scan], { ocr: 'auto', ...CUT });
  const seconds = used().cpu - before;
  const read = await library.inspect(entries[0].id ?? '').then(
    (found) => textOf(found.children),
    () => '',
  );
  const errors = (100 * distance(truth, read)) / truth.length;
  if (process.env.OCR_SHOW)
    writeFileSync(join(process.env.OCR_SHOW, `${page.name}.txt`), `${truth}\n\n${read}\n`);
  const all = sums.get(kind.name) ?? [];
  sums.set(kind.name, [...all, errors]);
  console.log(
    `| ${page.name} | ${kind.name} | ${truth.length} | ${errors.toFixed(2)} | ${seconds.toFixed(1)} |`,
  );
  done++;
}
console.log('\n| kind | pages | mean errors, % | median, % |\n| --- | --- | --- | --- |');
for (const [kind, errors] of sums) {
  const sorted = [...errors].sort((a, b) => a - b);
  console.log(
    `| ${kind} | ${errors.length} | ${(errors.reduce((a, b) => a + b, 0) / errors.length).toFixed(2)} | ${sorted[sorted.length >> 1].toFixed(2)} |`,
  );
}
clearInterval(sampler);
console.log(`\nMost memory of one worker process: ${Math.round(peak)} MB`);
await library.close();
await rm(place, { recursive: true });
