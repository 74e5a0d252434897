import { StrataError } from '../../model/errors.js';
import type { Tree, TreeBlock } from '../../model/tree.js';
import { decode } from '../decode.js';
import { guessHeader } from '../html/table.js';
import type { ParseInput } from '../parser.js';

/**
 * CSV and TSV keep their text: one table, cut between rows (never inside a quoted cell), whose header row is repeated
 * in what is indexed.
 */
export async function csvParser({ bytes, name }: ParseInput): Promise<Tree> {
  const text = decode(bytes);
  const { default: papa } = await import('papaparse');
  const starts: number[] = [];
  const first: string[][] = [];
  let from = 0;
  papa.parse<string[]>(text, {
    delimiter: /\.(?:tsv|tab)$/i.test(name) ? '\t' : guessDelimiter(text),
    newline: '\n',
    skipEmptyLines: false,
    step: ({ data, meta }) => {
      if (text.slice(from, meta.cursor).trim() !== '') {
        starts.push(from);
        if (first.length < 8) first.push(data);
      }
      from = meta.cursor;
    },
  });
  if (first.length > 0 && first.every((row) => row.length < 2)) {
    throw new StrataError('CORRUPT', 'it has no columns');
  }
  return table(text, starts, guessHeader(first, 2));
}

/** The mark that every one of the first lines has, as often as can be. (papaparse's own guess fails on short files.) */
function guessDelimiter(text: string): string {
  const lines = text
    .slice(0, 20_000)
    .replace(/"[^"]*"/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 20);
  let best = ',';
  let most = 0;
  for (const mark of [',', '\t', ';', '|']) {
    const least = Math.min(...lines.map((line) => line.split(mark).length - 1));
    if (lines.length > 0 && least > most) [best, most] = [mark, least];
  }
  return best;
}

function table(text: string, starts: readonly number[], headerRows: number): Tree {
  const blocks: TreeBlock[] = [];
  const [start] = starts;
  if (start !== undefined) {
    const headerEnd =
      headerRows === 0 ? start : start + text.slice(start, starts[headerRows]).trimEnd().length;
    const cuts = starts.slice(1 + headerRows);
    blocks.push({
      type: 'table',
      start,
      end: text.trimEnd().length,
      section: -1,
      ...(headerRows > 0 ? { header: { start, end: headerEnd } } : {}),
      ...(cuts.length > 0 ? { cuts } : {}),
    });
  }
  return {
    format: 'csv',
    text,
    title: null,
    sections: [],
    blocks,
    excluded: [],
    pages: [],
    metadata: { rows: Math.max(0, starts.length - headerRows) },
    warnings: [],
  };
}
