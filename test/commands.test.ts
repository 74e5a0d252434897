import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder, guide } from './strata.js';

describe('the other commands', () => {
  it('list, show, remove, status, doctor, rebuild', async () => {
    const here = folder({
      'docs/a.md': guide('Alpha', 'Apples', 'Apricots'),
      'docs/b.md': guide('Beta', 'Bananas'),
      'c.md': '# 世界\n\n你好。\n',
    });
    await here.strata('add', '.');

    const list = await here.strata('list');
    expect(list.stdout).toMatch(/c\.md.*世界/);
    expect(list.stdout).toContain('3 documents');
    expect((await here.strata('list', '-q', '--path', 'docs')).stdout).toBe('docs/a.md\ndocs/b.md\n');
    const page = (await here.strata('list', '--limit', '2', '--json')).json<Page>();
    expect(page.documents).toHaveLength(2);
    const rest = (await here.strata('list', '--from', page.next ?? '', '--json')).json<Page>();
    expect([...page.documents, ...rest.documents].map(({ source_path }) => source_path)).toEqual([
      'c.md',
      'docs/a.md',
      'docs/b.md',
    ]);

    const id = page.documents[1]?.id ?? '';
    for (const target of ['docs/a.md', join(here.path, 'docs/a.md'), id, id.slice(0, 8)]) {
      expect((await here.strata('show', target)).stdout).toContain('Apricots');
    }
    expect((await here.strata('show', 'docs/a.md', '--text')).stdout).toBe(
      `${readFileSync(join(here.path, 'docs/a.md'), 'utf8').trimEnd()}\n`,
    );
    expect(await here.strata('show', 'nowhere.md')).toMatchObject({ code: 1, stdout: '' });

    expect((await here.strata('status')).stdout).toMatch(/Documents +3\n/);
    expect((await here.strata('status', '--json')).json()).toMatchObject({ documents: 3 });
    expect(await here.strata('doctor')).toMatchObject({ code: 0, stdout: 'All is well.\n' });

    const rebuilt = await here.strata('rebuild', '--json');
    expect(rebuilt.json()).toMatchObject({ documents: 3, chunks: { added: 0, removed: 0 }, failed: [] });
    expect((await here.strata('rebuild', '--strategy', 'h2')).code).toBe(0);
    expect((await here.strata('search', 'apricots')).stdout).toContain('Alpha › Apricots');

    const dry = await here.strata('remove', 'docs', '--dry-run');
    expect(dry.stdout).toContain('Would remove 2 documents.');
    expect((await here.strata('remove', 'docs')).stdout).toContain('Removed 2 documents.');
    expect((await here.strata('remove', 'c.md', '--quiet')).stdout).toBe('');
    expect((await here.strata('list')).stdout).toBe('No documents.\n');
    expect((await here.strata('remove', 'c.md')).stderr).toMatch(/^strata: Nothing here is "c\.md"/);
  });

  it('--json is the same whether or not people are told to be quiet, and nothing else is on stdout', async () => {
    const here = folder({ 'a.md': guide('Alpha', 'Apples') });
    await here.strata('add', '.', '--json');
    for (const command of ['list', 'status', 'doctor']) {
      const loud = await here.strata(command, '--json');
      const quiet = await here.strata(command, '--json', '--quiet');
      expect(quiet.stdout).toBe(loud.stdout);
      expect(() => loud.json()).not.toThrow();
    }
  });

  it('helps: every command has a description and examples; unknown ones get a suggestion', async () => {
    const here = folder();
    const help = await here.strata('--help');
    expect(help.code).toBe(0);
    const commands = [...help.stdout.matchAll(/^ {2}([a-z]+) \[?/gm)].map((match) => match[1] ?? '');
    expect(commands).toEqual(
      expect.arrayContaining(['add', 'search', 'scout', 'inspect', 'parse', 'completions']),
    );
    expect((await here.strata('search', '--help')).stdout).toMatch(/Examples:\n {2}strata search/);
    const typo = await here.strata('serach', 'x');
    expect(typo.code).toBe(2);
    expect(typo.stderr).toContain('Did you mean search?');
    expect((await here.strata('--version')).stdout.trim()).toBe(
      JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version,
    );
  });

  it('prints completions that shells accept', async () => {
    const here = folder();
    const { execFileSync } = await import('node:child_process');
    const bash = await here.strata('completions', 'bash');
    const script = `${bash.stdout}\nCOMP_WORDS=(strata se); COMP_CWORD=1; _strata; echo "$COMPREPLY"`;
    expect(execFileSync('bash', ['-c', script]).toString()).toBe('search\n');
    const flags = `${bash.stdout}\nCOMP_WORDS=(strata search --li); COMP_CWORD=2; _strata; echo "\${COMPREPLY[@]}"`;
    expect(execFileSync('bash', ['-c', flags]).toString()).toBe('--limit --library\n');
    expect((await here.strata('completions', 'zsh')).stdout).toContain('#compdef strata');
    expect((await here.strata('completions', 'fish')).stdout).toContain('-a search');
    expect((await here.strata('completions', 'tcsh')).code).toBe(2);
  });

  it('ends quietly when its reader goes away', async () => {
    const here = folder();
    for (let at = 0; at < 300; at++) here.write({ [`${at}.md`]: `# T${at}\n\n${'word '.repeat(200)}\n` });
    await here.strata('add', '.', '--quiet');
    const { spawnSync } = await import('node:child_process');
    const { PROGRAM } = await import('./strata.js');
    const { status, stderr } = spawnSync(
      'bash',
      ['--norc', '-c', `set -o pipefail; "${process.execPath}" "${PROGRAM}" list --json | head -c 10`],
      {
        cwd: here.path,
        env: { PATH: process.env.PATH, STRATA_EMBEDDER: 'none', STRATA_LIBRARY: join(here.path, '.strata') },
      },
    );
    expect({ status, stderr: stderr.toString() }).toEqual({ status: 0, stderr: '' });
  });
});

interface Page {
  readonly documents: readonly { readonly id: string; readonly source_path: string }[];
  readonly next: string | null;
}
