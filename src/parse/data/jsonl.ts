import { isStrataError, StrataError } from '../../model/errors.js';
import type { Tree } from '../../model/tree.js';
import { TreeBuilder } from '../builder.js';
import { utf8Of } from '../decode.js';
import type { ParseInput, Parser } from '../parser.js';
import { JsonRenderer } from './json-render.js';
import { scanJson } from './json-scan.js';
import { JsonNodes, type JsonTable } from './json-table.js';
import { Utf8Text } from './utf8-text.js';

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
  const source = utf8Of(bytes);
  const text = new Utf8Text(source, limits.expanded);
  const builder = new TreeBuilder(text);
  const damaged: number[] = [];
  const nodes = new JsonNodes();
  let record = 0;
  let line = 0;
  for (let from = 0; from < source.length; ) {
    const newline = source.indexOf(0x0a, from);
    const to = newline < 0 ? source.length : newline;
    const value = trimmed(source, from, to);
    from = to + 1;
    line += 1;
    if (value.length === 0) continue;
    const table = scanLine(value, limits.nesting, nodes);
    if (table !== undefined) new JsonRenderer(builder, text, table).record(record);
    else {
      damaged.push(line);
      builder.block('paragraph', value.toString(), { pointer: `/${record}` });
    }
    record += 1;
  }
  if (record > 0 && damaged.length === record) throw new StrataError('CORRUPT', 'no line of it is JSON');
  const which = damaged.slice(0, 5).join(', ') + (damaged.length > 5 ? ', …' : '');
  const warnings = damaged.length === 0 ? [] : [`no JSON, read as text: line ${which}`];
  return builder.build({ format: 'jsonl', warnings });
}

/** A line without white space at its ends, whatever counts as such. */
function trimmed(source: Buffer, from: number, to: number): Buffer {
  let start = from;
  let end = to;
  while (start < end && isSpace(source[start]!)) start++;
  while (end > start && isSpace(source[end - 1]!)) end--;
  const line = source.subarray(start, end);
  if (line.length === 0 || (line[0]! < 0x80 && line[line.length - 1]! < 0x80)) return line;
  return Buffer.from(line.toString().trim());
}

const isSpace = (byte: number): boolean => byte === 32 || (byte >= 9 && byte <= 13);

function scanLine(line: Buffer, nesting: number, nodes: JsonNodes): JsonTable | undefined {
  try {
    const { table, end } = scanJson(line, 0, nesting, nodes);
    return end === line.length ? table : undefined;
  } catch (error) {
    if (isStrataError(error, 'CORRUPT')) return undefined;
    throw error;
  }
}
