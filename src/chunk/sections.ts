import { sectionId } from '../model/id.js';
import type { Block, Section } from '../model/section.js';
import { type Tree, type TreeBlock, titlePath } from '../model/tree.js';
import { firstCharacters } from '../text/graphemes.js';
import { sentenceStarts } from '../text/sentences.js';
import type { TokenCounts } from '../text/tokens.js';
import type { Places } from './places.js';

/** What chunks need of the sections: each one's id and path. */
export interface SectionNames {
  readonly ids: readonly string[];
  readonly paths: readonly (readonly string[])[];
}

export function nameSections({ sections }: Tree, docId: string): SectionNames {
  const paths = sections.map((_, index) => titlePath(sections, index));
  const seen = new Map<string, number>();
  const ids = paths.map((path) => {
    const name = path.join('\u0000');
    const occurrence = seen.get(name) ?? 0;
    seen.set(name, occurrence + 1);
    return sectionId(docId, path, occurrence);
  });
  return { ids, paths };
}

export interface RecordContext {
  readonly doc_id: string;
  readonly source: string;
  readonly names: SectionNames;
  readonly places: Places;
  readonly tokens: TokenCounts;
}

/** The sections as records, each with its own blocks; and the blocks before the first heading. */
export function sectionRecords(tree: Tree, context: RecordContext): { sections: Section[]; blocks: Block[] } {
  const { names, places, doc_id } = context;
  const own: Block[][] = tree.sections.map(() => []);
  const blocks: Block[] = [];
  const summaries = new Map<number, string>();
  tree.blocks.forEach((block, index) => {
    (own[block.section] ?? blocks).push(blockRecord(tree.text, block, index + 1, context));
    if (block.type === 'paragraph' && !summaries.has(block.section)) {
      summaries.set(block.section, opening(tree.text, block));
    }
  });
  const sections = tree.sections.map(({ title, level, parent, span, heading }, index): Section => {
    const summary = summaries.get(index);
    const section = {
      id: names.ids[index]!,
      doc_id,
      parent_id: names.ids[parent] ?? doc_id,
      title,
      title_path: names.paths[index]!,
      level,
      start_position: span.start,
      end_position: span.end,
      loc: { ...places.loc(span.start, span.end), offset: heading.start },
      blocks: own[index]!,
    };
    return summary === undefined ? section : { ...section, summary };
  });
  return { sections, blocks };
}

function blockRecord(
  text: string,
  block: TreeBlock,
  paragraph: number,
  { source, places, tokens }: RecordContext,
): Block {
  const { type, start, end, lang } = block;
  const place = places.loc(start, end);
  const meta = { refer_line: place.lines.from, source, token_count: tokens.between(start, end) };
  return {
    type,
    text: text.slice(start, end),
    meta: lang === undefined ? meta : { lang, ...meta },
    loc: { ...place, paragraph, offset: start },
  };
}

/** A section's summary: whole sentences of its first paragraph, as many as fit. */
const SUMMARY = 200;

function opening(text: string, { start, end }: TreeBlock): string {
  if (end - start <= SUMMARY) return text.slice(start, end);
  const to = start + SUMMARY;
  const stop = sentenceStarts(text, start, Math.min(end, to + 1)).at(-1);
  return stop === undefined
    ? firstCharacters(text.slice(start, end), SUMMARY)
    : text.slice(start, stop).trimEnd();
}
