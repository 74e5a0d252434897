import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { strata } from './program.js';
import { guide, PROGRAM } from './strata.js';

/** A pseudo-terminal of the given size, by util-linux's `script`: the program believes that a person watches. */
function onTerminal(
  cwd: string,
  args: readonly string[],
  {
    rows = 24,
    columns = 80,
    env = {},
  }: { rows?: number; columns?: number; env?: Record<string, string> } = {},
) {
  const quoted = [process.execPath, PROGRAM, ...args].map((word) => `'${word}'`).join(' ');
  const command = `stty rows ${rows} cols ${columns}; ${quoted}`;
  const { PAGER: _, STRATA_PAGER: __, ...rest } = process.env;
  const library = { STRATA_LIBRARY: join(cwd, '.strata'), STRATA_EMBEDDER: 'none', TERM: 'xterm-256color' };
  return spawnSync('script', ['-qec', command, '/dev/null'], {
    cwd,
    env: { ...rest, ...library, ...env },
    encoding: 'utf8',
    input: '',
  });
}

const hasScript = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

describe.runIf(hasScript)('on a terminal', () => {
  const here = { path: mkdtempSync(join(tmpdir(), 'strata-pager-')) };
  const paged = join(here.path, 'paged');
  const pager = { PAGER: `cat > ${paged}` };

  beforeAll(async () => {
    mkdirSync(join(here.path, 'docs'));
    for (let at = 0; at < 40; at++)
      writeFileSync(join(here.path, 'docs', `a-rather-long-name-${at}.md`), guide(`Harbour ${at}`, 'tides'));
    await strata(['add', 'docs'], { cwd: here.path });
  });
  afterAll(() => rmSync(here.path, { recursive: true, force: true }));

  it('B3 what is longer than the screen goes to the pager, what fits does not', () => {
    expect(onTerminal(here.path, ['status'], { env: pager }).status).toBe(0);
    expect(existsSync(paged)).toBe(false);
    expect(onTerminal(here.path, ['list'], { env: pager }).status).toBe(0);
    expect(readFileSync(paged, 'utf8')).toContain('40 documents');
  });

  it('B3 STRATA_PAGER counts before PAGER; "cat" and a pager that is not there print as always', () => {
    writeFileSync(paged, '');
    for (const pager of ['cat', '', 'no-such-pager']) {
      const { stdout } = onTerminal(here.path, ['list'], {
        env: { PAGER: `cat > ${paged}`, STRATA_PAGER: pager },
      });
      expect(stdout, pager).toContain('40 documents');
    }
    expect(readFileSync(paged, 'utf8')).toBe('');
  });

  it('B3 a terminal that does not know its size is taken for one of 80 by 24', () => {
    rmSync(paged, { force: true });
    const { stdout } = onTerminal(here.path, ['status'], { columns: 0, rows: 0, env: pager });
    expect(existsSync(paged)).toBe(false);
    expect(stdout.replace(/\u001b\[[\d;]*m/g, '')).toMatch(/Documents\s+40/);
  });

  it.each([40, 60, 80, 120])('B3 no line of a list is wider than %i columns', (columns) => {
    const { stdout } = onTerminal(here.path, ['list'], { columns, rows: 200, env: pager });
    const lines = stdout.replace(/\u001b\[[\d;]*m/g, '').split(/\r?\n/);
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
    expect(lines.filter((line) => line.includes('Harbour')).length).toBe(40);
  });

  it('B3 a folder of broken files shows some of them, and how many more', () => {
    const broken = join(here.path, 'broken');
    mkdirSync(broken, { recursive: true });
    for (let at = 0; at < 30; at++) writeFileSync(join(broken, `${at}.pdf`), `%PDF-1.4 broken ${at}`);
    const { stdout } = onTerminal(here.path, ['add', 'broken', '--ocr', 'off'], {
      rows: 60,
      columns: 120,
      env: pager,
    });
    expect(stdout.split('\n').filter((line) => line.startsWith('strata: ')).length).toBe(21);
    expect(stdout).toContain('strata: and 10 more; --json has them all');
  });
});
