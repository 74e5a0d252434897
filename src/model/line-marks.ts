import type { Chunk } from './chunk.js';
import type { Loc } from './section.js';

/**
 * The lines of the file that the parts of a chunk stand on, for formats whose text is not the file's: pairs of numbers,
 * an offset in the content and the line from there on, each written as the difference to the one before.
 */
export type LineMarks = readonly number[];

export function packLineMarks(pairs: readonly (readonly [offset: number, line: number])[]): LineMarks {
  const packed: number[] = [];
  let last: readonly [number, number] = [0, 0];
  for (const pair of pairs) {
    packed.push(pair[0] - last[0], pair[1] - last[1]);
    last = pair;
  }
  return packed;
}

/** These formats' text is made from the file, so that lines of the one are not lines of the other. */
export const CONVERTED: ReadonlySet<string> = new Set([
  'html',
  'json',
  'jsonl',
  'jupyter',
  'docx',
  'pptx',
  'xlsx',
  'epub',
  'pdf',
  'picture',
]);

type Placed = Pick<Chunk, 'content' | 'loc' | 'metadata'>;

/** The line of the file on which a character of the content stands; undefined where lines are not known. */
export function lineOf(chunk: Placed, offset: number): number | undefined {
  const { line_marks } = chunk.metadata;
  if (line_marks === undefined) {
    if (chunk.loc.lines === undefined) return undefined;
    let line = chunk.loc.lines.from;
    for (
      let at = chunk.content.indexOf('\n');
      at >= 0 && at < offset;
      at = chunk.content.indexOf('\n', at + 1)
    )
      line += 1;
    return line;
  }
  let at = 0;
  let line = 0;
  for (let index = 0; index + 1 < line_marks.length; index += 2) {
    at += line_marks[index]!;
    if (at > offset) break;
    line += line_marks[index + 1]!;
  }
  return line === 0 ? chunk.loc.lines?.from : line;
}

/** Without lines where a library from before there were line marks counted those of the converted text. */
export function trueLoc({ loc, metadata }: Placed, format: unknown): Loc {
  if (loc.lines === undefined || metadata.line_marks !== undefined || !CONVERTED.has(String(format)))
    return loc;
  const { lines: _, ...rest } = loc;
  return rest;
}
