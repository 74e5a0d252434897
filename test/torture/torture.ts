import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** The parts of a store that the harness needs; the built program gives it (see steps.js). */
export interface Store {
  commit(change: object): Promise<unknown>;
  documents(): Promise<readonly { readonly id: string; readonly chunk_count: number }[]>;
  check(options?: {
    fix?: boolean;
  }): Promise<readonly { readonly message: string; readonly fixed: boolean }[]>;
  close(): Promise<void>;
}

export interface Steps {
  /** Numbers from 0 to below, the same for the same words. */
  chance(...words: readonly string[]): (below: number) => number;
  openStore(driver: string, folder: string, options?: { patience?: number; own?: boolean }): Promise<Store>;
  take(store: Store, seed: string, n: number): Promise<void>;
  contentsOf(store: Store): Promise<string>;
  disagreements(store: Store): Promise<readonly string[]>;
}

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export const steps = (): Promise<Steps> => import(here('steps.js')) as Promise<Steps>;

/** How many times: as CI does it, or what the environment says (`STRATA_KILLS=300 npm run test:slow`). */
export const times = (name: string, inCi: number): number => Number(process.env[name] ?? inCi);

/** What is random in a run, so that it can be had again: `STRATA_SEED`, or a new one. */
export const seedOf = (what: string): string => `${what} ${process.env.STRATA_SEED ?? Date.now()}`;

export const DRIVERS = ['sqlite', 'json'] as const;

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'strata-torture-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface Child {
  readonly process: ChildProcess;
  /** Lines it has printed so far. */
  readonly lines: readonly string[];
  /** Resolves when a line starts so (true), or when it has ended without one. */
  said(start: string): Promise<boolean>;
  readonly ended: Promise<{
    readonly code: number | null;
    readonly signal: NodeJS.Signals | null;
    readonly stderr: string;
  }>;
}

export interface StartOptions {
  /** As this user. */
  readonly uid?: number;
  /** A shell line before it, such as `ulimit -f 100`. */
  readonly shell?: string;
}

/** One of the scripts beside this file, as a process of its own. */
export function start(script: string, args: readonly string[], { uid, shell }: StartOptions = {}): Child {
  const command = [process.execPath, here(script), ...args];
  const [file, ...rest] =
    shell === undefined ? command : ['bash', '-c', `${shell}; exec "$@"`, 'bash', ...command];
  const child = spawn(file!, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid !== undefined && { uid, gid: uid }),
  });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  let rest_ = '';
  let stderr = '';
  let isOver = false;
  const wake = () => {
    for (const look of waiting) look();
  };
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest_ + text).split('\n');
    rest_ = parts.pop()!;
    lines.push(...parts);
    wake();
  });
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Awaited<Child['ended']>>((resolve) => {
    child.on('close', (code, signal) => {
      isOver = true;
      wake();
      resolve({ code, signal, stderr });
    });
  });
  const said = (wanted: string): Promise<boolean> =>
    new Promise((resolve) => {
      const look = () => {
        const found = lines.some((line) => line.startsWith(wanted));
        if (!found && !isOver) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  return { process: child, lines, said, ended };
}

/** The number of the last step it has finished; `before` when it finished none. */
export const lastDone = (lines: readonly string[], before: number): number =>
  lines.reduce((last, line) => (line.startsWith('done ') ? Number(line.slice(5)) : last), before);

export const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
  Number.NaN;
