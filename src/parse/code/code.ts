import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import type { Language, Node, Parser as SyntaxParser, Tree as SyntaxTree } from 'web-tree-sitter';
import { reasonOf } from '../../model/errors.js';
import type { Tree } from '../../model/tree.js';
import { decode } from '../decode.js';
import type { ParseInput } from '../parser.js';
import { codeTree, type Declaration } from './code-tree.js';
import { declarationsIn } from './declarations.js';
import { CODE_LANGUAGES, type CodeLanguage, PLAIN_CODE, shebangLanguage } from './languages.js';
import { maskMacros, oneBranch } from './mask.js';

/** Larger files are generated, minified or data; they are cut between lines. (tree-sitter reads about 4 MB/s.) */
const LARGEST = 4_000_000;

/**
 * Source code: functions and classes are sections, with the comments above them; the text is the file itself. A
 * heading is not in the text (the name stands in the code), so its span is empty and every character is in a block.
 */
export async function codeParser({ bytes, name }: ParseInput): Promise<Tree> {
  const text = decode(bytes);
  const extension = extname(name).toLowerCase();
  const named = shebangLanguage(text.slice(0, 200).split('\n', 1)[0]!);
  const language =
    CODE_LANGUAGES.find(({ extensions }) => extensions.includes(extension)) ??
    CODE_LANGUAGES.find((candidate) => candidate.name === named);
  const lang = language?.name ?? PLAIN_CODE[extension] ?? named ?? 'code';
  if (language === undefined) return codeTree('code', text, lang, []);
  if (text.length > LARGEST) {
    return codeTree(
      'code',
      text,
      lang,
      [],
      `read without sections: longer than ${LARGEST / 1e6} million characters`,
    );
  }
  try {
    return codeTree('code', text, lang, await declarations(text, language));
  } catch (error) {
    return codeTree('code', text, lang, [], `read without sections: ${reasonOf(error)}`);
  }
}

/** Files that are no code of their language can keep the grammar busy for minutes. */
const LONGEST = 5_000;

async function declarations(text: string, language: CodeLanguage): Promise<Declaration[]> {
  const parser = await syntaxParser(language.grammar);
  const tree = language.grammar === 'cpp' ? bestTree(parser, text) : syntaxTree(parser, text);
  try {
    return declarationsIn(tree.rootNode, text, language);
  } finally {
    tree.delete();
  }
}

function syntaxTree(parser: SyntaxParser, seen: string): SyntaxTree {
  const started = performance.now();
  const tree = parser.parse(seen, null, { progressCallback: () => performance.now() - started > LONGEST });
  if (tree !== null) return tree;
  parser.reset();
  throw new Error(`its grammar took more than ${LONGEST / 1000} s`);
}

/** Where conditionals break the grammar, with one branch of each as well: whichever leaves less that is not understood. */
function bestTree(parser: SyntaxParser, text: string): SyntaxTree {
  const tree = syntaxTree(parser, maskMacros(text));
  if (!tree.rootNode.hasError) return tree;
  const reduced = oneBranch(text);
  if (reduced === text) return tree;
  const other = syntaxTree(parser, maskMacros(reduced));
  const isBetter = misread(other.rootNode) < misread(tree.rootNode);
  (isBetter ? tree : other).delete();
  return isBetter ? other : tree;
}

/** How many characters are outside of everything the grammar knows, or had to be imagined. */
function misread(node: Node): number {
  if (node.isMissing) return 1;
  if (node.isError) return node.endIndex - node.startIndex;
  if (!node.hasError) return 0;
  return node.children.reduce((sum, child) => sum + (child === null ? 0 : misread(child)), 0);
}

const parsers = new Map<string, Promise<SyntaxParser>>();

/** One parser a grammar for the life of the process: loading one takes longer than most files. */
function syntaxParser(grammar: string): Promise<SyntaxParser> {
  const known = parsers.get(grammar) ?? loadParser(grammar);
  parsers.set(grammar, known);
  return known;
}

let engine: Promise<typeof import('web-tree-sitter')> | undefined;

async function loadParser(grammar: string): Promise<SyntaxParser> {
  engine ??= import('web-tree-sitter').then(async (loaded) => {
    await loaded.Parser.init();
    return loaded;
  });
  const { Parser, Language } = await engine;
  const path = createRequire(import.meta.url).resolve(
    `@vscode/tree-sitter-wasm/wasm/tree-sitter-${grammar}.wasm`,
  );
  const loaded: Language = await Language.load(await readFile(path));
  return new Parser().setLanguage(loaded);
}
