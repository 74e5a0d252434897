// A folder, from its files to something that can be searched by words, in a new process: node add/adding.js TOOL FOLDER…
// with strata, LangChain's recursive splitter and minisearch, orama or lancedb, or qmd. Prints one JSON line.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchPeak } from '../peak.js';

const [tool, ...folders] = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), 'strata-bench-adding-'));

async function addToStrata() {
  const { openLibrary } = await import('../../dist/index.js');
  const library = await openLibrary({ library: join(work, '.strata'), embedder: 'none' });
  const report = await library.add(folders, { embed: false });
  await library.close();
  return report.chunks.added;
}

/** LangChain's chunks, with the words that each index makes of them itself. */
async function splitAndAdd(add) {
  const { RecursiveCharacterTextSplitter } = await import('@langchain/textsplitters');
  const splitter = new RecursiveCharacterTextSplitter({ chunkSize: 1000, chunkOverlap: 180 });
  let rows = [];
  let count = 0;
  for (const path of filesOf(folders)) {
    const documents = await splitter.createDocuments([readFileSync(path, 'utf8')], [{ source: path }]);
    for (const { pageContent } of documents) rows.push({ id: String(count++), text: pageContent });
    if (rows.length >= 2000) {
      await add.rows(rows);
      rows = [];
    }
  }
  if (rows.length > 0) await add.rows(rows);
  await add.finish?.();
  return count;
}

/** qmd wants Node 22 or Bun; by words it indexes whole files, and cuts them only when it embeds. */
function addToQmd() {
  const installed = (path) => {
    const found = join(import.meta.dirname, '../node_modules', path);
    if (!existsSync(found)) throw new Error(`Cannot find package ${path}`);
    return found;
  };
  const program = [installed('.bin/bun'), installed('@tobilu/qmd/dist/cli/qmd.js')];
  const env = { ...process.env, HOME: work, XDG_CACHE_HOME: work, XDG_CONFIG_HOME: work };
  for (const [at, folder] of folders.entries())
    execFileSync(program[0], [program[1], 'collection', 'add', folder, '--name', `folder${at}`], { env });
  return filesOf(folders).length;
}

const filesOf = (list) =>
  list.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(md|txt)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  );

const TOOLS = {
  strata: addToStrata,
  qmd: addToQmd,
  minisearch: async () => {
    const { default: MiniSearch } = await import('minisearch');
    const index = new MiniSearch({ fields: ['text'] });
    return splitAndAdd({ rows: (rows) => index.addAll(rows) });
  },
  orama: async () => {
    const { create, insertMultiple } = await import('@orama/orama');
    const index = create({ schema: { id: 'string', text: 'string' } });
    return splitAndAdd({ rows: (rows) => insertMultiple(index, rows, 500) });
  },
  lancedb: async () => {
    const lancedb = await import('@lancedb/lancedb');
    const connection = await lancedb.connect(work);
    let table = null;
    return splitAndAdd({
      rows: async (rows) => {
        if (table === null) table = await connection.createTable('chunks', rows);
        else await table.add(rows);
      },
      finish: () => table.createIndex('text', { config: lancedb.Index.fts() }),
    });
  },
};

const peak = watchPeak();
const started = performance.now();
const chunks = await TOOLS[tool]();
const seconds = (performance.now() - started) / 1000;
rmSync(work, { recursive: true, force: true });
console.log(JSON.stringify({ tool, chunks, seconds, peak_mb: peak() }));
process.exit(0);
