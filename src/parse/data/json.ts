import { StrataError } from '../../model/errors.js';
import type { Tree } from '../../model/tree.js';
import { TreeBuilder } from '../builder.js';
import { utf8Of } from '../decode.js';
import type { ParseInput, ParseLimits, Parser } from '../parser.js';
import { detached, ROOT } from './json-pointers.js';
import { JsonRenderer, nameOf } from './json-render.js';
import { scanJson } from './json-scan.js';
import { KIND, kindOf } from './json-table.js';
import { Utf8Text } from './utf8-text.js';

/** JSON, also with comments: sections by key, every string under its pointer (RFC 6901). */
export const jsonParser: Parser = {
  format: 'json',
  extensions: ['.json', '.jsonc', '.json5', '.geojson', '.webmanifest', '.har'],
  parse: parseJson,
};

function parseJson({ bytes, limits }: ParseInput): Tree {
  const { builder, title } = render(bytes, limits);
  return builder.build({ format: 'json', title: title ?? null });
}

/** A function of its own, so that the table of nodes is gone when the text is put together. */
function render(bytes: Uint8Array, limits: ParseLimits): { builder: TreeBuilder; title: string | undefined } {
  const source = utf8Of(bytes);
  const { table, end } = scanJson(source, 0, limits.nesting);
  if (end < source.length) throw new StrataError('CORRUPT', 'no valid JSON: there is more after its end');
  const title = kindOf(table, 0) === KIND.object ? nameOf(table, 0, ['title', 'name']) : undefined;
  const text = new Utf8Text(source, limits.expanded);
  const builder = new TreeBuilder(text);
  new JsonRenderer(builder, text, table).value(0, ROOT);
  return { builder, title: title === undefined ? undefined : detached(title) };
}
