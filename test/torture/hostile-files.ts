import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdirSync, openSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import {
  deflatedRun,
  entityBomb,
  manyPages,
  officeFile,
  pdf,
  pdfBomb,
  pdfCycle,
  pdfStream,
  yamlBomb,
  type ZipPart,
  zip,
} from '../hostile.js';

type Content = string | Uint8Array;

const KILO = 1024;
const MEGA = 2 ** 20;
const text = (content: string): Buffer => Buffer.from(content);
const times = (count: number, make: (at: number) => string, between = ''): string =>
  Array.from({ length: count }, (_, at) => make(at)).join(between);
const nested = (open: string, close: string, depth: number, inside = 'x'): string =>
  open.repeat(depth) + inside + close.repeat(depth);
/** The same bytes every time, of no kind. */
const noise = (length: number): Buffer => {
  const bytes = Buffer.alloc(length);
  for (let at = 0, seed = 7; at < length; at++) {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    bytes[at] = seed >> 16;
  }
  return bytes;
};

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const word = (body: string): string => `<w:document ${W}><w:body>${body}</w:body></w:document>`;
const paragraph = (words: string): string => `<w:p><w:r><w:t>${words}</w:t></w:r></w:p>`;
const docx = (body: string): Buffer => officeFile('word/document.xml', { data: text(body) });
const S = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const sheet = (rows: string, more: readonly ZipPart[] = []): Buffer =>
  zip([
    { name: '[Content_Types].xml', data: text('<Types/>') },
    {
      name: 'xl/workbook.xml',
      data: text(
        `<workbook ${S}><sheets><sheet name="A" sheetId="1" r:id="r1" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"/></sheets></workbook>`,
      ),
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      data: text(
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
      ),
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      data: text(`<worksheet ${S}><sheetData>${rows}</sheetData></worksheet>`),
    },
    ...more,
  ]);
const epub = (page: string, spine = '<itemref idref="p"/>'): Buffer =>
  zip([
    { name: 'mimetype', data: text('application/epub+zip') },
    {
      name: 'META-INF/container.xml',
      data: text(
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="o.opf"/></rootfiles></container>',
      ),
    },
    {
      name: 'o.opf',
      data: text(
        `<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="p" href="p.xhtml" media-type="application/xhtml+xml"/></manifest><spine>${spine}</spine></package>`,
      ),
    },
    { name: 'p.xhtml', data: text(page) },
  ]);
const page = (contents: Buffer, more = ''): Buffer =>
  pdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [4 0 R] >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << /Font << /F 3 0 R >> ${more} >> /Contents 5 0 R >>`,
    pdfStream('', contents),
  ]);

const BOMBS: Readonly<Record<string, () => Content>> = {
  'bomb.docx': () => officeFile('word/document.xml', { data: deflatedRun(600), deflated: 600 * MEGA }),
  'liar.docx': () => officeFile('word/document.xml', { data: deflatedRun(600), deflated: 100 }),
  'bomb.xlsx': () => officeFile('xl/workbook.xml', { data: deflatedRun(600), deflated: 600 * MEGA }),
  'bomb.pptx': () => officeFile('ppt/presentation.xml', { data: deflatedRun(600), deflated: 600 * MEGA }),
  'bomb.epub': () =>
    zip([
      { name: 'mimetype', data: text('application/epub+zip') },
      { name: 'META-INF/container.xml', data: deflatedRun(600), deflated: 600 * MEGA },
    ]),
  'entities.docx': () => docx(entityBomb((words) => word(paragraph(words)))),
  'entities.xlsx': () =>
    officeFile('xl/workbook.xml', { data: text(entityBomb((words) => `<workbook>${words}</workbook>`)) }),
  'entities.epub': () => epub(entityBomb((words) => `<html><body>${words}</body></html>`)),
  'entities.xml': () => entityBomb((words) => `<b>${words}</b>`),
  'entities.html': () => entityBomb((words) => `<html><body>${words}</body></html>`),
  'entities.svg': () => entityBomb((words) => `<svg><text>${words}</text></svg>`),
  'aliases.yaml': yamlBomb,
  'merges.yaml': () =>
    `a0: &a0 {k: v}\n${times(200, (at) => `a${at + 1}: &a${at + 1} {<<: *a${at}, k${at}: v}`, '\n')}`,
  'bomb.pdf': pdfBomb,
  'strings.xlsx': () =>
    sheet('<row r="1"><c r="A1" t="s"><v>0</v></c></row>', [
      { name: 'xl/sharedStrings.xml', data: deflatedRun(600), deflated: 600 * MEGA },
    ]),
  'quotes.xlsx': () =>
    sheet(
      times(5_000, (at) => `<row r="${at + 1}"><c r="A${at + 1}" t="s"><v>0</v></c></row>`),
      [{ name: 'xl/sharedStrings.xml', data: text(`<sst ${S}><si><t>${'x'.repeat(30_000)}</t></si></sst>`) }],
    ),
  'far.xlsx': () =>
    sheet('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row><row r="1"><c r="A1"><v>1</v></c></row>'),
  'many-files.docx': () =>
    zip(Array.from({ length: 20_000 }, (_, at) => ({ name: `word/${at}.xml`, data: text('<a/>') }))),
  'inside.zip': () =>
    zip([
      { name: 'a.zip', data: zip([{ name: 'b.zip', data: zip([{ name: 'c.txt', data: text('deep') }]) }]) },
    ]),
  'bomb.txt.gz': () => gzipSync(Buffer.alloc(20 * MEGA)),
};

const DEEP: Readonly<Record<string, () => Content>> = {
  'deep.json': () => nested('[', ']', 100_000),
  'deep-objects.json': () => nested('{"a":', '}', 20_000, '1'),
  // Half a megabyte of keys on the way to every value: what is written must not be the product.
  'paths.json': () => nested('{"a long key that is repeated at each level":[1,', ']}', 900, '2'),
  'wide-paths.json': () => nested('{"k":{"a":"b","c":"d","e":[1,2,3]},"n":', '}', 1_300, '0'),
  'deep.jsonl': () => times(200, () => nested('[', ']', 1_500), '\n'),
  'deep.yaml': () => times(3_000, (at) => `${' '.repeat(at)}a:`, '\n'),
  'deep-flow.yaml': () => nested('[', ']', 50_000),
  'commas.yaml': () => `[${','.repeat(60_000)}]`,
  'questions.yaml': () => '? '.repeat(50_000),
  'dashes.yaml': () => '- '.repeat(50_000),
  'anchors.yaml': () => times(20_000, (at) => `a${at}: &a${at} *a${Math.max(0, at - 1)}`, '\n'),
  'deep.html': () => nested('<div>', '</div>', 50_000, 'words'),
  'deep-lists.html': () => nested('<ul><li>', '</li></ul>', 10_000, 'words'),
  'deep-tables.html': () => nested('<table><tr><td>', '</td></tr></table>', 5_000, 'words'),
  'unclosed.html': () => '<b><i><a>'.repeat(50_000),
  'attributes.html': () => `<p ${times(50_000, (at) => `a${at}="x"`, ' ')}>words</p>`,
  'deep.xml': () => nested('<a>', '</a>', 100_000),
  'deep.docx': () =>
    docx(word(nested('<w:tbl><w:tr><w:tc>', '</w:tc></w:tr></w:tbl>', 5_000, paragraph('x')))),
  'deep.epub': () => epub(`<html><body>${nested('<div>', '</div>', 30_000)}</body></html>`),
  'deep.md': () => `${'> '.repeat(10_000)}words\n`,
  'deep-lists.md': () => times(2_000, (at) => `${'  '.repeat(at)}- item ${at}`, '\n'),
  'deep-headings.md': () => times(20_000, (at) => `${'#'.repeat((at % 6) + 1)} H${at}`, '\n'),
  'brace.ts': () => '{'.repeat(100_000),
  'parens.py': () => '('.repeat(100_000),
  'lambda.py': () => `x = ${'lambda: '.repeat(20_000)}1`,
  'generics.ts': () => `type T = ${nested('A<', '>', 20_000)}`,
  'templates.cpp': () => nested('a<', '>', 20_000),
  'quotes.rs': () => `fn main() { ${'r#"'.repeat(20_000)} }`,
  'deep.ipynb': () =>
    `{"cells":[{"cell_type":"markdown","source":${nested('[', ']', 20_000, '"x"')}}],"nbformat":4}`,
};

const LONG: Readonly<Record<string, () => Content>> = {
  'line.txt': () => 'word '.repeat(400_000),
  'letters.txt': () => 'a'.repeat(2 * MEGA),
  'letters.md': () => '字'.repeat(500_000),
  'marks.txt': () => `a${'\u0301'.repeat(200_000)}`,
  'joined.txt': () => `${'\u{1F468}\u200D'.repeat(100_000)}\u{1F466}`,
  'surrogates.txt': () => Buffer.from('\ud800'.repeat(50_000), 'utf16le'),
  'blank-lines.txt': () => '\n'.repeat(2 * MEGA),
  'returns.txt': () => '\r'.repeat(MEGA),
  'tabs.md': () => '\t'.repeat(500_000),
  'brackets.md': () => '['.repeat(50_000),
  'links.md': () => '[a]('.repeat(50_000),
  'images.md': () => '![a]['.repeat(50_000),
  'stars.md': () => '*a **b '.repeat(40_000),
  'backticks.md': () => times(3_000, (at) => '`'.repeat(at % 200), ' a '),
  'references.md': () => times(20_000, (at) => `[r${at}]: http://x/${at}`, '\n'),
  'comments.md': () => '<!--'.repeat(50_000),
  'tables.md': () =>
    `${'|a'.repeat(5_000)}|\n${'|-'.repeat(5_000)}|\n${`${'|x'.repeat(5_000)}|\n`.repeat(20)}`,
  'front-matter.md': () => `---\n${'a: ['.repeat(20_000)}\n---\nwords`,
  'fences.md': () => '```\n'.repeat(50_000),
  'quotes.csv': () => '"'.repeat(500_000),
  'columns.csv': () => `${'a,'.repeat(100_000)}\n${'1,'.repeat(100_000)}\n`,
  'rows.csv': () => 'a,b\n'.repeat(300_000),
  'ragged.tsv': () => times(3_000, (at) => 'x\t'.repeat(at), '\n'),
  'lines.log': () => '2026-01-01T00:00:00 ERROR x\n'.repeat(60_000),
  'string.json': () => JSON.stringify('x'.repeat(4 * MEGA)),
  'numbers.json': () => `[${times(200_000, String, ',')}]`,
  'keys.json': () => `{${times(100_000, (at) => `"k${at}":${at}`, ',')}}`,
  'same-keys.json': () => `{${times(50_000, () => '"k":1', ',')}}`,
  'number.json': () => `[${'9'.repeat(500_000)}]`,
  'escapes.json': () => `"${'\\u0041'.repeat(200_000)}"`,
  'scripts.html': () => `<html><script>${'x'.repeat(2 * MEGA)}</script><p>words</p></html>`,
  'text.docx': () => docx(word(paragraph('word '.repeat(400_000)))),
  'runs.docx': () => docx(word(`<w:p>${'<w:r><w:t>a</w:t></w:r>'.repeat(60_000)}</w:p>`)),
  'paragraphs.docx': () => docx(word(paragraph('x').repeat(60_000))),
  'cells.docx': () =>
    docx(word(`<w:tbl>${`<w:tr>${`<w:tc>${paragraph('x')}</w:tc>`.repeat(60)}</w:tr>`.repeat(300)}</w:tbl>`)),
  'cells.xlsx': () =>
    sheet(times(3_000, (row) => `<row r="${row + 1}">${'<c><v>1</v></c>'.repeat(40)}</row>`)),
  'spine.epub': () =>
    epub('<html><body><h1>T</h1><p>words</p></body></html>', '<itemref idref="p"/>'.repeat(20_000)),
};

const PDFS: Readonly<Record<string, () => Content>> = {
  'pages.pdf': () => manyPages(3_000),
  'cycle.pdf': pdfCycle,
  'empty.pdf': () => pdf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Count 0 /Kids [] >>']),
  'no-root.pdf': () => text('%PDF-1.7\ntrailer << >>\n%%EOF'),
  'count.pdf': () =>
    pdf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Count 2000000000 /Kids [2 0 R] >>']),
  'forms.pdf': () => page(text('/X Do'), '/XObject << /X 5 0 R >>'),
  'moves.pdf': () => page(text(`BT /F 12 Tf ${'1 0 Td (a) Tj '.repeat(60_000)} ET`)),
  'states.pdf': () => page(text(`${'q '.repeat(100_000)}BT /F 12 Tf (a) Tj ET`)),
  'size.pdf': () => page(text('BT /F 1e30 Tf 1e30 1e30 Td (a) Tj ET')),
  'broken-stream.pdf': () =>
    pdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      '<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>',
      pdfStream('/Filter /FlateDecode', noise(10 * KILO)),
    ]),
  'half.pdf': () => manyPages(50).subarray(0, 4_000),
  'header.pdf': () => text('%PDF-1.7'),
  'noise.pdf': () => Buffer.concat([text('%PDF-1.4\n'), noise(200 * KILO)]),
};

const good = docx(word(paragraph('words')));
const BROKEN: Readonly<Record<string, () => Content>> = {
  'empty.md': () => '',
  'empty.docx': () => '',
  'half.docx': () => good.subarray(0, good.length >> 1),
  'no-parts.docx': () => zip([]),
  'noise.docx': () => Buffer.concat([text('PK\u0003\u0004'), noise(50 * KILO)]),
  'noise.xlsx': () => Buffer.concat([good.subarray(0, 60), noise(50 * KILO)]),
  'noise.epub': () => noise(50 * KILO),
  'broken-xml.docx': () => docx('<w:document><w:body><w:p>'),
  'not-xml.docx': () => docx('this is no XML at all'),
  'deflate.docx': () => officeFile('word/document.xml', { data: noise(5_000), deflated: 9_000 }),
  'up.docx': () =>
    zip([
      { name: '../../etc/passwd', data: text('x') },
      { name: 'word/document.xml', data: text(word(paragraph('x'))) },
    ]),
  'external.docx': () => docx('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'),
  'half.json': () => '{"a": [1, 2, {"b": "c',
  'comma.json': () => '{"a": 1,}',
  'nan.json': () => '[NaN, Infinity, undefined]',
  'byte-order.json': () => '\ufeff\ufeff{"a":1}',
  'tabs.yaml': () => 'a:\n\t- b\n\t\t- c\n',
  'directive.yaml': () => '%YAML 9.9\n---\na: !!js/function >\n  x\n',
  'cell.ipynb': () => '{"cells": 7, "nbformat": "four"}',
  'zeros.bin': () => new Uint8Array(MEGA),
  'zeros.md': () => new Uint8Array(100 * KILO),
  'noise.txt': () => noise(200 * KILO),
  'noise.md': () => noise(200 * KILO),
  'invalid.txt': () => Buffer.from([0x61, 0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0x62]),
  'utf16-odd.txt': () =>
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('words', 'utf16le'), Buffer.from([0])]),
  'utf16-swapped.txt': () =>
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('words', 'utf16le').swap16()]),
  'gbk.txt': () => Buffer.from('c4e3bac3cac0bde7'.repeat(500), 'hex'),
  'shift-jis.txt': () => Buffer.from('93fa967b8cea'.repeat(500), 'hex'),
  'escapes.md': () => '# \u001b]52;c;aGk=\u0007 \u001b[2J\u001b[31m title\n\n\u202etxet desrever\n',
  'controls.txt': () => `words ${times(32, (at) => String.fromCharCode(at + 1))} words`,
  'picture.png': () =>
    Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), noise(KILO)]),
  'picture.md': () =>
    Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), noise(KILO)]),
  'program.txt': () => Buffer.concat([Buffer.from('\u007fELF'), noise(100 * KILO)]),
  'old.doc': () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), noise(50 * KILO)]),
  'pdf.md': () => pdfBomb(),
  'docx.txt': () => officeFile('word/document.xml', { data: deflatedRun(600), deflated: 600 * MEGA }),
  'deflated.bin': () => deflateRawSync(Buffer.alloc(MEGA)),
};

/** Names that a terminal, a shell or a database may stumble over. */
const NAMES: readonly string[] = [
  'new\nline.md',
  'escape\u001b[31m.md',
  'bell\u0007\u0008.md',
  'reversed\u202edm.exe.md',
  '-rf.md',
  '--help',
  '$(touch owned).md',
  "quote'; DROP TABLE x;--.md",
  '..md',
  'a b  c .md',
  `${'long'.repeat(60)}.md`,
  'e\u0301.md',
  '\u00e9.md',
  '%2e%2e%2fup.md',
  'NUL.md',
  '[strata:x].md',
];

/** Writes them all below the folder; gives the names of those that have content, and how many kinds there are. */
export async function writeHostileFiles(folder: string): Promise<{ readonly kinds: number }> {
  const write = (name: string, content: Content): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  };
  let kinds = 0;
  const groups = { bombs: BOMBS, deep: DEEP, long: LONG, pdfs: PDFS, broken: BROKEN };
  for (const [group, files] of Object.entries(groups)) {
    for (const [name, content] of Object.entries(files)) write(`${group}/${name}`, content());
    kinds += Object.keys(files).length;
  }
  for (const name of NAMES) write(`names/${name}`, `# Called ${name.length}\n\nwords\n`);
  kinds += NAMES.length;
  for (let at = 0; at < 60; at++) write(`${'down/'.repeat(at)}down.md`, `# Level ${at}\n`);
  symlinkSync('.', join(folder, 'loop'));
  symlinkSync('/etc/passwd', join(folder, 'passwd.md'));
  symlinkSync('/dev/zero', join(folder, 'zero.md'));
  symlinkSync('nowhere', join(folder, 'nowhere.md'));
  symlinkSync('itself.md', join(folder, 'itself.md'));
  for (const name of ['fifo.md', '.gitignore']) execFileSync('mkfifo', [join(folder, name)]);
  const huge = openSync(join(folder, 'huge.txt'), 'w');
  ftruncateSync(huge, 3 * 2 ** 30);
  closeSync(huge);
  // A socket's file stays when its server is closed only if the process ends; one is left open for the run.
  createServer().listen(join(folder, 'socket.md')).unref();
  return { kinds: kinds + 11 };
}
