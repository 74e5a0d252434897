import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { folder } from './strata.js';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

describe('the documentation', () => {
  it('docs/reference.md is what the table of operations says (npm run docs)', async () => {
    // The built program: the reference must describe what people run.
    const { referenceText } = (await import(
      fileURLToPath(new URL('../dist/serve/cli/reference.js', import.meta.url))
    )) as { referenceText: () => string };
    expect(read('docs/reference.md')).toBe(referenceText());
    const { chooseLanguage } = (await import(
      fileURLToPath(new URL('../dist/serve/language/language.js', import.meta.url))
    )) as { chooseLanguage: (language: string) => Promise<void> };
    await chooseLanguage('zh');
    try {
      expect(read('docs/reference.zh.md')).toBe(referenceText());
    } finally {
      await chooseLanguage('en');
    }
  });

  it('every command is in both READMEs and in the reference', async () => {
    const { stdout } = await folder().strata('--help');
    const list = stdout.slice(stdout.indexOf('Commands:'), stdout.indexOf('Start here:'));
    const names = [...list.matchAll(/^ {2}([a-z]+)/gm)]
      .map((match) => match[1] ?? '')
      .filter((name) => name !== 'help');
    expect(names.length).toBeGreaterThan(10);
    for (const page of ['README.md', 'README.zh.md', 'docs/reference.md']) {
      const missing = names.filter((name) => !read(page).includes(`strata ${name}`));
      expect({ page, missing }).toEqual({ page, missing: [] });
    }
  });

  it('links in the READMEs lead somewhere', () => {
    for (const page of ['README.md', 'README.zh.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md']) {
      for (const [, target = ''] of read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
        expect(() => read(target), `${page} → ${target}`).not.toThrow();
      }
    }
  });

  it('the version is the same everywhere', async () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect((await folder().strata('--version')).stdout).toBe(`${version}\n`);
    expect(read('CHANGELOG.md')).toContain('## Unreleased');
  });
});
