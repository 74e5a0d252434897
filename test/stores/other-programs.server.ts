import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import postgres from 'postgres';
import { expect, it } from 'vitest';
import { openLibrary } from '../../src/index.js';

/** Other programs are installed in a package of their own: see scripts/install-test-stores.sh. */
const require = createRequire(join(import.meta.dirname, 'package.json'));
const load = async (name: string) => import(pathToFileURL(require.resolve(name)).href);

const url = process.env.STRATA_TEST_POSTGRES!;
const DIMENSIONS = 26;
function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  for (const letter of text.toLowerCase().match(/[a-z]/g) ?? []) vector[letter.charCodeAt(0) - 97]!++;
  const length = Math.hypot(...vector) || 1;
  return vector.map((count) => count / length);
}
const embedder = {
  id: 'letters',
  dimensions: DIMENSIONS,
  fingerprint: 'letters-26',
  embed: async (texts: readonly string[]) => texts.map(vectorOf),
  close: async () => {},
};
/** What LangChain wants of a model: the library's own. */
const embeddings = {
  embedQuery: async (text: string) => [...vectorOf(text)],
  embedDocuments: async (texts: readonly string[]) => texts.map((text) => [...vectorOf(text)]),
};

async function filledLibrary(schema: string) {
  const folder = await mkdtemp(join(tmpdir(), 'strata-others-'));
  await mkdir(join(folder, 'docs'));
  await writeFile(
    join(folder, 'docs', 'pumps.md'),
    '# Pumps\n\n## Valves\n\nzzz valves of the pump\n\n## 阀门\n\nqqq 阀门\n',
  );
  await writeFile(join(folder, 'docs', 'cats.md'), '# Cats\n\n## Food\n\nxxx nothing technical\n');
  const place = new URL(url);
  place.searchParams.set('library', randomUUID());
  place.searchParams.set('schema', schema);
  const library = await openLibrary({
    library: join(folder, '.strata'),
    cwd: folder,
    store: place.href,
    embedder,
  });
  await library.add([join(folder, 'docs')]);
  return {
    library,
    name: place.searchParams.get('library')!,
    dispose: async () => {
      await library.close();
      await rm(folder, { recursive: true });
    },
  };
}

it("S4.5 LangChain's own pgvector store reads document_chunks as Strata wrote it", async () => {
  const schema = 'strata_langchain';
  const { library, dispose } = await filledLibrary(schema);
  const { PGVectorStore } = await load('@langchain/community/vectorstores/pgvector');
  const store = await PGVectorStore.initialize(embeddings, {
    postgresConnectionOptions: { connectionString: url },
    tableName: 'document_chunks',
    schemaName: schema,
    columns: {
      idColumnName: 'id',
      vectorColumnName: 'embedding',
      contentColumnName: 'content',
      metadataColumnName: 'metadata',
    },
    distanceStrategy: 'cosine',
    skipInitializationCheck: true,
  });
  try {
    const [best] = await store.similaritySearch('zzz valves of the pump', 1);
    const { results } = await library.search('zzz valves', { mode: 'keyword' });
    const chunk = results[0]!.matched_chunks[0]!;
    expect(best.pageContent).toBe(chunk.content);
    expect(best.metadata).toMatchObject({
      document_title: 'Pumps',
      title_path: chunk.title_path,
      chunk_index: chunk.chunk_index,
    });
    const filtered = await store.similaritySearch('zzz valves of the pump', 5, { document_title: 'Cats' });
    expect(filtered.map(({ metadata }: { metadata: { title: string } }) => metadata.title)).toEqual(['Food']);
  } finally {
    await store.end();
    await dispose();
  }
});

/** What PostgREST does with a call of a function: its parameters by name, its rows as JSON. There is none to install here. */
async function functionServer(schema: string) {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  const calls: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    calls.push(`${request.method} ${request.url}`);
    const given = JSON.parse(body) as { query_embedding: number[]; match_count?: number; filter?: object };
    const rows = await sql`SELECT * FROM ${sql(`${schema}.match_documents`)}(
      query_embedding => ${JSON.stringify(given.query_embedding)}::vector,
      filter => ${sql.json((given.filter ?? {}) as never)}, match_count => ${given.match_count ?? 10})`;
    const [, limit] = /[?&]limit=(\d+)/.exec(request.url ?? '') ?? [];
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(limit === undefined ? rows : rows.slice(0, Number(limit))));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    close: async () => {
      server.close();
      await sql.end();
    },
  };
}

it("S4.5 LangChain's Supabase store finds passages by match_documents, with Supabase's own client", async () => {
  const schema = 'strata_supabase';
  const { dispose } = await filledLibrary(schema);
  const server = await functionServer(schema);
  const { SupabaseVectorStore } = await load('@langchain/community/vectorstores/supabase');
  const { createClient } = await load('@supabase/supabase-js');
  const client = createClient(server.address, 'key', { auth: { persistSession: false } });
  const store = new SupabaseVectorStore(embeddings, {
    client,
    tableName: 'document_chunks',
    queryName: 'match_documents',
  });
  try {
    const found = await store.similaritySearchWithScore('zzz valves of the pump', 2, {
      document_title: 'Pumps',
    });
    expect(found).toHaveLength(2);
    const [[best, score]] = found;
    expect(best.pageContent).toContain('zzz valves');
    expect(best.metadata).toMatchObject({ document_title: 'Pumps', title: 'Valves' });
    expect(score).toBeGreaterThan(found[1][1]);
    expect(server.calls.every((call) => call.startsWith('POST /rest/v1/rpc/match_documents'))).toBe(true);
  } finally {
    await server.close();
    await dispose();
  }
});
