import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, serveLibrary, strata } from './program.js';

/** Every route and tool for every kind of caller, against the real program. */
const TOKENS = { reader: 'reader-token-0123456789', writer: 'writer-token-0123456789' };
const PAGE = 'https://app.example.org';

let folder: string;
let withTokens: Served;
let open: Served;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'strata-http-'));
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs', 'a.md'), '# Zebras\n\nA zebra has stripes.\n');
  const lines = [`${TOKENS.reader} ann read`, `${TOKENS.writer} bob write`];
  writeFileSync(join(folder, 'tokens'), lines.join('\n'), { mode: 0o600 });
  expect((await strata(['add', 'docs', '--no-embed'], { cwd: folder })).code).toBe(0);
  const flags = ['--token-file', 'tokens', '--allow-write', '--allow-origin', PAGE];
  [withTokens, open] = await Promise.all([serveLibrary(folder, flags), serveLibrary(folder, [])]);
  // Who was right once is not locked out by a stranger's guesses from the same address.
  for (const caller of [CALLERS.reader, CALLERS.writer]) await post(caller, '/api/status', {});
});
afterAll(async () => {
  await Promise.all([withTokens?.stop(), open?.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

const CALLERS = {
  nobody: { server: () => withTokens, token: undefined, may: 'nothing' },
  stranger: { server: () => withTokens, token: 'wrong-token-0123456789', may: 'nothing' },
  reader: { server: () => withTokens, token: TOKENS.reader, may: 'read' },
  writer: { server: () => withTokens, token: TOKENS.writer, may: 'write' },
  anyone: { server: () => open, token: undefined, may: 'read' },
} as const;
type Caller = (typeof CALLERS)[keyof typeof CALLERS];

const post = (caller: Caller, path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${caller.server().url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(caller.token !== undefined && { authorization: `Bearer ${caller.token}` }),
      ...headers,
    },
    body: JSON.stringify(body),
  });

const READING = ['search', 'scout', 'inspect', 'verify', 'list', 'show', 'status'];
const WRITING = ['remove', 'embed', 'add', 'read-again'];
/** What writes or reads wherever a path says, or mends the library: its owner's, at the command line. */
const OWNERS = ['evaluate', 'watch', 'backup', 'restore', 'doctor', 'rebuild', 'models', 'parse', 'eval'];
const INPUT: Record<string, unknown> = {
  search: { query: 'zebra' },
  scout: { query: 'zebra' },
  inspect: { id: 'x' },
  verify: { citation: 'x' },
  show: { document: 'docs/a.md' },
  add: { paths: ['docs/a.md'], dry_run: true },
  'read-again': { documents: ['docs/a.md'] },
  remove: { targets: ['docs/a.md'], dry_run: true },
  backup: { destination: '/tmp/strata-stolen' },
  doctor: { fix: true },
};
const WRITING_TOOLS = ['add_knowledge', 'remove_knowledge'];

describe.each(Object.entries(CALLERS))('B15 %s', (_, caller) => {
  it('gets what it may over /api, and nothing else', async () => {
    for (const name of [...READING, ...WRITING, ...OWNERS, 'constructor', '../health']) {
      const { status } = await post(caller, `/api/${name}`, INPUT[name] ?? {});
      if (caller.may === 'nothing') expect([401, 429], name).toContain(status);
      else if (READING.includes(name)) expect([200, 400, 404], name).toContain(status);
      else if (WRITING.includes(name)) expect(status === 403, name).toBe(caller.may !== 'write');
      else expect(status, name).toBe(404);
    }
  });

  it('sees the tools it may use over /mcp', async () => {
    const asked = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const begin = {
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
    };
    const accept = { accept: 'application/json, text/event-stream' };
    const opened = await post(caller, '/mcp', begin, accept);
    if (caller.may === 'nothing') return expect([401, 429]).toContain(opened.status);
    const session = { ...accept, 'mcp-session-id': opened.headers.get('mcp-session-id')! };
    const listed = await (await post(caller, '/mcp', asked, session)).text();
    expect(listed).toContain('search_knowledge');
    for (const tool of WRITING_TOOLS) expect(listed.includes(`"${tool}"`), tool).toBe(caller.may === 'write');
    // A session is its token's: to every other caller it does not exist.
    const other = caller === CALLERS.reader ? CALLERS.writer : CALLERS.reader;
    if (other.server() === caller.server())
      expect((await post(other, '/mcp', asked, session)).status).toBe(404);
    return undefined;
  });
});

describe('strata serve', () => {
  const { reader } = CALLERS;

  it('B15 writes need a token, whoever else is on this machine', async () => {
    const { code, stderr } = await strata(['serve', '--allow-write', '--port', '0'], { cwd: folder });
    expect(code).toBe(1);
    expect(stderr).toMatch(/--allow-write needs keys/);
  });

  it('B15 a server that makes a library says so with its path; one that cannot start leaves none', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'strata-new-'));
    try {
      const refused = await strata(['serve', '--allow-write', '--port', '0'], { cwd });
      expect(refused.stderr).toMatch(/--allow-write needs keys/);
      expect(existsSync(join(cwd, '.strata'))).toBe(false);
      const served = await strata(['mcp'], { cwd });
      expect(served.stderr).toContain(`an empty one was made in ${join(cwd, '.strata')}`);
      const again = await strata(['mcp'], { cwd });
      expect(again.stderr).toContain('is empty');
    } finally {
      rmSync(cwd, { recursive: true, force: true });
    }
  });

  it('B15 a page of an allowed origin can call, and no other', async () => {
    const ask = (origin: string) =>
      fetch(`${withTokens.url}/api/search`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization, content-type',
        },
      });
    const allowed = await ask(PAGE);
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get('access-control-allow-origin')).toBe(PAGE);
    expect(allowed.headers.get('access-control-allow-headers')).toBe('authorization, content-type');
    const answer = await post(reader, '/api/search', { query: 'zebra' }, { origin: PAGE });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, PAGE]);
    for (const origin of ['https://evil.example', 'null']) {
      const refused = await ask(origin);
      expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    }
  });

  it('B15 takes JSON only, and tells readers no paths of this machine', async () => {
    const forms = ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', ''];
    for (const type of forms) {
      expect((await post(reader, '/api/status', {}, { 'content-type': type })).status, type).toBe(415);
    }
    const status = await post(
      reader,
      '/api/status',
      {},
      { 'content-type': 'application/json; charset=utf-8' },
    );
    expect(status.headers.get('x-content-type-options')).toBe('nosniff');
    const text = await status.text();
    expect(JSON.parse(text)).toMatchObject({ documents: 1, location: '.strata', root: '.' });
    expect(text).not.toContain(folder);
  });

  it('B15 names the field and its limit where a text is too long', async () => {
    const answer = await post(reader, '/api/list', { filter: { path: '/'.repeat(100_000) } });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('path: must be at most 4096 characters, not 100000');
  });
});
