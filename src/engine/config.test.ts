import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from './config.js';
import type { Library } from './library.js';
import { locate } from './locate.js';
import { openLibrary } from './open.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strata-config-'));
  await mkdir(join(folder, 'docs'));
  await writeFile(join(folder, 'docs', 'a.md'), '# A\n\n## One\n\napples\n\n## Two\n\npears\n');
});
afterEach(() => rm(folder, { recursive: true }));

const say = (text: unknown): Promise<void> =>
  writeFile(join(folder, 'strata.config.json'), typeof text === 'string' ? text : JSON.stringify(text));
const withLibrary = async <T>(run: (library: Library) => Promise<T>, more: object = {}): Promise<T> => {
  const library = await openLibrary({
    library: join(folder, '.strata'),
    cwd: folder,
    embedder: 'none',
    ...more,
  });
  try {
    return await run(library);
  } finally {
    await library.close();
  }
};

describe('strata.config.json', () => {
  it('B8 says who keeps a new library and how documents are cut; what is asked for counts before it', async () => {
    await say({ store: 'json', strategy: 'h2' });
    const { location } = await locate({ cwd: join(folder, 'docs') }, {});
    expect(location).toBe(join(folder, '.strata'));
    await withLibrary(async (library) => {
      expect((await library.status()).driver).toBe('json');
      await library.add(['docs'], { cwd: folder });
      expect((await library.status()).settings.strategy).toBe('h2');
      await library.add(['docs'], { cwd: folder, strategy: 'hierarchical' });
      expect((await library.status()).settings.strategy).toBe('hierarchical');
    });
  });

  it('B8 a library that is kept elsewhere is not opened in the place the file names', async () => {
    await withLibrary((library) => library.add(['docs'], { cwd: folder }));
    await say({ store: 'json' });
    await expect(withLibrary((library) => library.status())).rejects.toThrow(
      /kept by sqlite, and strata.config.json names json.*strata move/,
    );
  });

  it('B8 names what is wrong in it', async () => {
    const cases: readonly [unknown, RegExp][] = [
      ['{', /strata\.config\.json: is no JSON/],
      ['[]', /must be an object/],
      [{ stor: 'json' }, /"stor" is not known; known are store, embedder, cache, strategy/],
      [JSON.parse('{"__proto__": 1}'), /"__proto__" is not known/],
      [{ store: 3 }, /"store" must be a text/],
      [{ store: 'mongo' }, /store "mongo": known are/],
      [{ embedder: 'nobody:x y' }, /"embedder": no embedder/],
      [{ max: '800' }, /"max" must be a number/],
      [{ cache: '/etc' }, /"cache" must be true or false/],
      [{ strategy: 'h3' }, /h3/],
      [' '.repeat(70_000), /larger than/],
    ];
    for (const [text, problem] of cases) {
      await say(text);
      await expect(readConfig(folder), JSON.stringify(text)).rejects.toThrow(problem);
    }
  });

  it('B8 holds no secret, and repeats none', async () => {
    await say({ store: 'postgres://ada:pa55word@db.example.org/kb' });
    const error = await readConfig(folder).then(
      () => null,
      (reason: Error) => reason,
    );
    expect(error?.message).toContain('STRATA_POSTGRES_URL');
    expect(String(error)).not.toContain('pa55word');
  });

  it('B15 came with a project perhaps: a store elsewhere is used after the user has agreed', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'strata-config-elsewhere-'));
    await say({ store: `json:${elsewhere}` });
    await expect(withLibrary((library) => library.status())).rejects.toMatchObject({ code: 'UNTRUSTED' });
    const questions: string[] = [];
    const onConsent = async (question: string): Promise<boolean> => questions.push(question) > 0;
    await withLibrary((library) => library.add(['docs'], { cwd: folder }), { onConsent });
    expect(questions).toHaveLength(1);
    expect(questions[0]).toContain(elsewhere);
    expect((await withLibrary((library) => library.status())).documents).toBe(1);
    await rm(elsewhere, { recursive: true });
  });

  it('B15 an object store is elsewhere, from whatever folder it is opened', async () => {
    await say({ store: 'lancedb:s3://bucket/kb?aws_endpoint=http://evil.example.com' });
    await mkdir(join(folder, '.strata'));
    for (const cwd of [folder, join(folder, '.strata')])
      await expect(withLibrary((library) => library.status(), { cwd })).rejects.toMatchObject({
        code: 'UNTRUSTED',
        message: expect.stringContaining('evil.example.com'),
      });
  });

  it('B15 is not read through a link', async () => {
    await writeFile(join(folder, 'other.json'), '{}');
    await symlink(join(folder, 'other.json'), join(folder, 'strata.config.json'));
    await expect(readConfig(folder)).rejects.toThrow(/is a link/);
  });
});
