import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Folder, folder, guide } from './strata.js';

describe('searching from the command line', () => {
  const library = async (): Promise<Folder> => {
    const here = folder({
      'docs/deploy.md': guide('部署指南', '配置 Nginx CORS', '证书续期'),
      'docs/whole.md': 'Only one short passage about zebras.\n',
      'notes/cooking.md': guide('Cooking', 'Boiling pasta', 'Frying onions'),
      'notes/code.md': '# Snippets\n\n```js\nfunction getUserById(id) {\n  return users.get(id);\n}\n```\n',
    });
    await here.strata('add', '--strategy', 'h2', '.');
    return here;
  };

  it('shows documents with title paths, places, excerpts, grouped', async () => {
    const here = await library();
    const { code, stdout, stderr } = await here.strata('search', 'boiling', 'pasta');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^1\. Cooking {2}notes\/cooking\.md\n {3}Cooking › Boiling pasta/);
    expect(stdout).toMatch(/notes\/cooking\.md:5 {2}strata:/);
    expect(stdout).not.toContain('\u001b[');
    const coloured = await here.run(['search', '证书'], { env: { FORCE_COLOR: '1' } });
    expect(coloured.stdout).toMatch(/\u001b\[[0-9;]*m/);
    expect(coloured.stdout).toContain('部署指南');
    const plain = await here.run(['search', '证书'], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } });
    expect(plain.stdout).not.toContain('\u001b[');
  });

  it('B5 scout --max-tokens 60 gives the best brief that fits, and says what was left out', async () => {
    const here = folder({ 'guide.md': guide('Guide', 'Apples', 'Bananas', 'Cherries') });
    await here.strata('add', '.');
    const { stdout } = await here.strata(
      'scout',
      'point about apples bananas cherries',
      '--max-tokens',
      '60',
    );
    expect(stdout).toMatch(/^Of \d+ briefs 1 fit/);
    expect(stdout).toMatch(/^ID: [0-9a-f-]{36}$/m);
  });

  it('B1 scout and inspect say that a file has changed or is gone; inspect takes the ids that list prints', async () => {
    const here = folder({ 'guide.md': guide('Guide', 'Apples', 'Bananas') });
    await here.strata('add', '.');
    const id = (await here.strata('list')).stdout.slice(0, 8);
    const both = async (): Promise<string[]> =>
      Promise.all([
        here.strata('scout', 'apples').then(({ stdout }) => stdout),
        here.strata('inspect', id).then(({ stdout }) => stdout),
      ]);
    for (const shown of await both()) {
      expect(shown).toContain('Guide');
      expect(shown).not.toContain('since it was added');
    }
    here.write({ 'guide.md': guide('Guide', 'Apples') });
    for (const shown of await both()) expect(shown).toContain('[changed since it was added]');
    rmSync(join(here.path, 'guide.md'));
    for (const shown of await both()) expect(shown).toContain('[its file is gone]');
  });

  it('S1.4 scout prints [parent_doc] section_title for a slice, document_title for a whole document, then ID and Summary', async () => {
    const here = await library();
    const slice = (await here.strata('scout', 'frying')).stdout;
    expect(slice).toMatch(/^\[Cooking\] Frying onions\nID: [0-9a-f-]{36}\nSummary: \S.*$/m);
    const whole = (await here.strata('scout', 'zebras')).stdout;
    expect(whole).toMatch(/^whole\nID: [0-9a-f-]{36}\nSummary: Only one short passage about zebras\.$/m);
    const chinese = (await here.strata('scout', 'Nginx')).stdout;
    expect(chinese).toContain('[部署指南] 配置 Nginx CORS\n');
  });

  it('S0.6 inspect follows scout: a passage by its id, a document with all its passages, and a clear error', async () => {
    const here = await library();
    const id = /\] Frying onions\nID: (\S+)/.exec((await here.strata('scout', 'frying')).stdout)?.[1] ?? '';
    const chunk = (await here.strata('inspect', id, '--json')).json<Inspected>();
    expect(chunk).toMatchObject({ id, title: 'Frying onions', parent_doc_title: 'Cooking' });
    expect(chunk.content).toContain('Frying onions');
    const document = (await here.strata('inspect', chunk.parent_id, '--json')).json<{
      children: Inspected[];
    }>();
    expect(document.children.map(({ title }) => title)).toEqual(
      expect.arrayContaining(['Boiling pasta', 'Frying onions']),
    );
    const unknown = await here.strata('inspect', '00000000-0000-4000-8000-000000000000');
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
    expect(unknown.stderr).toMatch(/^strata: .*00000000-0000-4000-8000-000000000000.*\n$/);
  });

  it('B5 scout stays within its token budget', async () => {
    const here = await library();
    const full = (await here.strata('scout', 'about', 'practice', '--json')).stdout;
    for (const budget of [60, 150, 400]) {
      const { stdout } = await here.strata(
        'scout',
        'about',
        'practice',
        '--json',
        '--max-tokens',
        String(budget),
      );
      // Four characters a token at the very least: an answer within the budget cannot be longer than this.
      expect(stdout.length).toBeLessThan(budget * 5);
      expect(stdout.length).toBeLessThan(full.length);
    }
    expect((await here.strata('scout', 'x', '--max-tokens', '0')).code).toBe(2);
  });

  it('B9 a filter that nothing in the library meets is named, by search and scout', async () => {
    const here = await library();
    const cases = [
      ['--path', 'doc', /at or below the path "doc"/],
      ['--file-type', 'pfd', /is of the file type "pfd"/],
      ['--tag', 'x', /has the tags "x"/],
    ] as const;
    for (const [flag, value, said] of cases) {
      for (const command of ['search', 'scout']) {
        const { code, stdout, stderr } = await here.strata(command, 'pasta', flag, value);
        expect([code, stdout + stderr]).toEqual([0, expect.stringMatching(said)]);
      }
    }
    const unknown = await here.strata('search', 'pasta', '--type', 'tabel');
    expect([unknown.code === 0, unknown.stderr]).toEqual([false, expect.stringContaining('tabel')]);
    const none = await here.strata('search', 'xylophone', '--path', 'notes');
    expect(none.stdout + none.stderr).not.toContain('at or below');
  });

  it('B9 filters: path, format, kind of passage, date; phrases, prefixes and a suggestion', async () => {
    const here = await library();
    const found = async (...args: string[]): Promise<string[]> =>
      (await here.strata('search', '--json', ...args))
        .json<{ results: { item: { source_path: string } }[] }>()
        .results.map(({ item }) => item.source_path)
        .sort();
    expect(await found('practice', '--path', 'notes')).toEqual(['notes/cooking.md']);
    expect(await found('practice', '--path', './notes/')).toEqual(['notes/cooking.md']);
    expect(await found('practice', '--path', 'docs/*.md')).toEqual(['docs/deploy.md']);
    expect(await found('practice', '--file-type', 'pdf')).toEqual([]);
    expect(await found('practice', '--file-type', 'markdown', '--file-type', 'pdf')).toHaveLength(2);
    expect(await found('getUserById')).toEqual(['notes/code.md']);
    expect(await found('practice', '--after', '2001-01-01')).toHaveLength(2);
    expect(await found('practice', '--before', '2001-01-01')).toEqual([]);
    expect(await found('"use Frying onions in practice"')).toEqual(['notes/cooking.md']);
    expect(await found('"use Boiling onions in practice"')).toEqual([]);
    expect(await found('zebr', '--prefix')).toEqual(['docs/whole.md']);
    const misspelt = await here.strata('search', 'zebrass');
    expect(misspelt.stdout).toMatch(/Nothing matches[\s\S]*zebras|whole\.md/);
    const wrong = await here.strata('search', 'x', '--after', 'yesterday-ish');
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toContain('"yesterday-ish" is no date');
  });

  it('--limit 0 lists every match', async () => {
    const here = folder();
    for (let at = 0; at < 25; at++) here.write({ [`${at}.md`]: `# T${at}\n\n独角兽 number ${at}.\n` });
    await here.strata('add', '.');
    const all = (await here.strata('search', '独角兽', '--limit', '0', '--json')).json<{
      results: unknown[];
    }>();
    expect(all.results).toHaveLength(25);
    const ten = (await here.strata('search', '独角兽', '--json')).json<{ results: unknown[] }>();
    expect(ten.results).toHaveLength(10);
  });
});

interface Inspected {
  readonly id: string;
  readonly parent_id: string;
  readonly title: string;
  readonly content: string;
}

describe('words across languages from the command line', () => {
  it('B14 a Chinese question finds the English page, and --explain names the translations', async () => {
    const here = folder({
      'oven.md': '# Bread\n\nThe dough of flour and water is left to rise for an hour.\n',
      'school.md': '# Schools\n\nThe university of Warsaw is the largest in the country.\n',
    });
    await here.strata('add', '.');
    const { stdout } = await here.strata('search', '华沙有哪些大学', '--mode', 'keyword', '--explain');
    expect(stdout).toMatch(/^1\. Schools/);
    expect(stdout).toMatch(/Also looked for:\n {3}华沙 → Warsaw/);
  });

  it('B14 a glossary beside the library makes a term found, and is no document itself', async () => {
    const here = folder({
      'pods.md': '# Cluster\n\nKubernetes restarts the container when the probe fails.\n',
      'bread.md': '# Bread\n\nThe dough of flour and water is left to rise for an hour.\n',
    });
    await here.strata('add', '.');
    const ask = (...words: string[]) => here.strata('search', ...words, '--mode', 'keyword');
    expect((await ask('k8s')).stdout).toMatch(/^Nothing matches/);
    const before = (await ask('dough of flour')).stdout;
    here.write({ 'strata.glossary.tsv': 'k8s\tKubernetes\nwater\tnonsense\nalone\n' });
    expect((await ask('k8s')).stdout).toMatch(/^1\. Cluster/);
    expect((await ask('k8s')).stdout).toContain('strata.glossary.tsv:3: a line is a term');
    expect((await ask('dough of flour')).stdout).toContain(before.trim());
    await here.strata('add', '.');
    expect((await here.strata('list')).stdout).not.toContain('glossary');
  });
});
