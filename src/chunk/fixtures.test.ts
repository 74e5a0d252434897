import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Tree } from '../model/tree.js';
import { parseDocument } from '../parse/parse.js';
import { DEFAULT_LIMITS } from '../parse/parser.js';
import { chunkDocument } from './chunk.js';
import { chunkSettings } from './settings.js';

/**
 * Pairs: a page, and beside it what it must become, as a person would write it down. `UPDATE_FIXTURES=1` writes the
 * second half anew; read the difference before it is committed.
 */
const FOLDER = join(import.meta.dirname, '../../test/fixtures/markdown');
const SETTINGS = chunkSettings({ max: 200, min: 40, overlap: 0.18 });

const shown = (text: string): string => {
  const line = JSON.stringify(text).slice(1, -1);
  return line.length <= 76 ? line : `${line.slice(0, 48)} … ${line.slice(-24)}`;
};

function outline(tree: Tree): string[] {
  const heads = tree.sections.map((section) => ({
    at: section.heading.start,
    line: `${'#'.repeat(section.level)} ${section.title}`,
  }));
  const blocks = tree.blocks.map((block) => {
    const kind = block.lang === undefined ? block.type : `${block.type} (${block.lang})`;
    const cuts = block.cuts?.length ? ` [${block.cuts.length} cuts]` : '';
    return { at: block.start, line: `  ${kind}${cuts}: ${shown(tree.text.slice(block.start, block.end))}` };
  });
  const left = tree.excluded.map(({ start, end }) => `excluded: ${shown(tree.text.slice(start, end))}`);
  return [...[...heads, ...blocks].sort((a, b) => a.at - b.at).map(({ line }) => line), ...left];
}

function chunks(tree: Tree, name: string): string[] {
  const title = tree.title ?? name;
  const made = chunkDocument(tree, { doc_id: name, title, source: name, settings: SETTINGS }).chunks;
  return made.map(
    ({ chunk_index, content_type, title_path, loc, content, metadata }) =>
      `${chunk_index} ${content_type} [${title_path.join(' > ')}] lines ${loc.lines?.from}-${loc.lines?.to}: ${shown(content)}` +
      (metadata.table_header === undefined ? '' : `\n  with the header ${shown(metadata.table_header)}`),
  );
}

describe('pages and what becomes of them', () => {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.md'));
  it.each(names)('S4.1 S4.3 %s', async (name) => {
    const bytes = readFileSync(join(FOLDER, name));
    const tree = await parseDocument({ bytes, name, limits: DEFAULT_LIMITS });
    const actual = `title: ${tree.title}\n\n${outline(tree).join('\n')}\n\nchunks of at most ${SETTINGS.max}:\n${chunks(tree, name).join('\n')}\n`;
    const pair = join(FOLDER, `${basename(name, '.md')}.expected.txt`);
    if (process.env.UPDATE_FIXTURES) writeFileSync(pair, actual);
    expect(actual).toBe(readFileSync(pair, 'utf8'));
  });

  it('has a page for every expectation', () => {
    const pairs = readdirSync(FOLDER).filter((name) => name.endsWith('.expected.txt'));
    expect(pairs.map((name) => name.replace('.expected.txt', '.md')).sort()).toEqual(names.sort());
    expect(names.length).toBeGreaterThanOrEqual(8);
  });
});
