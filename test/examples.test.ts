import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collect } from './program.js';

/** The docs' examples run as they stand there. They have no type annotations, so Node runs them as they are. */
const root = join(import.meta.dirname, '..');
let folder: string;

/** An empty folder in which the package was installed as it is published, with what it declares and nothing else. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'strata-packed-'));
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  const tarball = execFileSync('npm', pack, { cwd: root, encoding: 'utf8' }).trim().split('\n').at(-1)!;
  const installed = join(folder, 'node_modules', 'strata-kb');
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, tarball), '-C', installed, '--strip-components=1']);
  const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
    readFileSync(join(installed, 'package.json'), 'utf8'),
  );
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), link);
  }
  cpSync(join(root, 'CONTRIBUTING.md'), join(folder, 'README.md'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(name: string): Promise<string> {
  const file = join(folder, name.replace(/\.ts$/, '.mjs'));
  cpSync(join(root, 'examples', name), file);
  const { code, stdout, stderr } = await collect(spawn(process.execPath, [file], { cwd: folder }));
  expect(code, stderr).toBe(0);
  return stdout;
}

const EXPECTED: Readonly<Record<string, RegExp>> = {
  'library.ts': /部署手册 › Nginx[\s\S]*strata:[\s\S]*unchanged/,
  'parse.ts': /sections, \d+ chunks\ntrue/,
  'seed-000.ts':
    /0 Nginx \d+\n1 CORS \d+\n[\s\S]*document [\w-]+ 部署手册[\s\S]*is_parent: true[\s\S]*逐个列出/,
  'seed-001.ts': /\[Guide\] Backups\nID: [\w-]{36}\nSummary: [\s\S]*Restoring ## Restoring\n\nOne command/,
  'seed-002.ts': /item-1 备份 \d+\n[\s\S]*KnowledgeChunk/,
  'seed-004.ts': /部署 › Nginx › CORS[\s\S]*ops\.md › 部署[\s\S]*strata:/,
  'langchain.ts': /\[ 'Guide', 'Backups' \] \{ from: 1, to: 5 \}[\s\S]*one command[\s\S]*strata:/,
};

describe('examples', () => {
  it.each(readdirSync(join(root, 'examples')))(
    '%s runs against the packed tarball and prints what it should',
    async (name) => {
      expect(EXPECTED, `say here what ${name} prints`).toHaveProperty([name]);
      expect(await run(name)).toMatch(EXPECTED[name]!);
    },
  );

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
