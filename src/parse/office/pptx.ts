import { StrataError } from '../../model/errors.js';
import type { Tree } from '../../model/tree.js';
import { TreeBuilder } from '../builder.js';
import type { ParseInput } from '../parser.js';
import { isOle, oleProblem } from './ole.js';
import { coreProperties, partText, relationships } from './opc.js';
import { readSlide, type SlideText } from './pptx-slide.js';
import { readXml } from './xml.js';
import { openZip, type ZipArchive } from './zip.js';

/** PowerPoint: a section and a page a slide, in the order of the show, with its notes. */
export async function pptxParser({ bytes, limits }: ParseInput): Promise<Tree> {
  if (isOle(bytes)) throw oleProblem(bytes);
  const zip = openZip(bytes, limits.expanded);
  const { nesting } = limits;
  const slides = await slideParts(zip, nesting);
  if (slides.length > limits.pages) throw new StrataError('LIMIT', `it has more than ${limits.pages} slides`);
  const builder = new TreeBuilder();
  for (const [at, part] of slides.entries()) {
    const slide = await readSlide(partText(zip, part)!, part, nesting);
    const related = await relationships(zip, part, nesting);
    const text = async (type: string): Promise<SlideText | undefined> => {
      const target = related.find((relationship) => relationship.type === type)?.target;
      const xml = target === undefined ? undefined : partText(zip, target);
      return xml === undefined ? undefined : readSlide(xml, target!, nesting);
    };
    builder.page();
    if (slide.title === '') builder.section(1, `Slide ${at + 1}`);
    else builder.heading(1, slide.title);
    write(builder, slide);
    const diagram = await text('diagramData');
    if (diagram) write(builder, diagram);
    const notes = await text('notesSlide');
    if (notes && notes.body.length > 0) {
      builder.heading(2, 'Notes');
      write(builder, notes);
    }
  }
  const { title, ...metadata } = await coreProperties(zip, nesting).catch(() => ({}) as never);
  const tree = builder.build({ format: 'pptx', metadata: { ...metadata, slides: slides.length } });
  return {
    ...tree,
    title: usable(title) ?? tree.sections.find(({ heading }) => heading.end > heading.start)?.title ?? null,
  };
}

/** What PowerPoint puts there by itself is no title. */
const usable = (title: string | undefined): string | undefined =>
  title === undefined ||
  /^(?:powerpoint presentation|presentation|slide ?\d*|演示文稿\d*|幻灯片 ?\d*)$/i.test(title)
    ? undefined
    : title;

function write(builder: TreeBuilder, slide: SlideText): void {
  for (const part of slide.body) {
    if (part.kind === 'table') builder.table(part.rows, part.rows.length > 1 ? 1 : 0);
    else if (part.kind === 'list')
      builder.list(part.items.map(({ level, text }) => `${'  '.repeat(level)}- ${text}`));
    else builder.paragraph(part.text);
  }
}

async function slideParts(zip: ZipArchive, nesting: number): Promise<string[]> {
  const main = (await relationships(zip, '', nesting)).find(({ type }) => type === 'officeDocument')?.target;
  const part = [main, 'ppt/presentation.xml'].find((name) => name !== undefined && zip.has(name));
  const xml = part === undefined ? undefined : partText(zip, part);
  if (part === undefined || xml === undefined)
    throw new StrataError('CORRUPT', 'the zip holds no presentation');
  const related = await relationships(zip, part, nesting);
  const slides: string[] = [];
  await readXml(xml, part, nesting, {
    open(name, attributes) {
      const target =
        name === 'sldId' ? related.find(({ id }) => id === attributes['r:id'])?.target : undefined;
      if (target !== undefined && zip.has(target)) slides.push(target);
    },
  });
  return slides;
}
