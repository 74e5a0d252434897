// Reading some 250 small modules, a third of them zod's languages, was most of what `strata` spent before it did
// anything. So the command becomes a few files: dist/serve/main.js and the parts it loads later (part-*.js beside it),
// with the small packages inside. Everything else in dist stays as tsc made it: it is what `import 'strata-kb'`, worker
// threads and child processes load. Figures: docs/decisions/start-up.md.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const DIST = resolve('dist');
const OUT = join(DIST, 'serve');

/** Small, pure JavaScript, needed by most commands. All others load from node_modules when they are needed. */
const INSIDE =
  /^(commander|picocolors|zod|hono|@hono\/node-server|@modelcontextprotocol\/\w+|env-paths)(\/|$)/;

/** What is loaded together stands in one file: reading a file costs more than the few lines it may not need. */
const groups = [
  { name: 'version', test: /dist\/model\/version\.js$/, priority: 3 },
  { name: 'model', test: /dist\/(model|text\/(tokens|graphemes))[/.]/, priority: 2 },
  { name: 'protocol', test: /node_modules\/(zod|@modelcontextprotocol)\// },
  {
    name: 'program',
    test: /node_modules\/(commander|picocolors)\/|dist\/serve\/((cli\/)?(program|cli|run|flags|progress|terminal|commands)|fields|operations?|answers|http\/principals|mcp\/(agent-tool|roots))\b/,
  },
  {
    name: 'library',
    test: /dist\/(text|store|search|drivers\/sqlite|engine\/(open|drivers|locate|settings|embed|find|consistent-read|status))/,
  },
];

/** Where a module stands is how it finds its worker or its WASM file: inside a bundle it must still say so. */
const places = {
  name: 'places',
  transform(code, id) {
    if (!id.startsWith(DIST) || !code.includes('import.meta.url')) return null;
    const place = `(new URL(${JSON.stringify(relative(OUT, id))}, import.meta.url).href)`;
    return { code: code.replaceAll('import.meta.url', place), map: null };
  },
};

/** Our messages are our own: zod's English is enough, and its other fifty languages are 260 kB to read. */
const oneLanguage = {
  name: 'one-language',
  load: (id) => (/zod\/v4\/locales\/index\.js$/.test(id) ? "export { default as en } from './en.js';" : null),
};

/** Only for forms a server sends to its client, which ours never does: 290 kB otherwise. */
const noForms = {
  name: 'no-forms',
  load: (id) =>
    /@modelcontextprotocol\/server\/dist\/shimsNode\.mjs$/.test(id)
      ? `export { default as process } from 'node:process';
export class DefaultJsonSchemaValidator {
  getValidator() { throw new Error('this program was bundled without a JSON Schema validator'); }
}`
      : null,
};

for (const name of readdirSync(OUT)) if (name.startsWith('part-')) rmSync(join(OUT, name));
const bundle = await rolldown({
  input: join(OUT, 'main.js'),
  platform: 'node',
  external: (id) => /^[^./]/.test(id) && !INSIDE.test(id),
  plugins: [places, oneLanguage, noForms],
  // That a module is loaded late by one and early by another is meant.
  onLog: (level, log, handle) => log.code !== 'INEFFECTIVE_DYNAMIC_IMPORT' && handle(level, log),
});
const { output } = await bundle.write({
  dir: OUT,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: 'part-[name]-[hash].js',
  codeSplitting: { groups },
  // Less to read. Names stay: they are in stack traces.
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  sourcemap: true,
});
await bundle.close();
writeFileSync(join(OUT, 'part-licences.txt'), licences(output.flatMap((part) => part.moduleIds ?? [])));

/** Whoever copies a package copies its licence. */
function licences(files) {
  const packages = files.map((file) => /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  return [...new Set(packages)]
    .filter((folder) => folder !== undefined)
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const file = ['LICENSE', 'LICENSE.md', 'license', 'license.md']
        .map((name) => join(folder, name))
        .find(existsSync);
      return `${name} ${version} (${license})\n\n${file === undefined ? '' : readFileSync(file, 'utf8').trim()}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}
