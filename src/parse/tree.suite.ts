import { expect } from 'vitest';
import type { Tree } from '../model/tree.js';

/** What holds for the tree of every format: `model/tree.ts` as assertions. */
export function expectSoundTree(tree: Tree): void {
  const { text, sections, blocks } = tree;
  expect(text).not.toMatch(/\r|\p{Surrogate}/u);
  let at = 0;
  for (const [index, section] of sections.entries()) {
    expect(section.level).toBeGreaterThanOrEqual(1);
    expect(section.level).toBeLessThanOrEqual(6);
    expect(section.parent).toBeLessThan(index);
    expect(section.span.start).toBe(section.heading.start);
    expect(section.heading.end).toBeLessThanOrEqual(section.span.end);
    expect(section.span.end).toBeLessThanOrEqual(text.length);
    expect(section.span.start).toBeGreaterThanOrEqual(at);
    expect(section.title).toBe(section.title.replace(/\s+/g, ' ').trim());
    at = section.span.start;
    const parent = sections[section.parent];
    if (parent === undefined) continue;
    expect(parent.level).toBeLessThan(section.level);
    expect(parent.span.start).toBeLessThanOrEqual(section.span.start);
    expect(parent.span.end).toBeGreaterThanOrEqual(section.span.end);
  }
  at = 0;
  for (const block of blocks) {
    expect(block.start).toBeGreaterThanOrEqual(at);
    expect(block.end).toBeGreaterThan(block.start);
    expect(block.end).toBeLessThanOrEqual(text.length);
    at = block.end;
    const own = sections[block.section];
    if (block.section >= 0) expect(own).toBeDefined();
    if (own) {
      expect(own.heading.end).toBeLessThanOrEqual(block.start);
      expect(own.span.end).toBeGreaterThanOrEqual(block.end);
    }
    // One assertion for all: a long file has a million cuts.
    const edges = [block.start, ...(block.cuts ?? []), block.end];
    expect(edges.findIndex((cut, at) => at > 0 && cut <= edges[at - 1]!)).toBe(-1);
    if (block.header) {
      expect(block.header.start).toBeGreaterThanOrEqual(block.start);
      expect(block.header.end).toBeLessThanOrEqual(block.end);
    }
  }
  expectCovered(tree);
  for (const [index, page] of tree.pages.entries()) {
    expect(page).toBeGreaterThanOrEqual(tree.pages[index - 1] ?? 0);
    expect(page).toBeLessThanOrEqual(text.length);
  }
}

/** Nothing is lost: outside headings and blocks there is white space only. */
function expectCovered(tree: Tree): void {
  const spans = [...tree.sections.map((section) => section.heading), ...tree.blocks, ...tree.excluded];
  spans.sort((a, b) => a.start - b.start);
  let at = 0;
  for (const span of spans) {
    if (span.start > at) expect(tree.text.slice(at, span.start).trim()).toBe('');
    at = Math.max(at, span.end);
  }
  expect(tree.text.slice(at).trim()).toBe('');
}

/** The titles with their levels, as an outline a test can compare: `['1 Intro', '2 Scope']`. */
export const outline = (tree: Tree): string[] =>
  tree.sections.map((section) => `${section.level} ${section.title}`);

/** Blocks as `type: text`. */
export const blockTexts = (tree: Tree): string[] =>
  tree.blocks.map((block) => `${block.type}: ${tree.text.slice(block.start, block.end)}`);
