import { isStrataError, StrataError } from '../model/errors.js';
import type { Tree } from '../model/tree.js';
import { TreeBuilder } from './builder.js';
import { decodedLines } from './decode.js';
import { renderRecord } from './json-render.js';
import { JsonNodes, type JsonTable, scanJson } from './json-scan.js';
import type { ParseInput, Parser } from './parser.js';

/**
 * One JSON value a line. The file is read as an array of them: the first line is `/0`. A damaged line is kept as text
 * and reported; the others are read.
 */
export const jsonlParser: Parser = {
  format: 'jsonl',
  extensions: ['.jsonl', '.ndjson', '.jsonlines'],
  parse: parseJsonl,
};

function parseJsonl({ bytes, limits }: ParseInput): Tree {
  const builder = new TreeBuilder();
  const damaged: number[] = [];
  const nodes = new JsonNodes();
  let record = 0;
  let line = 0;
  for (const whole of decodedLines(bytes)) {
    const source = whole.trim();
    line += 1;
    if (source === '') continue;
    const table = scanLine(source, limits.nesting, nodes);
    if (table !== undefined) renderRecord(builder, table, record);
    else {
      damaged.push(line);
      builder.block('paragraph', source, { pointer: `/${record}` });
    }
    record += 1;
  }
  if (record > 0 && damaged.length === record) throw new StrataError('CORRUPT', 'no line of it is JSON');
  const which = damaged.slice(0, 5).join(', ') + (damaged.length > 5 ? ', …' : '');
  const warnings = damaged.length === 0 ? [] : [`no JSON, read as text: line ${which}`];
  return builder.build({ format: 'jsonl', warnings });
}

function scanLine(source: string, nesting: number, nodes: JsonNodes): JsonTable | undefined {
  try {
    const { table, end } = scanJson(source, 0, nesting, nodes);
    return end === source.length ? table : undefined;
  } catch (error) {
    if (isStrataError(error, 'CORRUPT')) return undefined;
    throw error;
  }
}
