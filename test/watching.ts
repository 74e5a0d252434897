import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Folder, Run } from './strata.js';

/** A `strata watch` that runs. */
export interface Watching {
  readonly lines: () => string[];
  /** Until a line on stdout says so. */
  says(pattern: RegExp): Promise<void>;
  notices(pattern: RegExp): Promise<void>;
  /** Ctrl-C. */
  stop(): Promise<Run>;
}

export const until = async (what: string, test: () => boolean | Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < 300; tries++) {
    if (await test()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`waited in vain: ${what}`);
};

export async function watching(here: Folder, target = 'docs'): Promise<Watching> {
  let child: ChildProcess | undefined;
  let [stdout, stderr] = ['', ''];
  const run = here.run(['watch', target], {
    onStart: (started) => {
      child = started;
      started.stdout?.on('data', (data) => {
        stdout += data;
      });
      started.stderr?.on('data', (data) => {
        stderr += data;
      });
    },
  });
  onTestFinished(() => void child?.kill('SIGKILL'));
  await until('the start of the watch', () => stderr.includes('watching'));
  return {
    lines: () => stdout.split('\n').filter(Boolean),
    says: (pattern) => until(`${pattern} in\n${stdout}${stderr}`, () => pattern.test(stdout)),
    notices: (pattern) => until(`${pattern}`, () => pattern.test(stderr)),
    stop: () => {
      child?.kill('SIGINT');
      return run;
    },
  };
}

/** What the library holds: path → the document's text as it is shown. */
export async function held(here: Folder): Promise<Record<string, string>> {
  const { documents } = (await here.strata('list', '--json', '--limit', '5000')).json<{
    documents: { source_path: string; summary: string }[];
  }>();
  return Object.fromEntries(documents.map(({ source_path, summary }) => [source_path, summary]));
}

export const onDisk = (here: Folder): Record<string, string> =>
  Object.fromEntries(
    readdirSync(join(here.path, 'docs'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(here.path.length + 1), readFileSync(path, 'utf8').trim()]),
  );
