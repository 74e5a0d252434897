import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { manyPages } from './hostile.js';
import { folder } from './strata.js';

/** Stands before the word that is looked for, so that the first line of a passage is not the right answer. */
const FILLER = 'Plain words that stand before it and say nothing in particular.';

const html = [
  '<!doctype html>',
  '<html><head><title>Birds</title></head>',
  '<body>',
  '<h1>Birds</h1>',
  `<p>${FILLER}</p>`,
  '<!-- a comment',
  '     over lines -->',
  '<p>',
  '  The quetzal lives',
  '  in cloud forests.',
  '</p>',
  '</body></html>',
].join('\n');

const long = `${FILLER} `.repeat(25);
const json = JSON.stringify(
  { info: { about: long }, paths: { '/users': { get: { summary: 'It lists axolotl.', about: long } } } },
  null,
  2,
);

const zipOf = (parts: Readonly<Record<string, string>>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])));
/** A `.rels` part: `[id, type, target]`. */
const rels = (...entries: readonly (readonly [string, string, string])[]): string =>
  `<Relationships>${entries
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="x/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;
const root = (main: string): Record<string, string> => ({
  '_rels/.rels': rels(['r1', 'officeDocument', main]),
});
const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const docx = zipOf({
  ...root('word/document.xml'),
  'word/document.xml': `<w:document ${W}><w:body>${[
    'A first paragraph.',
    FILLER,
    'The third has a marmoset in it.',
  ]
    .map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`)
    .join('')}</w:body></w:document>`,
});
const slide = (text: string): string => `<s xmlns:a="a"><sp><a:p><a:t>${text}</a:t></a:p></sp></s>`;
const pptx = zipOf({
  ...root('ppt/presentation.xml'),
  'ppt/presentation.xml': '<p xmlns:r="r"><sldIdLst><sldId r:id="a"/><sldId r:id="b"/></sldIdLst></p>',
  'ppt/_rels/presentation.xml.rels': rels(['a', 'slide', 'one.xml'], ['b', 'slide', 'two.xml']),
  'ppt/one.xml': slide(FILLER),
  'ppt/two.xml': slide('A pangolin is shown here.'),
});
const row = (...cells: readonly string[]): string =>
  `<row>${cells.map((cell) => `<c t="str"><v>${cell}</v></c>`).join('')}</row>`;
const xlsx = zipOf({
  ...root('xl/workbook.xml'),
  'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="Costs" r:id="s"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels': rels(['s', 'worksheet', 'sheet.xml']),
  'xl/sheet.xml': `<worksheet><sheetData>${row('item', 'price')}${row('capybara', '3')}</sheetData></worksheet>`,
});
const epub = zipOf({
  'META-INF/container.xml': '<c><rootfile full-path="b.opf"/></c>',
  'b.opf': `<p>${['one', 'two'].map((id) => `<item id="${id}" href="${id}.xhtml" media-type="application/xhtml+xml"/><itemref idref="${id}"/>`).join('')}</p>`,
  'one.xhtml': `<html><body><h1>Beginning</h1><p>${FILLER}</p></body></html>`,
  'two.xhtml': '<html><body><h1>Second part</h1><p>An okapi appears.</p></body></html>',
});

const FILES = {
  'birds.html': html,
  'api.json': json,
  'notes.docx': docx,
  'deck.pptx': pptx,
  'table.xlsx': xlsx,
  'book.epub': epub,
  'paper.pdf': manyPages(3),
};

describe('B11 the places a search prints', () => {
  it('B11 lines of the file where an editor opens them, and the place in the document where it does not', async () => {
    const here = folder(FILES);
    expect(await here.strata('add', '.')).toMatchObject({ code: 0 });
    const queries = ['quetzal', 'axolotl', 'marmoset', 'pangolin', 'capybara', 'okapi', '"page 2 says"'];
    const [page, api, notes, deck, table, book, paper] = await Promise.all(
      queries.map(async (query) => (await here.strata('search', query)).stdout),
    );
    expect(page).toMatch(/birds\.html:9\b/);
    const line = json.split('\n').findIndex((text) => text.includes('axolotl')) + 1;
    expect(api).toMatch(new RegExp(`api\\.json:${line} /paths/~1users\\S*`));
    expect(notes).toMatch(/notes\.docx paragraph \d/);
    expect(deck).toMatch(/deck\.pptx slide 2\b/);
    expect(table).toMatch(/table\.xlsx Costs!A1:B2/);
    expect(book).toMatch(/book\.epub two\.xhtml/);
    expect(paper).toMatch(/paper\.pdf:p\.\d/);
    for (const output of [notes, deck, table, book, paper])
      expect(output).not.toMatch(/\.(?:docx|pptx|xlsx|epub|pdf):\d/);
  });
});
