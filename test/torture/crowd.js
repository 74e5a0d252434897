import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { chance } from './steps.js';

/**
 * `crowd.js ROLE LIBRARY STORE NAME SECONDS`: one of many processes on one library. Adders replace documents that are
 * always there and add others that removers take away; searchers look for those that are always there, and check what
 * they see. Whatever is wrong is said in one line.
 */
const [role, location, store, name, seconds] = process.argv.slice(2);
const dist = (file) => import(new URL(`../../dist/${file}`, import.meta.url).href);
const say = (line) => writeSync(1, `${line}\n`);

export const STABLE = 12;
const pick = chance(role, name);
const words = () => Array.from({ length: 40 }, () => `word${pick(2000)}`).join(' ');

/** Every section has the document's own word and the version's: a mixture of two versions would show. */
const textOf = (own, version) =>
  Array.from(
    { length: 3 + pick(8) },
    (_, i) => `## Section ${i}\n\n${own} version${version}end ${words()}\n`,
  ).join('\n');

const { openLibrary } = await dist('engine/open.js');
const library = await openLibrary({ library: location, store, embedder: 'none' });
const add = (source, version) =>
  library.addText(
    { title: source, text: `# ${source}\n\n${textOf(source, version)}`, source: `note:${source}` },
    { embed: false, strategy: 'h2' },
  );

const roles = {
  async setup() {
    for (let i = 0; i < STABLE; i++) await add(`stable${i}`, 0);
  },
  async add(n) {
    if (n % 3 === 0) {
      const source = `passing${name}n${n}`;
      await add(source, n);
      say(`added note:${source}`);
    } else {
      const source = `stable${pick(STABLE)}`;
      await add(source, `${name}n${n}`);
      say(`replaced note:${source} version${name}n${n}end`);
    }
  },
  async remove() {
    const { documents } = await library.list();
    const passing = documents.filter(({ source }) => source.startsWith('note:passing'));
    const victim = passing[pick(Math.max(1, passing.length))];
    if (victim === undefined) return sleep(5);
    await library.remove([victim.id]);
    say(`removed ${victim.source}`);
  },
  async search() {
    const own = `stable${pick(STABLE)}`;
    const since = performance.now();
    // Quoted: in a library that has grown, five others may well hold more of the words beside it.
    const query = `"${own}" ${words().slice(0, 20)}`;
    const { results } = await library.search(query, { mode: 'keyword', limit: 5 });
    say(`took ${(performance.now() - since).toFixed(3)}`);
    const hit = results.find(({ item }) => item.source === `note:${own}`);
    if (hit === undefined) return say(`WRONG ${own} not found among ${results.length}`);
    const versions = new Set(
      [...hit.matched_chunks, ...hit.context_chunks].map(
        ({ content }) => /version\w+end/.exec(content)?.[0] ?? 'none',
      ),
    );
    versions.delete('none');
    if (versions.size > 1) say(`WRONG ${own}: a hit of ${[...versions].join(' and ')}`);
    const { children } = await library.inspect(hit.item.id);
    const seen = new Set(children.map(({ content }) => /version\w+end/.exec(content)?.[0] ?? 'none'));
    if (seen.size !== 1) say(`WRONG ${own}: a document of ${[...seen].join(' and ')}`);
    // Think time: a reader that never rests measures the scheduler.
    await sleep(2 + pick(6));
  },
};

try {
  say('open');
  const until = Date.now() + Number(seconds) * 1000;
  if (role === 'setup') await roles.setup();
  else for (let n = 0; Date.now() < until; n++) await roles[role](n);
  await library.close();
  say('closed');
} catch (error) {
  say(`WRONG ${error?.code ?? ''} ${String(error?.stack ?? error).replaceAll('\n', ' | ')}`);
  process.exitCode = 1;
}
