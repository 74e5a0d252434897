import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { fakeTurbopuffer } from '../drivers/turbopuffer/server.suite.js';
import { openLibrary } from '../engine/open.js';
import { partsOf } from '../engine/open-library.js';
import { stringNodes } from '../model/json/pointer.js';
import { outboxNotes } from '../store/outbox.js';
import { CountingEmbedder } from './library.suite.js';
import { openTools } from './open-tools.js';

/** How many kills; 100 is what was promised, and takes minutes. */
const KILLS = Number(process.env.STRATA_KILLS ?? 8);

const dist = (path: string): string => JSON.stringify(new URL(`../../dist/${path}`, import.meta.url).href);

/** Creates, changes, re-indexes and removes for ever, as fast as it can: it is killed at some moment of all that. */
const child = (folder: string, seed: number): string => `
const { openLibrary } = await import(${dist('engine/open.js')});
const { openTools } = await import(${dist('tools/open-tools.js')});
const vectorOf = ${vectorOf.toString()};
const embedder = { id: 'counting', dimensions: 32, fingerprint: 'counting-1',
  embed: async (texts) => texts.map(vectorOf), close: async () => {} };
const library = await openLibrary({ library: ${JSON.stringify(join(folder, '.strata'))}, cwd: ${JSON.stringify(folder)}, embedder });
const tools = openTools(library);
let state = ${seed};
const random = (most) => (state = (state * 48271) % 2147483647) % most;
const row = () => ({ text: ('Paragraph subject' + random(500) + ' tells of a machine that is cleaned. ').repeat(8) });
const create = () => tools.create({ name: 'ask', table_id: 'machines', path: '$[*].text', vectors: { turbopuffer_namespace: 'kb' } });
const put = () => tools.tables.put('machines', { text: JSON.stringify(Array.from({ length: 3 + random(8) }, row)) });
process.stdout.write('ready');
await put();
for (;;) {
  await create();
  for (let at = random(3); at >= 0; at--) await put();
  await tools.tables.patch('machines', { text: JSON.stringify([{ op: 'add', path: '/-', value: row() }, { op: 'remove', path: '/0' }]) });
  await tools.reindex('ask');
  if (random(2) === 0) await tools.remove('ask');
}`;

function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(32);
  for (let at = 0; at < text.length; at++) vector[(at * 7 + text.charCodeAt(at)) % 32]! += 1;
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

it(
  `S3.2 killed at ${KILLS} random moments: after a restart and \`reindex\` both sides agree, without orphans`,
  async () => {
    const fake = await fakeTurbopuffer();
    const folder = mkdtempSync(join(tmpdir(), 'strata-kill-'));
    onTestFinished(async () => {
      vi.unstubAllEnvs();
      await fake.close();
      rmSync(folder, { recursive: true, force: true });
    });
    const env = { ...fake.env, STRATA_CONFIG: join(folder, 'config') };
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    let midway = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      await killOnce(folder, kill + 1);
      midway += Number(
        await repairAndCompare(folder, () => [...(fake.namespaces.get('kb')?.rows.keys() ?? [])]),
      );
    }
    expect(fake.violations).toEqual([]);
    // Some kills must have come in the middle of something, or nothing was tested.
    expect(midway).toBeGreaterThan(0);
  },
  30_000 + KILLS * 15_000,
);

async function killOnce(folder: string, seed: number): Promise<void> {
  const running = spawn(process.execPath, ['--input-type=module', '-e', child(folder, seed)], {
    env: process.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => running.once('exit', resolve));
  await new Promise((resolve) => running.stdout.once('data', resolve));
  await sleep((seed * 7919) % 1_500);
  running.kill('SIGKILL');
  await ended;
}

/** Whether the kill had left anything to repair. */
async function repairAndCompare(folder: string, idsThere: () => readonly string[]): Promise<boolean> {
  const embedder = Object.assign(new CountingEmbedder(), {
    embed: async (texts: readonly string[]) => texts.map(vectorOf),
  });
  const library = await openLibrary({ library: join(folder, '.strata'), cwd: folder, embedder });
  try {
    const { backend } = partsOf(library);
    const tools = openTools(library);
    const [tool] = await tools.list();
    const isMidway = (await outboxNotes(backend)).length > 0;
    if (tool !== undefined) await tools.reindex('ask');
    // Of a tool that was removed, whatever touches its table next finishes the clean-up.
    else if ((await tools.tables.list()).length > 0)
      await tools.tables.put('machines', { text: JSON.stringify(await tools.tables.get('machines')) });
    const documents = await backend.documents();
    const chunks = (await Promise.all(documents.map(({ id }) => backend.chunksOf(id)))).flat();
    const kept = chunks.flatMap(
      ({ metadata }) => metadata.turbopuffer as readonly { readonly turbopuffer_doc_id: string }[],
    );
    expect(kept.map((one) => one.turbopuffer_doc_id).sort()).toEqual([...idsThere()].sort());
    expect(await outboxNotes(backend)).toEqual([]);
    const strings = tool === undefined ? [] : [...stringNodes(await tools.tables.get('machines'))];
    expect(documents.map(({ metadata }) => metadata.json_pointer).sort()).toEqual(
      strings.map(({ pointer }) => pointer).sort(),
    );
    return isMidway;
  } finally {
    await library.close();
  }
}
