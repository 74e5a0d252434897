import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, serveLibrary, strata } from './program.js';

/** A thousand malformed requests: every one is answered as the protocol says, and the server stays as it was. */
const TOKEN = '0123456789abcdef'.repeat(4);
let folder: string;
let server: Served;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'strata-fuzz-'));
  writeFileSync(join(folder, 'a.md'), '# A\n\nSome text to find.\n');
  expect((await strata(['add', 'a.md', '--no-embed'], { cwd: folder })).code).toBe(0);
  writeFileSync(join(folder, 'tokens'), `${TOKEN} fuzz write\n`, { mode: 0o600 });
  server = await serveLibrary(folder, ['--allow-write', '--token-file', 'tokens', '--rate', '1000000']);
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const headers = {
  authorization: `Bearer ${TOKEN}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

const send = async (body: string, more: Record<string, string> = {}) => {
  const response = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { ...headers, ...more },
    body,
  });
  return { status: response.status, text: await response.text() };
};

async function session(): Promise<string> {
  const response = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'fuzz', version: '1' } },
    }),
  });
  await response.text();
  return response.headers.get('mcp-session-id')!;
}

const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

const anything = fc.anything({ withNullPrototype: false, withBigInt: false, maxDepth: 3 });
const traversal = fc.constantFrom(
  '../../etc/passwd',
  '/etc/shadow',
  '..\\..\\x',
  'strata://doc/../../x',
  '\u0000',
  '%2e%2e/',
);
const huge = fc.integer({ min: 1, max: 400_000 }).map((length) => 'x'.repeat(length));
const value = fc.oneof({ weight: 3, arbitrary: anything }, traversal, huge);
const tool = fc.constantFrom(
  'search_knowledge',
  'scout',
  'inspect',
  'list_documents',
  'add_knowledge',
  'remove_knowledge',
  'verify_citation',
  'status',
  'none',
);
const toolCall = fc.record({
  jsonrpc: fc.constant('2.0'),
  id: fc.oneof(fc.integer(), fc.string()),
  method: fc.constant('tools/call'),
  params: fc.record({
    name: tool,
    arguments: fc.dictionary(
      fc.constantFrom('query', 'id', 'paths', 'targets', 'limit', 'citation', 'max_tokens', 'path', 'x'),
      value,
    ),
  }),
});
const request = fc.record(
  {
    jsonrpc: fc.constantFrom<unknown>('2.0', '1.0', 2),
    id: anything,
    method: fc.oneof(
      fc.constantFrom('tools/list', 'tools/call', 'resources/read', 'ping', 'initialize'),
      fc.string(),
    ),
    params: value,
  },
  { requiredKeys: [] },
);
const body = fc.oneof(
  fc.string().map((text) => text),
  request.map((one) => JSON.stringify(one) ?? ''),
  toolCall.map((one) => JSON.stringify(one)),
);

describe('malformed requests', () => {
  it('1,000 of them: no crash, right codes, memory flat', async () => {
    const id = await session();
    const call = (text: string) => send(text, { 'mcp-session-id': id });
    await fc.assert(
      fc.asyncProperty(body, (text) => answered(call, text)),
      { numRuns: 200 },
    );
    const before = memoryOf(server.process.pid!);
    await fc.assert(
      fc.asyncProperty(body, (text) => answered(call, text)),
      { numRuns: 1000 },
    );
    // Garbage waits for its collector: a leak of the requests themselves would be several times this.
    expect(memoryOf(server.process.pid!) - before).toBeLessThan(150_000);
    expect(server.process.exitCode).toBeNull();
    const alive = await call(
      JSON.stringify({
        jsonrpc: '2.0',
        id: 7,
        method: 'tools/call',
        params: { name: 'status', arguments: {} },
      }),
    );
    expect(alive.text).toContain('"documents":1');
  });
});

async function answered(call: typeof send, text: string): Promise<void> {
  const answer = await call(text);
  expect(
    [200, 202, 400, 404, 406, 413, 415],
    `${text.slice(0, 200)} → ${answer.status} ${answer.text.slice(0, 300)}`,
  ).toContain(answer.status);
  expect(answer.text).not.toMatch(/root:x:|at .*\.js:\d+/);
}
