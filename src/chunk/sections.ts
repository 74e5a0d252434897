import { sectionId } from '../model/id.js';
import type { Block, Section } from '../model/section.js';
import { type Tree, type TreeBlock, titlePath } from '../model/tree.js';
import { firstCharacters } from '../text/graphemes.js';
import { sentenceStarts } from '../text/sentences.js';
import { tokensBetween } from '../text/tokens.js';
import type { Places } from './places.js';

/** A section's summary: whole sentences of its first paragraph, as many as fit. */
const SUMMARY = 200;

/** The sections as records, each with its own blocks; and the blocks before the first heading. */
export function sectionRecords(
  tree: Tree,
  docId: string,
  source: string,
  places: Places,
): { sections: Section[]; blocks: Block[]; paths: string[][] } {
  const own: Block[][] = tree.sections.map(() => []);
  const blocks: Block[] = [];
  const summaries = new Map<number, string>();
  tree.blocks.forEach((block, index) => {
    (own[block.section] ?? blocks).push(blockRecord(tree.text, block, index + 1, source, places));
    if (block.type === 'paragraph' && !summaries.has(block.section)) {
      summaries.set(block.section, opening(tree.text, block));
    }
  });
  const seen = new Map<string, number>();
  const paths = tree.sections.map((_, index) => titlePath(tree.sections, index));
  const ids: string[] = [];
  const sections = tree.sections.map(({ title, level, parent, span, heading }, index): Section => {
    const path = paths[index]!;
    const name = path.join('\u0000');
    const occurrence = seen.get(name) ?? 0;
    seen.set(name, occurrence + 1);
    ids.push(sectionId(docId, path, occurrence));
    const summary = summaries.get(index);
    return {
      id: ids[index]!,
      doc_id: docId,
      parent_id: parent < 0 ? docId : ids[parent]!,
      title,
      title_path: path,
      level,
      start_position: span.start,
      end_position: span.end,
      loc: { ...places.loc(span.start, span.end), offset: heading.start },
      blocks: own[index]!,
      ...(summary === undefined ? {} : { summary }),
    };
  });
  return { sections, blocks, paths };
}

function blockRecord(
  text: string,
  block: TreeBlock,
  paragraph: number,
  source: string,
  places: Places,
): Block {
  const { type, start, end, lang } = block;
  const { lines, ...pages } = places.loc(start, end);
  const meta = { refer_line: lines.from, source, token_count: tokensBetween(text, start, end) };
  return {
    type,
    text: text.slice(start, end),
    meta: lang === undefined ? meta : { lang, ...meta },
    loc: { ...pages, paragraph, lines, offset: start },
  };
}

function opening(text: string, { start, end }: TreeBlock): string {
  const to = Math.min(end, start + 4 * SUMMARY);
  let stop = start;
  for (const at of [...sentenceStarts(text, start, to), to]) {
    if (at - start > SUMMARY) break;
    stop = at;
  }
  const sentences = text.slice(start, stop).trim();
  return sentences === '' ? firstCharacters(text.slice(start, to), SUMMARY).trim() : sentences;
}
