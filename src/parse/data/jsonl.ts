import { isStrataError, StrataError } from '../../model/errors.js';
import type { Tree } from '../../model/tree.js';
import { TreeBuilder } from '../builder.js';
import { decode } from '../decode.js';
import type { ParseInput } from '../parser.js';
import { TracedText } from '../traced-text.js';
import { JsonSource } from './json-read.js';
import { JsonRenderer } from './json-render.js';

/**
 * One JSON value per line. The file is read as an array of them: the first line is `/0`. A damaged line is kept as text
 * and reported; the others are read.
 */
export function jsonlParser({ bytes, limits }: ParseInput): Tree {
  const text = decode(bytes);
  const builder = new TreeBuilder();
  const damaged: number[] = [];
  let record = 0;
  let line = 0;
  for (let from = 0; from < text.length; ) {
    const newline = text.indexOf('\n', from);
    const to = newline < 0 ? text.length : newline;
    const value = text.slice(from, to).trim();
    from = to + 1;
    line += 1;
    if (value === '') continue;
    const source = readLine(value, limits.nesting, line);
    if (source !== undefined) new JsonRenderer(builder, source, limits.expanded).record(record);
    else {
      damaged.push(line);
      builder.block('paragraph', new TracedText().add(value, line), { pointer: `/${record}` });
    }
    record += 1;
  }
  if (record > 0 && damaged.length === record) throw new StrataError('CORRUPT', 'no line of it is JSON');
  const which = damaged.slice(0, 5).join(', ') + (damaged.length > 5 ? ', …' : '');
  const warnings = damaged.length === 0 ? [] : [`no JSON, read as text: line ${which}`];
  return builder.build({ format: 'jsonl', warnings, unit: 'line' });
}

function readLine(text: string, nesting: number, line: number): JsonSource | undefined {
  try {
    return new JsonSource(text, nesting, line);
  } catch (error) {
    if (isStrataError(error, 'CORRUPT')) return undefined;
    throw error;
  }
}
