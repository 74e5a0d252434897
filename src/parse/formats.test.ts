import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { chunkDocument } from '../chunk/chunk.js';
import { chunkSettings } from '../chunk/settings.js';
import { rels, zipOf } from './office/opc.suite.js';
import { formatOf, PARSERS, parseDocument } from './parse.js';
import { DEFAULT_LIMITS } from './parser.js';

const of = (name: string, content: string | Uint8Array): string =>
  formatOf({ name, bytes: Buffer.from(content) });

describe('formats', () => {
  it.each(PARSERS.map(({ format, load }) => [format, load] as const))(
    '%s has its parser',
    async (format, load) => {
      expect((await load()).name).toBe(`${format}Parser`);
    },
  );

  it('no two formats claim one extension', () => {
    const all = PARSERS.flatMap(({ extensions }) => extensions);
    expect(all.filter((extension, at) => all.indexOf(extension) !== at)).toEqual([]);
  });

  it('content decides before the name', () => {
    const docx = zipSync({ 'word/document.xml': strToU8('<x/>') });
    const ole = Buffer.from('d0cf11e0a1b11ae1', 'hex');
    expect(of('report.txt', docx)).toBe('docx');
    expect(of('report.txt', '%PDF-1.7')).toBe('pdf');
    expect(of('report.docx', ole)).toBe('ole');
    expect(of('page', '\ufeff <!DOCTYPE html><p>')).toBe('html');
    expect(of('saved.doc', '<html><body>')).toBe('html');
    expect(of('tool', '#!/usr/bin/env python3\n')).toBe('code');
    expect(of('notes.txt', 'a < b')).toBe('text');
    expect(of('a.TS', 'x')).toBe('code');
  });

  it('S2.4 a failure in text is reported by its code', async () => {
    const parse = (name: string, bytes: Uint8Array) => parseDocument({ name, bytes, limits: DEFAULT_LIMITS });
    await expect(parse('a.ts', Buffer.from([0, 1, 2, 3, 0xff, 0, 0, 9, 1, 1, 1, 1]))).rejects.toMatchObject({
      code: 'BINARY',
    });
    await expect(parse('a.docx', Buffer.from('text'))).rejects.toMatchObject({ code: 'CORRUPT' });
    await expect(parse('old.doc', Buffer.from('no Word at all'))).rejects.toMatchObject({ code: 'CORRUPT' });
  });

  const words = 'Some words of a passage that is long enough to be cut somewhere. ';
  const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  const root = (part: string): Record<string, string> => ({
    '_rels/.rels': rels(['r', 'officeDocument', part]),
  });
  const paragraphs = Array.from({ length: 60 }, (_, at) => `${words}${at}`);
  const SAMPLES: Readonly<Record<string, Uint8Array>> = {
    'a.md': Buffer.from(`# Title\n\n${paragraphs.join('\n\n')}`),
    'a.html': Buffer.from(`<h1>Title</h1>${paragraphs.map((text) => `<p>${text}</p>`).join('')}`),
    'a.json': Buffer.from(JSON.stringify({ title: 'T', list: paragraphs, long: paragraphs.join('\n\n') })),
    'a.jsonl': Buffer.from(paragraphs.map((text, at) => JSON.stringify({ at, text })).join('\n')),
    'a.yaml': Buffer.from(`list:\n${paragraphs.map((text) => `  - ${text}`).join('\n')}\n`),
    'a.csv': Buffer.from(`n,text\n${paragraphs.map((text, at) => `${at},${text}`).join('\n')}`),
    'a.ts': Buffer.from(paragraphs.map((text, at) => `// ${text}\nexport function f${at}() {}`).join('\n\n')),
    'a.log': Buffer.from(paragraphs.map((text) => `2026-11-15 10:00:00 ${text}`).join('\n')),
    'a.txt': Buffer.from(paragraphs.join('\n\n')),
    'a.ipynb': Buffer.from(
      JSON.stringify({ cells: paragraphs.map((source) => ({ cell_type: 'markdown', source })) }),
    ),
    'a.docx': zipOf({
      ...root('word/document.xml'),
      'word/document.xml': `<w:document ${W}><w:body>${paragraphs.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join('')}</w:body></w:document>`,
    }),
    'a.xlsx': zipOf({
      ...root('xl/workbook.xml'),
      'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="S" r:id="s"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': rels(['s', 'worksheet', 'sheet.xml']),
      'xl/sheet.xml': `<worksheet><sheetData>${paragraphs.map((text) => `<row><c t="str"><v>x</v></c><c t="str"><v>${text}</v></c></row>`).join('')}</sheetData></worksheet>`,
    }),
    'a.pptx': zipOf({
      ...root('ppt/presentation.xml'),
      'ppt/presentation.xml': '<p xmlns:r="r"><sldIdLst><sldId r:id="s"/></sldIdLst></p>',
      'ppt/_rels/presentation.xml.rels': rels(['s', 'slide', 'slide.xml']),
      'ppt/slide.xml': `<s xmlns:a="a"><sp>${paragraphs.map((text) => `<a:p><a:t>${text}</a:t></a:p>`).join('')}</sp></s>`,
    }),
    'a.epub': zipOf({
      'META-INF/container.xml': '<c><rootfile full-path="b.opf"/></c>',
      'b.opf': '<p><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/><itemref idref="a"/></p>',
      'a.xhtml': `<html><body>${paragraphs.map((text) => `<p>${text}</p>`).join('')}</body></html>`,
    }),
  };

  it('S2.4 every format goes through the chunker, and nothing of it is lost', async () => {
    const seen = new Set<string>();
    for (const [name, bytes] of Object.entries(SAMPLES)) {
      const tree = await parseDocument({ name, bytes, limits: DEFAULT_LIMITS });
      seen.add(tree.format);
      const { chunks } = chunkDocument(tree, {
        doc_id: 'd',
        title: name,
        source: name,
        settings: chunkSettings(),
      });
      expect(chunks.length, name).toBeGreaterThan(2);
      let reached = 0;
      for (const { content, start_position, end_position } of chunks) {
        expect(tree.text.slice(start_position, end_position)).toBe(content);
        expect(content.length).toBeLessThanOrEqual(1_200);
        expect(tree.text.slice(reached, start_position).trim(), name).toBe('');
        reached = Math.max(reached, end_position);
      }
      expect(tree.text.slice(reached).trim(), name).toBe('');
      for (const at of paragraphs.keys()) expect(tree.text, name).toContain(`${words}${at}`);
    }
    const unread = PARSERS.map(({ format }) => format).filter((format) => !seen.has(format));
    // Those have tests of their own: a PDF is no text that can be written here, and a picture needs a reader of scans.
    expect(unread.filter((format) => !['pdf', 'ole', 'picture'].includes(format))).toEqual([]);
  });
});
