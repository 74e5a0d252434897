// Pages of prose to be scanned: the paragraphs of Markdown files, printed by Chromium as PDFs of ten pages each, in one
// column and in two, so that what stands on a page is known to the letter.
//   node bench/ocr/make-pages.js ENGLISH_FOLDER CHINESE_FOLDER OUT
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const [english, chinese, out] = process.argv.slice(2);
const PAGES = 10;
/** So many characters fill most of a page at the sizes below. */
const FILL = { en: 2600, zh: 1150 };
const FONTS = {
  en: ['Liberation Serif', 'Liberation Sans', 'DejaVu Serif'],
  zh: ['Noto Serif CJK SC', 'Noto Sans CJK SC'],
};

/** Paragraphs without marks: what is left of a file's prose. */
function paragraphsOf(text) {
  return text
    .replace(/^---\n.*?\n---\n/s, '')
    .replace(/```.*?```|<!--.*?-->|\{\{.*?\}\}|<[^>]+>/gs, '')
    .split(/\n\s*\n/)
    .map((paragraph) =>
      paragraph
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/[*_`]/g, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter(
      (paragraph) =>
        /^[\p{Lu}\p{Script=Han}]/u.test(paragraph) && paragraph.length > 60 && !/[|{}\\]/.test(paragraph),
    );
}

function* pagesOf(folder, fill) {
  const files = readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith('.md'));
  for (const name of files.sort()) {
    const paragraphs = [];
    let length = 0;
    for (const paragraph of paragraphsOf(readFileSync(join(folder, String(name)), 'utf8'))) {
      if (length + paragraph.length > fill) continue;
      paragraphs.push(paragraph);
      length += paragraph.length;
    }
    if (length > fill * 0.75) yield paragraphs;
  }
}

const escaped = (text) => text.replace(/[&<]/g, (sign) => (sign === '&' ? '&amp;' : '&lt;'));

mkdirSync(out, { recursive: true });
for (const [language, folder] of [
  ['en', english],
  ['zh', chinese],
]) {
  const pages = pagesOf(folder, FILL[language]);
  for (const columns of [1, 2]) {
    const body = Array.from({ length: PAGES }, (_, at) => {
      const { value } = pages.next();
      const font = FONTS[language][at % FONTS[language].length];
      return `<section style="font-family:'${font}';columns:${columns}">${value
        .map((paragraph) => `<p>${escaped(paragraph)}</p>`)
        .join('')}</section>`;
    });
    const page = join(out, `${language}-${columns}.html`);
    writeFileSync(
      page,
      `<!doctype html><html lang="${language === 'zh' ? 'zh-CN' : 'en'}"><meta charset="utf-8"><style>
@page { size: A4; margin: 22mm }
body { margin: 0; font-size: 11pt; line-height: 1.45; text-align: justify }
section { break-after: page; column-gap: 9mm; column-fill: auto; height: 245mm }
p { margin: 0 0 0.7em }</style>${body.join('\n')}</html>`,
    );
    execFileSync(
      'chromium',
      [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--no-pdf-header-footer',
        `--print-to-pdf=${resolve(out, `${language}-${columns}-columns.pdf`)}`,
        `file://${resolve(page)}`,
      ],
      { stdio: 'ignore' },
    );
  }
}
