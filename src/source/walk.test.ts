import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { walk } from './walk.js';

function tree(files: Readonly<Record<string, string>>): string {
  const base = mkdtempSync(join(tmpdir(), 'strata-walk-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(base, name)), { recursive: true });
    writeFileSync(join(base, name), content);
  }
  return base;
}

async function all<T>(some: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const one of some) list.push(one);
  return list;
}

async function found(start: string, base = start): Promise<string[]> {
  const paths: string[] = [];
  for await (const file of walk(start)) if ('size' in file) paths.push(relative(base, file.path));
  return paths.sort();
}

describe('walk', () => {
  it('agrees with git about what is ignored, whatever the rules and files', async () => {
    const name = fc.constantFrom('a', 'b', 'c.md', 'd.txt', 'build', 'x.log');
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => `${parts.join('/')}.f`);
    const rule = fc.constantFrom(
      '*.log.f',
      'build/',
      '/a',
      'a/b',
      '**/c.md',
      '!b',
      '!*.txt.f',
      'b/**',
      'd.txt*',
      '!/a/',
      '#x',
      '[a-c]/',
      '*.[!l]*',
      '[[:alpha:]].md*',
      '[x',
      '**/b/*',
      'a/**/d*',
      'a**f',
      '\\!b',
      'b.f ',
      '?.f',
      '***/x.log.f',
      'c\\.md.f',
      '[]b]*',
      '/*/b',
    );
    const rules = fc.array(rule, { maxLength: 4 }).map((lines) => `${lines.join('\n')}\n`);
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(path, { minLength: 1, maxLength: 8 }),
        rules,
        rules,
        async (paths, outer, inner) => {
          const base = mkdtempSync(join(tmpdir(), 'strata-walk-'));
          try {
            for (const file of paths) {
              mkdirSync(dirname(join(base, file)), { recursive: true });
              writeFileSync(join(base, file), '');
            }
            writeFileSync(join(base, '.gitignore'), outer);
            mkdirSync(join(base, 'a'), { recursive: true });
            writeFileSync(join(base, 'a/.gitignore'), inner);
            execFileSync('git', ['init', '-q'], { cwd: base });
            const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
              cwd: base,
            }).toString();
            const expected = listed.split('\0').filter((file) => file !== '' && !file.endsWith('.gitignore'));
            expect(await found(base)).toEqual(expected.sort());
          } finally {
            rmSync(base, { recursive: true, force: true });
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it('B15 rules that make regular expressions backtrack take no longer than others', async () => {
    const hostile = [
      '*a'.repeat(20),
      '**/'.repeat(900),
      '*?'.repeat(120),
      '[a-z]*'.repeat(30),
      '[[:'.repeat(5_000),
    ];
    const base = tree({
      [`${'a'.repeat(200)}.md`]: '',
      '.gitignore': hostile.map((rule) => `${rule}!\n/x/${rule}!`).join('\n'),
    });
    expect(await found(base)).toHaveLength(1);
  });

  it('takes rules from above inside a repository, unless the folder itself is ignored by them', async () => {
    const base = tree({
      '.git/HEAD': '',
      '.gitignore': 'out/\n*.tmp\n',
      'docs/a.md': '',
      'docs/b.tmp': '',
      'out/c.md': '',
      'out/d.tmp': '',
      'out/deep/e.md': '',
    });
    expect(await found(join(base, 'docs'), base)).toEqual(['docs/a.md']);
    expect(await found(join(base, 'out'), base)).toEqual(['out/c.md', 'out/d.tmp', 'out/deep/e.md']);
    expect(await found(join(base, 'out', 'deep'), base)).toEqual(['out/deep/e.md']);
  });

  it('names what is missing, and says what it did not follow', async () => {
    const base = tree({ 'a.md': '' });
    symlinkSync(base, join(base, 'loop'));
    const entries = await all(walk(base));
    expect(entries).toEqual([
      expect.objectContaining({ path: join(base, 'a.md') }),
      { path: join(base, 'loop'), skipped: 'a link, not followed' },
    ]);
    const [missing] = await all(walk(join(base, 'gone')));
    expect(missing).toMatchObject({
      problem: { code: 'FILE_MISSING', message: `${join(base, 'gone')}: no such file or folder` },
    });
  });

  it('does not enter what it is told to leave alone', async () => {
    const base = tree({ 'a.md': '', 'lib/x.md': '' });
    const kept = await all(walk(base, { except: [join(base, 'lib')] }));
    expect(kept).toHaveLength(1);
  });

  it('B15 no FIFO or link serves as an ignore file, and one too large stops at its folder', async () => {
    const base = tree({
      'a/x.md': '',
      'b/x.md': '',
      'b/.gitignore': '# '.repeat(2 ** 20),
      'c/x.md': '',
      rules: '*.md',
    });
    execFileSync('mkfifo', [join(base, 'a', '.gitignore')]);
    symlinkSync('../rules', join(base, 'c', '.gitignore'));
    expect(await found(base)).toEqual(['a/x.md', 'c/x.md', 'rules']);
    const problems = (await all(walk(base))).filter((one) => 'problem' in one);
    expect(problems).toMatchObject([{ problem: { code: 'LIMIT' } }]);
  });
});
