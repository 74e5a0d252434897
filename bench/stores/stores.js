// What does the same library cost in each store, and does it give the same answers?
//   STRATA_POSTGRES_URL=… node bench/stores/stores.js FOLDER [OUT.md]
// A folder of some hundred files is added to SQLite, moved to every other store, and asked 200 questions (titles of its own sections) there.
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openLibrary } from 'strata-kb';

const [folder, out] = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), 'strata-stores-'));
const at = (name) => join(work, name, '.strata');
const open = (name) => openLibrary({ library: at(name), cwd: work, embedder: 'none' });
const round = (ms) => ms.toFixed(ms < 10 ? 1 : 0);
const quantile = (times, q) => times.toSorted((a, b) => a - b)[Math.floor(times.length * q)];
const sizeOf = (path) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

const source = await open('sqlite');
const started = performance.now();
await source.add([resolve(folder)], { embed: false });
const built = performance.now() - started;
const { chunks } = await source.status();
const questions = [];
for (let after; questions.length < 200; ) {
  const { documents, next } = await source.list({ after, limit: 100 });
  questions.push(...documents.map(({ title }) => title));
  if (next === null) break;
  after = next;
}
questions.length = Math.min(questions.length, 200);

const rows = [];
const answers = {};
const ask = async (name, library, build, disk) => {
  const times = [];
  answers[name] = [];
  for (const question of questions) await library.search(question, { mode: 'keyword', limit: 10 });
  for (const question of questions) {
    const from = performance.now();
    const { results } = await library.search(question, { mode: 'keyword', limit: 10 });
    times.push(performance.now() - from);
    answers[name].push(results.map(({ id }) => id).join());
  }
  const same = answers[name].filter((one, i) => one === answers.sqlite[i]).length / questions.length;
  rows.push([
    name,
    round(build / 1000),
    round(quantile(times, 0.5)),
    round(quantile(times, 0.95)),
    disk,
    `${(same * 100).toFixed(1)} %`,
  ]);
};
await ask('sqlite', source, built, `${(sizeOf(at('sqlite')) / 2 ** 20).toFixed(0)} MB`);
const targets = ['json', 'lancedb', ...(process.env.STRATA_POSTGRES_URL ? ['postgres'] : [])];
for (const name of targets) {
  const from = performance.now();
  const to = name === 'postgres' ? 'postgres' : `${name}:${join(work, name)}`;
  await source.move({ to, cwd: work, switch: true });
  const moved = performance.now() - from;
  const library = await open('sqlite');
  await library.backend.tidy();
  const disk = name === 'postgres' ? '–' : `${(sizeOf(join(work, name)) / 2 ** 20).toFixed(0)} MB`;
  await ask(name, library, moved, disk);
  await library.close();
}
await source.close();
const table = [
  ['store', 'build or move, s', 'p50 ms', 'p95 ms', 'disk', 'same answers as SQLite'],
  ['---', '---:', '---:', '---:', '---:', '---:'],
  ...rows,
].map((row) => `| ${row.join(' | ')} |`);
const text = `${chunks} passages of ${folder}, ${questions.length} questions, whole keyword searches of a warm process, in one session.\n\n${table.join('\n')}\n`;
console.log(text);
if (out) writeFileSync(out, text);
rmSync(work, { recursive: true, force: true });
