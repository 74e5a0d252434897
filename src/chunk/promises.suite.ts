import { expect } from 'vitest';
import type { Chunk } from '../model/chunk.js';
import { type Tree, titlePath } from '../model/tree.js';
import type { ChunkSettings } from './settings.js';

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** What holds for the chunks of every document, whatever it is: run on random and on hostile documents. */
export function expectPromises(tree: Tree, chunks: readonly Chunk[], settings: ChunkSettings): void {
  const { text } = tree;
  expectSlices(text, chunks);
  expectCoverage(tree, chunks, settings);
  for (const chunk of chunks) expectFits(chunk, settings);
  expectWholeBlocks(tree, chunks, settings);
  if (settings.strategy === 'hierarchical') expectOneSection(tree, chunks);
  else expectPaths(tree, chunks, settings.strategy);
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

/** Every character that can be read lies in a chunk, front matter and comments aside; for slices, titles too. */
function expectCoverage(
  { text, excluded, sections }: Tree,
  chunks: readonly Chunk[],
  { strategy }: ChunkSettings,
): void {
  const covered = new Uint8Array(text.length);
  for (const { level, heading } of sections)
    if (strategy === 'h2' && level === 1) covered.fill(1, heading.start, heading.end);
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

/** For each character the section whose text it is, or NO_TEXT for headings, white space and what is excluded. */
function owners({ text, sections, excluded }: Tree): Int32Array {
  const found = new Int32Array(text.length).fill(-1);
  for (const [index, { heading }] of sections.entries())
    found.fill(index, heading.start, sections[index + 1]?.heading.start);
  for (const { heading } of sections) found.fill(NO_TEXT, heading.start, heading.end);
  for (const { start, end } of excluded) found.fill(NO_TEXT, start, end);
  for (let at = 0; at < text.length; at++) if (/\s/.test(text[at]!)) found[at] = NO_TEXT;
  return found;
}
const NO_TEXT = -2;

/** No chunk crosses a section; each says whose text it is; each section with text has a chunk that says so. */
function expectOneSection(tree: Tree, chunks: readonly Chunk[]): void {
  const { sections } = tree;
  const owner = owners(tree);
  const path = (index: number): string => JSON.stringify(titlePath(sections, index));
  const labelled = new Set<string>();
  const wrong: string[] = [];
  let headings = -1;
  for (const { start_position, end_position, title_path, chunk_index } of chunks) {
    // Chunks and headings ascend: a hundred thousand of each must not be compared one by one.
    while (headings + 1 < sections.length && sections[headings + 1]!.heading.start < end_position) headings++;
    const held = new Set(owner.subarray(start_position, end_position));
    held.delete(NO_TEXT);
    if (held.size > 1) wrong.push(`chunk ${chunk_index} holds text of ${[...held].map(path).join(' and ')}`);
    const own = path(held.size === 0 ? headings : [...held][0]!);
    if (own !== JSON.stringify(title_path))
      wrong.push(`chunk ${chunk_index} is labelled ${title_path}, not ${own}`);
    labelled.add(own);
  }
  for (const index of new Set(owner))
    if (index !== NO_TEXT && !labelled.has(path(index))) wrong.push(`${path(index)} has no chunk`);
  expect(wrong).toEqual([]);
}

/** A slice stands under the heading it begins with; `content` names a section that is open there, or begins in it. */
function expectPaths({ sections }: Tree, chunks: readonly Chunk[], strategy: string): void {
  const path = (index: number): string => JSON.stringify(titlePath(sections, index));
  // Chunks and headings ascend: what has begun is gathered on the way.
  const begun = new Set<string>();
  let next = 0;
  let begins = -1;
  const wrong: string[] = [];
  for (const { start_position, end_position, title_path, chunk_index } of chunks) {
    while (next < sections.length && sections[next]!.heading.start < end_position) begun.add(path(next++));
    while (begins + 1 < sections.length && sections[begins + 1]!.heading.start <= start_position) begins++;
    const own = JSON.stringify(title_path);
    const holds =
      strategy === 'h2' ? own === '[]' || own === path(begins) : own === path(begins) || begun.has(own);
    if (!holds) wrong.push(`chunk ${chunk_index} is labelled ${own}`);
  }
  expect(wrong).toEqual([]);
}
