import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, serveLibrary, strata } from './program.js';
import { percentile, seedOf, steps, times } from './torture/torture.js';

/** `npm run torture` has them for a minute or for ten; here it is enough to see that the test works. */
const SECONDS = times('STRATA_SOAK_SECONDS', 10);
const CLIENTS = times('STRATA_SOAK_CLIENTS', 24);
/** Shorter runs see the compiler and the first growth of everything, and say nothing of leaks. */
const LONG = 300;
const TOKEN = '0123456789abcdef'.repeat(4);
let folder: string;
let server: Served;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'strata-soak-'));
  writeFileSync(join(folder, 'a.md'), '# A\n\nSome text to find.\n');
  expect((await strata(['add', 'a.md', '--no-embed'], { cwd: folder })).code).toBe(0);
  writeFileSync(join(folder, 'tokens'), `${TOKEN} soak write\n`, { mode: 0o600 });
  server = await serveLibrary(folder, ['--allow-write', '--token-file', 'tokens', '--rate', '1000000']);
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function ask(method: string, path: string, type: string, body: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': type };
  const response = await fetch(`${server.url}/api/v1/${path}`, { method, headers, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
  return JSON.parse(text);
}
const operate = (name: string, input: object): Promise<unknown> =>
  ask('POST', name, 'application/json', JSON.stringify(input));
const put = (name: string, text: string): Promise<unknown> =>
  ask('PUT', `files/${name}`, 'application/octet-stream', text);

interface Found {
  readonly results: readonly { readonly item: { readonly source_path: string } }[];
}

/** Each client has two documents of its own: one that is always there in some version, one that comes and goes. */
async function client(
  name: string,
  until: number,
  pick: (below: number) => number,
  took: number[],
): Promise<void> {
  const words = () => Array.from({ length: 60 }, () => `word${pick(3000)}`).join(' ');
  const text = (own: string) =>
    `# ${own}\n\n${Array.from({ length: 1 + pick(6) }, (_, at) => `## Part ${at}\n\n${own} ${words()}\n`).join('\n')}`;
  let isThere = false;
  while (Date.now() < until) {
    const kind = pick(20);
    if (kind === 0) await put(`stable${name}.md`, text(`stable${name}`));
    else if (kind === 1 && !isThere) {
      await put(`passing${name}.md`, text(`passing${name}`));
      isThere = true;
    } else if (kind === 2 && isThere) {
      await operate('remove', { targets: [`uploads/passing${name}.md`] });
      isThere = false;
    } else {
      const started = performance.now();
      const { results } = (await operate('search', { query: `"stable${name}" word${pick(3000)}` })) as Found;
      took.push(performance.now() - started);
      const paths = results.map(({ item }) => item.source_path);
      if (!paths.includes(`uploads/stable${name}.md`)) throw new Error(`stable${name} is not among ${paths}`);
    }
    await sleep(pick(40));
  }
}

/** What the server holds now: memory and open files where the system tells, and the library's size. */
function look(pid: number): { rss: number; files: number; disk: number } {
  const inLibrary = readdirSync(join(folder, '.strata'), { recursive: true, withFileTypes: true });
  const disk = inLibrary
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + sizeOf(join(parentPath, name)), 0);
  try {
    const rss = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
    return { rss, files: readdirSync(`/proc/${pid}/fd`).length, disk: disk / 2 ** 20 };
  } catch {
    return { rss: 0, files: 0, disk: disk / 2 ** 20 };
  }
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

describe('a server that many use at once', () => {
  it(`B6 ${CLIENTS} clients for ${SECONDS} s, who add, edit, remove and search: no error, and nothing grows`, async () => {
    const seed = seedOf('soak');
    const { chance } = await steps();
    for (let at = 0; at < CLIENTS; at++)
      await put(`stablec${at}c.md`, `# stablec${at}c\n\nAs it is at first.\n`);
    const until = Date.now() + SECONDS * 1000;
    const took: number[] = [];
    const seen: ReturnType<typeof look>[] = [];
    const clients = Array.from({ length: CLIENTS }, (_, at) =>
      client(`c${at}c`, until, chance(seed, String(at)), took),
    );
    const watching = (async () => {
      while (Date.now() < until) {
        seen.push(look(server.process.pid!));
        await sleep(Math.max(250, SECONDS * 10));
      }
    })();
    const ended = await Promise.allSettled(clients);
    await watching;
    const errors = ended.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
    expect(errors.slice(0, 3), `seed ${seed}`).toEqual([]);

    const [p50, p99] = [percentile(took, 0.5), percentile(took, 0.99)];
    const quarter = (of: number, key: 'rss' | 'files' | 'disk') =>
      mean(seen.slice((seen.length * of) >> 2, (seen.length * (of + 1)) >> 2).map((one) => one[key]));
    const report = (['rss', 'files', 'disk'] as const).map(
      (key) => `${key} ${quarter(1, key).toFixed(1)} → ${quarter(3, key).toFixed(1)}`,
    );
    console.log(
      `${CLIENTS} clients, ${SECONDS} s: ${took.length} searches, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (× ${(p99 / p50).toFixed(1)}); ${report.join(', ')} (second to last quarter)`,
    );
    expect(took.length).toBeGreaterThan(CLIENTS);
    if (SECONDS < LONG) return;
    expect(p99, `seed ${seed}`).toBeLessThanOrEqual(10 * p50);
    for (const key of ['rss', 'files', 'disk'] as const)
      expect(quarter(3, key), `${key}, seed ${seed}`).toBeLessThanOrEqual(1.1 * quarter(1, key));
  });
});
