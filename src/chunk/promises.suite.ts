import { expect } from 'vitest';
import type { Chunk } from '../model/chunk.js';
import { type Tree, titlePath } from '../model/tree.js';
import type { ChunkSettings } from './settings.js';

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** What holds for the chunks of every document, whatever it is: run on random and on hostile documents. */
export function expectPromises(tree: Tree, chunks: readonly Chunk[], settings: ChunkSettings): void {
  const { text } = tree;
  expectSlices(text, chunks);
  expectCoverage(tree, chunks);
  for (const chunk of chunks) expectFits(chunk, settings);
  expectWholeBlocks(tree, chunks, settings);
  expectPaths(tree, chunks);
  expect(new Set(chunks.map(({ chunk_hash }) => chunk_hash)).size).toBe(chunks.length);
  expect(new Set(chunks.map(({ id }) => id)).size).toBe(chunks.length);
}

// Violations are gathered and compared once: a thousand chunks would make ten thousand slow expectations.
function expectSlices(text: string, chunks: readonly Chunk[]): void {
  const wrong: string[] = [];
  const lines = lineNumbers(text);
  chunks.forEach((chunk, index) => {
    const { start_position: start, end_position: end, content, loc } = chunk;
    const before = chunks[index - 1];
    if (chunk.chunk_index !== index) wrong.push(`index ${chunk.chunk_index} at ${index}`);
    if (content.trim() === '') wrong.push(`chunk ${index} is blank`);
    if (text.slice(start, end) !== content) wrong.push(`chunk ${index} is no slice`);
    if (!content.isWellFormed()) wrong.push(`chunk ${index} has half a character`);
    if (before !== undefined && (start <= before.start_position || end <= before.end_position))
      wrong.push(`chunk ${index} does not move on`);
    if (loc.lines?.from !== lines[start] || loc.lines?.to !== lines[end - 1])
      wrong.push(`chunk ${index} has wrong lines`);
  });
  expect(wrong).toEqual([]);
}

function lineNumbers(text: string): Uint32Array {
  const lines = new Uint32Array(text.length);
  let line = 1;
  for (let at = 0; at < text.length; at++) {
    lines[at] = line;
    if (text.charCodeAt(at) === 10) line++;
  }
  return lines;
}

/** Every character that can be read lies in a chunk, front matter and comments aside. */
function expectCoverage({ text, excluded }: Tree, chunks: readonly Chunk[]): void {
  const covered = new Uint8Array(text.length);
  for (const { start, end } of excluded) covered.fill(1, start, end);
  for (const { start_position, end_position } of chunks) covered.fill(1, start_position, end_position);
  const lost: string[] = [];
  for (let at = 0; at < text.length; at++)
    if (covered[at] === 0 && /\S/.test(text[at]!)) lost.push(text[at]!);
  expect(lost).toEqual([]);
}

/** No chunk is over the maximum, a single grapheme aside; and none begins or ends inside one. */
function expectFits(chunk: Chunk, { max }: ChunkSettings): void {
  if (chunk.content.length > max) {
    expect([...graphemes.segment(chunk.content)]).toHaveLength(1);
  }
}

/** Nothing was cut inside a grapheme. */
export function expectWholeGraphemes(text: string, chunks: readonly Chunk[]): void {
  const starts = new Set<number>([text.length]);
  for (const { index } of graphemes.segment(text)) starts.add(index);
  const cut = chunks.filter((chunk) => !starts.has(chunk.start_position) || !starts.has(chunk.end_position));
  expect(cut.map(({ content }) => content)).toEqual([]);
}

/** Code and tables that fit are in one chunk as a whole; parts of longer tables repeat the header. */
function expectWholeBlocks(
  { text, blocks, excluded }: Tree,
  chunks: readonly Chunk[],
  { max }: ChunkSettings,
): void {
  for (const { type, start, end, header } of blocks) {
    if (type !== 'code' && type !== 'table') continue;
    const from = start + /^\s*/.exec(text.slice(start, end))![0].length;
    const to = start + text.slice(start, end).trimEnd().length;
    if (excluded.some((range) => range.start < to && range.end > from)) continue;
    if (to - from <= max && to > from) {
      expect(chunks.some((chunk) => chunk.start_position <= from && chunk.end_position >= to)).toBe(true);
    } else if (header !== undefined) {
      const later = chunks.filter(
        ({ start_position }) => start_position >= header.end && start_position < end,
      );
      for (const { metadata } of later)
        expect(metadata.table_header).toBe(text.slice(header.start, header.end));
    }
  }
}

function lastHeadingAt(sections: Tree['sections'], offset: number): number {
  let low = 0;
  let high = sections.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sections[middle]!.heading.start <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Each chunk carries the full path of a section that is open where its text begins. */
function expectPaths({ text, sections, excluded }: Tree, chunks: readonly Chunk[]): void {
  const wrong: string[] = [];
  for (const chunk of chunks) {
    let first = chunk.start_position;
    let above = lastHeadingAt(sections, first);
    // A run of headings at the start: the chunk stands under the last of them.
    for (; above >= 0 && sections[above]!.heading.start === first; above++) {
      const { end } = sections[above]!.heading;
      let next = end;
      while (
        next < text.length &&
        (/\s/.test(text[next]!) || excluded.some((range) => range.start <= next && next < range.end))
      )
        next++;
      if (sections[above + 1]?.heading.start !== next || next >= chunk.end_position) break;
      first = next;
    }
    const paths = new Set<string>();
    for (let at = above; at >= 0; at = sections[at]!.parent)
      paths.add(JSON.stringify(titlePath(sections, at)));
    if (above < 0) paths.add('[]');
    const own = JSON.stringify(chunk.title_path);
    if (!paths.has(own)) wrong.push(`${own}, not one of ${[...paths].join(' ')}`);
  }
  expect(wrong).toEqual([]);
}
