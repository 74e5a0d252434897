import type { Tree } from '../../model/tree.js';
import { TreeBuilder } from '../builder.js';
import { decode } from '../decode.js';
import type { ParseInput } from '../parser.js';
import { JsonSource } from './json-read.js';
import { JsonRenderer, nameOf } from './json-render.js';

/** JSON, also with comments: sections by key, every string under its pointer (RFC 6901). */
export function jsonParser({ bytes, limits }: ParseInput): Tree {
  const source = new JsonSource(decode(bytes), limits.nesting);
  const builder = new TreeBuilder();
  new JsonRenderer(builder, source, limits.expanded).value(source.root, '');
  const name = nameOf(source, source.root, ['title', 'name']);
  const title = name === undefined ? null : source.value(name).trim();
  return builder.build({ format: 'json', title, unit: 'line' });
}
