import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { collect } from './program.js';

/** The docs' examples run as they stand there. They have no type annotations, so Node runs them as they are. */
const root = join(import.meta.dirname, '..');

async function run(name: string): Promise<string> {
  // Inside the package, so that `strata-kb` means this one; in a folder of its own, since examples write there.
  const folder = mkdtempSync(join(root, 'dist', '.example-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(root, 'CONTRIBUTING.md'), join(folder, 'README.md'));
  const file = join(folder, name.replace(/\.ts$/, '.mjs'));
  cpSync(join(root, 'examples', name), file);
  const { code, stdout, stderr } = await collect(spawn(process.execPath, [file], { cwd: folder }));
  expect(code, stderr).toBe(0);
  return stdout;
}

const EXPECTED: Readonly<Record<string, RegExp>> = {
  'library.ts': /部署手册 › Nginx[\s\S]*strata:[\s\S]*unchanged/,
  'parse.ts': /sections, \d+ chunks\ntrue/,
  'langchain.ts': /\[ 'Guide', 'Backups' \] \{ from: 1, to: 5 \}[\s\S]*one command[\s\S]*strata:/,
};

describe('examples', () => {
  it.each(readdirSync(join(root, 'examples')))('%s runs and prints what it should', async (name) => {
    expect(EXPECTED, `say here what ${name} prints`).toHaveProperty([name]);
    expect(await run(name)).toMatch(EXPECTED[name]!);
  });

  it('S4.6 the guides show the examples as they are', async () => {
    const { filled } = (await import(join(root, 'scripts/fill-examples.js'))) as {
      filled(text: string): string;
    };
    for (const name of readdirSync(join(root, 'docs/guides'))) {
      const text = readFileSync(join(root, 'docs/guides', name), 'utf8');
      expect(filled(text), `${name}: run node scripts/fill-examples.js`).toBe(text);
    }
  });
});
