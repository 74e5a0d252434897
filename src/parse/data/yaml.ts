import type { Document, Node, Pair, YAMLParseError } from 'yaml';
import { StrataError } from '../../model/errors.js';
import { escapeToken } from '../../model/json/pointer.js';
import type { Tree } from '../../model/tree.js';
import { codeTree, type Declaration } from '../code/code-tree.js';
import { decode } from '../decode.js';
import type { ParseInput } from '../parser.js';

/** A member longer than a chunk, by the default settings, is a section. */
const LARGE = 1_200;
/** The library reads about 2 MB/s; larger files are data, cut between lines. */
const LARGEST = 4_000_000;

/**
 * YAML keeps its text, comments and all; its large members are sections by key, with their pointer. Aliases are never
 * expanded, so there is nothing to blow up.
 */
export async function yamlParser({ bytes, limits }: ParseInput): Promise<Tree> {
  const text = decode(bytes);
  if (text.length > LARGEST) {
    return codeTree(
      'yaml',
      text,
      'yaml',
      [],
      `read without sections: longer than ${LARGEST / 1e6} million characters`,
    );
  }
  if (flowDepth(text) > limits.nesting)
    throw new StrataError('LIMIT', `it nests deeper than ${limits.nesting} levels`);
  const yaml = await import('yaml');
  try {
    const documents = yaml.parseAllDocuments(text, { ...YAML_OPTIONS, strict: false });
    const list = Array.isArray(documents) ? documents : [];
    const broken = list.find(({ errors }) => errors.length > 0)?.errors[0];
    if (broken !== undefined && /call stack/.test(broken.message)) throw new RangeError(broken.message);
    if (broken !== undefined) {
      const why = yamlProblem(broken, text);
      return codeTree('yaml', text, 'yaml', [], `read without sections: no valid YAML: ${why}`);
    }
    return codeTree('yaml', text, 'yaml', membersOfAll(list, text, yaml));
  } catch (error) {
    if (error instanceof RangeError)
      throw new StrataError('LIMIT', 'it nests too deep to be read', { cause: error });
    throw error;
  }
}

type Yaml = typeof import('yaml');

/** Comparing every key with the others, and quoting the source for every error, take the square of the text's length. */
export const YAML_OPTIONS = { uniqueKeys: false, prettyErrors: false, logLevel: 'silent' } as const;

/** The first line of what is wrong, with the line of the text it is about. */
export const yamlProblem = (error: YAMLParseError, text: string): string =>
  `${error.message.split('\n', 1)[0]} at line ${text.slice(0, error.pos[0]).split('\n').length}`;

/** One document is the whole; of several, each is a part `0`, `1`, … of a list, as in JSON Lines. */
function membersOfAll(documents: readonly Document.Parsed[], text: string, yaml: Yaml): Declaration[] {
  const [only] = documents;
  if (documents.length === 1) return members(only!.contents, '', text, yaml);
  return documents.flatMap(({ contents, range }, at) => {
    const [start, , end] = range;
    if (contents === null || end - start <= LARGE) return [];
    const name = nameOf(contents, yaml);
    const title = name === undefined ? String(at) : `${at} ${name}`;
    const from = contents.range?.[0] ?? start;
    return [
      {
        title,
        start: lineStart(text, from),
        end,
        inside: members(contents, `/${at}`, text, yaml),
        pointer: `/${at}`,
      },
    ];
  });
}

function members(node: Node | null, pointer: string, text: string, yaml: Yaml): Declaration[] {
  if (yaml.isMap(node)) {
    return node.items.flatMap((pair: Pair) => {
      const key = pair.key as Node | null;
      const value = pair.value as Node | null;
      if (!yaml.isScalar(key) || !key.range || !value?.range) return [];
      return member(String(key.value), key.range[0], value, pointer, text, yaml);
    });
  }
  if (yaml.isSeq(node)) {
    return node.items.flatMap((item, at) => {
      const value = item as Node;
      if (!value.range) return [];
      const name = nameOf(value, yaml);
      const title = name === undefined ? String(at) : `${at} ${name}`;
      return member(String(at), dashBefore(text, value.range[0]), value, pointer, text, yaml, title);
    });
  }
  return [];
}

function member(
  token: string,
  start: number,
  value: Node,
  above: string,
  text: string,
  yaml: Yaml,
  title = token,
): Declaration[] {
  const end = value.range![2];
  if (end - start <= LARGE) return [];
  const pointer = `${above}/${escapeToken(token)}`;
  return [
    { title, start: lineStart(text, start), end, inside: members(value, pointer, text, yaml), pointer },
  ];
}

/** The `-` of a list's item, or the item where it has none (`[a, b]`). */
function dashBefore(text: string, at: number): number {
  const dash = text.lastIndexOf('-', at - 1);
  return dash >= 0 && text.slice(dash + 1, at).trim() === '' ? dash : at;
}

/** Where the line starts, if nothing but indentation stands before. */
function lineStart(text: string, at: number): number {
  const line = text.lastIndexOf('\n', at - 1) + 1;
  return /^\s*$/.test(text.slice(line, at)) ? line : at;
}

function nameOf(node: unknown, yaml: Yaml): string | undefined {
  if (!yaml.isMap(node)) return undefined;
  for (const key of ['title', 'name', 'kind', 'id']) {
    const value = node.get(key);
    if (typeof value === 'string' && value.length <= 80 && value.trim() !== '') return value.trim();
  }
  return undefined;
}

/** How deep brackets nest, quotes aside: an upper bound is enough to refuse what would overflow the library's stack. */
function flowDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [bracket] of text.matchAll(/[[{\]}]/g)) {
    depth = bracket === '[' || bracket === '{' ? depth + 1 : Math.max(0, depth - 1);
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
