import { type AuthInfo, McpServer } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { mcpEndpoint } from './mcp-endpoint.js';

const begin = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
};
const request = (body: unknown, session?: string): Request =>
  new Request('http://127.0.0.1/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session !== undefined && { 'mcp-session-id': session }),
    },
    body: JSON.stringify(body),
  });
const caller = (clientId: string): AuthInfo => ({ token: '', clientId, scopes: [] });

it('B15 one caller’s many sessions push out its own, never another’s', async () => {
  const endpoint = mcpEndpoint(() => new McpServer({ name: 't', version: '1' }), {
    maxBodyBytes: 1 << 20,
    onError: () => {},
    maxSessions: 12,
    maxSessionsEach: 8,
  });
  const open = async (who: string): Promise<string> =>
    (await endpoint.fetch(request(begin), caller(who))).headers.get('mcp-session-id')!;
  const isThere = async (who: string, id: string): Promise<boolean> => {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    return (await endpoint.fetch(request(ping, id), caller(who))).status !== 404;
  };
  const quiet = await open('quiet');
  const greedy: string[] = [];
  for (let n = 0; n < 50; n++) greedy.push(await open('greedy'));
  const second = await open('second');
  for (let n = 0; n < 50; n++) greedy.push(await open('greedier'));
  expect(await isThere('quiet', quiet)).toBe(true);
  expect(await isThere('second', second)).toBe(true);
  expect(await isThere('greedy', greedy[0]!)).toBe(false);
  expect(await isThere('greedier', greedy.at(-1)!)).toBe(true);
  expect(await isThere('quiet', greedy.at(-1)!)).toBe(false);
  await endpoint.close();
});
