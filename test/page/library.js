import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { strToU8, zipSync } from 'fflate';

/** A small library in two languages with a PDF, a long document and a hostile one, and the built program to serve it. */
const PROGRAM = resolve('dist/serve/main.js');

const ENGLISH = `# Rolling updates

A rolling update replaces the running version of an application step by step, so users notice nothing.

## Going back

Every change is kept as a revision. To roll back a deployment, choose the revision that worked and roll it out again.

| setting | meaning |
| --- | --- |
| maxUnavailable | copies that may be missing |

\`\`\`yaml
strategy:
  type: RollingUpdate
\`\`\`
`;

const CHINESE = `# 滚动更新

滚动更新逐步替换正在运行的版本，任何时候都不会让所有副本同时消失。

## 回滚

每次修改都会保存为一个修订版本。回滚就是重新发布较早的修订版本：先查看历史，再选择曾经正常的版本。
`;

export const HOSTILE = `# <img src=x onerror="window.hacked=1"> ‮evil

<script>window.hacked = 2</script>

[a click](javascript:window.hacked=3) and [data](data:text/html,<script>window.hacked=4</script>) and ![a picture](https://evil.example/huge.png)

<iframe src="https://evil.example"></iframe> <a href="https://evil.example" onclick="window.hacked=5">link</a>

| <b onmouseover=alert(1)>cell</b> | x |
| --- | --- |
| [x](vbscript:msgbox) | <svg onload=alert(1)> |

The word quicksilver is how this document is found.
`;

/** A page each: lines of Helvetica, which every reader has. */
export function pdf(pages) {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  const kids = pages.map((lines) => {
    const text = lines.map((line, at) => `1 0 0 1 60 ${700 - at * 16} Tm (${line}) Tj`).join('\n');
    const content = `BT /F1 11 Tf\n${text}\nET`;
    objects.push(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
    const resources = '/Resources << /Font << /F1 3 0 R >> >>';
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] ${resources} /Contents ${objects.length} 0 R >>`,
    );
    return `${objects.length} 0 R`;
  });
  objects[1] = `<< /Type /Pages /Count ${kids.length} /Kids [${kids.join(' ')}] >>`;
  let file = '%PDF-1.4\n';
  const places = objects.map((body, at) => {
    const place = file.length;
    file += `${at + 1} 0 obj\n${body}\nendobj\n`;
    return place;
  });
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const start = file.length;
  return `${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
}

/** A Word file with a heading and a paragraph. */
export function docx(title, text) {
  const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
  const paragraph = (content, style = '') => `<w:p>${style}<w:r><w:t>${content}</w:t></w:r></w:p>`;
  const heading = '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>';
  const types = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
  const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument';
  const files = {
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${types}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${types}.styles+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${relation}" Target="word/document.xml"/></Relationships>`,
    'word/styles.xml': `<w:styles xmlns:w="${word}"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>`,
    'word/document.xml': `<w:document xmlns:w="${word}"><w:body>${paragraph(title, heading)}${paragraph(text)}</w:body></w:document>`,
  };
  return Buffer.from(
    zipSync(Object.fromEntries(Object.entries(files).map(([name, xml]) => [name, strToU8(xml)]))),
  );
}

const SENTENCE =
  'The marmot sleeps through the winter below the snow, and wakes when the grass is green again. ';

export function makeLibrary() {
  const folder = mkdtempSync(join(tmpdir(), 'strata-browser-'));
  for (const name of ['en', 'zh', 'papers']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'en', 'rolling.md'), ENGLISH);
  writeFileSync(join(folder, 'zh', 'rolling.md'), CHINESE);
  writeFileSync(join(folder, 'en', 'hostile.md'), HOSTILE);
  const parts = Array.from({ length: 700 }, (_, at) => `## Part ${at}\n\n${SENTENCE.repeat(11)}\n`);
  writeFileSync(join(folder, 'en', 'long.md'), `# A long document\n\n${parts.join('\n')}`);
  const first = [
    'Notes on animals',
    '',
    'The first page is about nothing in particular, and says so at some length.',
  ];
  const second = [
    'The okapi is a shy animal of the rain forest with striped legs and a long tongue.',
    'It was unknown to zoologists until the year 1901, and few have seen it in the wild.',
  ];
  writeFileSync(join(folder, 'papers', 'okapi.pdf'), pdf([first, second]), 'latin1');
  run(folder, ['add', '.', '--no-embed']);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

const libraryOf = (folder) => ['--library', join(folder, '.strata'), '--embedder', 'none'];

/** A later flag counts, so that a test may name another embedder. */
export const run = (folder, args, flags = []) =>
  execFileSync(process.execPath, [PROGRAM, ...args, ...libraryOf(folder), ...flags], {
    cwd: folder,
    encoding: 'utf8',
  });

/** `strata open` or `strata serve`; resolves with its address (with the code, for `open`) when it listens. */
export function start(folder, command, flags = []) {
  const args = [
    PROGRAM,
    command,
    ...(command === 'open' ? ['--no-browser'] : []),
    ...libraryOf(folder),
    ...flags,
  ];
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, STRATA_LANGUAGE: 'en' },
  });
  return new Promise((resolvePromise, reject) => {
    let said = '';
    const hear = (data) => {
      said += data;
      const url = /http:\/\/[\d.:]+(\/#code=[\w-]+)?(?=\s)/.exec(said)?.[0];
      if (url !== undefined) resolvePromise({ url, base: url.replace(/\/#.*/, ''), stop: () => stop(child) });
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('close', (code) => reject(new Error(`strata ${command} ended with ${code}: ${said}`)));
  });
}

const stop = (child) =>
  new Promise((done) => {
    if (child.exitCode !== null) return done();
    child.removeAllListeners('close');
    child.on('close', () => done());
    child.kill('SIGTERM');
    return undefined;
  });
