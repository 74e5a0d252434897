import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mcpCommand, type Served, serveLibrary, strata } from './program.js';

/** The official client against the real program: over stdio and HTTP, in the protocol's 2025 and 2026 eras. */
const ERAS = ['legacy', 'auto'] as const;
const WRITER = 'writer-token-0123456789abcdef';
const READER = 'reader-token-0123456789abcdef';

let folder: string;
let server: Served;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'strata-mcp-'));
  mkdirSync(join(folder, 'docs'));
  writeFileSync(
    join(folder, 'docs', 'nginx.md'),
    '# 部署手册\n\n## Nginx\n\n### CORS\n\n跨域请求需要在 Nginx 中配置 Access-Control-Allow-Origin 响应头，并允许预检请求。\n\n### 日志\n\n访问日志默认写入 /var/log/nginx/access.log。\n',
  );
  writeFileSync(
    join(folder, 'docs', 'backup.md'),
    '# Backups\n\nA backup runs every night at two. Restoring takes one command and about an hour.\n',
  );
  writeFileSync(join(folder, 'tokens'), `${WRITER} writer write\n${READER} reader read\n`, { mode: 0o600 });
  const added = await strata(['add', 'docs', '--no-embed', '--quiet'], { cwd: folder });
  expect(added.code, added.stderr).toBe(0);
  server = await serveLibrary(folder, ['--token-file', 'tokens', '--allow-write']);
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const KINDS = ['stdio', 'http'] as const;

async function connect(
  kind: (typeof KINDS)[number],
  era: (typeof ERAS)[number],
  token = WRITER,
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: era } });
  const transport =
    kind === 'http'
      ? new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
          requestInit: { headers: { authorization: `Bearer ${token}` } },
        })
      : new StdioClientTransport({ ...mcpCommand(folder), cwd: folder, stderr: 'ignore' });
  await client.connect(transport);
  return client;
}

type Structured = Record<string, unknown>;
const call = async (client: Client, name: string, args: Structured = {}) => {
  const result = await client.callTool({ name, arguments: args });
  const [first] = result.content as { type: string; text: string }[];
  return { ...result, text: first?.text ?? '', structured: result.structuredContent as Structured };
};

describe.each(KINDS)('MCP over %s', (kind) => {
  it.each(ERAS)('lists tools with schemas and teaching descriptions (%s)', async (era) => {
    const client = await connect(kind, era);
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name).sort()).toEqual([
      'add_knowledge',
      'inspect',
      'list_documents',
      'remove_knowledge',
      'scout',
      'search_knowledge',
      'status',
      'verify_citation',
    ]);
    for (const tool of tools) {
      expect(tool.description!.length, tool.name).toBeGreaterThan(80);
      expect(tool.inputSchema.type).toBe('object');
      expect(tool.outputSchema?.type).toBe('object');
      expect(tool.annotations).toHaveProperty('readOnlyHint');
    }
    await client.close();
  });

  it.each(ERAS)('S2.7 search_knowledge returns chunks with their positions (%s)', async (era) => {
    const client = await connect(kind, era);
    const { structured, text } = await call(client, 'search_knowledge', { query: '跨域请求怎么配置' });
    const [result] = structured.results as { item: Structured; matched_chunks: Structured[] }[];
    const [chunk] = result!.matched_chunks;
    expect(result!.item.title).toBe('部署手册');
    expect(chunk).toMatchObject({ heading: 'CORS', title_path: ['部署手册', 'Nginx', 'CORS'] });
    expect(chunk!.start_position).toBeLessThan(chunk!.end_position as number);
    expect(text).toContain('Access-Control-Allow-Origin');
    expect(text).toContain((chunk!.citation as Structured).ref as string);
    await client.close();
  });

  it('goes from a question to the passage and its neighbours', async () => {
    const client = await connect(kind, 'auto');
    const found = await call(client, 'search_knowledge', { query: 'Nginx 跨域', limit: 1 });
    const [
      {
        matched_chunks: [hit],
      },
    ] = found.structured.results as [{ matched_chunks: [Structured] }];
    const read = await call(client, 'inspect', { id: hit.chunk_id, neighbours: 1 });
    expect(read.structured).toMatchObject({ is_parent: false, parent_doc_title: '部署手册' });
    await client.close();
  });

  it('keeps every answer within its token budget and says what it left out', async () => {
    const client = await connect(kind, 'auto');
    const args = { query: 'nginx backup 日志 跨域' };
    const whole = await call(client, 'search_knowledge', args);
    const cut = await call(client, 'search_knowledge', { ...args, max_tokens: 600 });
    expect((whole.structured.results as unknown[]).length).toBe(2);
    expect(JSON.stringify(cut.structured).length).toBeLessThan(JSON.stringify(whole.structured).length);
    expect(cut.text).toMatch(/Cut to fit max_tokens/);
    await client.close();
  });

  it('tells errors an agent can act on, and goes on', async () => {
    const client = await connect(kind, 'auto');
    const missing = await call(client, 'inspect', { id: '00000000-0000-4000-8000-000000000000' });
    expect(missing.isError).toBe(true);
    expect(missing.text).toMatch(/^NOT_FOUND: /);
    const wrong = await client
      .callTool({ name: 'search_knowledge', arguments: { query: 7 } })
      .catch((error) => error);
    expect(wrong instanceof Error || wrong.isError).toBe(true);
    await expect(client.callTool({ name: 'no_such_tool', arguments: {} })).rejects.toThrow(/no_such_tool/);
    expect((await call(client, 'status')).structured).toMatchObject({ documents: 2 });
    await client.close();
  });

  it('serves documents and chunks as resources', async () => {
    const client = await connect(kind, 'auto');
    const { resources } = await client.listResources();
    const nginx = resources.find((resource) => resource.title === '部署手册');
    const { contents } = await client.readResource({ uri: nginx!.uri });
    expect((contents[0] as { text: string }).text).toContain('# 部署手册');
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map((template) => template.uriTemplate)).toContain('strata://chunk/{id}');
    await client.close();
  });

  it('adds a note, finds it, and removes it; paths outside the roots are refused', async () => {
    const client = await connect(kind, 'auto');
    const added = await call(client, 'add_knowledge', {
      title: `Note ${kind}`,
      text: `A zebra lives in ${kind}.`,
    });
    expect(added.structured).toMatchObject({ added: 1 });
    const found = await call(client, 'search_knowledge', { query: 'zebra' });
    const id = (found.structured.results as { item: { id: string } }[])[0]!.item.id;
    expect((await call(client, 'remove_knowledge', { targets: [id] })).structured.removed).toHaveLength(1);
    symlinkSync('/etc', join(folder, `link-${kind}`));
    writeFileSync(join(folder, '.env'), 'SECRET=1');
    mkdirSync(join(folder, '.hidden'), { recursive: true });
    writeFileSync(join(folder, '.hidden', 'a.md'), 'a');
    const outside = ['/etc/hostname', '../../etc/hostname', `link-${kind}/hostname`];
    for (const path of [...outside, '.env', '.hidden', '.hidden/a.md', '.strata', '.strata/library.db']) {
      const refused = await call(client, 'add_knowledge', { paths: [path] });
      expect(refused.isError, path).toBe(true);
      expect(refused.text).toMatch(/^FORBIDDEN: /);
    }
    // This machine, private and link-local networks; redirects and names are tested where pages are fetched.
    const inside = [
      'http://127.0.0.1:9/',
      'http://localhost:9/',
      'http://[::1]:9/',
      'http://10.0.0.1/',
      'http://169.254.169.254/',
    ];
    const fetched = await call(client, 'add_knowledge', { paths: inside });
    const entries = fetched.structured.entries as { outcome: string; code: string }[];
    expect(entries.map(({ outcome, code }) => [outcome, code])).toEqual(
      inside.map(() => ['failed', 'FORBIDDEN']),
    );
    await client.close();
  });

  it.each(ERAS)('reports progress of long work, and tells clients that documents came (%s)', async (era) => {
    const client = await connect(kind, era);
    let changes = 0;
    client.setNotificationHandler('notifications/resources/list_changed', () => {
      changes += 1;
    });
    if (era === 'auto') await client.listen({ resourcesListChanged: true });
    const names = Array.from({ length: 30 }, (_, n) => `many-${kind}-${era}/${n}.md`);
    mkdirSync(join(folder, `many-${kind}-${era}`));
    for (const name of names) writeFileSync(join(folder, name), `# ${name}\n\nText of ${name}.\n`);
    const seen: number[] = [];
    const { structuredContent } = await client.callTool(
      { name: 'add_knowledge', arguments: { paths: [`many-${kind}-${era}`] } },
      { onprogress: ({ progress }) => seen.push(progress) },
    );
    expect(structuredContent).toMatchObject({ added: 30 });
    expect(seen.length).toBeGreaterThan(0);
    expect([...seen].sort((a, b) => a - b)).toEqual(seen);
    await expect.poll(() => changes, { timeout: 15_000 }).toBeGreaterThan(0);
    const removed = await call(client, 'remove_knowledge', { targets: [`many-${kind}-${era}`] });
    expect(removed.structured.removed).toHaveLength(30);
    await client.close();
  });

  it('stops work that the client has cancelled', async () => {
    const client = await connect(kind, 'auto');
    const stop = new AbortController();
    const answer = client.callTool(
      { name: 'search_knowledge', arguments: { query: 'nginx' } },
      { signal: stop.signal },
    );
    stop.abort(new Error('changed my mind'));
    await expect(answer).rejects.toThrow(/changed my mind/);
    expect((await call(client, 'status')).structured).toMatchObject({ documents: 2 });
    await client.close();
  });
});

describe('strata serve', () => {
  const post = (path: string, headers: Record<string, string>, body: unknown = {}) =>
    fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const as = (token: string) => ({ authorization: `Bearer ${token}` });

  it('answers /api with the same operations, for those who may', async () => {
    const found = await post('/api/search', as(READER), { query: 'restoring a backup' });
    expect(((await found.json()) as { results: { item: { title: string } }[] }).results[0]!.item.title).toBe(
      'Backups',
    );
    expect((await post('/api/remove', as(READER), { targets: ['docs/backup.md'] })).status).toBe(403);
    expect((await post('/api/search', as(READER), { wrong: 1 })).status).toBe(400);
    expect((await post('/api/nothing', as(READER))).status).toBe(404);
  });

  it('refuses no token, a wrong token and foreign pages; a reader sees no writing tools', async () => {
    expect((await post('/api/search', {})).status).toBe(401);
    expect((await post('/mcp', as('wrong-token-0123456789abcdef'))).status).toBe(401);
    expect((await post('/api/search', { ...as(READER), origin: 'https://evil.example' })).status).toBe(403);
    const client = await connect('http', 'auto', READER);
    const names = (await client.listTools()).tools.map((tool) => tool.name);
    expect(names).toContain('search_knowledge');
    expect(names).not.toContain('add_knowledge');
    await expect(
      client.callTool({ name: 'remove_knowledge', arguments: { targets: ['docs'] } }),
    ).rejects.toThrow();
    await client.close();
  });

  it('refuses a body over the limit', async () => {
    expect((await post('/api/search', as(READER), { query: 'x'.repeat(5 * 2 ** 20) })).status).toBe(413);
  });

  it('does not serve other machines without tokens', async () => {
    const { code, stderr } = await strata(['serve', '--host', '0.0.0.0', '--port', '0'], { cwd: folder });
    expect(code).toBe(1);
    expect(stderr).toMatch(/token-file/);
  });

  it('is read-only unless writing was allowed', async () => {
    const readOnly = await serveLibrary(folder, []);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${readOnly.url}/mcp`)));
    const names = (await client.listTools()).tools.map((tool) => tool.name);
    expect(names).not.toContain('add_knowledge');
    await client.close();
    await readOnly.stop();
  });
});

describe('strata mcp', () => {
  it('writes nothing but the protocol to standard output, also when asked for nonsense', async () => {
    const { command, args } = mcpCommand(folder);
    const child = spawn(command, args, { cwd: folder, env: { ...process.env, STRATA_DEBUG: '1' } });
    let output = '';
    child.stdout.on('data', (data) => {
      output += data;
    });
    child.stdin.write('not json\n{"jsonrpc":"2.0","id":1,"method":"nothing"}\n{"id":\n');
    child.stdin.write(
      '{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}\n',
    );
    await expect.poll(() => output, { timeout: 20_000 }).toContain('"protocolVersion":"2025-03-26"');
    child.stdin.end();
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(code).toBe(0);
    for (const line of output.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  });

  it('prints the configuration for a client without writing it', async () => {
    const { stdout, code } = await strata(['mcp', 'install', 'cursor', '--print'], { cwd: folder });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      mcpServers: { strata: { args: expect.arrayContaining(['mcp']) } },
    });
  });
});
