import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { describe, expect, it } from 'vitest';

/**
 * Whoever calls a function can name what it takes and gives: every type of a public signature is exported from its entry
 * point or from `strata-kb` itself. Read from the declarations that are published.
 */

const DIST = join(import.meta.dirname, '../dist');

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** A name, and the file that declares it. */
interface Declared {
  readonly file: string;
  readonly name: string;
}

interface Module {
  readonly declarations: ReadonlyMap<string, readonly Node[]>;
  /** Names that come from elsewhere: imported ones, and those that are only passed on. */
  readonly imported: ReadonlyMap<string, { readonly from: string; readonly name: string }>;
  readonly exported: ReadonlyMap<string, { readonly from: string | null; readonly name: string }>;
}

const modules = new Map<string, Module>();

function moduleOf(file: string): Module {
  const known = modules.get(file);
  if (known !== undefined) return known;
  const declarations = new Map<string, Node[]>();
  const imported = new Map<string, { from: string; name: string }>();
  const exported = new Map<string, { from: string | null; name: string }>();
  const { body } = parseAst(readFileSync(file, 'utf8'), { lang: 'dts' }) as unknown as { body: Node[] };
  for (const statement of body) {
    const declaration = (statement.declaration as Node | null | undefined) ?? statement;
    for (const name of namesOf(declaration)) {
      declarations.set(name, [...(declarations.get(name) ?? []), declaration]);
      if (declaration !== statement) exported.set(name, { from: null, name });
    }
    const from = (statement.source as { value: string } | null | undefined)?.value ?? null;
    for (const specifier of (statement.specifiers as Node[] | undefined) ?? []) {
      const local = wordOf(specifier.local);
      if (statement.type === 'ExportNamedDeclaration')
        exported.set(wordOf(specifier.exported), { from, name: local });
      else if (from !== null) imported.set(local, { from, name: wordOf(specifier.imported) });
    }
  }
  const made = { declarations, imported, exported };
  modules.set(file, made);
  return made;
}

const wordOf = (node: unknown): string => String((node as { name?: string } | undefined)?.name);

function namesOf(declaration: Node): string[] {
  if (declaration.type === 'VariableDeclaration')
    return (declaration.declarations as Node[]).map(({ id }) => wordOf(id));
  return declaration.id ? [wordOf(declaration.id)] : [];
}

/** Where a name that this file uses is declared; null for packages, and for what the language itself has. */
function resolve(file: string, name: string): Declared | null {
  const { declarations, imported } = moduleOf(file);
  if (declarations.has(name)) return { file, name };
  const elsewhere = imported.get(name);
  return elsewhere ? exportOf(file, elsewhere.from, elsewhere.name) : null;
}

function exportOf(file: string, from: string, name: string): Declared | null {
  if (!from.startsWith('.')) return null;
  const target = join(dirname(file), from.replace(/\.js$/, '.d.ts'));
  if (!existsSync(target)) throw new Error(`${target} is missing: npm run build`);
  const exported = moduleOf(target).exported.get(name);
  if (exported === undefined) throw new Error(`${target} does not export ${name}`);
  return exported.from === null
    ? resolve(target, exported.name)
    : exportOf(target, exported.from, exported.name);
}

/** The declarations that an entry point gives out. */
function publicNames(entry: string): Declared[] {
  const file = join(DIST, entry);
  return [...moduleOf(file).exported.values()].flatMap(({ from, name }) => {
    const declared = from === null ? resolve(file, name) : exportOf(file, from, name);
    return declared === null ? [] : [declared];
  });
}

interface Used {
  readonly name: string;
  /** The module of `import('./module.js').Name`. */
  readonly from?: string;
  /** Only the shape is taken over (`extends Base`, `type A = Omit<Base, 'x'>`): callers see its fields, not its name. */
  readonly isShape: boolean;
}

/** The types that a declaration names, but for its own type parameters. */
function typesUsed(root: Node): Used[] {
  const used: Used[] = [];
  const own = new Set<string>();
  const visit = (node: unknown, isShape: boolean): void => {
    if (Array.isArray(node)) for (const child of node) visit(child, isShape);
    else if (node !== null && typeof node === 'object') {
      const { type } = node as Node;
      const within = isShape && !MEMBER.test(type);
      if (type === 'TSTypeParameter') own.add(wordOf((node as Node).name));
      const name = REFERENCES[type] && leftmost((node as Node)[REFERENCES[type]] as Node);
      const from = type === 'TSImportType' && ((node as Node).source as { value: string }).value;
      if (name) used.push({ name, isShape: within, ...(from && { from }) });
      for (const child of Object.values(node)) visit(child, within);
    }
  };
  visit(root, true);
  return used.filter(({ name }) => !own.has(name));
}

/** What has a type of its own within a declaration: fields, methods, parameters, results, items and alternatives. */
const MEMBER = /Signature|Definition|Function|VariableDeclarator|Array|Tuple|Union/;

const REFERENCES: Readonly<Record<string, string>> = {
  TSTypeReference: 'typeName',
  TSImportType: 'qualifier',
  TSInterfaceHeritage: 'expression',
  TSClassImplements: 'expression',
  ClassDeclaration: 'superClass',
};

const leftmost = (node: Node | null): string =>
  node === null ? '' : node.type === 'TSQualifiedName' ? leftmost(node.left as Node) : wordOf(node);

/** Every type that is used in public and cannot be imported, with the type that uses it. */
function missing(entry: string): string[] {
  const open = publicNames(entry);
  const given = new Set([...open, ...publicNames('index.d.ts')].map(keyOf));
  const found = new Set<string>();
  // Grows by the types whose shape is taken over: what their fields name is public, too.
  for (const { file, name } of open) {
    for (const used of (moduleOf(file).declarations.get(name) ?? []).flatMap(typesUsed)) {
      const declared = used.from ? exportOf(file, used.from, used.name) : resolve(file, used.name);
      if (declared === null || given.has(keyOf(declared))) continue;
      if (!used.isShape) found.add(`${keyOf(declared)} (used by ${name})`);
      else if (!open.some((one) => keyOf(one) === keyOf(declared))) open.push(declared);
    }
  }
  return [...found].sort();
}

const keyOf = ({ file, name }: Declared): string => `${relative(DIST, file)}: ${name}`;

describe('the published types', () => {
  it.each(['index.d.ts', 'langchain.d.ts', 'seeds.d.ts'])(
    'B3 every type in a public signature of %s is exported',
    (entry) => {
      expect(publicNames(entry).length).toBeGreaterThan(2);
      expect(missing(entry)).toEqual([]);
    },
  );
});
