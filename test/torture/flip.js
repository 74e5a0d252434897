import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { chance, openStore } from './steps.js';

/**
 * `flip.js DRIVER PRISTINE WORK SEED FROM TO`: for each number a fresh copy of the library gets one bit flipped
 * somewhere, and is used: opened, listed, read, searched, checked, repaired, read again. What is wrong is said in one
 * line a flip; a crash of this process is wrong too.
 */
const [driver, pristine, work, seed, from, to] = process.argv.slice(2);
const dist = (file) => import(new URL(`../../dist/${file}`, import.meta.url).href);
const { contentHash } = await dist('model/hash.js');
const { isStrataError } = await dist('model/errors.js');
const say = (line) => writeSync(1, `${line}\n`);

/** The contents that may be served, by chunk id: anything else is wrong. */
const truth = new Map();
{
  const store = await openStore(driver, pristine);
  for (const { id } of await store.documents())
    for (const chunk of await store.chunksOf(id)) truth.set(chunk.id, chunk);
  await store.close();
}

for (let n = Number(from); n < Number(to); n++) {
  rmSync(work, { recursive: true, force: true });
  cpSync(pristine, work, { recursive: true });
  const pick = chance(seed, n);
  // Listed each time: SQLite takes its side files away when the last of those who had the library open is gone.
  const files = filesIn(work);
  // Half of them spread over the bytes, half over the files: small files count too.
  const { path } = pick(2) === 0 ? byBytes(files, pick) : files[pick(files.length)];
  const bytes = readFileSync(path);
  const at = pick(bytes.length);
  bytes[at] ^= 1 << pick(8);
  writeFileSync(path, bytes);
  const where = `${path.slice(work.length + 1)} byte ${at} of ${bytes.length}`;
  try {
    say(`flip ${n} ${JSON.stringify({ where, ...(await use()) })}`);
  } catch (error) {
    say(`flip ${n} ${JSON.stringify({ where, wrong: [`thrown: ${error?.stack ?? error}`] })}`);
  }
}
say('closed');

function filesIn(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .map((path) => ({ path, stats: statSync(path) }))
    .filter(({ stats }) => stats.isFile() && stats.size > 0)
    .map(({ path, stats }) => ({ path, size: stats.size }));
}

function byBytes(files, pick) {
  let at = pick(files.reduce((sum, { size }) => sum + size, 0));
  for (const file of files) {
    if (at < file.size) return file;
    at -= file.size;
  }
  return files.at(-1);
}

/** Uses the library as people do; errors must be ours, and say something. */
async function use() {
  const wrong = [];
  const errors = [];
  const attempt = async (what, run) => {
    try {
      return await run();
    } catch (error) {
      if (!isStrataError(error) || error.message === '')
        wrong.push(`${what}: no proper error: ${error?.stack ?? error}`);
      else errors.push(`${what}: ${error.code}`);
      return undefined;
    }
  };
  const read = async (when) => {
    const store = await attempt(`${when} open`, () => openStore(driver, work, { patience: 2000 }));
    if (store === undefined) return { served: 0, findings: undefined };
    let served = 0;
    const take = (chunk) => {
      served++;
      const expected = truth.get(chunk.id);
      if (contentHash(chunk.content) !== chunk.hash) wrong.push(`${when}: chunk ${chunk.id} fails its hash`);
      else if (expected === undefined || expected.content !== chunk.content)
        wrong.push(`${when}: chunk ${chunk.id} is another`);
    };
    const documents = (await attempt(`${when} list`, () => store.documents())) ?? [];
    for (const { id } of documents) {
      const chunks = (await attempt(`${when} chunks`, () => store.chunksOf(id))) ?? [];
      for (const chunk of chunks) take(chunk);
      await attempt(`${when} content`, () => store.content(id));
      await attempt(`${when} sections`, () => store.sections(id));
    }
    for (const term of ['word1', 'word17', '配置', 'part']) {
      const query = { terms: [{ term, weight: 1 }], k: 50, kind: 'chunk', scorer: 'bm25' };
      const found = (await attempt(`${when} search`, () => store.words.match(query))) ?? [];
      const loaded = (await attempt(`${when} hits`, () => store.chunksById(found.map(({ id }) => id)))) ?? [];
      for (const chunk of loaded) take(chunk);
    }
    const near = { vector: Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0), k: 10 };
    await attempt(`${when} vectors`, () => store.vectors.near(near));
    await attempt(`${when} records`, () => store.records('torture'));
    const findings = await attempt(`${when} check`, () => store.check());
    const fixes = when === 'after' ? [] : await attempt('fix', () => store.check({ fix: true }));
    await attempt(`${when} close`, () => store.close());
    return { served, findings, left: (fixes ?? []).filter(({ fixed }) => !fixed).length };
  };
  const before = await read('before');
  const after = await read('after');
  const found = errors.length > 0 || (before.findings?.length ?? 1) > 0;
  return {
    wrong,
    errors: [...new Set(errors)],
    found,
    served: before.served,
    repaired: after.findings !== undefined && after.findings.length === 0 && after.served,
  };
}
