import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { PROGRAM } from './strata.js';

/** The built program beside tests that keep one library for all their cases. `npm test` builds first. */
export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The library stands in the folder, whatever project or home that folder is in. */
const libraryOf = (cwd: string, embedder = 'none'): string[] => [
  '--library',
  join(cwd, '.strata'),
  '--embedder',
  embedder,
];

export function strata(args: readonly string[], { cwd }: { cwd: string }): Promise<Run> {
  const env = {
    ...process.env,
    NO_COLOR: '1',
    STRATA_LIBRARY: join(cwd, '.strata'),
    STRATA_EMBEDDER: 'none',
  };
  return collect(
    spawn(process.execPath, [PROGRAM, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] }),
  );
}

/** What a client starts: it passes on no environment. */
export const mcpCommand = (cwd: string): { command: string; args: string[] } => ({
  command: process.execPath,
  args: [PROGRAM, 'mcp', ...libraryOf(cwd)],
});

export function collect(child: ChildProcess): Promise<Run> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (data) => {
    stdout += data;
  });
  child.stderr?.on('data', (data) => {
    stderr += data;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
}

export interface Served {
  readonly url: string;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

/** `strata serve` on a free port; resolves when it listens. */
export function serveLibrary(
  cwd: string,
  args: readonly string[],
  nodeOptions: readonly string[] = [],
  model: { readonly embedder?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Served> {
  const all = [...nodeOptions, PROGRAM, 'serve', '--port', '0', ...libraryOf(cwd, model.embedder), ...args];
  const child = spawn(process.execPath, all, { cwd, env: { ...process.env, ...model.env } });
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (data) => {
      said += data;
      const url = /http:\/\/[\w.[\]:]+/.exec(said)?.[0];
      if (url !== undefined) resolve({ url, process: child, stop: () => stop(child) });
    });
    child.on('close', (code) => reject(new Error(`strata serve ended with ${code}: ${said}`)));
  });
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) return resolve();
    child.on('close', () => resolve());
    child.kill('SIGTERM');
  });
}
