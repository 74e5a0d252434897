import { StrataError } from '../model/errors.js';
import type { Tree } from '../model/tree.js';
import { TreeBuilder } from './builder.js';
import { collect } from './collect.js';
import { decode } from './decode.js';
import { detached, nameOf, renderJson } from './json-render.js';
import { KIND, scanJson } from './json-scan.js';
import type { ParseInput, Parser } from './parser.js';

/** JSON, also with comments: sections by key, every string under its pointer (RFC 6901). */
export const jsonParser: Parser = {
  format: 'json',
  extensions: ['.json', '.jsonc', '.json5', '.geojson', '.webmanifest', '.har'],
  parse: parseJson,
};

function parseJson({ bytes, limits }: ParseInput): Tree {
  const { builder, title } = render(bytes, limits.nesting);
  collect(builder.length);
  return builder.build({ format: 'json', title: title ?? null });
}

/** A function of its own, so that the source and the table of its nodes are gone when the text is put together. */
function render(bytes: Uint8Array, nesting: number): { builder: TreeBuilder; title: string | undefined } {
  const text = decode(bytes);
  const { table, end } = scanJson(text, 0, nesting);
  if (end < text.length) throw new StrataError('CORRUPT', 'no valid JSON: there is more after its end');
  const title = table.kind[0] === KIND.object ? nameOf(table, 0, ['title', 'name']) : undefined;
  const builder = new TreeBuilder();
  renderJson(builder, table, 0, '');
  return { builder, title: title === undefined ? undefined : detached(title) };
}
