import { describe, expect, it } from 'vitest';
import type { Tree } from '../../model/tree.js';
import { DEFAULT_LIMITS } from '../parser.js';
import { blockTexts, expectSoundTree, outline } from '../tree.suite.js';
import { CORE, rels, zipOf } from './opc.suite.js';
import { pptxParser } from './pptx.js';

const shape = (type: string | undefined, ...paragraphs: readonly string[]): string =>
  `<p:sp><p:nvSpPr><p:nvPr>${type === undefined ? '' : `<p:ph type="${type}"/>`}</p:nvPr></p:nvSpPr><p:txBody>${paragraphs.join('')}</p:txBody></p:sp>`;
const line = (text: string, level = 0): string =>
  `<a:p><a:pPr lvl="${level}"/><a:r><a:t>${text}</a:t></a:r></a:p>`;
const slide = (shapes: string): string =>
  `<p:sld xmlns:p="p" xmlns:a="a" xmlns:mc="mc"><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;

const deck = (slides: readonly string[], extra: Readonly<Record<string, string>> = {}): Uint8Array =>
  zipOf({
    '_rels/.rels': rels(['r1', 'officeDocument', 'ppt/presentation.xml']),
    // The order of the show is not that of the files.
    'ppt/presentation.xml': `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst>${slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="s${at}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': rels(
      ...slides.map((_, at) => [`s${at}`, 'slide', `slides/slide${slides.length - at}.xml`] as const),
    ),
    ...Object.fromEntries(slides.map((xml, at) => [`ppt/slides/slide${slides.length - at}.xml`, xml])),
    ...extra,
  });

const parse = async (bytes: Uint8Array, limits = DEFAULT_LIMITS): Promise<Tree> => {
  const tree = await pptxParser({ bytes, name: 'a.pptx', limits });
  expectSoundTree(tree);
  return tree;
};

describe('pptx', () => {
  it('reads slides as sections and pages, with lists, tables and notes', async () => {
    const table = `<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody>${line('Name')}</a:txBody></a:tc><a:tc><a:txBody>${line('Port')}</a:txBody></a:tc></a:tr><a:tr><a:tc><a:txBody>${line('web')}</a:txBody></a:tc><a:tc><a:txBody>${line('80')}${line('81')}</a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame>`;
    const twice = `<mc:AlternateContent><mc:Choice>${shape(undefined, line('once'))}</mc:Choice><mc:Fallback>${shape(undefined, line('once'))}</mc:Fallback></mc:AlternateContent>`;
    const tree = await parse(
      deck(
        [
          slide(
            shape('ctrTitle', line('Strata'), line('介绍')) +
              shape('subTitle', line('A subtitle')) +
              shape('sldNum', line('1')),
          ),
          slide(shape('body', line('First'), line('Sub', 1)) + shape('title', line('Agenda'))),
          slide(table + twice),
        ],
        {
          'ppt/slides/_rels/slide2.xml.rels': rels(['n', 'notesSlide', '../notesSlides/notesSlide1.xml']),
          'ppt/notesSlides/notesSlide1.xml': slide(shape('sldImg') + shape('body', line('Say hello.'))),
          'docProps/core.xml': CORE('PowerPoint Presentation'),
        },
      ),
    );
    expect(outline(tree)).toEqual(['1 Strata 介绍', '1 Agenda', '2 Notes', '1 Slide 3']);
    expect(blockTexts(tree)).toEqual([
      'paragraph: A subtitle',
      'list: - First\n  - Sub',
      'list: - Say hello.',
      'table: | Name | Port |\n| --- | --- |\n| web | 80 81 |',
      'paragraph: once',
    ]);
    expect(tree.pages.map((at) => tree.text.slice(at, at + 8))).toEqual(['# Strata', '# Agenda', '| Name |']);
    expect(tree.title).toBe('Strata 介绍');
  });

  it('names what it cannot read', async () => {
    await expect(parse(zipOf({ a: 'b' }))).rejects.toMatchObject({ code: 'CORRUPT' });
    await expect(parse(deck(['<p:sld>']))).rejects.toMatchObject({ code: 'CORRUPT' });
    await expect(parse(deck([slide(''), slide('')]), { ...DEFAULT_LIMITS, pages: 1 })).rejects.toMatchObject({
      code: 'LIMIT',
    });
  });
});
