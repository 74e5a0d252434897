import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Folder, folder, guide, PROGRAM } from './strata.js';

/** What a start reads is what it costs; times are for a quiet machine (docs/decisions/start-up.md). */

/** Writes down every module a process loads. */
const RECORDER = `data:text/javascript,${encodeURIComponent(`
import { register } from 'node:module';
register('data:text/javascript,' + encodeURIComponent(\`
  import { appendFileSync } from 'node:fs';
  export async function load(url, context, next) {
    appendFileSync(process.env.MODULES, url + '\\\\n');
    return next(url, context);
  }\`));
`)}`;

/** Each of these loads when a file, a model or a server needs it. */
const HEAVY =
  /node_modules\/(onnxruntime|@huggingface|@embedpdf|web-tree-sitter|@vscode|mammoth|linkedom|@mozilla|yaml|papaparse|saxes|htmlparser2|@parcel|ignore|hono|@hono)/;

async function modulesOf(here: Folder, args: readonly string[], input?: object): Promise<string[]> {
  const file = join(here.path, `modules-${args[0]}`);
  const child = spawn(process.execPath, ['--import', RECORDER, PROGRAM, ...args], {
    env: { PATH: process.env.PATH, HOME: here.path, STRATA_EMBEDDER: 'none', MODULES: file },
    cwd: here.path,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (input) child.stdin.write(`${JSON.stringify(input)}\n`);
  // The first answer is what somebody waits for; what a server loads afterwards delays nobody.
  await new Promise((resolve) => child.stdout.once('data', resolve));
  child.kill('SIGKILL');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

const files = (modules: readonly string[]): string[] =>
  modules
    .filter((url) => url.startsWith('file:'))
    .map((url) => url.replace(/^.*\/(dist|node_modules)\//, '$1/'));

it('strata --version reads nothing but the version', async () => {
  const read = files(await modulesOf(folder(), ['--version']));
  expect(read.length).toBeGreaterThan(0);
  expect(read.filter((file) => !/^dist\/serve\/(main|part-version-.*)\.js$/.test(file))).toEqual([]);
});

it('initialize over stdio is answered from a few files, with no model, parser or HTTP server', async () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  };
  const here = folder();
  const library = join(here.path, '.strata');
  const read = files(await modulesOf(here, ['mcp', '--library', library], initialize));
  expect(read.some((file) => file.includes('part-protocol-'))).toBe(true);
  expect(read.filter((file) => HEAVY.test(file))).toEqual([]);
  expect(read.length, read.join('\n')).toBeLessThan(25);
});

it('a search by words loads no parser, model or schema', async () => {
  const here = folder({ 'a.md': guide('Harbours', 'tides', 'ships') });
  expect((await here.strata('add', '.')).code).toBe(0);
  const read = files(await modulesOf(here, ['search', 'tides', '--library', join(here.path, '.strata')]));
  expect(read.filter((file) => HEAVY.test(file) || /part-(protocol|parser?)-/.test(file))).toEqual([]);
  expect(read.length, read.join('\n')).toBeLessThan(25);
});
