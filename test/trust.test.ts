import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { vectorOf } from './embedding-service.js';
import { type Folder, folder, guide } from './strata.js';

/** A service that embeds, and writes down what it was told. */
async function listener(
  model = 'small-24',
): Promise<{ spec: string; heard: { key: string | undefined; input: string[] }[] }> {
  const heard: { key: string | undefined; input: string[] }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    const { input } = JSON.parse(body) as { input: string[] };
    heard.push({ key: request.headers.authorization, input });
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ data: input.map((text, index) => ({ index, embedding: vectorOf(text, 24) })) }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return { spec: `openai:${model}?url=${url}`, heard };
}

const USER = { OPENAI_API_KEY: 'sk-secret-of-the-user', STRATA_EMBEDDER: '' };

/** A library whose maker embedded it by a service of his own, as the user finds it. */
async function found(store = 'sqlite') {
  const service = await listener();
  const here = folder({ 'docs/a.md': guide('Proxy', 'nginx', 'caddy') });
  const maker = { env: { STRATA_CONFIG: join(here.path, '..', 'maker'), STRATA_EMBEDDER: '' } };
  const made = await here.run(['add', 'docs', '--store', store, '--embedder', service.spec], maker);
  expect(made).toMatchObject({ code: 0 });
  service.heard.length = 0;
  return { ...service, here };
}

const user = (here: Folder, args: string[], env: Record<string, string> = {}) =>
  here.run(args, { env: { ...USER, ...env } });

describe('B15 a library that was found', () => {
  it.each(['sqlite', 'json'])(
    'B15 C2 sends nothing to a service it names before the user agrees (%s)',
    async (store) => {
      const { here, spec, heard } = await found(store);
      const asked = await user(here, ['search', 'nginx', '--json']);
      expect(asked.code).toBe(0);
      expect(asked.stdout).toContain('strata trust');
      expect(asked.stdout).toContain('nginx');
      here.write({ 'docs/b.md': guide('More', 'tls') });
      expect((await user(here, ['add', 'docs'])).stdout + asked.stderr).toContain('added');
      expect(heard).toEqual([]);

      const agreed = await user(here, ['trust', '--json']);
      const value = expect.stringContaining('openai:small-24');
      expect(agreed.json()).toMatchObject({ agreements: [{ about: 'embedder', value, by: 'agreed' }] });
      expect((await user(here, ['search', 'caddy'])).code).toBe(0);
      expect(heard.length).toBeGreaterThan(0);
      // Agreed to, but not named by the user: his key stays at home.
      expect(heard.map(({ key }) => key)).toEqual(heard.map(() => undefined));
      expect((await user(here, ['trust', 'list'])).stdout).toContain('openai:small-24');

      heard.length = 0;
      await user(here, ['search', 'tls'], { STRATA_EMBEDDER: 'none' });
      await user(here, ['search', 'tls', '--mode', 'hybrid', '--embedder', 'none']);
      await user(here, ['search', 'tls', '--embedder', 'local:/nowhere']);
      expect(heard).toEqual([]);

      expect((await user(here, ['trust', 'remove'])).code).toBe(0);
      await user(here, ['search', 'tls']);
      expect(heard).toEqual([]);
      // Named by the user himself: agreed to, and the key may go there.
      await user(here, ['search', 'tls', '--embedder', spec]);
      expect(heard.at(-1)).toMatchObject({ key: 'Bearer sk-secret-of-the-user' });
    },
  );

  it('B15 asks again when it names something else', async () => {
    const { here, heard } = await found();
    await user(here, ['trust']);
    const other = await listener('other-24');
    const maker = { env: { STRATA_CONFIG: join(here.path, '..', 'maker'), STRATA_EMBEDDER: '' } };
    expect((await here.run(['embed', '--embedder', other.spec], maker)).code).toBe(0);
    heard.length = 0;
    other.heard.length = 0;
    expect((await user(here, ['search', 'nginx', '--json'])).stdout).toContain('strata trust');
    expect([...heard, ...other.heard]).toEqual([]);
  });

  it('B15 C3 keeps its data nowhere else: a search deletes nothing there, and no database is made', async () => {
    const here = folder({ 'private/mine.1.json': 'mine' });
    const uuid = '11111111-1111-8111-8111-111111111111';
    here.write({ [`private/${uuid}.1/letter.json`]: 'mine' });
    for (const place of [
      { driver: 'json', place: '../private' },
      { driver: 'sqlite', place: '../new/made.db' },
    ]) {
      here.write({ '.strata/store.json': JSON.stringify(place) });
      for (const command of [
        ['search', 'x'],
        ['doctor', '--fix'],
        ['add', 'private'],
      ]) {
        const run = await here.strata(...command);
        expect(run.code).not.toBe(0);
        expect(run.stderr).toContain('strata trust');
      }
    }
    expect(readFileSync(join(here.path, 'private', `${uuid}.1`, 'letter.json'), 'utf8')).toBe('mine');
    expect(existsSync(join(here.path, 'new'))).toBe(false);
    expect(existsSync(join(here.path, 'private', 'state'))).toBe(false);
  });

  it('B15 C3 a link in the place of its data or of its notes leads nowhere', async () => {
    const here = folder({ 'a.md': guide('A', 'one'), 'private/keep': 'mine' });
    mkdirSync(join(here.path, '.strata'));
    symlinkSync(join(here.path, 'private', 'new.db'), join(here.path, '.strata', 'library.db'));
    symlinkSync(join(here.path, 'private', 'ignored'), join(here.path, '.strata', '.gitignore'));
    expect((await here.strata('add', 'a.md')).stderr).toContain('strata trust');
    expect(existsSync(join(here.path, 'private', 'new.db'))).toBe(false);
    expect(existsSync(join(here.path, 'private', 'ignored'))).toBe(false);
  });

  it('B15 C3 a library whose folder is a link out of the project is used only after the user agrees', async () => {
    const mine = folder({ 'a.md': guide('Mine', 'one') });
    expect((await mine.strata('add', 'a.md')).code).toBe(0);
    const clone = folder({ 'docs/b.md': guide('Theirs', 'two') });
    const found = { env: { STRATA_LIBRARY: '' } };
    const link = join(clone.path, '.strata');
    mkdirSync(join(clone.path, '..', 'empty'));
    symlinkSync(join(clone.path, '..', 'empty'), link);
    expect(await clone.run(['add', 'docs'], found)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('strata trust'),
    });
    expect(readdirSync(join(clone.path, '..', 'empty'))).toEqual([]);

    rmSync(link);
    symlinkSync(join(mine.path, '.strata'), link);
    for (const command of [
      ['add', 'docs'],
      ['search', 'one'],
      ['remove', 'a.md'],
      ['doctor', '--fix'],
    ])
      expect((await clone.run(command, found)).stderr).toContain('outside its folder');
    expect((await mine.strata('list')).stdout).not.toContain('Theirs');
    expect((await clone.run(['trust'], found)).code).toBe(0);
    expect((await clone.run(['search', 'one'], found)).stdout).toContain('Mine');
    expect((await clone.run(['trust', 'remove'], found)).code).toBe(0);
    expect((await clone.run(['search', 'one'], found)).code).toBe(1);
  });

  it('B15 a store that the user names himself needs no agreement, then or later', async () => {
    const here = folder({ 'docs/a.md': guide('A', 'one') });
    const place = join(here.path, '..', 'elsewhere');
    expect((await here.strata('add', 'docs', '--store', `json:${place}`)).code).toBe(0);
    expect((await here.strata('search', 'one')).code).toBe(0);
    expect((await here.strata('trust', 'list')).stdout).toContain('elsewhere');
  });

  it('B15 sources outside the project are looked at only where the user has added from', async () => {
    const here = folder({ 'project/a.md': guide('A', 'one') });
    here.write({ 'secret.md': guide('Secret', 'password') });
    const project = { cwd: join(here.path, 'project') };
    const outside = join(here.path, 'secret.md');
    expect((await here.run(['add', outside], project)).code).toBe(0);
    const found = await here.run(['search', 'password', '--json'], project);
    const ref = /"ref": ?"([^"]+)"/.exec(found.stdout)![1]!;
    here.write({ 'secret.md': guide('Secret', 'pass phrase') });
    const verify = async (env: Record<string, string>) =>
      (await here.run(['verify', ref, '--json'], { ...project, env })).json<{ checked: string }>().checked;
    expect(await verify({})).toBe('source');
    expect(await verify({ STRATA_CONFIG: join(here.path, '..', 'another-user') })).toBe('store');
  });

  it('B15 many files outside are agreed to at once, and forgotten with their library', async () => {
    const names = Array.from({ length: 20 }, (_, at) => `out/${at}.md`);
    const here = folder(Object.fromEntries(names.map((name) => [name, guide(name, 'one')])));
    here.write({ 'project/a.md': guide('A', 'one'), 'other/b.md': guide('B', 'two') });
    const env = { STRATA_CONFIG: join(here.path, 'config') };
    const add = (project: string) =>
      here.run(['add', ...names.map((name) => join('..', name))], { cwd: join(here.path, project), env });
    const agreed = () => {
      const text = readFileSync(join(env.STRATA_CONFIG, 'trust.json'), 'utf8');
      return (JSON.parse(text) as { agreements: { library: string; at: string }[] }).agreements;
    };
    expect((await add('project')).code).toBe(0);
    expect(agreed()).toHaveLength(20);
    expect(new Set(agreed().map(({ at }) => at)).size).toBe(1);
    rmSync(join(here.path, 'project'), { recursive: true });
    expect((await add('other')).code).toBe(0);
    expect(agreed()).toHaveLength(20);
    expect(agreed().every(({ library }) => library.includes('other'))).toBe(true);
  });

  it.runIf(process.getuid?.() === 0)(
    'B15 another user’s is refused, as git does, unless it is trusted',
    async () => {
      const here = folder({ 'docs/a.md': guide('A', 'one') });
      expect((await here.strata('add', 'docs')).code).toBe(0);
      for (const part of ['', 'library.db']) {
        chownSync(join(here.path, '.strata', part), 4242, 4242);
        const refused = await here.strata('search', 'one');
        expect(refused.code).not.toBe(0);
        expect(refused.stderr).toMatch(/belongs to another user \(uid 4242\).*strata trust/);
        chownSync(join(here.path, '.strata', part), 0, 0);
      }
      chownSync(join(here.path, '.strata'), 4242, 4242);
      expect((await here.strata('trust')).code).toBe(0);
      expect((await here.strata('search', 'one')).code).toBe(0);
    },
  );

  it.each(['sqlite', 'json'])('B15 only its user may read it, also when it is older (%s)', async (store) => {
    const here = folder({ 'docs/a.md': guide('A', 'one') });
    expect((await here.strata('add', 'docs', '--store', store)).code).toBe(0);
    const data = store === 'sqlite' ? 'library.db' : 'json';
    const modes = () =>
      ['', 'store.json', data].map((part) => statSync(join(here.path, '.strata', part)).mode & 0o077);
    expect(modes()).toEqual([0, 0, 0]);
    for (const part of ['', 'store.json', data]) chmodSync(join(here.path, '.strata', part), 0o755);
    expect((await here.strata('search', 'one')).code).toBe(0);
    expect(modes()).toEqual([0, 0, 0]);
  });
});

it.runIf(existsSync('/proc'))('B15 a folder that cannot be made is refused, not waited for', async () => {
  const here = folder({ 'docs/a.md': guide('A', 'one') });
  await here.strata('add', 'docs');
  for (const args of [
    ['backup', '/proc/x'],
    ['add', 'docs', '--library', '/proc/x'],
  ]) {
    expect(await here.strata(...args)).toMatchObject({ code: 1, stderr: expect.stringContaining('/proc/x') });
  }
});

it.runIf(process.getuid?.() === 0)('B6 doctor checks a library that cannot be written', async () => {
  const here = folder({ 'docs/a.md': guide('A', 'one') });
  await here.strata('add', 'docs');
  const library = join(here.path, '.strata');
  for (const part of ['', ...readdirSync(library)]) {
    chownSync(join(library, part), 4242, 4242);
    chmodSync(join(library, part), part === '' ? 0o500 : 0o400);
  }
  chmodSync(join(here.path, '..'), 0o755);
  const run = await here.run(['doctor', '--json'], { uid: 4242 });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.json()).toMatchObject({ findings: [] });
});

describe('strata trust', () => {
  it('says that there is nothing to agree to, and refuses a file of agreements it cannot read', async () => {
    const here = folder({ 'docs/a.md': guide('A', 'one') });
    await here.strata('add', 'docs');
    expect((await here.strata('trust')).stdout).toContain('asks for nothing');
    expect((await here.strata('trust', 'list')).stdout).toContain('agreed to nothing');
    const config = join(here.path, 'config');
    mkdirSync(config);
    writeFileSync(join(config, 'trust.json'), '{"agreements": 1}');
    const run = await here.run(['trust', 'list'], { env: { STRATA_CONFIG: config } });
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('trust.json') });
  });
});
