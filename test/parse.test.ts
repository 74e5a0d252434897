import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder, guide } from './strata.js';

describe('strata parse', () => {
  it('shows an outline and the chunks to people', async () => {
    const { code, stdout, stderr } = await folder({ 'a.md': guide('Deploying', 'Nginx', '跨域配置') }).strata(
      'parse',
      'a.md',
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Deploying');
    expect(stdout).toMatch(/^ {2}Nginx/m);
    expect(stdout).toContain('跨域配置');
    expect(stdout).toMatch(/#0 +text/);
  });

  it('S0.4 parse gives a ParsedDoc as JSON: an object for one file, a list for several', async () => {
    const here = folder({ 'a.md': guide('Alpha', 'One', 'Two'), 'no-heading.md': 'Just a sentence.\n' });
    const one = (await here.strata('parse', 'a.md', '--strategy', 'h2', '--json')).json<ParsedDoc>();
    expect(one).toMatchObject({ path: 'a.md', title: 'Alpha', chunk_count: one.chunks.length });
    expect(one.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(one.chunks.map(({ title }) => title)).toEqual(expect.arrayContaining(['One', 'Two']));
    for (const chunk of one.chunks) {
      expect(one.text.slice(chunk.start_position, chunk.end_position)).toBe(chunk.content);
      expect(chunk.id).not.toBe(one.id);
      expect(chunk.summary.length).toBeGreaterThan(0);
    }
    const both = (await here.strata('parse', 'a.md', 'no-heading.md', '--json')).json<ParsedDoc[]>();
    expect(both.map(({ title }) => title)).toEqual(['Alpha', 'no-heading']);
  });

  it('cuts by the sizes asked for', async () => {
    const here = folder({ 'a.md': guide('Alpha', 'One', 'Two', 'Three') });
    const small = await here.strata(
      'parse',
      'a.md',
      '--max',
      '200',
      '--min',
      '50',
      '--overlap',
      '0',
      '--json',
    );
    for (const chunk of small.json<ParsedDoc>().chunks) expect(chunk.content.length).toBeLessThanOrEqual(200);
  });

  it('S0.4 a missing file, a directory and a binary each give one line with the path and the reason, and exit code 1', async () => {
    const here = folder({ 'binary.bin': Uint8Array.from({ length: 600 }, (_, at) => (at * 37) % 256) });
    mkdirSync(join(here.path, 'sub'));
    const lines: Record<string, RegExp> = {
      'missing.md': /^strata: missing\.md: no such file or folder\n$/,
      sub: /^strata: sub: is a directory, not a file\n$/,
      'binary.bin': /^strata: binary\.bin: [^\n]*no text[^\n]*\n$/i,
    };
    for (const [path, line] of Object.entries(lines)) {
      for (const more of [[], ['--json']]) {
        const { code, stdout, stderr } = await here.strata('parse', path, ...more);
        expect({ path, code, stdout }).toEqual({ path, code: 1, stdout: '' });
        expect(stderr).toMatch(line);
      }
    }
  });

  it.runIf(process.getuid?.() === 0)(
    'S0.4 an unreadable file gives one line with the path and the reason',
    async () => {
      const here = folder({ 'secret.md': '# Secret\n' });
      chmodSync(join(here.path, 'secret.md'), 0o000);
      chmodSync(here.path, 0o755);
      chmodSync(join(here.path, '..'), 0o755);
      const { code, stdout, stderr } = await here.run(['parse', 'secret.md'], { uid: 65_534 });
      expect({ code, stdout, stderr }).toEqual({
        code: 1,
        stdout: '',
        stderr: 'strata: secret.md: permission denied\n',
      });
    },
  );

  it('shows the good files and names the bad one', async () => {
    const here = folder({ 'a.md': guide('Alpha', 'One') });
    const { code, stdout, stderr } = await here.strata('parse', 'a.md', 'gone.md', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject([{ title: 'Alpha' }]);
    expect(stderr).toBe('strata: gone.md: no such file or folder\n');
  });

  it('takes wrong options for usage errors: exit code 2, nothing on stdout, no stack', async () => {
    const here = folder({ 'a.md': '# A\n' });
    const wrong = [
      ['parse'],
      ['parse', 'a.md', '--strategy', 'nonsense'],
      ['parse', 'a.md', '--max', 'many'],
      ['parse', 'a.md', '--max', '-3'],
      ['parse', 'a.md', '--min', '900', '--max', '100'],
      ['parse', 'a.md', '--overlap', '7'],
      ['parse', 'a.md', '--nonsense'],
      ['nonsense'],
    ];
    for (const args of wrong) {
      const { code, stdout, stderr } = await here.strata(...args);
      expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' });
      expect(stderr).not.toMatch(/\n {4}at /);
      expect(stderr.trim()).not.toBe('');
    }
  });
});

interface ParsedDoc {
  readonly id: string;
  readonly path: string;
  readonly title: string;
  readonly text: string;
  readonly chunk_count: number;
  readonly chunks: readonly {
    readonly id: string;
    readonly title: string;
    readonly summary: string;
    readonly content: string;
    readonly start_position: number;
    readonly end_position: number;
  }[];
}
