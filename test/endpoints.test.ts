import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, serveLibrary, strata } from './program.js';

/** An endpoint with three tools, two clients of both eras of the protocol, and what happens while they are connected. */
let folder: string;
let server: Served;
const keys: Record<string, string> = {};

async function made(...args: string[]): Promise<Record<string, string>> {
  const { code, stdout, stderr } = await strata([...args, '--json'], { cwd: folder });
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'strata-endpoints-'));
  const rules = ['zebra', 'heron', 'otter', 'viper'].map((animal) => [
    animal,
    `The ${animal} has rules. `.repeat(20),
  ]);
  writeFileSync(join(folder, 'rules.json'), JSON.stringify(Object.fromEntries(rules)));
  await made('table', 'put', 'rules', 'rules.json');
  for (const name of ['zebra', 'heron', 'otter', 'viper'])
    await made(
      'tool',
      'create',
      name,
      '--table',
      'rules',
      '--pointer',
      `/${name}`,
      '--mode',
      'hybrid',
      '--description',
      `Rules about the ${name}`,
    );
  await made('endpoint', 'create', 'team', '--description', 'Rules of the house');
  await made('endpoint', 'bind', 'team', 'zebra', 'heron', 'otter');
  for (const [user, role] of [
    ['ann', 'reader'],
    ['eve', 'none'],
    ['guest', 'none'],
  ] as const) {
    await made('user', 'add', user, '--role', role);
    keys[user] = (await made('key', 'create', user)).key!;
  }
  await made('grant', 'add', 'guest', 'endpoint:team');
  server = await serveLibrary(folder, []);
}, 120_000);
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

type Era = 'auto' | 'legacy';

async function connected(user: string, era: Era, endpoint = 'team') {
  let told = 0;
  const client = new Client(
    { name: 'test', version: '1' },
    {
      versionNegotiation: { mode: era },
      listChanged: {
        tools: {
          autoRefresh: false,
          debounceMs: 0,
          onChanged: () => {
            told += 1;
          },
        },
      },
    },
  );
  const headers = { authorization: `Bearer ${keys[user]}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${server.url}/mcp/${endpoint}`), { requestInit: { headers } }),
  );
  const names = async () => (await client.listTools()).tools.map(({ name }) => name).sort();
  return { client, names, told: () => told };
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let n = 0; n < 200 && !(await isSo()); n++) await sleep(100);
  expect(await isSo()).toBe(true);
}

describe('S3.4 an endpoint', () => {
  it('shows name, description and inputSchema, and answers in JSON, to clients of both eras', async () => {
    for (const era of ['auto', 'legacy'] as const) {
      const { client, names } = await connected('ann', era);
      expect(await names()).toEqual(['heron', 'otter', 'zebra']);
      const zebra = (await client.listTools()).tools.find(({ name }) => name === 'zebra')!;
      expect(zebra).toMatchObject({
        description: 'Rules about the zebra',
        inputSchema: { type: 'object', required: ['query'], properties: { query: { type: 'string' } } },
      });
      const answer = await client.callTool({ name: 'zebra', arguments: { query: 'zebra rules', top_k: 1 } });
      const structured = answer.structuredContent as { results: { score: number; chunk: object }[] };
      expect(structured.results).toHaveLength(1);
      expect(structured.results[0]).toMatchObject({
        score: expect.any(Number),
        chunk: {
          json_pointer: '/zebra',
          chunk_index: 0,
          total_chunks: expect.any(Number),
          chunk_text: expect.stringContaining('zebra'),
        },
      });
      const [content] = answer.content as { type: string; text: string }[];
      expect(JSON.parse(content!.text)).toEqual(structured);
      await client.close();
    }
  });

  it('a tool that is not bound is not there, and wrong input is named', async () => {
    const { client } = await connected('ann', 'legacy');
    await expect(client.callTool({ name: 'viper', arguments: { query: 'x' } })).rejects.toThrow(/not found/);
    await expect(client.callTool({ name: 'search_knowledge', arguments: { query: 'x' } })).rejects.toThrow(
      /not found/,
    );
    for (const wrong of [{}, { query: 1 }, { query: 'x', top_k: 0 }, { query: 'x', more: true }]) {
      const { isError, content } = await client.callTool({ name: 'zebra', arguments: wrong });
      expect(isError).toBe(true);
      expect(JSON.stringify(content)).toContain('INVALID_ARGUMENT');
    }
    await client.close();
  });

  it('a tool bound by another process while two clients are connected appears in both, and goes again', async () => {
    const clients = [await connected('ann', 'auto'), await connected('guest', 'legacy')];
    for (const { names } of clients) expect(await names()).toEqual(['heron', 'otter', 'zebra']);
    await made('endpoint', 'bind', 'team', 'viper');
    for (const { names, told } of clients) {
      await until(() => told() > 0);
      expect(await names()).toEqual(['heron', 'otter', 'viper', 'zebra']);
    }
    const before = clients.map(({ told }) => told());
    await made('endpoint', 'unbind', 'team', 'viper');
    for (const [at, { names, told }] of clients.entries()) {
      await until(() => told() > before[at]!);
      expect(await names()).toEqual(['heron', 'otter', 'zebra']);
    }
    // What is unchanged at this endpoint is not told.
    const after = clients.map(({ told }) => told());
    await made('table', 'put', 'other', '--content', '{}');
    await sleep(2500);
    expect(clients.map(({ told }) => told())).toEqual(after);
    for (const { client } of clients) await client.close();
  });

  it('is for those who may use it: to others it is not there, and a grant covers its tools and nothing else', async () => {
    const status = async (user: string, path: string) => {
      const response = await fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${keys[user]}` },
        body: '{}',
      });
      return { status: response.status, body: await response.text() };
    };
    const hidden = await status('eve', '/mcp/team');
    const absent = await status('eve', '/mcp/maet');
    expect(hidden.status).toBe(404);
    expect(hidden.body).toBe(absent.body.replace('maet', 'team'));
    const { client } = await connected('guest', 'legacy');
    expect((await client.callTool({ name: 'heron', arguments: { query: 'heron' } })).isError).toBeFalsy();
    expect((await status('guest', '/api/tool-call')).status).toBe(400);
    expect(
      (
        await fetch(`${server.url}/api/tool-call`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${keys.guest}` },
          body: JSON.stringify({ name: 'heron', query: 'x' }),
        })
      ).status,
    ).toBe(404);
    // The grant ends while the client is connected.
    await made('grant', 'remove', 'guest', 'endpoint:team');
    await expect(client.listTools()).rejects.toThrow();
    await made('grant', 'add', 'guest', 'endpoint:team');
  });

  it('a tool made again under its name is not bound, and a removed endpoint is gone', async () => {
    await made('tool', 'remove', 'otter');
    await made('tool', 'create', 'otter', '--table', 'rules', '--pointer', '/otter');
    const { client, names } = await connected('ann', 'legacy');
    expect(await names()).toEqual(['heron', 'zebra']);
    await made('endpoint', 'remove', 'team');
    await expect(client.listTools()).rejects.toThrow();
  });
});
