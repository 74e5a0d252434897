import type { Chunk } from '../../model/chunk.js';
import type { Citation } from '../../model/citation.js';
import { type Document, readableSource } from '../../model/document.js';
import { cleanLabel } from '../../model/indexed.js';
import type { Loc } from '../../model/section.js';
import { sketch } from '../../text/likeness.js';

/** What of a citation a program needs to check it. */
export interface Ref {
  readonly doc_id: string;
  readonly chunk_id: string;
  readonly start_position: number;
  readonly end_position: number;
  /** The first 16 to 64 hexadecimal digits of the chunk's `hash`. */
  readonly hash_prefix: string;
  /** 64 bits that are alike for texts that are (text/likeness.ts): tells a changed passage from a vanished one. */
  readonly sketch?: string;
}

/** 64 bits of the hash: two passages of one document do not share them by chance. */
const HASH_DIGITS = 16;

const REF =
  /strata:(?<doc>[0-9a-zA-Z_.-]+)\/(?<chunk>[0-9a-zA-Z_.-]+)#(?<start>\d+)-(?<end>\d+)@(?<hash>[0-9a-f]{16,64})(?:~(?<sketch>[0-9a-f]{16}))?/;

/** `strata:<document>/<chunk>#<start>-<end>@<hash>~<sketch>`: what `strata verify` reads, wherever it stands in a line. */
export function formatRef(ref: Ref): string {
  const { doc_id, chunk_id, start_position, end_position, hash_prefix, sketch: bits } = ref;
  const place = `strata:${doc_id}/${chunk_id}#${start_position}-${end_position}`;
  return `${place}@${hash_prefix}${bits === undefined ? '' : `~${bits}`}`;
}

/** A reference, and the heading it stood under as far as the citation says. */
export interface Cited extends Ref {
  readonly heading: string | null;
}

/** The way back from `citation` and `formatRef`; null where the text holds no reference. */
export function parseCitation(cited: string | Citation): Cited | null {
  const text = typeof cited === 'string' ? cited : cited.ref;
  const groups = REF.exec(text)?.groups;
  if (!groups) return null;
  return {
    heading: typeof cited === 'string' ? headingIn(text) : (cited.title_path.at(-1) ?? null),
    doc_id: groups.doc!,
    chunk_id: groups.chunk!,
    start_position: Number(groups.start),
    end_position: Number(groups.end),
    hash_prefix: groups.hash!,
    ...(groups.sketch !== undefined && { sketch: groups.sketch }),
  };
}

/** The end of a citation that `placeOf` has written. */
const PLACE = / \((?:(?:line|page|slide|cell)s? |chapter |sheet |paragraph ).*\)$/;

/** The last title before the place, which stands in parentheses behind the titles. */
function headingIn(text: string): string | null {
  const label = text.slice(0, text.indexOf('strata:')).replace(/\[$/, '');
  const title = label.split(' › ').slice(1).at(-1)?.trimEnd();
  return title?.replace(PLACE, '').trim() ?? null;
}

/** `guide.md › 部署 › Nginx (lines 12–30) [strata:…]`: for people first, then for `strata verify`. */
export function citation(
  document: Pick<Document, 'id' | 'source_path' | 'title'>,
  chunk: Pick<
    Chunk,
    'id' | 'doc_id' | 'title_path' | 'loc' | 'start_position' | 'end_position' | 'hash' | 'content'
  >,
): Citation {
  const { start_position, end_position, title_path, loc } = chunk;
  const ref = formatRef({
    doc_id: document.id,
    chunk_id: chunk.id,
    start_position,
    end_position,
    hash_prefix: chunk.hash.slice(0, HASH_DIGITS),
    sketch: sketch(chunk.content),
  });
  const where = [readableSource(document), ...title_path].map(oneLine).filter(Boolean).join(' › ');
  const place = placeOf(loc);
  return {
    ref: `${where}${place ? ` (${place})` : ''} [${ref}]`,
    doc_id: document.id,
    chunk_id: chunk.id,
    source_path: document.source_path,
    title_path: title_path.map(cleanLabel),
    loc,
    start_position,
    end_position,
    content_hash: chunk.hash,
  };
}

// A title must not look like the reference behind it.
const oneLine = (label: string): string => flat(cleanLabel(label));

/** What a person would look for: `slide 3`, `sheet Costs, cells A2:F40`, `lines 12–30, /paths/~1users`, `page 4, OCR`. */
function placeOf(loc: Loc): string {
  const { page, slide, cell, chapter, sheet, cells, lines, pointer } = loc;
  const places = [
    page !== undefined && range('page', 'pages', page, loc.page_end ?? page),
    slide !== undefined && range('slide', 'slides', slide, loc.slide_end ?? slide),
    cell !== undefined && range('cell', 'cells', cell, loc.cell_end ?? cell),
    chapter !== undefined && `chapter ${flat(chapter)}`,
    sheet !== undefined && `sheet ${flat(sheet)}`,
    cells !== undefined && (cells.includes(':') ? `cells ${cells}` : `cell ${cells}`),
    lines !== undefined && range('line', 'lines', lines.from, lines.to),
    pointer && pointer.length <= LONGEST_POINTER && flat(pointer),
    loc.ocr !== undefined && 'OCR',
  ].filter((place) => typeof place === 'string' && place !== '');
  if (places.length > 0) return places.join(', ');
  return loc.paragraph !== undefined ? `paragraph ${loc.paragraph}` : '';
}

/** A longer one is in `loc` alone. */
const LONGEST_POINTER = 160;

const flat = (name: string): string => name.replace(/[\s\p{Cc}]+/gu, ' ').replaceAll('strata:', 'strata ');

const range = (one: string, many: string, from: number, to: number): string =>
  from === to ? `${one} ${from}` : `${many} ${from}–${to}`;
