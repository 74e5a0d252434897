import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { strata } from './program.js';

/**
 * Libraries that earlier versions wrote, one for each form on disk (the schema of SQLite, the format of JSON): every later
 * version must open them. Each holds guide.md, zh.md and data.json; those of SQLite have vectors of two numbers, too.
 * A new schema brings a new file here, made by the last version before it.
 */
const fixtures = join(import.meta.dirname, 'fixtures', 'libraries');

function unpacked(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'strata-older-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const files = JSON.parse(gunzipSync(readFileSync(join(fixtures, name))).toString()) as Record<
    string,
    string
  >;
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, '.strata', path)), { recursive: true });
    writeFileSync(join(folder, '.strata', path), Buffer.from(content, 'base64'));
  }
  return folder;
}

describe.each(readdirSync(fixtures))('the library %s', (name) => {
  it('B3 is opened, searched in both languages, found well, and goes on', async () => {
    const cwd = unpacked(name);
    const listed = await strata(['list', '--json'], { cwd });
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(listed.stdout).documents).toHaveLength(3);
    const english = await strata(['search', 'when may a ship enter', '--json'], { cwd });
    expect(JSON.parse(english.stdout).results[0].item.source_path).toBe('guide.md');
    const chinese = await strata(['search', '船只何时进港', '--json'], { cwd });
    expect(JSON.parse(chinese.stdout).results[0].item.source_path).toBe('zh.md');
    const checked = await strata(['doctor'], { cwd });
    expect({ code: checked.code, said: checked.stdout + checked.stderr }).toEqual({
      code: 0,
      said: expect.stringContaining('All is well.'),
    });
    writeFileSync(join(cwd, 'new.md'), '# New\n\nA lighthouse stands here.\n');
    expect(await strata(['add', 'new.md'], { cwd })).toMatchObject({ code: 0 });
    const added = await strata(['search', 'lighthouse', '--json'], { cwd });
    expect(JSON.parse(added.stdout).results[0].item.source_path).toBe('new.md');
  });
});
