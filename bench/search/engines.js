// The engines, behind one face: add(documents), finish(), search(query) → ids, close(). Analysis is Strata's for all, so
// that what is compared is the index: the others get the words of a chunk joined by spaces.
import { join } from 'node:path';
import { sqliteBackend } from '../../dist/drivers/sqlite/backend.js';
import { analyze } from '../../dist/text/analyze.js';
import { parseQuery } from '../../dist/text/query.js';
import { chunkWords, documentWords } from '../../dist/text/words.js';

const K = 10;
const wordsOf = (chunk) =>
  [...chunk.title_path, chunk.content].flatMap((text) => analyze(text).map(({ term }) => term)).join(' ');
const termsOf = (query) => parseQuery(query).terms.map(({ term }) => term);
const rows = (writes) =>
  writes.flatMap(({ chunks }) => chunks.map(({ chunk }) => ({ id: chunk.id, text: wordsOf(chunk) })));

export const ENGINES = {
  strata: async (folder) => {
    const backend = await sqliteBackend({ path: join(folder, 'library.db') });
    return {
      add: (writes) =>
        backend.commit({
          put: writes.map((write) => ({
            ...write,
            words: documentWords(write.document),
            chunks: write.chunks.map((entry) => ({ ...entry, words: chunkWords(entry.chunk) })),
          })),
        }),
      finish: () => backend.tidy(),
      search: async (query) => {
        // Any of the words, as the others are asked; a product's search also requires a two-character word as such.
        const { terms } = parseQuery(query);
        return backend.words.match({ terms, k: K, kind: 'chunk', scorer: 'bm25' });
      },
      close: () => backend.close(),
    };
  },
  minisearch: async () => {
    const { default: MiniSearch } = await import('minisearch');
    const split = (text) => text.split(' ');
    const index = new MiniSearch({ fields: ['text'], tokenize: split, processTerm: (term) => term });
    return {
      inMemory: true,
      add: async (writes) => index.addAll(rows(writes)),
      finish: async () => {},
      search: async (query) => index.search(termsOf(query).join(' ')).slice(0, K),
      close: async () => {},
    };
  },
  orama: async () => {
    const { create, insertMultiple, search } = await import('@orama/orama');
    const tokenizer = {
      language: 'english',
      normalizationCache: new Map(),
      tokenize: (text) => text.split(' '),
    };
    const index = create({ schema: { id: 'string', text: 'string' }, components: { tokenizer } });
    return {
      inMemory: true,
      add: async (writes) => insertMultiple(index, rows(writes), 500),
      finish: async () => {},
      search: async (query) =>
        (
          await search(index, {
            term: termsOf(query).join(' '),
            properties: ['text'],
            limit: K,
            threshold: 1,
          })
        ).hits,
      close: async () => {},
    };
  },
  flexsearch: async () => {
    const { default: FlexSearch } = await import('flexsearch');
    const index = new FlexSearch.Index({ encode: (text) => text.split(' '), tokenize: 'strict' });
    let count = 0;
    return {
      inMemory: true,
      add: async (writes) => {
        for (const { text } of rows(writes)) index.add(count++, text);
      },
      finish: async () => {},
      // `suggest`: units that hold some of the words, as for the others.
      search: async (query) => index.search(termsOf(query).join(' '), { limit: K, suggest: true }),
      close: async () => {},
    };
  },
  'fts5-trigram': async (folder) => {
    const { DatabaseSync } = await import('@photostructure/sqlite');
    const database = new DatabaseSync(join(folder, 'fts.db'));
    database.exec(
      "PRAGMA journal_mode = wal; CREATE VIRTUAL TABLE IF NOT EXISTS fts USING fts5(id UNINDEXED, text, tokenize = 'trigram')",
    );
    const insert = database.prepare('INSERT INTO fts VALUES (?, ?)');
    const ask = database.prepare('SELECT id FROM fts WHERE fts MATCH ? ORDER BY rank LIMIT ?');
    return {
      // Its own analysis, of the text itself: words of fewer than three characters are not found.
      add: async (writes) => {
        database.exec('BEGIN');
        for (const { chunks } of writes)
          for (const { chunk } of chunks)
            insert.run(chunk.id, `${chunk.title_path.join(' ')} ${chunk.content}`);
        database.exec('COMMIT');
      },
      finish: async () => database.exec("INSERT INTO fts(fts) VALUES ('optimize')"),
      search: async (query) => {
        const words = query.split(' ').map((word) => `"${word.replaceAll('"', '')}"`);
        return ask.all(words.join(' OR '), K);
      },
      close: async () => database.close(),
    };
  },
  lancedb: async (folder) => {
    const lancedb = await import('@lancedb/lancedb');
    const connection = await lancedb.connect(join(folder, 'lance'));
    let table = (await connection.tableNames()).includes('chunks')
      ? await connection.openTable('chunks')
      : null;
    return {
      add: async (writes) => {
        if (table === null) table = await connection.createTable('chunks', rows(writes));
        else await table.add(rows(writes));
      },
      finish: async () => {
        await table.optimize({ cleanupOlderThan: new Date() });
        const options = {
          baseTokenizer: 'whitespace',
          stem: false,
          removeStopWords: false,
          withPosition: false,
        };
        const plain = { lowercase: false, asciiFolding: false, maxTokenLength: 200 };
        await table.createIndex('text', { config: lancedb.Index.fts({ ...options, ...plain }) });
      },
      search: (query) =>
        table.search(termsOf(query).join(' '), 'fts', 'text').select(['id', '_score']).limit(K).toArray(),
      close: async () => connection.close(),
    };
  },
};
