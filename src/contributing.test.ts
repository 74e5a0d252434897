import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';
import { describe, expect, it } from 'vitest';
import { DRIVERS } from './engine/driver-table.js';
import type { Library } from './engine/library.js';
import { PARSERS } from './parse/parse.js';
import { type Field, readInput } from './serve/fields.js';
import { operationNamed, operations } from './serve/operations.js';
import { LOCAL_PRINCIPAL } from './tools/access/principal.js';

/** For whoever adds something and forgets one of the places that CONTRIBUTING.md lists. */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Sources below a folder, without tests and suites. */
const sources = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.(test|suite|slow|server|lance))\.ts$/.test(file))
    .map((file) => join(folder, file));

/** What sources below a folder export under names that end so. */
const exportsOf = (folder: string, ending: string): string[] =>
  sources(folder).flatMap((file) =>
    [
      ...read(file).matchAll(new RegExp(`^export (?:const|(?:async )?function) (\\w+${ending})\\b`, 'gm')),
    ].map((match) => match[1]!),
  );

describe('whoever adds', () => {
  // turbopuffer keeps vectors beside a library's own, and no library: it has no suite of a store.
  it.each(readdirSync(join(ROOT, 'src/drivers')).filter((name) => name !== 'turbopuffer'))(
    'the driver %s has listed, described and tested it',
    (name) => {
      expect([...DRIVERS.keys()]).toContain(name);
      expect(read('docs/guides/stores.md')).toContain(`\`${name}\``);
      // LanceDB is large: its suite runs apart, where it is installed.
      const suite = name === 'lancedb' ? 'backend.lance.ts' : 'backend.test.ts';
      expect(read(`src/drivers/${name}/${suite}`)).toContain('describeBackend(');
    },
  );

  it('a parser has registered and described it', () => {
    const parsers = exportsOf('src/parse', 'Parser');
    expect(parsers.length).toBeGreaterThan(10);
    const registry = read('src/parse/parse.ts');
    expect(parsers.filter((name) => !new RegExp(`\\.${name}\\b`).test(registry))).toEqual([]);
    // Office's old formats are recognised only to say that they cannot be read.
    const formats = PARSERS.map(({ format }) => format).filter((format) => format !== 'ole');
    expect(formats.filter((format) => !read('docs/formats.md').includes(`\`${format}\``))).toEqual([]);
  });

  it('an operation has put it into the table', () => {
    const isOperation = (file: string): boolean => read(file).includes('= operation({');
    const files = sources('src/serve/operations').filter(isOperation);
    const names = files.map((file) => basename(file, '.ts'));
    expect(names.length).toBeGreaterThan(10);
    expect(operations.map(({ name }) => name).sort()).toEqual(names.sort());
  });

  it('a flag of `search` has handed it to the search', async () => {
    const { input, handler } = operationNamed('search')!;
    let asked: Readonly<Record<string, unknown>> = {};
    const library = {
      root: '/',
      search: async (query: string, options: { filter: object }) => {
        asked = { query, ...options, ...options.filter };
      },
    } as unknown as Library;
    const given = Object.fromEntries(Object.entries(input).map(([name, field]) => [name, accepted(field)]));
    const context = {
      principal: LOCAL_PRINCIPAL,
      signal: new AbortController().signal,
      cwd: '/',
      library: {},
    };
    await handler(library, readInput(input, given), { ...context, progress: () => {}, notice: () => {} });
    const names = Object.entries({ ...input, ...input.filter?.fields }).map(([name]) => name);
    // The command line's word for what the API calls by its unit.
    const options = names.map((name) => (name === 'passages' ? 'chunks_per_document' : name));
    expect(options.filter((name) => asked[name] === undefined)).toEqual([]);
    const declared = read('src/search/options.ts') + read('src/store/filter.ts');
    expect(options.filter((name) => !new RegExp(`readonly ${name}\\??:`).test(declared))).toEqual([]);
  });

  it('an embedder has made it one that can be opened', () => {
    const embedders = exportsOf('src/embed', 'Embedder').filter((name) => name !== 'openEmbedder');
    expect(embedders.length).toBeGreaterThan(1);
    const chosen = read('src/embed/open.ts');
    expect(embedders.filter((name) => !chosen.includes(`return ${name}(`))).toEqual([]);
  });
});

describe('what the documents say of the sources', () => {
  it('CONTRIBUTING.md names places that exist', () => {
    const table = read('CONTRIBUTING.md').split('## Where a new thing goes')[1] ?? '';
    const places = [...table.matchAll(/`((?:src|docs|test)\/[^`]*)`/g)].map((match) => match[1]!);
    expect(places.length).toBeGreaterThan(10);
    expect(places.filter((place) => !existsSync(join(ROOT, place.replace(/NAME.*/, ''))))).toEqual([]);
  });

  it.each([
    ['A walk: adding one file', 50],
    ['A walk: one search', 30],
  ])('%s passes files that exist, at most %i', (heading, most) => {
    const walk = read('ARCHITECTURE.md').split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
    const files = new Set([...walk.matchAll(/`([a-z]+\/[\w/-]+\.ts)`/g)].map((match) => match[1]!));
    expect(files.size).toBeGreaterThan(20);
    expect(files.size).toBeLessThanOrEqual(most);
    expect([...files].filter((file) => !existsSync(join(ROOT, 'src', file)))).toEqual([]);
  });
});

/** Tables of a port's methods, and the maker of sample documents: long, but nothing a reader must follow line by line. */
const TABLES = ['jsonBackend', 'lancedbBackend', 'postgresBackend', 'endpointsOf', 'sampleWrite'];

describe('the sources', () => {
  const all = sources('src').map((file) => ({ file, code: read(file) }));

  it('are in folders of at most 20', () => {
    const folders = all.map(({ file }) => dirname(file));
    const full = new Set(folders.filter((folder) => folders.filter((other) => other === folder).length > 20));
    expect([...full]).toEqual([]);
  });

  it('have at most 400 lines', () => {
    const long = all.filter(({ code }) => code.split('\n').length > 400);
    expect(long.map(({ file }) => file)).toEqual([]);
  });

  it('have no function of more than 60 lines, but for tables', () => {
    const long = all.flatMap(({ file, code }) => longFunctions(code).map((name) => `${file}: ${name}`));
    expect(long.filter((place) => !TABLES.some((name) => place.endsWith(`: ${name}`)))).toEqual([]);
  });

  it('give reasons in comments, not codes of requirements', () => {
    const coded = /^\s*(?:\/\/|\/?\*).*(?:\(|\* |\/ )[SBRA]\d{1,2}(?:\.\d+)?(?:\)|:)/m;
    expect(all.filter(({ code }) => coded.test(code)).map(({ file }) => file)).toEqual([]);
  });
});

/** Functions of more than 60 lines, by the name they are bound to. */
function longFunctions(code: string): string[] {
  const found: string[] = [];
  const visit = (node: unknown, name: string): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, start, end, id, key } = node as Partial<Record<string, never>>;
    const own = (id ?? key) as { readonly name?: string } | undefined;
    const called = own?.name ?? name;
    const isFunction = /Function/.test(type ?? '') && (node as { body?: unknown }).body !== null;
    if (isFunction && code.slice(start, end).split('\n').length > 60) found.push(called);
    for (const inner of Object.values(node)) visit(inner, called);
  };
  visit(parseAst(code, { lang: 'ts' }), 'the file');
  return found;
}

/** Something that the field accepts and that is not its default. */
function accepted({ kind, choices, minimum, fields }: Field): unknown {
  const text = choices?.[0] ?? '2026-01-31';
  switch (kind) {
    case 'flag':
      return true;
    case 'text':
      return text;
    case 'texts':
      return [text];
    case 'group':
      return Object.fromEntries(Object.entries(fields ?? {}).map(([name, field]) => [name, accepted(field)]));
    default:
      return (minimum ?? 0) + 1;
  }
}
