// The documents of a folder: Markdown and text files, read once. `spec_tests.json` (CommonMark's examples) counts as one
// document an example, so that the folder of the specification can be checked like any other.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export function documentsOf(folders) {
  return folders.flatMap((folder) => [...filesBelow(folder)].flatMap(readDocuments));
}

function* filesBelow(path) {
  if (statSync(path).isFile()) {
    yield path;
    return;
  }
  for (const entry of readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const below = join(path, entry.name);
    if (entry.isDirectory()) yield* filesBelow(below);
    else if (/\.(md|markdown|txt)$|^spec_tests\.json$/.test(entry.name)) yield below;
  }
}

function readDocuments(path) {
  const bytes = readFileSync(path);
  if (!path.endsWith('spec_tests.json')) return [{ name: path.replace(/\.txt$/, '.md'), bytes }];
  return JSON.parse(bytes.toString()).map(({ example, markdown }) => ({
    name: `${path}#${example}.md`,
    bytes: Buffer.from(markdown),
  }));
}
