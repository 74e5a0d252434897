import { type ChildProcess, spawn } from 'node:child_process';
import { PROGRAM } from './strata.js';

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function strata(args: readonly string[], options: { cwd: string }): Promise<Run> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      ...options,
      env: { ...process.env, NO_COLOR: '1' },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (data) => {
      stdout += data;
    });
    child.stderr.on('data', (data) => {
      stderr += data;
    });
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

strata.command = (args: readonly string[]) => ({ command: process.execPath, args: [PROGRAM, ...args] });

export interface Served {
  readonly url: string;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

/** `strata serve` on a free port; resolves when it listens. */
export function serveLibrary(cwd: string, args: readonly string[]): Promise<Served> {
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--port', '0', '--embedder', 'none', ...args], {
    cwd,
  });
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
