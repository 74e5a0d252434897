import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** The real program, as it is built, in a folder of its own. */
export const PROGRAM = fileURLToPath(new URL('../dist/serve/main.js', import.meta.url));

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** stdout as JSON. */
  json<T = Record<string, unknown>>(): T;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** As this user; only root can. */
  readonly uid?: number;
  /** Called with the running program. */
  readonly onStart?: (child: ChildProcess) => void;
}

export interface Folder {
  readonly path: string;
  /** Write files, by path below the folder. */
  write(files: Readonly<Record<string, string | Uint8Array>>): void;
  strata(...args: string[]): Promise<Run>;
  run(args: readonly string[], options?: RunOptions): Promise<Run>;
}

/** A temporary folder that goes with the test. Nothing outside is read or written: home, data and cache are inside. */
export function folder(files: Readonly<Record<string, string | Uint8Array>> = {}): Folder {
  const base = mkdtempSync(join(tmpdir(), 'strata-test-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const path = join(base, 'work');
  mkdirSync(path);
  const here: Folder = {
    path,
    write: (more) => {
      for (const [name, content] of Object.entries(more)) {
        mkdirSync(dirname(join(path, name)), { recursive: true });
        writeFileSync(join(path, name), content);
      }
    },
    strata: (...args) => start(args, path, base, {}),
    run: (args, options = {}) => start(args, options.cwd ?? path, base, options),
  };
  here.write(files);
  return here;
}

function start(args: readonly string[], cwd: string, home: string, options: RunOptions): Promise<Run> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      XDG_DATA_HOME: join(home, 'data'),
      XDG_CACHE_HOME: join(home, 'cache'),
      STRATA_LIBRARY: join(cwd, '.strata'),
      // Models are tested where embedding is; here a download would only take time.
      STRATA_EMBEDDER: 'none',
      ...options.env,
    },
    ...(options.uid !== undefined && { uid: options.uid, gid: options.uid }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  options.onStart?.(child);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr, json: () => JSON.parse(stdout) }));
  });
}

/** A Markdown document with a section a topic. */
export const guide = (title: string, ...topics: readonly string[]): string =>
  [`# ${title}`, ...topics.map((topic) => `## ${topic}\n\n${sentences(topic)}`)].join('\n\n');

const sentences = (topic: string): string =>
  Array.from(
    { length: 6 },
    (_, at) =>
      `Point ${at + 1} about ${topic}: what it is, when it helps, and how people use ${topic} in practice.`,
  ).join('\n');
