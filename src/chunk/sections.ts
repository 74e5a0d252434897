import { sha256 } from '../model/hash.js';
import { sectionId } from '../model/id.js';
import type { Block, Section } from '../model/section.js';
import { type Tree, type TreeBlock, titlePath } from '../model/tree.js';
import { firstCharacters } from '../text/graphemes.js';
import { sentenceStarts } from '../text/sentences.js';
import type { TokenCounts } from '../text/tokens.js';
import type { Places } from './places.js';

/** Longer titles are told apart by their hash. */
const LONG_TITLE = 64;

/** What chunks need of the sections: each one's id and path, made when they are asked for. */
export class SectionNames {
  readonly #sections: Tree['sections'];
  readonly #docId: string;
  /** How many sections with the same path stand before each. */
  readonly #occurrence: Uint32Array;
  /** The last that was asked for: most chunks are asked for in their order. */
  #last = -1;
  #id = '';
  #path: readonly string[] = [];

  constructor({ sections }: Tree, docId: string) {
    this.#sections = sections;
    this.#docId = docId;
    this.#occurrence = occurrences(sections);
  }

  /** Null before the first heading. */
  id(index: number): string | null {
    if (index < 0) return null;
    if (index !== this.#last) this.#make(index);
    return this.#id;
  }

  path(index: number): readonly string[] {
    if (index < 0) return [];
    if (index !== this.#last) this.#make(index);
    return this.#path;
  }

  #make(index: number): void {
    this.#path = titlePath(this.#sections, index);
    this.#id = sectionId(this.#docId, this.#path, this.#occurrence[index]!);
    this.#last = index;
  }
}

function occurrences(sections: Tree['sections']): Uint32Array {
  const found = new Uint32Array(sections.length);
  /** The first section with the path that each has: with its parent's, a title says the whole path. */
  const first = new Uint32Array(sections.length);
  const seen = new Map<string, { readonly index: number; count: number }>();
  for (const [index, { title, parent }] of sections.entries()) {
    const name = title.length > LONG_TITLE ? `\n${sha256(title)}` : title;
    const key = `${parent < 0 ? -1 : first[parent]}\0${name}`;
    const before = seen.get(key);
    if (before === undefined) {
      first[index] = index;
      seen.set(key, { index, count: 1 });
    } else {
      first[index] = before.index;
      found[index] = before.count++;
    }
  }
  return found;
}

export interface RecordContext {
  readonly doc_id: string;
  readonly source: string;
  readonly names: SectionNames;
  readonly places: Places;
  readonly tokens: TokenCounts;
}

/** The sections as records, each with its own blocks, made one at a time: all of them are twice as large as the text. */
export function* sectionRecords(tree: Tree, context: RecordContext): Generator<Section, void, undefined> {
  const { names, places, doc_id } = context;
  const own = new BlocksOf(tree);
  for (const [index, { title, level, parent, span, heading }] of tree.sections.entries()) {
    const blocks = own.section(index);
    const first = blocks.find((at) => tree.blocks[at]!.type === 'paragraph');
    const section = {
      id: names.id(index)!,
      doc_id,
      parent_id: names.id(parent) ?? doc_id,
      title,
      title_path: names.path(index),
      level,
      start_position: span.start,
      end_position: span.end,
      loc: { ...places.loc(span.start, span.end), offset: heading.start },
      blocks: Array.from(blocks, (at) => blockRecord(tree, at, context)),
    };
    yield first === undefined ? section : { ...section, summary: opening(tree.text, tree.blocks[first]!) };
  }
}

/** The blocks before the first heading. */
export function* blockRecords(tree: Tree, context: RecordContext): Generator<Block, void, undefined> {
  for (const at of new BlocksOf(tree).section(-1)) yield blockRecord(tree, at, context);
}

/** Which blocks are a section's own. Most follow each other, but in code a class goes on after its methods. */
class BlocksOf {
  /** Blocks, by section; and where each section's begin, that before the first heading first. */
  readonly #order: Uint32Array;
  readonly #from: Uint32Array;

  constructor({ sections, blocks }: Tree) {
    this.#order = new Uint32Array(blocks.length);
    this.#from = new Uint32Array(sections.length + 3);
    for (const { section } of blocks) this.#from[section + 3]!++;
    for (let at = 3; at < this.#from.length; at++) this.#from[at]! += this.#from[at - 1]!;
    for (const [at, { section }] of blocks.entries()) this.#order[this.#from[section + 2]!++] = at;
  }

  section(index: number): Uint32Array {
    return this.#order.subarray(this.#from[index + 1], this.#from[index + 2]);
  }
}

function blockRecord(
  { text, blocks }: Tree,
  index: number,
  { source, places, tokens }: RecordContext,
): Block {
  const { type, start, end, lang, pointer } = blocks[index]!;
  const place = places.loc(start, end);
  const meta = {
    ...(place.lines === undefined ? {} : { refer_line: place.lines.from }),
    source,
    token_count: tokens.between(start, end),
  };
  return {
    type,
    text: text.slice(start, end),
    meta: lang === undefined ? meta : { lang, ...meta },
    loc: { paragraph: index + 1, ...place, ...(pointer === undefined ? {} : { pointer }), offset: start },
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
