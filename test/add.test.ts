import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Folder, folder, guide } from './strata.js';

interface Report {
  readonly added: number;
  readonly changed: number;
  readonly renamed: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly interrupted: boolean;
  readonly entries: readonly {
    outcome: string;
    source_path: string;
    id?: string;
    from?: string;
    reason?: string;
  }[];
}

const add = async (here: Folder, ...args: string[]): Promise<Report> =>
  (await here.strata('add', '--json', ...args)).json<Report>();

const paths = async (here: Folder): Promise<string[]> =>
  (await here.strata('list', '--json'))
    .json<{ documents: { source_path: string }[] }>()
    .documents.map(({ source_path }) => source_path);

const idOf = async (here: Folder, path: string): Promise<string> =>
  (await here.strata('show', path, '--json')).json<{ document: { id: string } }>().document.id;

const PATIENT = 120_000;

describe('strata add', () => {
  it('adds a folder, skips what has not changed, replaces what has, and says so', async () => {
    const here = folder({
      'docs/a.md': guide('Alpha', 'Apples'),
      'docs/sub/b.md': guide('Beta', 'Bananas'),
      'docs/c.txt': 'Cherries are red.\n',
    });
    const first = await here.strata('add', 'docs');
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/^3 added .*\n$/);
    expect(await paths(here)).toEqual(['docs/a.md', 'docs/c.txt', 'docs/sub/b.md']);

    const before = await idOf(here, 'docs/a.md');
    expect(await add(here, 'docs')).toMatchObject({ added: 0, changed: 0, unchanged: 3, entries: [] });

    here.write({ 'docs/a.md': guide('Alpha', 'Apricots') });
    expect(await add(here, 'docs')).toMatchObject({
      added: 0,
      changed: 1,
      unchanged: 2,
      entries: [{ outcome: 'changed', source_path: 'docs/a.md', id: before }],
    });
    expect((await here.strata('search', 'apricots')).stdout).toContain('docs/a.md');
    expect((await here.strata('search', 'apples')).stdout).toContain('Nothing matches');
  });

  it('does not read a file again for a new time alone', async () => {
    const here = folder({ 'a.md': guide('Alpha', 'Apples') });
    await add(here, '.');
    utimesSync(join(here.path, 'a.md'), new Date(), new Date(1_700_000_000_000));
    expect(await add(here, '.')).toMatchObject({ changed: 0, unchanged: 1 });
    const shown = (await here.strata('show', 'a.md', '--json')).json<{ document: { updated_at: string } }>();
    expect(shown.document.updated_at).toBe('2023-11-14T22:13:20.000Z');
    expect(await add(here, '--force', '.')).toMatchObject({ changed: 1, unchanged: 0 });
  });

  it('recognises renames: the id stays, with and without --sync', async () => {
    const here = folder({ 'old/a.md': guide('Alpha', 'Apples'), 'b.md': guide('Beta', 'Bananas') });
    await add(here, '.');
    const [a, b] = [await idOf(here, 'old/a.md'), await idOf(here, 'b.md')];
    mkdirSync(join(here.path, 'new'));
    renameSync(join(here.path, 'old/a.md'), join(here.path, 'new/alpha.md'));
    expect(await add(here, '.')).toMatchObject({
      added: 0,
      renamed: 1,
      unchanged: 1,
      entries: [{ outcome: 'renamed', from: 'old/a.md', source_path: 'new/alpha.md', id: a }],
    });
    renameSync(join(here.path, 'b.md'), join(here.path, 'c.md'));
    expect(await add(here, '--sync', '.')).toMatchObject({ added: 0, renamed: 1, removed: 0, unchanged: 1 });
    expect(await idOf(here, 'new/alpha.md')).toBe(a);
    expect(await idOf(here, 'c.md')).toBe(b);
    expect(await paths(here)).toEqual(['c.md', 'new/alpha.md']);
  });

  it('takes a copy for a new document', async () => {
    const here = folder({ 'a.md': guide('Alpha', 'Apples') });
    await add(here, '.');
    here.write({ 'copy.md': guide('Alpha', 'Apples') });
    expect(await add(here, '.')).toMatchObject({ added: 1, renamed: 0, unchanged: 1 });
  });

  it('removes what has vanished only on --sync, and only below the given folder', async () => {
    const here = folder({ 'x/a.md': '# A\n', 'x/b.md': '# B\n', 'y/c.md': '# C\n' });
    await add(here, '.');
    for (const gone of ['x/b.md', 'y/c.md']) rmSync(join(here.path, gone));
    expect(await add(here, 'x')).toMatchObject({ removed: 0, unchanged: 1 });
    expect(await paths(here)).toEqual(['x/a.md', 'x/b.md', 'y/c.md']);
    expect(await add(here, '--sync', 'x')).toMatchObject({
      removed: 1,
      entries: [{ outcome: 'removed', source_path: 'x/b.md' }],
    });
    expect(await paths(here)).toEqual(['x/a.md', 'y/c.md']);
    rmSync(join(here.path, 'x'), { recursive: true });
    expect(await add(here, '--sync', 'x')).toMatchObject({ removed: 1, failed: 0 });
    expect(await paths(here)).toEqual(['y/c.md']);
  });

  it('--dry-run says what would happen and changes nothing', async () => {
    const here = folder({ 'a.md': '# A\n', 'b.md': '# B\n\nOld.\n', 'c.md': '# C\n' });
    expect(await add(here, '--dry-run', '.')).toMatchObject({ added: 3, entries: expect.any(Array) });
    await add(here, 'b.md', 'c.md');
    here.write({ 'b.md': '# B\n\nNew.\n' });
    rmSync(join(here.path, 'c.md'));
    const dry = await here.strata('add', '--dry-run', '--sync', '.');
    expect(dry.stdout).toMatch(
      /\+ a\.md[\s\S]*~ b\.md[\s\S]*- c\.md[\s\S]*Would be: 1 added, 1 changed, 1 removed/,
    );
    expect(await paths(here)).toEqual(['b.md', 'c.md']);
    expect((await here.strata('show', 'b.md', '--text')).stdout).toContain('Old.');
  });

  it('honours .gitignore and .strataignore at every level, skips hidden files, node_modules and the library', async () => {
    const here = folder({
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.gitignore': 'build/\n*.tmp.md\n',
      '.strataignore': 'private.md\n!.github/\n',
      'a.md': '# A\n',
      'private.md': '# P\n',
      'x.tmp.md': '# X\n',
      'build/out.md': '# Out\n',
      'deep/.gitignore': '/local.md\n!keep.tmp.md\n',
      'deep/local.md': '# L\n',
      'deep/keep.tmp.md': '# K\n',
      'deep/er/local.md': '# Deeper\n',
      'node_modules/p/readme.md': '# N\n',
      '.env': 'SECRET=1\n',
      '.github/notes.md': '# G\n',
    });
    await add(here, '.');
    expect(await paths(here)).toEqual(['.github/notes.md', 'a.md', 'deep/er/local.md', 'deep/keep.tmp.md']);
    // Whoever names it means it.
    await add(here, 'build', 'private.md');
    expect(await paths(here)).toEqual(expect.arrayContaining(['build/out.md', 'private.md']));
  });

  it('is safe with links, loops, FIFOs and sockets', async () => {
    const here = folder({ 'd/a.md': '# A\n' });
    symlinkSync('..', join(here.path, 'd/loop'));
    symlinkSync('nowhere', join(here.path, 'd/dangling.md'));
    symlinkSync('a.md', join(here.path, 'd/again.md'));
    const server = createServer().listen(join(here.path, 'd/socket'));
    onTestFinished(() => void server.close());
    const { execFileSync } = await import('node:child_process');
    execFileSync('mkfifo', [join(here.path, 'd/fifo')]);
    expect(await here.strata('add', 'd')).toMatchObject({ code: 0, stderr: '' });
    expect(await paths(here)).toEqual(['d/a.md']);
    const named = await here.strata('add', 'd/fifo', 'd/socket');
    expect(named.code).toBe(1);
    expect(named.stderr).toMatch(
      /^strata: .*fifo: is a FIFO, not a file\nstrata: .*socket: is a socket, not a file\n$/,
    );
  });

  it('names each bad file with its reason, adds the others, and exits with 1', async () => {
    const here = folder({
      'good.md': guide('Good', 'Grapes'),
      'broken.pdf': '%PDF-1.7\nnothing that follows is a PDF\n',
      'random.md': Uint8Array.from({ length: 4_000 }, (_, at) => (at * 197 + (at >> 3) * 31) % 256),
    });
    const { code, stdout, stderr } = await here.strata('add', '.', 'missing.md');
    expect(code).toBe(1);
    expect(stdout).toMatch(/1 added, 3 failed/);
    const lines = stderr.trimEnd().split('\n').sort();
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^strata: broken\.pdf: \S/);
    expect(lines[1]).toMatch(/^strata: missing\.md: no such file or folder$/);
    expect(lines[2]).toMatch(/^strata: random\.md: \S/);
    expect((await here.strata('search', 'grapes')).stdout).toContain('good.md');
  });

  it('remembers the strategy for later adds, and cuts again what was cut otherwise', async () => {
    const here = folder({
      'a.md': guide('Alpha', 'Apples', 'Apricots'),
      'b.md': guide('Beta', 'Bananas', 'Berries'),
    });
    await add(here, 'a.md', '--strategy', 'h2');
    const status = (await here.strata('status', '--json')).json<{ settings: { strategy: string } }>();
    expect(status.settings.strategy).toBe('h2');
    await add(here, 'b.md');
    const shown = (await here.strata('inspect', await idOf(here, 'b.md'), '--json')).json<{
      children: { title: string }[];
    }>();
    expect(shown.children.map(({ title }) => title)).toEqual(expect.arrayContaining(['Bananas', 'Berries']));
    expect(await add(here, '.')).toMatchObject({ changed: 0, unchanged: 2 });
    expect(await add(here, '.', '--strategy', 'hierarchical')).toMatchObject({ changed: 2, unchanged: 0 });
  });

  it('keeps tags and collections, and finds by them (B9)', async () => {
    const here = folder({ 'a.md': guide('Alpha', 'Fruit'), 'b.md': guide('Beta', 'Fruit') });
    await add(here, 'a.md', '--tag', 'red', '--tag', 'sweet', '--collection', 'kitchen');
    await add(here, 'b.md', '--tag', 'red');
    const found = async (...filter: string[]): Promise<string[]> =>
      (await here.strata('search', 'fruit', '--json', ...filter))
        .json<{ results: { item: { source_path: string } }[] }>()
        .results.map(({ item }) => item.source_path)
        .sort();
    expect(await found('--tag', 'red')).toEqual(['a.md', 'b.md']);
    expect(await found('--tag', 'red', '--tag', 'sweet')).toEqual(['a.md']);
    expect(await found('--collection', 'kitchen')).toEqual(['a.md']);
    here.write({ 'a.md': guide('Alpha', 'Fruit', 'More') });
    await add(here, '.');
    expect(await found('--tag', 'sweet')).toEqual(['a.md']);
  });

  it(
    'Ctrl-C finishes the documents at hand, keeps them, and exits with 130; the next run does the rest',
    async () => {
      const here = folder();
      const count = 400;
      for (let at = 0; at < count; at++) {
        here.write({ [`many/${at}.md`]: guide(`Document ${at}`, `Topic ${at}`, 'Weather', 'Wind', 'Water') });
      }
      const { code, stdout, stderr } = await here.run(['add', '--json', '--workers', '1', 'many'], {
        onStart: (child) => {
          // As soon as something is stored: neither too early nor too late.
          const watch = setInterval(() => {
            if (!existsSync(join(here.path, '.strata', 'store.json'))) return;
            clearInterval(watch);
            setTimeout(() => child.kill('SIGINT'), 150);
          }, 5);
        },
      });
      expect(code).toBe(130);
      expect(stderr).toContain('Finishing the document at hand');
      const report = JSON.parse(stdout) as Report;
      expect(report.interrupted).toBe(true);
      expect(report.added).toBeLessThan(count);
      expect(await paths(here)).toHaveLength(report.added);
      expect(await here.strata('doctor')).toMatchObject({ code: 0 });
      expect(await add(here, 'many')).toMatchObject({ added: count - report.added, unchanged: report.added });
    },
    PATIENT,
  );

  it('finds the library upward from where one stands, and names what there is none of', async () => {
    const here = folder({ 'p/.git/HEAD': 'ref\n', 'p/sub/a.md': guide('Alpha', 'Apples') });
    const inSub = { env: { STRATA_LIBRARY: '' } };
    const run = async (args: string[]) => here.run(args, { ...inSub });
    const none = await run(['status']);
    expect(none.code).toBe(1);
    expect(none.stderr).toMatch(/^strata: .*: there is no library; `strata add FOLDER` makes one/);
    writeFileSync(join(here.path, 'p/sub/run.sh'), '');
    const { spawnSync } = await import('node:child_process');
    const { PROGRAM } = await import('./strata.js');
    const env = { PATH: process.env.PATH, HOME: here.path, STRATA_EMBEDDER: 'none' };
    const added = spawnSync(process.execPath, [PROGRAM, 'add', 'a.md'], {
      cwd: join(here.path, 'p/sub'),
      env,
    });
    expect(added.status).toBe(0);
    expect(existsSync(join(here.path, 'p/.strata'))).toBe(true);
    const listed = spawnSync(process.execPath, [PROGRAM, 'list', '-q'], { cwd: join(here.path, 'p'), env });
    expect(listed.stdout.toString()).toBe('sub/a.md\n');
  });

  it('B2 an empty path and absurd settings are refused, and a first add that fails leaves no library', async () => {
    const here = folder({ 'a.md': guide('Harbours', 'tides'), 'bad.pdf': '%PDF-1.7 and nothing more' });
    const refused: readonly (readonly [string[], RegExp])[] = [
      [['add', ''], /path is empty/],
      [['add', 'a.md', '--max', '10'], /max: must be at least 50/],
      [['add', 'a.md', '--overlap', '0.9'], /overlap: must be at most 0.5/],
      [['add', '/'], /^strata: \/: all of it is not added unasked; .* --yes/],
      [['add', 'nowhere.md'], /nowhere\.md/],
      [['add', 'bad.pdf'], /bad\.pdf/],
    ];
    for (const [args, said] of refused) {
      const run = await here.run(args);
      expect(run.code, args.join(' ')).not.toBe(0);
      expect(run.stderr).toMatch(said);
      expect(existsSync(join(here.path, '.strata')), args.join(' ')).toBe(false);
    }
  });

  it('B2 a file that cannot be read is reported once, then counted; only something new fails the command', async () => {
    const here = folder({
      'docs/a.md': guide('Harbours', 'tides'),
      'docs/bad.pdf': '%PDF-1.7 and nothing more',
    });
    const first = await here.strata('add', 'docs');
    expect(first).toMatchObject({ code: 1, stderr: expect.stringContaining('bad.pdf') });
    const second = await here.strata('add', 'docs');
    expect(second).toMatchObject({ code: 0, stderr: '' });
    expect(second.stdout).toMatch(/1 file that could not be read before, unchanged/);
    here.write({ 'docs/worse.pdf': '%PDF-1.7 and even less' });
    const third = await here.strata('add', 'docs');
    expect(third).toMatchObject({ code: 1, stderr: expect.stringContaining('worse.pdf') });
    expect(third.stderr).not.toContain('bad.pdf');
  });
});
