import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collect, mcpCommand, type Served, serveLibrary, strata } from './program.js';

/** Clients people use, each in its own process, over both transports: list, call, structured result, error, cancel. */
const clients = join(import.meta.dirname, 'clients');
const inspector = join(clients, 'node_modules/@modelcontextprotocol/inspector/package.json');

let folder: string;
let server: Served;

beforeAll(async () => {
  expect(existsSync(inspector), 'install the clients first: npm ci --prefix test/clients').toBe(true);
  folder = mkdtempSync(join(tmpdir(), 'strata-clients-'));
  writeFileSync(
    join(folder, 'backup.md'),
    '# Backups\n\nRestoring a backup takes one command and about an hour.\n',
  );
  expect((await strata(['add', 'backup.md', '--no-embed'], { cwd: folder })).code).toBe(0);
  server = await serveLibrary(folder, []);
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const TRANSPORTS = ['http', 'stdio'] as const;
const targetOf = (transport: (typeof TRANSPORTS)[number]): string[] => {
  const { command, args } = mcpCommand(folder);
  return transport === 'http' ? [`${server.url}/mcp`] : [command, ...args];
};

describe.each(['ai-sdk', 'langchain'])('%s', (client) => {
  it.each(TRANSPORTS)('over %s', async (transport) => {
    const script = join(clients, 'session.js');
    const { code, stdout, stderr } = await run(process.execPath, [
      script,
      client,
      transport,
      ...targetOf(transport),
    ]);
    expect(code, stderr).toBe(0);
    const seen = JSON.parse(stdout.trim().split('\n').at(-1)!);
    expect(seen.tools).toEqual(expect.arrayContaining(['search_knowledge', 'scout', 'inspect', 'status']));
    expect(seen.structured.results[0].item.title).toBe('Backups');
    expect(seen.error).toMatch(/NOT_FOUND/);
    expect(seen.cancelled).toBe(true);
    expect(seen.after).toMatchObject({ documents: 1 });
  });
});

describe('inspector --cli', () => {
  const bin = join(clients, 'node_modules/.bin/mcp-inspector');
  const ask = (transport: (typeof TRANSPORTS)[number], args: string[]) =>
    run(bin, ['--cli', ...targetOf(transport), ...args]);

  it.each(TRANSPORTS)('lists and calls over %s', async (transport) => {
    const listed = await ask(transport, ['--method', 'tools/list']);
    expect(listed.code, listed.stderr).toBe(0);
    expect(listed.stdout).toContain('search_knowledge');
    const called = await ask(transport, [
      '--method',
      'tools/call',
      '--tool-name',
      'search_knowledge',
      '--tool-arg',
      'query=backup',
    ]);
    expect(called.stdout).toContain('structuredContent');
    expect(called.stdout).toContain('Backups');
    const failed = await ask(transport, [
      '--method',
      'tools/call',
      '--tool-name',
      'inspect',
      '--tool-arg',
      'id=nothing',
    ]);
    expect(failed.stdout + failed.stderr).toContain('NOT_FOUND');
  });
});

const run = (command: string, args: string[]) =>
  collect(spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] }));
