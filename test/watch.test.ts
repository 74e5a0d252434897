import { mkdirSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder } from './strata.js';
import { held, onDisk, until, watching } from './watching.js';

describe('strata watch', () => {
  it('catches up, then follows each change with one line, and ends cleanly on Ctrl-C', async () => {
    const here = folder({ 'docs/old.txt': 'Old words.', 'docs/gone.txt': 'Gone soon.' });
    await here.strata('add', 'docs');
    here.write({ 'docs/old.txt': 'Old words, changed.', 'docs/new.txt': 'New words.' });
    unlinkSync(join(here.path, 'docs/gone.txt'));
    const watch = await watching(here);
    expect(watch.lines().sort()).toEqual([
      'added docs/new.txt',
      'changed docs/old.txt',
      'removed docs/gone.txt',
    ]);

    here.write({ 'docs/sub/deep/a.txt': 'Deep words.' });
    await watch.says(/added docs\/sub\/deep\/a\.txt/);
    here.write({ 'docs/new.txt': 'Newer words.' });
    await watch.says(/changed docs\/new\.txt/);
    renameSync(join(here.path, 'docs/old.txt'), join(here.path, 'docs/renamed.txt'));
    await watch.says(/renamed docs\/old\.txt → docs\/renamed\.txt/);
    unlinkSync(join(here.path, 'docs/new.txt'));
    await watch.says(/removed docs\/new\.txt/);
    here.write({
      'docs/.hidden.txt': 'x',
      'docs/node_modules/x.txt': 'x',
      'docs/.gitignore': '*.tmp\n',
      'docs/a.tmp': 'x',
    });
    here.write({ 'docs/bad.pdf': '%PDF-1.7 nothing' });
    await watch.says(/failed docs\/bad\.pdf/);

    const { code, stdout, stderr } = await watch.stop();
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/hidden|node_modules|\.tmp/);
    expect(stderr).not.toMatch(/error|at .*\.js/i);
    expect(Object.keys(await held(here))).toEqual(['docs/renamed.txt', 'docs/sub/deep/a.txt']);
  });

  it("survives editors' ways of saving, and the id stays", async () => {
    const here = folder({ 'docs/a.txt': 'First words.' });
    const watch = await watching(here);
    const path = join(here.path, 'docs/a.txt');
    const id = async (): Promise<string> =>
      (await here.strata('show', 'docs/a.txt', '--json')).json<{ document: { id: string } }>().document.id;
    const before = await id();
    // Written aside and moved over it.
    writeFileSync(`${path}~`, 'Second words.');
    renameSync(`${path}~`, path);
    await watch.says(/changed docs\/a\.txt/);
    // Moved away as a backup, then written anew.
    renameSync(path, join(here.path, 'docs/.a.txt.bak'));
    writeFileSync(path, 'Third words.');
    await until('the third', async () => (await held(here))['docs/a.txt'] === 'Third words.');
    // Deleted, and written anew a moment later.
    unlinkSync(path);
    await new Promise((resolve) => setTimeout(resolve, 500));
    writeFileSync(path, 'Fourth words.');
    await until('the fourth', async () => (await held(here))['docs/a.txt'] === 'Fourth words.');
    expect(await id()).toBe(before);
    expect(watch.lines().filter((line) => /removed|a\.txt~|bak/.test(line))).toEqual([]);
    expect((await watch.stop()).code).toBe(0);
  });

  it('survives that the folder is deleted and made again', async () => {
    const here = folder({ 'docs/a.txt': 'Words of a.', 'docs/b.txt': 'Words of b.' });
    const watch = await watching(here);
    rmSync(join(here.path, 'docs'), { recursive: true });
    await watch.notices(/docs is gone/);
    mkdirSync(join(here.path, 'docs'));
    here.write({ 'docs/b.txt': 'Words of b.', 'docs/c.txt': 'Words of c.' });
    await watch.notices(/docs is back/);
    await until(
      'the new state',
      async () => Object.keys(await held(here)).join() === 'docs/b.txt,docs/c.txt',
    );
    here.write({ 'docs/d.txt': 'Words of d.' });
    await watch.says(/added docs\/d\.txt/);
    expect((await watch.stop()).code).toBe(0);
    expect(await held(here)).toEqual(onDisk(here));
  });

  it('says what cannot be watched', async () => {
    const here = folder({ 'a.txt': 'x' });
    expect(await here.strata('watch', 'missing')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/missing: is no folder/),
    });
    expect(await here.strata('watch', 'a.txt')).toMatchObject({ code: 2 });
  });
});
