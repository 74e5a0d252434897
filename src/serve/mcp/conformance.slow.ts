import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromJsonSchema, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpApp, listen, type RunningServer } from '../http/http.js';
import { mcpEndpoint } from './mcp-endpoint.js';

/**
 * The protocol's own conformance suite, on the wiring that `strata serve` uses. The suite wants certain tools and
 * resources, so a fixture server offers them; what Strata does not offer (prompts, sampling, elicitation,
 * completion, subscriptions to single resources) is left out: those scenarios do not apply.
 */
const SCENARIOS = [
  'server-initialize',
  'ping',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-embedded-resource',
  'tools-call-error',
  'tools-call-with-progress',
  'json-schema-2020-12',
  'server-sse-multiple-streams',
  'resources-list',
  'resources-read-text',
  'resources-templates-read',
  'dns-rebinding-protection',
];

const clients = join(import.meta.dirname, '../../../test/clients/node_modules');
// The suite needs a newer Node than Strata does.
const node24 = join(clients, 'node/bin/node');
const suite = join(clients, '@modelcontextprotocol/conformance/dist/index.js');

const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function fixture(): McpServer {
  const server = new McpServer({ name: 'strata-conformance', version: '1.0.0' });
  server.registerTool('test_simple_text', { description: 'a text' }, () =>
    text('This is a simple text response for testing.'),
  );
  server.registerTool('test_embedded_resource', { description: 'a resource' }, () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }));
  server.registerTool('test_error_handling', { description: 'an error' }, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  server.registerTool('test_tool_with_progress', { description: 'progress' }, async (ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        await ctx.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        });
      }
      await pause(50);
    }
    return text('done');
  });
  server.registerTool(
    'json_schema_2020_12_tool',
    {
      description: 'Tool with JSON Schema 2020-12 features',
      inputSchema: fromJsonSchema({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        $defs: {
          address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
        },
        properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
        additionalProperties: false,
      }),
    },
    () => text('ok'),
  );
  const content = 'This is the content of the static text resource.';
  server.registerResource(
    'static',
    'test://static-text',
    { description: 'a text', mimeType: 'text/plain' },
    (uri) => ({
      contents: [{ uri: uri.href, mimeType: 'text/plain', text: content }],
    }),
  );
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'a template', mimeType: 'application/json' },
    (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        },
      ],
    }),
  );
  return server;
}

describe('MCP conformance', () => {
  let server: RunningServer;

  beforeAll(async () => {
    expect(existsSync(suite), 'install the clients first: npm ci --prefix test/clients').toBe(true);
    const mcp = mcpEndpoint(fixture, { maxBodyBytes: 4 << 20, onError: () => {} });
    const guard = {
      allowedHosts: [],
      allowedOrigins: [],
      tokens: null,
      keys: null,
      anonymous: { kind: 'anonymous' as const, name: 'anonymous', access: 'read' as const, key: 'anyone' },
      perMinute: 100_000,
    };
    const app = httpApp({
      guard,
      maxBodyBytes: 4 << 20,
      mcp,
      endpoints: { fetch: async () => null },
      operations: new Map(),
      library: () => Promise.reject(new Error('no library')),
      access: 'read',
      login: null,
      onAdded: () => {},
      log: () => {},
    });
    server = await listen(app, { host: '127.0.0.1', port: 0, open: true });
  });
  afterAll(() => server?.close());

  it.each(SCENARIOS)('%s', async (scenario) => {
    const { code, output } = await run([
      suite,
      'server',
      '--url',
      `${server.url}/mcp`,
      '--scenario',
      scenario,
    ]);
    expect(code, output).toBe(0);
    expect(output).toMatch(/Passed: [1-9]/);
  });
});

function run(args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    // The suite writes its results below the folder it runs in.
    const cwd = mkdtempSync(join(tmpdir(), 'strata-conformance-'));
    const child = spawn(node24, args, { cwd });
    let output = '';
    child.stdout.on('data', (data) => (output += data));
    child.stderr.on('data', (data) => (output += data));
    child.on('close', (code) => {
      rmSync(cwd, { recursive: true, force: true });
      resolve({ code, output });
    });
  });
}
