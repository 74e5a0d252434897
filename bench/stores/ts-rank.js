// PostgreSQL's own full text over the same chunks, for comparison: ts_rank over a GIN index of Strata's words.
//   STRATA_POSTGRES_URL=… node ts-rank.js QUERIES.json [COUNT]
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import postgres from 'postgres';
import { analyze } from '../../dist/text/analyze.js';
import { parseQuery } from '../../dist/text/query.js';
import { SCHEMA, serverUrl } from './open-store.js';

const [queriesFile, count = '40'] = process.argv.slice(2);
const questions = Object.values(JSON.parse(readFileSync(queriesFile, 'utf8'))).flatMap((list) =>
  list.slice(0, Number(count)),
);
const sql = postgres(serverUrl(), { max: 1, onnotice: () => {} });
const table = sql(`${SCHEMA}.ts_rank_words`);
const [there] = await sql`SELECT to_regclass(${`${SCHEMA}.ts_rank_words`}) IS NOT NULL AS is_there`;
const safe = (term) => term.replace(/[^\p{L}\p{N}]/gu, '') || 'x';
if (!there.is_there) {
  const started = performance.now();
  await sql`CREATE TABLE ${table} (id uuid, words tsvector)`;
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const rows =
      await sql`SELECT id, content FROM ${sql(`${SCHEMA}.document_chunks`)} WHERE id > ${after} ORDER BY id LIMIT 2000`;
    if (rows.length === 0) break;
    after = rows.at(-1).id;
    const made = rows.map(({ id, content }) => [
      id,
      analyze(content)
        .slice(0, 16_000)
        .map(({ term }) => safe(term))
        .join(' '),
    ]);
    await sql`INSERT INTO ${table} SELECT d.id::uuid, to_tsvector('simple', d.words) FROM (VALUES ${sql(made)}) AS d (id, words)`;
  }
  await sql`CREATE INDEX ON ${table} USING gin (words)`;
  await sql`ANALYZE ${table}`;
  console.error(`built in ${((performance.now() - started) / 1000).toFixed(0)} s`);
}
const times = [];
for (let round = 0; round < 2; round++)
  for (const question of questions) {
    const asked = parseQuery(question)
      .terms.map(({ term }) => safe(term))
      .join(' | ');
    const from = performance.now();
    await sql`SELECT id, ts_rank(words, q) AS rank FROM ${table}, to_tsquery('simple', ${asked}) q
      WHERE words @@ q ORDER BY rank DESC LIMIT 10`;
    if (round === 1) times.push(performance.now() - from);
  }
const at = (q) => times.toSorted((a, b) => a - b)[Math.floor(times.length * q)];
console.log(JSON.stringify({ store: 'ts_rank', index: { p50: at(0.5), p95: at(0.95) }, load: loadavg()[0] }));
await sql.end();
