import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mergedChunking, settingsOf } from '../ingest/chunking.js';
import { locate } from './locate.js';
import { openLibrary } from './open.js';
import { partsOf } from './open-library.js';

function folder(): string {
  const base = mkdtempSync(join(tmpdir(), 'strata-locate-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  return base;
}

describe('which library is meant', () => {
  it('the one named, else the environment’s, else the nearest .strata, else beside .git, else the user’s own', async () => {
    const base = folder();
    const deep = join(base, 'project/docs/deep');
    mkdirSync(deep, { recursive: true });
    const at = async (env: NodeJS.ProcessEnv = {}, library?: string) =>
      (await locate({ cwd: deep, library }, env)).location;
    expect(await at()).toMatch(/strata[\\/]library$/);
    mkdirSync(join(base, 'project/.git'));
    expect(await at()).toBe(join(base, 'project/.strata'));
    mkdirSync(join(base, 'project/docs/.strata'));
    expect(await at()).toBe(join(base, 'project/docs/.strata'));
    expect(await at({ STRATA_LIBRARY: join(base, 'env') })).toBe(join(base, 'env'));
    expect(await at({ STRATA_LIBRARY: join(base, 'env') }, '../named')).toBe(
      join(base, 'project/docs/named'),
    );
    expect((await locate({ cwd: deep }, {})).root).toBe(join(base, 'project/docs'));
  });

  it('is not made where other files are, nor by looking', async () => {
    const base = folder();
    writeFileSync(join(base, 'mine.txt'), 'x');
    await expect(openLibrary({ library: base })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(openLibrary({ library: join(base, 'new'), create: false })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(openLibrary({ library: join(base, 'mine.txt') })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    const made = await openLibrary({ library: join(base, 'new') });
    await made.close();
    const again = await openLibrary({ library: join(base, 'new'), create: false });
    expect(partsOf(again).backend.driver).toBe('sqlite');
    await again.close();
  });

  it('keeps to the store it was made with', async () => {
    const base = folder();
    const json = await openLibrary({ library: join(base, 'lib'), store: 'json' });
    await json.close();
    const again = await openLibrary({ library: join(base, 'lib') });
    expect(partsOf(again).backend.driver).toBe('json');
    await again.close();
    await expect(openLibrary({ library: join(base, 'lib'), store: 'sqlite' })).rejects.toThrow(
      /is kept by json/,
    );
    await expect(openLibrary({ library: join(base, 'lib2'), store: 'papyrus' })).rejects.toThrow(
      /known are sqlite, json/,
    );
  });
});

describe('settings', () => {
  it('what is asked for goes over what is remembered, and another strategy brings its own sizes', () => {
    const kept = { strategy: 'hierarchical', max: 900 };
    expect(mergedChunking(kept, {})).toEqual(kept);
    expect(mergedChunking(kept, { min: 100 })).toEqual({ ...kept, min: 100 });
    expect(mergedChunking(kept, { strategy: 'content' })).toEqual({ strategy: 'content' });
    expect(settingsOf({ strategy: 'content' })).toMatchObject({ min: 100, max: 1500, overlap: 0.2 });
    expect(() => settingsOf({ strategy: 'nonsense' })).toThrow(/strategy/);
  });
});
