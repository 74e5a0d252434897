import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Folder, folder, guide, PROGRAM } from './strata.js';

/** The program with no network at all, and nothing in any cache. */
function offline(here: Folder, ...args: string[]) {
  const home = join(here.path, '..');
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    XDG_CACHE_HOME: join(home, 'cache'),
    npm_config_cache: join(home, 'npm'),
    STRATA_LIBRARY: join(here.path, '.strata'),
  };
  const options = { cwd: here.path, env, encoding: 'utf8' } as const;
  return spawnSync('unshare', ['-n', process.execPath, PROGRAM, ...args], options);
}

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'with no network and no model',
  () => {
    it('B2 everything works by words; each command says so in one line', () => {
      const here = folder({
        'docs/a.md': guide('Harbours', 'tides', 'ships'),
        'docs/b.md': guide('港口', '潮汐'),
      });
      const added = offline(here, 'add', 'docs');
      expect(added.status).toBe(0);
      expect(added.stdout).toContain('2 added');
      expect(lines(added.stderr)).toEqual([
        expect.stringMatching(/^Fetching bge-small-zh-v1\.5 by BAAI \(MIT, 24 MB\), verified by SHA-256/),
        'Search goes by words for now: the model bge-small-zh-v1.5 could not be fetched (no network); `strata models pull` fetches it when there is a network, or --from a folder',
      ]);

      for (const query of ['tides', '潮汐']) {
        const found = offline(here, 'search', query);
        expect(found).toMatchObject({ status: 0, stderr: '' });
        expect(lines(found.stdout).filter((line) => line.includes('words only'))).toEqual([
          '· Searched by words only: the embedding model is not on this machine yet (`strata embed` fetches it).',
        ]);
        expect(found.stdout).toMatch(query === 'tides' ? /1\. Harbours/ : /1\. 港口/);
      }

      const embedded = offline(here, 'embed');
      expect(embedded.status).toBe(1);
      expect(lines(embedded.stderr)).toEqual([
        expect.stringMatching(/^Fetching /),
        expect.stringContaining('could not be fetched (no network)'),
      ]);
      expect(offline(here, 'doctor')).toMatchObject({ status: 0, stderr: '' });
      expect(offline(here, 'status').stdout).toContain('search goes by words');
    });
  },
);
