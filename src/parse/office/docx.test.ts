import fc from 'fast-check';
import { strToU8, type Zippable, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { Tree } from '../../model/tree.js';
import { DEFAULT_LIMITS } from '../parser.js';
import { blockTexts, expectSoundTree, outline } from '../tree.suite.js';
import { docxParser } from './docx.js';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

interface Parts {
  readonly styles?: string;
  readonly files?: Readonly<Record<string, string>>;
}

function docx(body: string, { styles = '', files = {} }: Parts = {}): Uint8Array {
  const parts: Record<string, string> = {
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${RELATIONS}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `<?xml version="1.0"?><w:document ${W}><w:body>${body}</w:body></w:document>`,
    'word/styles.xml': `<w:styles ${W}>${styles}</w:styles>`,
    ...files,
  };
  return zipSync(
    Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)])) as Zippable,
  );
}

const p = (text: string, properties = ''): string =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
const styled = (text: string, style: string): string => p(text, `<w:pStyle w:val="${style}"/>`);
const style = (id: string, name: string, inner = ''): string =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${inner}</w:style>`;
const outlineLvl = (level: number): string => `<w:pPr><w:outlineLvl w:val="${level}"/></w:pPr>`;

const parse = async (bytes: Uint8Array): Promise<Tree> => {
  const tree = await docxParser({ bytes, name: 'a.docx', limits: DEFAULT_LIMITS });
  expectSoundTree(tree);
  return tree;
};

describe('docx', () => {
  it('S4.2 finds headings by style name, Chinese too, by outline level and by inheritance', async () => {
    const tree = await parse(
      docx(
        styled('One', 'Heading1') +
          p('text') +
          styled('二级', '2') +
          styled('繁體', 'h3') +
          styled('By outline of the style', 'chapter') +
          styled('By inheritance', 'child') +
          p('By its own level', '<w:outlineLvl w:val="4"/>') +
          p('Level 9 of 9', '<w:outlineLvl w:val="8"/>') +
          p('Body again', '<w:pStyle w:val="Heading1"/><w:outlineLvl w:val="9"/>') +
          styled('Undefined style', 'Heading2'),
        {
          styles:
            style('Heading1', 'heading 1') +
            style('2', '标题 2') +
            style('h3', '標題3') +
            style('chapter', 'Chapter', outlineLvl(0)) +
            style('child', 'Sub chapter', '<w:basedOn w:val="between"/>') +
            style('between', 'Between', '<w:basedOn w:val="h3"/>'),
        },
      ),
    );
    expect(outline(tree)).toEqual([
      '1 One',
      '2 二级',
      '3 繁體',
      '1 By outline of the style',
      '3 By inheritance',
      '5 By its own level',
      '6 Level 9 of 9',
      '2 Undefined style',
    ]);
    expect(blockTexts(tree)).toEqual(['paragraph: text', 'paragraph: Body again']);
    expect(tree.title).toBe('One');
  });

  it('S4.2 agrees with the rule written naively, whatever the styles', async () => {
    const ids = ['a', 'b', 'c', 'd'] as const;
    const definition = fc.record({
      name: fc.constantFrom('Heading 2', '标题 3', 'heading 10', 'Normal', 'Caption'),
      outline: fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined, freq: 1 }),
      basedOn: fc.option(fc.constantFrom(...ids), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(definition, definition, definition, definition),
        fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined, freq: 1 }),
        fc.constantFrom(...ids),
        async (definitions, own, used) => {
          const levelOf = (id: string, depth = 0): number | undefined => {
            const { name, outline, basedOn } = definitions[ids.indexOf(id as 'a')]!;
            if (name === 'Heading 2') return 2;
            if (name === '标题 3') return 3;
            if (outline !== undefined) return outline === 9 ? undefined : outline + 1;
            return basedOn === undefined || depth > 8 ? undefined : levelOf(basedOn, depth + 1);
          };
          const expected = own === undefined ? levelOf(used) : own === 9 ? undefined : own + 1;
          const styles = definitions.map(({ name, outline, basedOn }, at) =>
            style(
              ids[at]!,
              name,
              (basedOn ? `<w:basedOn w:val="${basedOn}"/>` : '') +
                (outline === undefined ? '' : outlineLvl(outline)),
            ),
          );
          const level = own === undefined ? '' : `<w:outlineLvl w:val="${own}"/>`;
          const tree = await parse(
            docx(p('T', `<w:pStyle w:val="${used}"/>${level}`), { styles: styles.join('') }),
          );
          expect(tree.sections.map((section) => section.level)).toEqual(
            expected === undefined ? [] : [Math.min(6, expected)],
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it('keeps tables with their cells, lists, notes and the text that fields and formulas hold', async () => {
    const cell = (text: string, properties = ''): string =>
      `<w:tc><w:tcPr>${properties}</w:tcPr>${p(text)}</w:tc>`;
    const listed = (text: string, level: number): string =>
      p(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr>`);
    const tree = await parse(
      docx(
        `<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr>${cell('Name')}${cell('端口')}</w:tr>
         <w:tr>${cell('web')}${cell('80')}</w:tr><w:tr>${cell('wide', '<w:gridSpan w:val="2"/>')}</w:tr></w:tbl>
         ${listed('first', 0)}${listed('deeper', 1)}
         <w:p><w:r><w:t>Page </w:t></w:r><w:fldSimple w:instr="PAGE"><w:r><w:t>seven</w:t></w:r></w:fldSimple>
         <w:r><w:ruby><w:rt><w:r><w:t>kan</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢</w:t></w:r></w:rubyBase></w:ruby></w:r>
         <m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:r><m:t>x=1</m:t></m:r></m:oMath></w:p>
         <w:p><w:r><w:t>noted</w:t><w:footnoteReference w:id="5"/></w:r></w:p>`,
        {
          files: {
            'word/numbering.xml': `<w:numbering ${W}><w:abstractNum w:abstractNumId="0">${[0, 1].map((level) => `<w:lvl w:ilvl="${level}"><w:numFmt w:val="bullet"/></w:lvl>`).join('')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
            'word/footnotes.xml': `<w:footnotes ${W}><w:footnote w:id="5">${p('the note')}</w:footnote></w:footnotes>`,
          },
        },
      ),
    );
    expect(blockTexts(tree)).toEqual([
      'table: | Name | 端口 |\n| --- | --- |\n| web | 80 |\n| wide |  |',
      'list: - first\n  - deeper',
      'paragraph: Page seven漢x=1',
      'paragraph: noted[1]',
      'list: 1. the note',
    ]);
    const table = tree.blocks[0]!;
    expect(tree.text.slice(table.header!.start, table.header!.end)).toBe('| Name | 端口 |');
  });

  it('counts the numbers that Word shows, across interruptions and from headings on', async () => {
    const level = (at: number, format: string, text: string): string =>
      `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
    const numbered = (text: string, at: number, id = 1): string =>
      p(text, `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${id}"/></w:numPr>`);
    const tree = await parse(
      docx(
        styled('General', 'h') +
          numbered('first', 1) +
          p('between') +
          numbered('second', 1) +
          numbered('deep', 2) +
          styled('Special', 'h') +
          numbered('anew', 1) +
          numbered('条款', 0, 2) +
          numbered('条款二', 0, 2) +
          numbered('restarted', 0, 3),
        {
          styles: style('h', 'heading 1', '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>'),
          files: {
            'word/numbering.xml': `<w:numbering ${W}><w:abstractNum w:abstractNumId="0">${level(0, 'upperRoman', '%1.')}${level(1, 'decimal', '%1.%2')}${level(2, 'lowerLetter', '(%3)')}</w:abstractNum>
              <w:abstractNum w:abstractNumId="1">${level(0, 'chineseCounting', '第%1条')}</w:abstractNum>
              <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
              <w:num w:numId="3"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="12"/></w:lvlOverride></w:num></w:numbering>`,
          },
        },
      ),
    );
    expect(outline(tree)).toEqual(['1 General', '1 Special']);
    expect(tree.text.replace(/\n+/g, '\n').split('\n')).toEqual([
      '# General',
      '  I.1 first',
      'between',
      '  I.2 second',
      '    (a) deep',
      '# Special',
      '  II.1 anew',
      '第一条 条款',
      '第二条 条款二',
      '第十二条 restarted',
    ]);
  });

  it('takes the title from the Title style, then the first level-1 heading, then the properties', async () => {
    const core = `<cp:coreProperties xmlns:cp="a" xmlns:dc="b"><dc:title>Filed</dc:title><dc:creator>Li Lei</dc:creator></cp:coreProperties>`;
    const files = { 'docProps/core.xml': core };
    const styles = style('t', 'Title') + style('h', 'heading 1');
    const all = await parse(docx(styled('Shown', 't') + styled('First', 'h'), { styles, files }));
    expect(all.title).toBe('Shown');
    expect(all.text).toBe('Shown\n\n# First');
    expect(all.metadata).toEqual({ author: 'Li Lei' });
    expect((await parse(docx(styled('First', 'h'), { styles, files }))).title).toBe('First');
    expect((await parse(docx(p('x'), { styles, files }))).title).toBe('Filed');
    expect((await parse(docx(p('x'), { styles }))).title).toBeNull();
  });

  it('S2.4 a document that mammoth cannot convert is read as text, its headings too', async () => {
    const tree = await parse(
      docx(styled('Head', 'h') + p('body &amp; soul'), {
        styles: style('h', 'heading 1'),
        files: { 'word/numbering.xml': '<not xml' },
      }),
    );
    expect(tree.text).toBe('# Head\n\nbody & soul');
    expect(outline(tree)).toEqual(['1 Head']);
    expect(tree.warnings[0]).toMatch(/read as text/);
  });

  it('names what it cannot read', async () => {
    const fails = (bytes: Uint8Array, limits = DEFAULT_LIMITS): Promise<unknown> =>
      Promise.resolve(docxParser({ bytes, name: 'a.docx', limits })).then(
        () => 'read',
        (error: { code: string }) => error.code,
      );
    const ole = (stream: string): Uint8Array =>
      Buffer.concat([
        Buffer.from('d0cf11e0a1b11ae1', 'hex'),
        Buffer.alloc(512),
        Buffer.from(`${stream}\0`, 'utf16le'),
      ]);
    expect(await fails(ole('EncryptedPackage'))).toBe('ENCRYPTED');
    expect(await fails(ole('WordDocument'))).toBe('UNSUPPORTED');
    expect(await fails(strToU8('no zip'))).toBe('CORRUPT');
    expect(await fails(docx(p('x')).slice(0, -30))).toBe('CORRUPT');
    expect(await fails(docx('<w:p>'))).toBe('CORRUPT');
    expect(await fails(zipSync({ 'a.txt': strToU8('hello') }))).toBe('CORRUPT');
    expect(await fails(docx(p(' '.repeat(3_000_000))), { ...DEFAULT_LIMITS, expanded: 1_000_000 })).toBe(
      'LIMIT',
    );
    expect(await fails(docx('<w:sdt>'.repeat(3_000) + '</w:sdt>'.repeat(3_000)))).toBe('LIMIT');
  });

  it('expands no entity and reads nothing outside: a DTD of entities is refused', async () => {
    const bomb = `<!DOCTYPE w [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>`;
    for (const entity of ['b', 'f']) {
      const xml = `${bomb}<w:document ${W}><w:body>${p(`&${entity};`)}</w:body></w:document>`;
      await expect(parse(docx('', { files: { 'word/document.xml': xml } }))).rejects.toMatchObject({
        code: 'CORRUPT',
      });
    }
  });
});
