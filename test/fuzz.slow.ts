import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { manyPages, officeFile, zip } from './hostile.js';
import { seedOf, start, temporaryFolder, times } from './torture/torture.js';

const INPUTS = times('STRATA_FUZZ', 150);
/** A process that says nothing for so long hangs. */
const SILENCE_MS = 60_000;

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const S = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const text = (content: string): Buffer => Buffer.from(content);
const paragraph = (words: string): string => `<w:p><w:r><w:t>${words}</w:t></w:r></w:p>`;

/** A small whole file of each format: what is fuzzed are its variations. */
const SAMPLES: Readonly<Record<string, Buffer>> = {
  'markdown.md': text(
    '---\ntitle: A\n---\n# One\n\nText with `code` and [a link](b.md).\n\n- a\n  - b\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nf();\n```\n\n## 二\n\n> 引用\n<!-- c -->\n<div>x</div>\n',
  ),
  'html.html': text(
    '<!doctype html><html><head><title>A</title></head><body><h1>One</h1><p>Some <b>text</b>.</p><table><tr><th>a</th></tr><tr><td>1</td></tr></table><pre>code</pre><ul><li>a<li>b</ul></body></html>',
  ),
  'json.json': text('{"name":"a","list":[1,2,{"deep":"text \\u4e2d"}],"other":null,"flag":true}'),
  'jsonl.jsonl': text('{"a":1,"text":"one"}\n{"a":2,"text":"two"}\n'),
  'yaml.yaml': text('a: &x\n  b: [1, two]\n  c: |\n    some\n    text\nd: *x\n---\ne: "f"\n'),
  'csv.csv': text('name,age,"a, b"\nx,1,"one ""two"""\ny,2,\n'),
  'jupyter.ipynb': text(
    '{"cells":[{"cell_type":"markdown","source":["# A\\n","text"]},{"cell_type":"code","source":["x = 1"],"outputs":[{"output_type":"stream","text":["1"]}]}],"metadata":{},"nbformat":4,"nbformat_minor":5}',
  ),
  'log.log': text('2026-01-01 10:00:00 INFO started\n2026-01-01 10:00:01 ERROR failed\n  at f (a.js:1)\n'),
  'code.ts': text(
    '/** Doc. */\nexport class A {\n  b(): number {\n    return `${1}`.length;\n  }\n}\nfunction c() {}\n',
  ),
  'text.txt': text('CHAPTER ONE\n\nSome words. Others follow.\n\n第二章\n\n一些文字。\n'),
  'docx.docx': officeFile('word/document.xml', {
    data: text(`<w:document ${W}><w:body>${paragraph('One')}${paragraph('Two')}</w:body></w:document>`),
  }),
  'xlsx.xlsx': officeFile('xl/workbook.xml', {
    data: text(`<workbook ${S}><sheets><sheet name="A" sheetId="1"/></sheets></workbook>`),
  }),
  'pptx.pptx': officeFile('ppt/presentation.xml', { data: text('<p:presentation/>') }),
  'epub.epub': zip([
    { name: 'mimetype', data: text('application/epub+zip') },
    {
      name: 'META-INF/container.xml',
      data: text('<container><rootfiles><rootfile full-path="o.opf"/></rootfiles></container>'),
    },
    {
      name: 'o.opf',
      data: text(
        '<package><manifest><item id="p" href="p.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="p"/></spine></package>',
      ),
    },
    { name: 'p.xhtml', data: text('<html><body><h1>One</h1><p>Text.</p></body></html>') },
  ]),
  'pdf.pdf': manyPages(3),
  'ole.doc': Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]),
};

describe('fuzzed files', () => {
  it.each(Object.keys(SAMPLES))(
    `B9 ${INPUTS} damaged variations of %s: a right tree or an error that says why, in time`,
    async (sample) => {
      const format = sample.slice(0, sample.indexOf('.'));
      const folder = temporaryFolder();
      for (const [name, bytes] of Object.entries(SAMPLES)) writeFileSync(join(folder, name), bytes);
      const seed = seedOf('fuzz');
      const child = start('fuzz.js', [folder, format, seed, '0', String(INPUTS)]);
      let seen = -1;
      const watch = async () => {
        for (;;) {
          await Promise.race([child.ended, sleep(SILENCE_MS)]);
          if (child.process.exitCode !== null || child.process.signalCode !== null) return;
          if (child.lines.length === seen) return void child.process.kill('SIGKILL');
          seen = child.lines.length;
        }
      };
      void watch();
      const { code, stderr } = await child.ended;
      const wrong = child.lines.filter((line) => line.startsWith('WRONG'));
      const about = `seed ${seed}, ${format}`;
      expect(wrong.slice(0, 5), about).toEqual([]);
      expect({ code, stderr: stderr.slice(-500), last: child.lines.at(-1) }, about).toEqual({
        code: 0,
        stderr: '',
        last: 'closed',
      });
    },
  );
});
