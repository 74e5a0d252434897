import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { folder } from './strata.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The first command of a README, as its `strata` parts. */
function firstCommand(page: string): string[][] {
  const lines = readFileSync(join(ROOT, page), 'utf8').split('\n');
  const line = lines.find((one) => one.startsWith('npm ci && npx strata')) ?? '';
  return line
    .split('&&')
    .map((part) => part.trim())
    .filter((part) => part.startsWith('npx strata '))
    .map((part) =>
      [...part.slice('npx strata '.length).matchAll(/"([^"]*)"|(\S+)/g)].map(
        ([, quoted, word]) => quoted ?? word ?? '',
      ),
    );
}

describe('the first command of the READMEs', () => {
  it('adds documents of this repository and answers the question from them', async () => {
    for (const [page, answer] of [
      [
        'README.md',
        /^1\. Everyday use › When a file is renamed or moved .*\n {3}docs\/guides\/everyday\.md:\d+ {2}#/,
      ],
      ['README.zh.md', /^1\. 日常使用 › .*\n {3}docs\/guides\/everyday\.zh\.md:\d+ {2}#[\s\S]*改名/],
    ] as const) {
      const [add = [], search = []] = firstCommand(page);
      expect([add[0], search[0]]).toEqual(['add', 'search']);
      const here = folder();
      // From the repository, into a library elsewhere; by words alone, as without a network.
      const env = { STRATA_LIBRARY: join(here.path, '.strata') };
      const added = await here.run(add, { env, cwd: ROOT });
      expect(added).toMatchObject({ code: 0, stderr: '' });
      const found = await here.run(search, { env, cwd: ROOT });
      expect(found.code).toBe(0);
      expect(found.stdout.replaceAll(`${ROOT}`, '')).toMatch(answer);
    }
  });
});
