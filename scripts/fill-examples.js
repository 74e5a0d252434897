// Puts the files of examples/ into the guides that name them: `<!-- examples/x.ts -->` before a code block.
// `node scripts/fill-examples.js` writes; test/examples.test.ts checks that nothing is out of date.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const BLOCK = /(<!-- (examples\/[\w-]+\.ts) -->\n```ts\n)[\s\S]*?(```)/g;

export const filled = (markdown, read = (path) => readFileSync(path, 'utf8')) =>
  markdown.replace(BLOCK, (_, head, path, tail) => `${head}${read(path)}${tail}`);

if (process.argv[1] === import.meta.filename) {
  const folder = 'docs/guides';
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.md'))) {
    const path = join(folder, name);
    writeFileSync(path, filled(readFileSync(path, 'utf8')));
  }
}
