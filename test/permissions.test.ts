import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { partsOf } from '../dist/engine/open-library.js';
import { openLibrary } from '../dist/index.js';
import { type Served, serveLibrary, strata } from './program.js';

/**
 * The permission matrix: every operation for every kind of caller, over the real HTTP server of a library with users.
 * docs/guides/sharing.md says the same in words.
 */
type Needs = 'none' | 'read' | 'write' | 'owner' | 'not offered';

interface Case {
  readonly needs: Needs;
  readonly input?: Readonly<Record<string, unknown>>;
  /** What a caller gets who may: 200, or 404 where the input names nothing that is there; 503 where there is no model. */
  readonly gets?: 200 | 403 | 404 | 503;
  /** What a caller without a role gets, where it is not 403: 404, as for something that is not there. */
  readonly tenant?: 403 | 404;
  /** What a caller without a role gets who was granted the table `laws`, where it is not the same. */
  readonly guest?: 200 | 403 | 404;
}

const NOWHERE = '00000000-0000-4000-8000-000000000000';
const LAWS = JSON.stringify({ one: `${'A zebra must be striped. '.repeat(20)}` });
const TOOL = { name: 'find_law', table_id: 'laws', mode: 'hybrid' };
const MATRIX: Readonly<Record<string, Case>> = {
  search: { needs: 'read', input: { query: 'zebra' }, guest: 200 },
  scout: { needs: 'read', input: { query: 'zebra' }, guest: 200 },
  inspect: { needs: 'read', input: { id: NOWHERE }, gets: 404, guest: 404 },
  verify: { needs: 'read', input: { citation: 'a.md:1' }, guest: 404 },
  list: { needs: 'read' },
  show: { needs: 'read', input: { document: 'a.md' } },
  status: { needs: 'read' },
  // Callers with a key add files only below folders that --allow-root names, and here there are none.
  add: { needs: 'write', input: { paths: ['a.md'] }, gets: 403 },
  remove: { needs: 'write', input: { targets: ['a.md'], dry_run: true } },
  embed: { needs: 'write', gets: 503 },
  'table-put': { needs: 'write', input: { table_id: 'laws', content: LAWS } },
  'table-get': { needs: 'read', input: { table_id: 'laws' }, tenant: 404, guest: 200 },
  'table-list': { needs: 'none' },
  'table-patch': { needs: 'write', input: { table_id: 'laws', content: '[]' }, tenant: 404, guest: 403 },
  'table-remove': { needs: 'write', input: { table_id: 'nowhere' }, gets: 404, tenant: 404 },
  'tool-create': { needs: 'write', input: TOOL, tenant: 404, guest: 403 },
  'tool-list': { needs: 'none' },
  'tool-show': { needs: 'read', input: { name: 'find_law' }, tenant: 404 },
  'tool-call': { needs: 'read', input: { name: 'find_law', query: 'zebra' }, tenant: 404 },
  'tool-reindex': { needs: 'write', input: { name: 'find_law' }, tenant: 404 },
  'tool-remove': { needs: 'write', input: { name: 'nowhere' }, gets: 404, tenant: 404 },
  'endpoint-create': { needs: 'write', input: { name: 'nobodys' } },
  'endpoint-list': { needs: 'none' },
  'endpoint-bind': { needs: 'write', input: { name: 'team', tools: ['find_law'] }, tenant: 404 },
  'endpoint-unbind': { needs: 'write', input: { name: 'team', tools: ['find_law'] }, tenant: 404 },
  'endpoint-remove': { needs: 'write', input: { name: 'nobodys' }, tenant: 404 },
  'user-add': { needs: 'owner', input: { name: 'somebody' } },
  'user-set': { needs: 'owner', input: { name: 'ghost', role: 'owner' }, gets: 404 },
  'user-list': { needs: 'owner' },
  'user-remove': { needs: 'owner', input: { name: 'somebody' } },
  'key-create': { needs: 'owner', input: { user: 'ghost' }, gets: 404 },
  'key-list': { needs: 'owner' },
  'key-revoke': { needs: 'owner', input: { key: 'strata_aaaaaaaaaaaa' }, gets: 404 },
  'grant-add': { needs: 'owner', input: { user: 'ghost', resource: 'table:x' }, gets: 404 },
  'grant-list': { needs: 'owner' },
  'grant-remove': { needs: 'owner', input: { user: 'ghost', resource: 'table:x' }, gets: 404 },
  audit: { needs: 'owner' },
  ...Object.fromEntries(
    ['models', 'parse', 'rebuild', 'doctor', 'backup', 'restore', 'move', 'trust', 'eval'].map((name) => [
      name,
      { needs: 'not offered', input: { destination: '/tmp/strata-stolen' } } as const,
    ]),
  ),
};

/** What a caller may do: nothing at all, or the levels in their order. */
const LEVELS = ['none', 'read', 'write', 'owner'] as const;
const CALLERS = {
  'no key': null,
  'a wrong key': null,
  'a revoked key': null,
  'an expired key': null,
  'a key of another library': null,
  'a removed user’s key': null,
  'another tenant (no role)': 'none',
  'a table’s guest (no role)': 'none',
  reader: 'read',
  editor: 'write',
  owner: 'owner',
} as const;
type Caller = keyof typeof CALLERS;

let folder: string;
let other: string;
let server: Served;
let readOnly: Served;
const keys = new Map<Caller, string>();
const said: string[] = [];

async function made(cwd: string, ...args: string[]): Promise<Record<string, string>> {
  const { code, stdout, stderr } = await strata([...args, '--json'], { cwd });
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

async function keyOf(cwd: string, user: string, role: string): Promise<string> {
  await made(cwd, 'user', 'add', user, '--role', role);
  return (await made(cwd, 'key', 'create', user)).key!;
}

/** As time would do it. */
async function expire(cwd: string, key: string): Promise<void> {
  const library = await openLibrary({ library: join(cwd, '.strata'), embedder: 'none' });
  const { backend } = partsOf(library);
  const id = key.split('_')[1]!;
  const value = {
    ...((await backend.record('key', id)) as object),
    expires_at: '2026-01-01T00:00:00.000Z',
  };
  await backend.commit({ records: [{ kind: 'key', id, value }] });
  await library.close();
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'strata-matrix-'));
  other = mkdtempSync(join(tmpdir(), 'strata-matrix-'));
  for (const cwd of [folder, other]) {
    writeFileSync(join(cwd, 'a.md'), '# Zebras\n\nA zebra has stripes.\n');
    await strata(['add', 'a.md', '--no-embed'], { cwd });
  }
  writeFileSync(join(folder, 'laws.json'), LAWS);
  await made(folder, 'table', 'put', 'laws', 'laws.json');
  await made(folder, 'tool', 'create', TOOL.name, '--table', 'laws', '--mode', TOOL.mode);
  await made(folder, 'endpoint', 'create', 'team');
  await made(folder, 'endpoint', 'bind', 'team', TOOL.name);
  for (const [caller, role] of [
    ['reader', 'reader'],
    ['editor', 'editor'],
    ['owner', 'owner'],
  ] as const)
    keys.set(caller, await keyOf(folder, caller, role));
  keys.set('another tenant (no role)', await keyOf(folder, 'tenant', 'none'));
  keys.set('a table’s guest (no role)', await keyOf(folder, 'guest', 'none'));
  await made(folder, 'grant', 'add', 'guest', 'table:laws');
  keys.set('a revoked key', await keyOf(folder, 'revoked', 'owner'));
  keys.set('an expired key', await keyOf(folder, 'expired', 'owner'));
  keys.set('a removed user’s key', await keyOf(folder, 'removed', 'owner'));
  keys.set('a key of another library', await keyOf(other, 'owner', 'owner'));
  keys.set('a wrong key', `${keys.get('owner')!.slice(0, -6)}AAAAAA`);
  await made(folder, 'key', 'revoke', keys.get('a revoked key')!.slice(0, 19));
  await made(folder, 'user', 'remove', 'removed');
  await expire(folder, keys.get('an expired key')!);
  [server, readOnly] = await Promise.all([serveLibrary(folder, ['--allow-write']), serveLibrary(folder, [])]);
  for (const { process } of [server, readOnly]) process.stderr?.on('data', (data) => said.push(String(data)));
}, 120_000);
afterAll(async () => {
  await Promise.all([server?.stop(), readOnly?.stop()]);
  for (const path of [folder, other]) rmSync(path, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly body: string;
}

let caller = 0;

/** Each call comes from an address of its own, where the system has them: ten wrong keys a minute lock an address. */
function call(name: string, input: unknown, key: string | undefined, to: Served = server): Promise<Answer> {
  caller += 1;
  const localAddress = process.platform === 'linux' ? `127.1.${caller >> 8}.${caller & 255}` : undefined;
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    };
    const options = { method: 'POST', headers, ...(localAddress !== undefined && { localAddress }) };
    const sent = request(`${to.url}/api/${name}`, options, (response) => {
      let body = '';
      response.on('data', (data) => {
        body += data;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(input));
  });
}

function expected({ needs, gets = 200, tenant = 403, guest = tenant }: Case, caller: Caller): number {
  const held = CALLERS[caller];
  if (held === null) return 401;
  if (needs === 'not offered') return 404;
  if (LEVELS.indexOf(held) >= LEVELS.indexOf(needs)) return gets;
  if (held !== 'none') return 403;
  return caller === 'a table’s guest (no role)' ? guest : tenant;
}

describe('S3.4 the permission matrix', () => {
  it('has a row for every operation', async () => {
    const table = fileURLToPath(new URL('../dist/serve/operations.js', import.meta.url));
    const { operations } = (await import(table)) as { operations: readonly { name: string }[] };
    expect(Object.keys(MATRIX).sort()).toEqual(operations.map(({ name }) => name).sort());
  });

  it.each(Object.keys(CALLERS) as Caller[])('%s gets what is documented, and nothing else', async (name) => {
    for (const [operation, row] of Object.entries(MATRIX)) {
      const { status, body } = await call(operation, row.input ?? {}, keys.get(name));
      expect({ operation, status, body: status === 200 ? '' : body }).toMatchObject({
        operation,
        status: expected(row, name),
      });
      if (row.needs === 'not offered' && status === 404) expect(body).toContain('no operation');
    }
  });

  it('views of the page are for readers, and what is the machine’s owner’s is nobody else’s', async () => {
    const [tenant, reader, owner] = (['another tenant (no role)', 'reader', 'owner'] as const).map((one) =>
      keys.get(one),
    );
    const answer = await fetch(`${server.url}/api/v1`, { headers: { authorization: `Bearer ${reader}` } });
    const { operations } = (await answer.json()) as { operations: string[] };
    const views = operations.filter((name) => MATRIX[name] === undefined);
    expect(views.length).toBeGreaterThan(5);
    for (const name of views) {
      expect({ name, tenant: (await call(name, {}, tenant)).status }).toEqual({
        name,
        tenant: ['evaluate', 'watch'].includes(name) ? 404 : 403,
      });
    }
    expect((await call('who', {}, reader)).status).toBe(200);
    expect((await call('evaluate', {}, owner)).status).toBe(404);
    const events = await fetch(`${server.url}/api/v1/events`, {
      headers: { authorization: `Bearer ${tenant}` },
    });
    expect(events.status).toBe(403);
  });

  it('a server that only reads lets nobody change anything, and owners look', async () => {
    const owner = keys.get('owner');
    for (const [operation, row] of Object.entries(MATRIX)) {
      const { status } = await call(operation, row.input ?? {}, owner, readOnly);
      const isReading = ['none', 'read'].includes(row.needs) || /-list$|^audit$/.test(operation);
      if (row.needs !== 'not offered')
        expect({ operation, isForbidden: status === 403 }).toEqual({ operation, isForbidden: !isReading });
    }
  });

  it('a refusal does not say whether a table or tool is there', async () => {
    const tenant = keys.get('another tenant (no role)');
    const pairs = Object.entries(MATRIX).filter(([name]) => /^(table|tool|endpoint)-/.test(name));
    expect(pairs.length).toBeGreaterThan(10);
    for (const [operation, { input = {} }] of pairs) {
      const named = (table: string, tool: string, endpoint: string) => {
        const text = JSON.stringify(input).replaceAll(/"(laws|nowhere)"/g, `"${table}"`);
        return JSON.parse(
          text.replaceAll('"find_law"', `"${tool}"`).replaceAll(/"(team|nobodys)"/g, `"${endpoint}"`),
        );
      };
      const isThere = await call(operation, named('laws', 'find_law', 'team'), tenant);
      const isNot = await call(operation, named('wals', 'find_wal', 'maet'), tenant);
      const same = isNot.body
        .replaceAll('wals', 'laws')
        .replaceAll('find_wal', 'find_law')
        .replaceAll('maet', 'team');
      expect({ operation, ...isThere }).toEqual({ operation, status: isNot.status, body: same });
    }
  });

  it('a grant opens exactly what it names, and goes with it', async () => {
    const tenant = keys.get('another tenant (no role)');
    const status = async (name: string, input: unknown) => (await call(name, input, tenant)).status;
    const tried = async () => [
      await status('table-get', { table_id: 'laws' }),
      await status('table-patch', { table_id: 'laws', content: '[]' }),
      await status('tool-call', { name: 'find_law', query: 'zebra' }),
      await status('tool-remove', { name: 'find_law' }),
    ];
    expect(await tried()).toEqual([404, 404, 404, 404]);
    await made(folder, 'grant', 'add', 'tenant', 'tool:find_law');
    expect(await tried()).toEqual([404, 404, 200, 403]);
    await made(folder, 'grant', 'add', 'tenant', 'table:laws');
    expect(await tried()).toEqual([200, 403, 200, 403]);
    await made(folder, 'grant', 'add', 'tenant', 'table:laws', '--role', 'editor');
    expect(await tried()).toEqual([200, 200, 200, 403]);
    const listed = JSON.parse((await call('tool-list', {}, tenant)).body);
    expect(listed.tools.map((tool: { name: string }) => tool.name)).toEqual(['find_law']);
    await made(folder, 'tool', 'remove', 'find_law');
    await made(folder, 'tool', 'create', TOOL.name, '--table', 'laws', '--mode', TOOL.mode);
    expect(await tried()).toEqual([200, 200, 404, 404]);
    await made(folder, 'grant', 'remove', 'tenant', 'table:laws');
    expect(await tried()).toEqual([404, 404, 404, 404]);
  });

  it('S3.1 a grant for a table lets search, scout, inspect and verify see its strings, and nothing else', async () => {
    const guest = keys.get('a table’s guest (no role)');
    const ask = async (name: string, input: unknown, key = guest) => {
      const { status, body } = await call(name, input, key);
      return { status, body, answer: JSON.parse(body) };
    };
    const all = (await ask('search', { query: 'zebra' }, keys.get('reader'))).answer.results;
    const sources = (results: { item: { source_path: string } }[]) =>
      results.map(({ item }) => item.source_path);
    expect(sources(all).sort()).toEqual(['a.md', 'table:laws#/one']);
    const found = (await ask('search', { query: 'zebra' })).answer.results;
    expect(sources(found)).toEqual(['table:laws#/one']);
    const [{ chunk_id, citation }] = found[0].matched_chunks;
    const { briefs } = (await ask('scout', { query: 'zebra' })).answer;
    expect(JSON.stringify(briefs)).not.toContain('Zebras');
    expect(briefs.length).toBeGreaterThan(0);
    expect((await ask('inspect', { id: chunk_id })).status).toBe(200);
    expect((await ask('verify', { citation: citation.ref })).answer.status).toBe('unchanged');

    // What is not granted cannot be told from what is not there.
    const hidden = all.find((one: { item: { source_path: string } }) => one.item.source_path === 'a.md');
    const hiddenChunk = hidden.matched_chunks[0];
    const absent = (await ask('inspect', { id: NOWHERE })).body;
    for (const id of [
      hidden.item.id,
      hiddenChunk.chunk_id,
      hiddenChunk.chunk_id.slice(0, 6),
      'a.md',
      'a.md:1',
    ]) {
      const { status, body } = await ask('inspect', { id });
      expect({ status, body: body.replaceAll(id, NOWHERE) }).toEqual({ status: 404, body: absent });
    }
    const forged = citation.ref.replace(chunk_id, hiddenChunk.chunk_id);
    expect(forged).not.toBe(citation.ref);
    for (const ref of [hiddenChunk.citation.ref, forged]) {
      const { status, body } = await ask('verify', { citation: ref });
      expect({ status, isTold: body.includes('stripes') }).toEqual({ status: 404, isTold: false });
    }
    // Neither by the words that are offered for a misspelt one, nor by what is said of a filter.
    const misspelt = (await ask('search', { query: 'stripess' }, keys.get('reader'))).answer;
    expect(misspelt.suggestion).toBe('stripes');
    expect((await ask('search', { query: 'stripess' })).answer.suggestion).toBeUndefined();
    const told = async (path: string) =>
      (await ask('search', { query: 'nothing', filter: { path } })).body.replaceAll(path, 'PATH');
    expect(await told('a.md')).toBe(await told('nowhere.md'));
  });

  it('S3.4 agents of somebody who was granted a table get the tools that read it, and find nothing else', async () => {
    const connected = async (caller: Caller) => {
      const client = new Client({ name: 'test', version: '1' });
      const headers = { authorization: `Bearer ${keys.get(caller)}` };
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit: { headers } }),
      );
      return client;
    };
    const guest = await connected('a table’s guest (no role)');
    const names = (await guest.listTools()).tools.map(({ name }) => name).sort();
    expect(names).toEqual(['inspect', 'scout', 'search_knowledge', 'verify_citation']);
    const asked = { name: 'search_knowledge', arguments: { query: 'zebra' } };
    const found = JSON.stringify((await guest.callTool(asked)).structuredContent);
    expect(found).toContain('table:laws#/one');
    expect(found).not.toContain('a.md');
    await guest.close();
    const tenant = await connected('another tenant (no role)');
    const own = await tenant.listTools().catch(() => ({ tools: [] }));
    expect(own.tools).toEqual([]);
    await tenant.close();
  });

  it('a role that changes counts from the next call on', async () => {
    const reader = keys.get('reader');
    const remove = () => call('remove', { targets: ['a.md'], dry_run: true }, reader);
    expect((await remove()).status).toBe(403);
    await made(folder, 'user', 'set', 'reader', '--role', 'editor');
    expect((await remove()).status).toBe(200);
    await made(folder, 'user', 'set', 'reader', '--role', 'reader');
    expect((await remove()).status).toBe(403);
  });

  it('an owner makes a key over HTTP, which works until it is revoked', async () => {
    const owner = keys.get('owner');
    const answer = JSON.parse((await call('key-create', { user: 'reader', expires: '1h' }, owner)).body);
    expect((await call('search', { query: 'zebra' }, answer.key)).status).toBe(200);
    expect((await call('key-revoke', { key: answer.prefix }, owner)).status).toBe(200);
    const refused = await call('search', { query: 'zebra' }, answer.key);
    expect(refused.status).toBe(401);
    expect(refused.body).toContain(`${answer.prefix} was revoked`);
  });

  it('no secret is in a log, an error, the audit or what a command prints', async () => {
    const secrets = [...keys.values()].map((key) => key.split('_').slice(2).join('_'));
    const printed = await Promise.all(
      [
        ['key', 'list'],
        ['key', 'list', '--json'],
        ['user', 'list', '--json'],
        ['audit', '--json', '--limit', '1000'],
        ['key', 'revoke', keys.get('a key of another library')!],
        ['key', 'revoke', keys.get('a wrong key')!, '--as', 'reader'],
        ['status', '--json'],
      ].map((args) => strata(args, { cwd: folder })),
    );
    const audit = readFileSync(join(folder, '.strata', 'audit.jsonl'), 'utf8');
    const all = [...said, audit, ...printed.map(({ stdout, stderr }) => stdout + stderr)].join('\n');
    expect(all).toContain(keys.get('reader')!.slice(0, 19));
    for (const secret of secrets) expect(all.includes(secret.slice(0, 20))).toBe(false);
  });

  it('the audit log says who did what', async () => {
    const { body } = await call('audit', { limit: 1000 }, keys.get('owner'));
    const { entries } = JSON.parse(body) as {
      entries: { by: { name: string } | null; action: string; outcome: string }[];
    };
    const seen = new Set(
      entries.map(({ by, action, outcome }) => `${by?.name ?? 'unknown'} ${action} ${outcome}`),
    );
    for (const line of [
      'reader search done',
      'reader remove refused',
      'editor remove done',
      'owner user-add done',
      'unknown authenticate refused',
      'local key-create done',
      'tenant search refused',
    ])
      expect([...seen]).toContain(line);
  });
});
