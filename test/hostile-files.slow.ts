import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folder, guide } from './strata.js';
import { writeHostileFiles } from './torture/hostile-files.js';

interface Report {
  readonly entries: readonly {
    readonly outcome: string;
    readonly source_path: string;
    readonly code?: string;
    readonly reason?: string;
  }[];
}

/** What a process and all below it occupy now, in megabytes. */
function treeMegabytes(pid: number): number {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    const below = children.filter(Boolean).map((child) => treeMegabytes(Number(child)));
    return (pages * 4096) / 2 ** 20 + below.reduce((sum, one) => sum + one, 0);
  } catch {
    return 0;
  }
}

/** What processes below this one have worked that have ended, in seconds. */
function childSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

// Only Linux tells what another process has.
it.runIf(process.platform === 'linux')(
  'B15 a folder of a hundred hostile kinds: each failure is named, memory is bounded, the good file is found',
  async () => {
    const here = folder({ 'd/good.md': guide('Good', 'Grapes') });
    const { kinds } = await writeHostileFiles(join(here.path, 'd'));
    expect(kinds).toBeGreaterThanOrEqual(100);
    let peak = 0;
    let look: NodeJS.Timeout | undefined;
    const [started, worked] = [Date.now(), childSeconds()];
    const { code, stdout, stderr } = await here.run(['add', '--json', 'd'], {
      onStart: ({ pid }) => {
        look = setInterval(() => {
          peak = Math.max(peak, treeMegabytes(pid!));
        }, 20);
      },
    });
    clearInterval(look);
    const seconds = Math.round((Date.now() - started) / 1000);
    const work = Math.round(childSeconds() - worked);
    console.log(`${kinds} kinds, ${seconds} s, ${work} s of work, peak ${Math.round(peak)} MB`);
    if (process.env.STRATA_HOSTILE_REPORT) writeFileSync(process.env.STRATA_HOSTILE_REPORT, stdout);
    expect(code).toBe(1);
    expect(peak).toBeLessThan(1024);
    const { entries } = JSON.parse(stdout) as Report;
    const failed = entries.filter(({ outcome }) => outcome === 'failed');
    expect(failed.length).toBeGreaterThan(20);
    for (const { code: why, reason } of failed) {
      expect(`${reason}`).toBeTruthy();
      expect({ reason, why }).not.toMatchObject({ why: 'INTERNAL' });
    }
    expect(stderr.trim().split('\n').length).toBeGreaterThanOrEqual(failed.length);
    expect(entries.find(({ source_path }) => source_path === 'd/good.md')?.outcome).toBe('added');
    expect((await here.strata('search', 'grapes')).stdout).toContain('d/good.md');
  },
);
