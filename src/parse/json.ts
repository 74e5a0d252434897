import { StrataError } from '../model/errors.js';
import type { Tree } from '../model/tree.js';
import { TreeBuilder } from './builder.js';
import { decode } from './decode.js';
import { nameOf, renderJson } from './json-render.js';
import { KIND, scanJson } from './json-scan.js';
import type { ParseInput, Parser } from './parser.js';

/** JSON, also with comments: sections by key, every string under its pointer (RFC 6901). */
export const jsonParser: Parser = {
  format: 'json',
  extensions: ['.json', '.jsonc', '.json5', '.geojson', '.webmanifest', '.har'],
  parse: parseJson,
};

function parseJson({ bytes, limits }: ParseInput): Tree {
  const text = decode(bytes);
  const { table, end } = scanJson(text, 0, limits.nesting);
  if (end < text.length) throw new StrataError('CORRUPT', 'no valid JSON: there is more after its end');
  const title = table.kind[0] === KIND.object ? nameOf(table, 0, ['title', 'name']) : undefined;
  const builder = new TreeBuilder();
  renderJson(builder, table, 0, '');
  return builder.build({ format: 'json', title: title ?? null });
}
