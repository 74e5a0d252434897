// One store of a bench, by name: its backend for building, and what a library says to be opened with it.
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { jsonBackend } from '../../dist/drivers/json/backend.js';
import { lancedbBackend } from '../../dist/drivers/lancedb/backend.js';
import { addressOf } from '../../dist/drivers/postgres/address.js';
import { postgresBackend } from '../../dist/drivers/postgres/backend.js';
import { sqliteBackend } from '../../dist/drivers/sqlite/backend.js';
import { chunkWords, documentWords } from '../../dist/text/words.js';

export const SCHEMA = 'strata_bench';
export const STORES = ['sqlite', 'json', 'lancedb', 'postgres'];
const reindex = { chunk: chunkWords, document: documentWords };

export const serverUrl = () => {
  const url = process.env.STRATA_POSTGRES_URL;
  if (!url) throw new Error('set STRATA_POSTGRES_URL');
  return url;
};

export function placeAt(url, library) {
  const whole = new URL(url);
  whole.searchParams.set('library', library);
  whole.searchParams.set('schema', SCHEMA);
  return whole.href;
}

export async function buildStore(name, location) {
  mkdirSync(location, { recursive: true });
  writeFileSync(join(location, 'store.json'), `${JSON.stringify({ driver: name })}\n`);
  if (name === 'sqlite') return sqliteBackend({ path: join(location, 'library.db'), reindex });
  if (name === 'json') return jsonBackend({ path: join(location, 'json'), reindex });
  if (name === 'lancedb') return lancedbBackend({ path: join(location, 'lancedb'), reindex });
  const address = addressOf(placeAt(serverUrl(), 'bench'), { location, isAsked: true }, {});
  writeFileSync(join(location, 'store.json'), `${JSON.stringify({ driver: name, place: address.shown })}\n`);
  return postgresBackend({ address, reindex });
}

export async function diskOf(name, location) {
  if (name !== 'postgres')
    return readdirSync(location, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  const sql = postgres(serverUrl(), { max: 1 });
  const [row] = await sql`SELECT sum(pg_total_relation_size(c.oid)) AS bytes FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ${SCHEMA} AND c.relkind = 'r'`;
  await sql.end();
  return Number(row.bytes);
}
