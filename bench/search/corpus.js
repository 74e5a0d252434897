// The corpus of the search measurements: Markdown files cut by Strata's chunker, and repeated with changes until there
// are enough chunks. One JSON line per document, in the form a store takes (without words), so that every engine gets
// the same chunks.
//   node corpus.js OUT.jsonl CHUNKS FOLDER…
import { createWriteStream, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { chunkDocument } from '../../dist/chunk/chunk.js';
import { chunkSettings } from '../../dist/chunk/settings.js';
import { contentHash } from '../../dist/model/hash.js';
import { derivedId } from '../../dist/model/id.js';
import { embedKey } from '../../dist/model/indexed.js';
import { parseDocument } from '../../dist/parse/parse.js';
import { DEFAULT_LIMITS } from '../../dist/parse/parser.js';
import { randomFrom } from './random.js';

const [out, wanted, ...folders] = process.argv.slice(2);
const files = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(md|txt)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, name: relative(join(folder, '..'), path) })),
);
const random = randomFrom(20261115);
files.sort((a, b) => (derivedId(a.name) < derivedId(b.name) ? -1 : 1));
const settings = chunkSettings();
const stream = createWriteStream(out);
let chunks = 0;
let documents = 0;
for (let copy = 0; chunks < Number(wanted); copy++) {
  for (const { path, name } of files) {
    if (chunks >= Number(wanted)) break;
    const original = readFileSync(path, 'utf8');
    const text = copy === 0 ? original : changed(original);
    const source = `file:${copy === 0 ? '' : `copy${copy}/`}${name}`;
    const write = await writeOf(source, text);
    if (write === null) continue;
    chunks += write.chunks.length;
    documents++;
    if (!stream.write(`${JSON.stringify(write)}\n`))
      await new Promise((resolve) => stream.once('drain', resolve));
    if (documents % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}
stream.end();
console.log(JSON.stringify({ documents, chunks }));

/** One word in eight of a line of prose becomes another word of the same document; headings and code marks stay. */
function changed(text) {
  const words = text.match(/[\p{L}]{4,}/gu) ?? ['word'];
  return text
    .split('\n')
    .map((line) =>
      /^(#|---|```|~~~)/.test(line)
        ? line
        : line.replace(/[\p{L}]{4,}/gu, (word) =>
            random() < 1 / 8 ? words[Math.floor(random() * words.length)] : word,
          ),
    )
    .join('\n');
}

async function writeOf(source, text) {
  const name = source.slice(5);
  const bytes = Buffer.from(text);
  const tree = await parseDocument({ bytes, name, limits: DEFAULT_LIMITS });
  const id = derivedId('bench', source);
  const title = tree.title ?? name;
  const { sections, chunks, summary } = chunkDocument(tree, { doc_id: id, title, source, settings });
  if (chunks.length === 0) return null;
  return {
    document: {
      id,
      source,
      source_path: name,
      title,
      summary,
      hash: contentHash(tree.text),
      updated_at: '2026-01-01T00:00:00.000Z',
      chunk_count: chunks.length,
      is_parent: true,
      metadata: { format: tree.format },
    },
    sections,
    content: { text: tree.text, blocks: tree.blocks, pages: tree.pages, excluded: tree.excluded },
    chunks: chunks.map((chunk) => ({ chunk, embed_key: embedKey(chunk) })),
  };
}
