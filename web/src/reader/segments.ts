import type { Mark, Outline } from '../api-records.js';

/**
 * A document's text as short pieces: none crosses the edge of a block, of a passage or of what is marked, so each piece is
 * drawn in one way. A reader draws only those in sight.
 */
export interface Segment {
  readonly start: number;
  readonly end: number;
  readonly kind: 'heading' | 'paragraph' | 'code' | 'table' | 'list' | 'quote' | 'html' | 'gap';
  /** Of a heading. */
  readonly level: number;
  /** The section that begins here. */
  readonly section: string | null;
  /** Places in `outline.chunks`: two where passages overlap. */
  readonly chunks: readonly number[];
  /** The passage that begins here. */
  readonly opens: number | null;
  readonly marked: boolean;
}

/** Longer ones are cut, so that no piece is much taller than a screen. */
const LONGEST = 4000;

export function segmentsOf(
  outline: Pick<Outline, 'length' | 'sections' | 'blocks' | 'chunks'>,
  mark: Mark | null,
): Segment[] {
  const { length, sections, blocks, chunks } = outline;
  const edges = new Set<number>([0, length]);
  for (const { start, end } of blocks) edges.add(start).add(end);
  for (const { start_position, end_position } of chunks) edges.add(start_position).add(end_position);
  for (const { start_position } of sections) edges.add(start_position);
  if (mark) edges.add(mark.start).add(mark.end);
  const sorted = [...edges].filter((edge) => edge >= 0 && edge <= length).sort((a, b) => a - b);
  const sectionAt = new Map(sections.map((section) => [section.start_position, section]));
  const segments: Segment[] = [];
  let block = 0;
  let first = 0;
  for (const [at, from] of sorted.entries()) {
    const to = sorted[at + 1];
    if (to === undefined) break;
    while (block < blocks.length && blocks[block]!.end <= from) block++;
    while (first < chunks.length && chunks[first]!.end_position <= from) first++;
    const inside = blocks[block] !== undefined && blocks[block]!.start <= from ? blocks[block] : undefined;
    const section = sectionAt.get(from);
    const covering: number[] = [];
    // Passages stand in order, and at most a few reach into one place.
    for (let c = first; c < chunks.length && chunks[c]!.start_position <= from; c++)
      if (chunks[c]!.end_position > from) covering.push(c);
    const isHeading = inside === undefined && section !== undefined;
    for (let start = from; start < to; start += LONGEST) {
      segments.push({
        start,
        end: Math.min(to, start + LONGEST),
        kind: isHeading ? 'heading' : (inside?.type ?? 'gap'),
        level: isHeading ? section.level : 0,
        section: start === from ? (section?.id ?? null) : null,
        chunks: covering,
        opens: covering.find((c) => chunks[c]!.start_position === start) ?? null,
        marked: mark !== null && start >= mark.start && start < mark.end,
      });
    }
  }
  return segments;
}
