import { describe, expect, it } from 'vitest';
import type { Tree } from '../../model/tree.js';
import { DEFAULT_LIMITS } from '../parser.js';
import { blockTexts, expectSoundTree, outline } from '../tree.suite.js';
import { CORE, rels, zipOf } from './opc.suite.js';
import { xlsxParser } from './xlsx.js';
import { numberText } from './xlsx-values.js';

const workbook = (
  sheets: Readonly<Record<string, string>>,
  extra: Readonly<Record<string, string>> = {},
): Uint8Array => {
  const names = Object.keys(sheets);
  return zipOf({
    '_rels/.rels': rels(['r1', 'officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': `<workbook xmlns:r="x"><sheets>${names.map((name, at) => `<sheet name="${name}" sheetId="${at}" r:id="s${at}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': rels(
      ...names.map((_, at) => [`s${at}`, 'worksheet', `worksheets/sheet${at}.xml`] as const),
      ['ss', 'sharedStrings', 'sharedStrings.xml'],
      ['st', 'styles', '/xl/styles.xml'],
    ),
    'xl/sharedStrings.xml':
      '<sst><si><t>Region</t></si><si><r><t>Reve</t></r><r><t>nue</t></r></si><si><t>東京</t><rPh><t>とうきょう</t></rPh></si></sst>',
    'xl/styles.xml':
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy&quot;年&quot;m&quot;月&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="10"/><xf numFmtId="164"/></cellXfs></styleSheet>',
    ...Object.fromEntries(
      names.map((name, at) => [
        `xl/worksheets/sheet${at}.xml`,
        `<worksheet><sheetData>${sheets[name]}</sheetData></worksheet>`,
      ]),
    ),
    ...extra,
  });
};

const parse = async (bytes: Uint8Array, limits = DEFAULT_LIMITS): Promise<Tree> => {
  const tree = await xlsxParser({ bytes, name: 'a.xlsx', limits });
  expectSoundTree(tree);
  return tree;
};

describe('xlsx', () => {
  it('reads rows with their header, values as the sheet shows them, sheets as sections', async () => {
    const tree = await parse(
      workbook(
        {
          销售: `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="D1" t="inlineStr"><is><t>Since</t></is></c></row>
            <row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2"><v>0.30000000000000004</v></c><c r="D2" s="1"><v>46082</v></c></row>
            <row r="3"><c r="B3" s="2"><f>A1</f><v>0.256</v></c><c r="D3" t="b"><v>1</v></c></row>
            <row r="5"><c r="A5" t="str"><v>A note below</v></c></row>`,
          Second: '<row><c s="3"><v>46082.5</v></c><c t="e"><v>#N/A</v></c></row>',
          Empty: '',
        },
        { 'docProps/core.xml': CORE('Sales') },
      ),
    );
    expect(tree.title).toBe('Sales');
    expect(outline(tree)).toEqual(['1 销售', '1 Second', '1 Empty']);
    expect(blockTexts(tree)).toEqual([
      'table: | Region | Revenue | Since |\n| --- | --- | --- |\n| 東京 | 0.3 | 2026-03-01 |\n|  | 25.6% | TRUE |',
      'paragraph: A note below',
      'table: | 2026-03-01 12:00 | #N/A |',
    ]);
    expect(tree.blocks[0]!.header).toBeDefined();
  });

  it.each([
    ['43831', 'date', false, '2020-01-01'],
    ['42369', 'date', true, '2020-01-01'],
    ['0.75', 'time', false, '18:00'],
    ['60', 'date', false, '1900-02-28'],
    ['-1', 'date', false, '-1'],
    ['1e21', 'number', false, '1e+21'],
    ['abc', 'number', false, 'abc'],
    ['12345678901234567', 'number', false, '12345678901234600'],
  ] as const)('shows %s as a %s (1904: %s): %s', (value, kind, date1904, text) => {
    expect(numberText(value, kind, date1904)).toBe(text);
  });

  it('survives a sheet of a few cells far apart', async () => {
    const rows = Array.from(
      { length: 2_000 },
      (_, at) => `<row r="${at + 1}"><c r="${at % 2 ? 'XFD' : 'A'}${at + 1}"><v>${at}</v></c></row>`,
    );
    const wide = Array.from({ length: 3_000 }, (_, at) => `<c><v>${at}</v></c>`).join('');
    const tree = await parse(workbook({ Far: `${rows.join('')}<row r="2001">${wide}</row>` }));
    expect(tree.text.length).toBeLessThan(1_000_000);
  });

  it('stops a sheet that expands past the limit, and names what is no workbook', async () => {
    const bomb = workbook({ Bomb: `<row><c t="str"><v>${'0'.repeat(2_000_000)}</v></c></row>` });
    await expect(parse(bomb, { ...DEFAULT_LIMITS, expanded: 1_000_000 })).rejects.toMatchObject({
      code: 'LIMIT',
    });
    await expect(parse(zipOf({ 'a.txt': 'x' }))).rejects.toMatchObject({ code: 'CORRUPT' });
    await expect(parse(workbook({ Broken: '<row>' }))).rejects.toMatchObject({ code: 'CORRUPT' });
    const entity =
      '<!DOCTYPE a [<!ENTITY x "y">]><worksheet><sheetData><row><c t="str"><v>&x;</v></c></row></sheetData></worksheet>';
    await expect(parse(workbook({ S: '' }, { 'xl/worksheets/sheet0.xml': entity }))).rejects.toMatchObject({
      code: 'CORRUPT',
    });
  });
});
