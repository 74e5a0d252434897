import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder, guide } from './strata.js';

/** `megabytes` of words without a line's end. */
function writeLine(path: string, megabytes: number): void {
  const file = openSync(path, 'w');
  const piece = Buffer.from('some words of a line without an end '.repeat(30_000));
  for (let written = 0; written < megabytes * 2 ** 20; written += piece.length) writeSync(file, piece);
  closeSync(file);
}

interface Report {
  readonly entries: readonly {
    readonly outcome: string;
    readonly source_path: string;
    readonly code?: string;
    readonly chunk_count?: number;
  }[];
}

describe('one line without end', () => {
  it('1 GB is refused by its size, 60 MB is cut into passages, and the run goes on', async () => {
    const here = folder({ 'good.md': guide('Good', 'Grapes') });
    writeLine(join(here.path, 'giga.txt'), 1024);
    writeLine(join(here.path, 'mega.txt'), 60);
    const { code, stdout, stderr } = await here.strata('add', '--json', '.');
    expect(code).toBe(1);
    const ends = Object.fromEntries(
      (JSON.parse(stdout) as Report).entries.map((entry) => [entry.source_path, entry]),
    );
    expect(ends['giga.txt']).toMatchObject({ outcome: 'failed', code: 'LIMIT' });
    expect(stderr).toMatch(/giga\.txt: is 10\d\d MB, more than the 512 MB/);
    expect(ends['mega.txt']).toMatchObject({ outcome: 'added' });
    expect(ends['mega.txt']!.chunk_count).toBeGreaterThan(10_000);
    expect(ends['good.md']).toMatchObject({ outcome: 'added' });
    expect((await here.strata('search', 'grapes')).stdout).toContain('good.md');
  });
});
