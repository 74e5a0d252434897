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
    expect(stdout).toMatch(
      /^1\. Cooking › Boiling pasta {2}\d+ % match\n {3}notes\/cooking\.md:5 {2}#[0-9a-f]{6}\n/,
    );
    expect(stdout).not.toContain('\u001b[');
    const coloured = await here.run(['search', '证书'], { env: { FORCE_COLOR: '1' } });
    expect(coloured.stdout).toMatch(/\u001b\[[0-9;]*m/);
    expect(coloured.stdout).toContain('部署指南');
    const plain = await here.run(['search', '证书'], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } });
    expect(plain.stdout).not.toContain('\u001b[');
  });

  it('S4.6 the short id, the place and the citation name the passage to inspect, show, verify and remove', async () => {
    const here = await library();
    const { stdout } = await here.strata('search', 'boiling', 'pasta');
    const [, place = '', id = ''] = /(\S+:\d+) {2}(#\w{6})/.exec(stdout) ?? [];
    const { results } = (await here.strata('search', 'boiling pasta', '--json')).json<Found>();
    const ref = results[0]!.matched_chunks[0]!.citation.ref;
    for (const name of [id, id.slice(1), place, ref]) {
      expect((await here.strata('inspect', name)).stdout, name).toContain('Cooking › Boiling pasta');
      expect((await here.strata('show', name)).stdout, name).toMatch(/^Cooking\n/);
      expect((await here.strata('verify', name)).stdout, name).toMatch(/^unchanged/);
      expect((await here.strata('remove', '--dry-run', name)).stdout, name).toContain('notes/cooking.md');
    }
  });

  it('B3 prints text, json, jsonl, md, csv and files; json repeats no text unless --full is given', async () => {
    const here = await library();
    const print = async (...flags: string[]) =>
      (await here.strata('search', 'boiling pasta', ...flags)).stdout;
    const lean = await print('--json');
    expect(await print('--format', 'json')).toBe(lean);
    const passage = (JSON.parse(lean) as Found).results[0]!.matched_chunks[0]!.content;
    const sentence = 'Point 1 about Boiling pasta';
    expect(passage).toContain(sentence);
    expect(lean.split(sentence)).toHaveLength(2);
    expect((await print('--json', '--full')).split(sentence).length).toBeGreaterThan(2);
    const lines = (await print('--format', 'jsonl')).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).source_path)).toContain('notes/cooking.md');
    expect(await print('--format', 'md')).toMatch(
      /^\*\*Cooking › Boiling pasta\*\* \(`notes\/cooking\.md:5`, \d+ % match\)\n\n> /,
    );
    const [head, row] = (await print('--format', 'csv')).split('\n');
    expect(head).toBe('score,source_path,place,title,title_path,chunk_id,content,citation');
    expect(row).toMatch(/^0\.\d{4},notes\/cooking\.md,notes\/cooking\.md:5,Cooking,/);
    const elsewhere = { cwd: join(here.path, 'docs'), env: { STRATA_LIBRARY: join(here.path, '.strata') } };
    const files = await here.run(['search', 'boiling pasta', '--format', 'files'], elsewhere);
    expect(files.stdout.split('\n')[0]).toBe('../notes/cooking.md');
  });

  it('B9 --min-score, --passages and -word narrow an answer down', async () => {
    const here = await library();
    const found = async (...args: string[]) =>
      (await here.strata('search', ...args, '--json')).json<Found>().results;
    const [best] = await found('point about practice', '--passages', '2');
    expect(best?.matched_chunks).toHaveLength(2);
    expect((await found('point about practice'))[0]?.matched_chunks).toHaveLength(1);
    expect(await found('point about practice', '--min-score', '100')).toEqual([]);
    expect(await found('point about practice', '--min-score', '1%')).not.toEqual([]);
    const without = await found('practice -pasta -onions');
    expect(without.map(({ item }) => item.source_path)).toEqual(['docs/deploy.md']);
    const wrong = await here.strata('search', 'practice', '--min-score', '900');
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('from 0 to 100') });
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
    const five = (await here.strata('search', '独角兽', '--json')).json<{ results: unknown[] }>();
    expect(five.results).toHaveLength(5);
  });
});

interface Found {
  readonly results: readonly {
    readonly item: { readonly source_path: string };
    readonly matched_chunks: readonly {
      readonly content: string;
      readonly citation: { readonly ref: string };
    }[];
  }[];
}

interface Inspected {
  readonly id: string;
  readonly parent_id: string;
  readonly title: string;
  readonly content: string;
}

describe('words across languages from the command line', () => {
  it('B13 a Chinese question finds the English page, and --explain names the translations', async () => {
    const here = folder({
      'oven.md': '# Bread\n\nThe dough of flour and water is left to rise for an hour.\n',
      'school.md': '# Schools\n\nThe university of Warsaw is the largest in the country.\n',
    });
    await here.strata('add', '.');
    const { stdout } = await here.strata('search', '华沙有哪些大学', '--mode', 'keyword', '--explain');
    expect(stdout).toMatch(/^1\. Schools/);
    expect(stdout).toMatch(/Also looked for:\n {3}华沙 → Warsaw/);
  });

  it('B13 a glossary beside the library makes a term found, and is no document itself', async () => {
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
