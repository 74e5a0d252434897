import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

/**
 * Every template in the source that a person may read: messages of errors and notices (wherever they are thrown, also
 * through a function of the same file that takes the message), stages of progress, and what `say` and `plural` are given.
 * Found in the syntax tree, so that no template can be forgotten.
 */

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

export interface FoundTemplate {
  readonly template: string;
  readonly file: string;
}

/** Functions that show their first argument to people. */
const SPEAKERS = new Set(['notice', 'onNotice', 'printError', 'warn', 'log', 'say', 'onConsent', 'ask']);

/** Fields that people read: of findings, entries and progress. */
const TOLD = new Set(['stage', 'message', 'reason', 'stopped']);

export function templatesIn(folder: string): readonly FoundTemplate[] {
  return sourcesBelow(folder).flatMap((file) =>
    templatesOf(readFileSync(file, 'utf8')).map((template) => ({ template, file })),
  );
}

/**
 * What programs and agents are answered is English; help is found in the program itself (language.test.ts); and some
 * sources hold lists of words, or words for models.
 */
const FOR_PROGRAMS =
  /serve\/(language|http|mcp|langchain|fields)\/|serve\/(answers\/lean|cli\/(skill|reference|completions|groups|commands|cli)|record-schemas|schemas)|^text\/|model\/errors|parse\/(code\/(languages|declarations)|html\/(dom|table|blocks)|markdown\/html-blocks|detect)|embed\/(local\/prefixes|models\/manifest)|html\/main-content|ocr\/tiff|worker\/serve-jobs|chunk\/describe|engine\/driver-table|embedding-column|prepare-pool|pdfium\.ts/;

const sourcesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.(test|slow|suite|lance|server)\.ts$/.test(name))
    .filter((name) => !FOR_PROGRAMS.test(name))
    .map((name) => join(folder, name));

function templatesOf(source: string): string[] {
  const found: string[] = [];
  const nodes = allNodes(parseAst(source, { lang: 'ts' }) as unknown as Node);
  const wrappers = messageWrappers(nodes);
  const nouns = new Set(nodes.filter((node) => nameOf(node) === 'plural').flatMap(plurals));
  for (const node of nodes) {
    const spoken = spokenBy(node, wrappers);
    if (spoken !== undefined) templatesFrom(spoken, found);
    if (node.type === 'Literal' && /\{1\}/.test(String(node.value))) found.push(String(node.value));
    if (isSentence(node)) templatesFrom(node, found);
    if (nameOf(node) === 'plural') for (const noun of plurals(node)) found.push(`{1} ${noun}`);
  }
  return found.filter((template) => isProse(template) && !nouns.has(template));
}

/** Any text of several words in the source is a message, or a part of one, unless it is a statement of SQL. */
function isSentence(node: Node): boolean {
  if (node.type !== 'Literal' && node.type !== 'TemplateLiteral') return false;
  const text = node.type === 'Literal' ? node.value : joined(node, []);
  return typeof text === 'string' && /[a-z]{2,} [a-z]{2,}/.test(text) && !SQL.test(text);
}

const SQL =
  /\b(SELECT|INSERT|CREATE|DELETE FROM|UPDATE|PRAGMA|JOIN|WHERE|BEGIN|COMMIT|SAVEPOINT|ALTER|GRANT|select|insert into|create|delete from|update|alter|where) /;

/** Names of fields and the like are filled in, too; they are the same in every language. */
const isProse = (template: string): boolean =>
  /\p{L}{2}/u.test(template.replace(/\{\d\}/g, '')) && !/^[a-z_]+$/.test(template);

function spokenBy(node: Node, wrappers: ReadonlyMap<string, number>): Node | undefined {
  const given = node.arguments as readonly Node[] | undefined;
  if (node.type === 'NewExpression' && calleeName(node) === 'StrataError') return given?.[1];
  if (node.type === 'Property' && TOLD.has((node.key as Node).name as string)) return node.value as Node;
  if (node.type !== 'CallExpression') return undefined;
  const name = nameOf(node) ?? '';
  if (SPEAKERS.has(name)) return given?.[0];
  const at = wrappers.get(name);
  return at === undefined ? undefined : given?.[at];
}

/** `const refuse = (reason: string) => new StrataError(code, reason)`: calls of `refuse` hold the message. */
function messageWrappers(nodes: readonly Node[]): Map<string, number> {
  const wrappers = new Map<string, number>();
  for (const node of nodes) {
    const [name, made] =
      node.type === 'FunctionDeclaration'
        ? [(node.id as Node | null)?.name, node]
        : node.type === 'VariableDeclarator'
          ? [(node.id as Node).name, node.init as Node | null]
          : [undefined, null];
    if (typeof name !== 'string' || made === null || !/Function/.test(made.type)) continue;
    const parameters = (made.params as readonly Node[]).map((parameter) => parameter.name);
    for (const inner of allNodes(made.body as Node)) {
      if (inner.type !== 'NewExpression' || calleeName(inner) !== 'StrataError') continue;
      for (const piece of allNodes((inner.arguments as readonly Node[])[1] as Node)) {
        const at = piece.type === 'Identifier' ? parameters.indexOf(piece.name as string) : -1;
        if (at >= 0) wrappers.set(name, at);
      }
    }
  }
  return wrappers;
}

/** All strings that this expression may give, with `{n}` for what is filled in; and those that may be filled in. */
function templatesFrom(node: Node, found: string[]): void {
  if (node.type === 'Literal' && typeof node.value === 'string') found.push(node.value);
  if (node.type === 'TemplateLiteral' || node.type === 'BinaryExpression') {
    const filled: Node[] = [];
    found.push(joined(node, filled));
    for (const inner of filled) templatesFrom(inner, found);
  }
  for (const part of ['consequent', 'alternate', 'left', 'right']) {
    const choice = /^(Conditional|Logical)Expression$/.test(node.type) ? node[part] : undefined;
    if (choice) templatesFrom(choice as Node, found);
  }
}

function joined(node: Node, filled: Node[]): string {
  if (node.type === 'Literal') return String(node.value);
  if (node.type === 'BinaryExpression') {
    return joined(node.left as Node, filled) + joined(node.right as Node, filled);
  }
  if (node.type !== 'TemplateLiteral') return `{${filled.push(node)}}`;
  const holes = node.expressions as readonly Node[];
  return (node.quasis as readonly { value: { cooked: string } }[])
    .map(({ value }, at) => value.cooked + (at < holes.length ? `{${filled.push(holes[at] as Node)}}` : ''))
    .join('');
}

function plurals(node: Node): string[] {
  const [, one, many] = (node.arguments as readonly Node[]).map((argument) => argument.value);
  if (typeof one !== 'string') return [];
  return [one, typeof many === 'string' ? many : `${one}s`];
}

const calleeName = (node: Node): unknown => (node.callee as Node).name;

function nameOf(node: Node): string | undefined {
  if (node.type !== 'CallExpression') return undefined;
  const callee = node.callee as Node;
  return (callee.name ?? (callee.property as Node | undefined)?.name) as string | undefined;
}

/** Of an operation: help, which language.test.ts finds in the program, and what agents and programs get. */
const NOT_TOLD = new Set([
  'name',
  'command',
  'summary',
  'description',
  'examples',
  'input',
  'output',
  'tool',
]);

/** What people may read of this node: null where that is all of it. */
function toldOf(node: Node): unknown[] | null {
  if (node.type !== 'CallExpression') return null;
  const name = nameOf(node) ?? '';
  if (name === 'agentTool' || name === 'describe') return [];
  if (name !== 'operation') return null;
  const [definition] = node.arguments as readonly Node[];
  const properties = (definition?.properties ?? []) as readonly Node[];
  return properties.filter(({ key }) => !NOT_TOLD.has((key as Node | undefined)?.name as string));
}

function allNodes(root: unknown, into: Node[] = []): Node[] {
  if (Array.isArray(root)) for (const child of root) allNodes(child, into);
  else if (root !== null && typeof root === 'object') {
    const told = toldOf(root as Node);
    if (told !== null) return allNodes(told, into);
    if (typeof (root as Node).type === 'string') into.push(root as Node);
    for (const child of Object.values(root)) allNodes(child, into);
  }
  return into;
}
