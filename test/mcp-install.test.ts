import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';
import { folder, guide } from './strata.js';

interface Started {
  readonly command: string;
  readonly args: string[];
}

/** What each client makes of the file that was written for it. */
const FILES: Readonly<Record<string, { readonly path: string; read(text: string): Started }>> = {
  'claude-code': { path: 'work/.mcp.json', read: (text) => JSON.parse(text).mcpServers.strata },
  'claude-desktop': {
    path: '.config/Claude/claude_desktop_config.json',
    read: (text) => JSON.parse(text).mcpServers.strata,
  },
  cursor: { path: 'work/.cursor/mcp.json', read: (text) => JSON.parse(text).mcpServers.strata },
  vscode: { path: 'work/.vscode/mcp.json', read: (text) => JSON.parse(text).servers.strata },
  windsurf: { path: '.codeium/windsurf/mcp_config.json', read: (text) => JSON.parse(text).mcpServers.strata },
  codex: { path: '.codex/config.toml', read: fromToml },
  zed: { path: 'work/.zed/settings.json', read: (text) => JSON.parse(text).context_servers.strata },
  'gemini-cli': { path: 'work/.gemini/settings.json', read: (text) => JSON.parse(text).mcpServers.strata },
};

function fromToml(text: string): Started {
  const table = /^\[mcp_servers\.strata\]\n([^[]*\[[^\]]*\]\n)/m.exec(text)?.[1] ?? '';
  const value = (name: string) => JSON.parse(new RegExp(`^${name} = (.*)$`, 'm').exec(table)?.[1] ?? 'null');
  return { command: value('command'), args: value('args') };
}

async function ask({ command, args }: Started, tool: string, input = {}) {
  const client = new Client({ name: 'test', version: '1' });
  // Clients start servers from anywhere, and pass on little of their environment.
  const env = { PATH: process.env.PATH ?? '', STRATA_EMBEDDER: 'none' };
  await client.connect(new StdioClientTransport({ command, args, cwd: '/', env, stderr: 'ignore' }));
  const answer = await client.callTool({ name: tool, arguments: input });
  await client.close();
  return answer as unknown as { structuredContent: Record<string, unknown>; content: [{ text: string }] };
}

describe('strata mcp install', () => {
  it.each(Object.entries(FILES))(
    'S2.7 %s: the file it writes, started from / as it says, reaches the library found here',
    async (client, { path, read }) => {
      const here = folder({ 'docs/a.md': guide(`Harbours of ${client}`, 'tides') });
      const base = join(here.path, '..');
      // No STRATA_LIBRARY and none named: the library of the project is found.
      const env = { STRATA_LIBRARY: '', XDG_CONFIG_HOME: join(base, '.config') };
      here.write({ '.git/HEAD': '' });
      expect((await here.run(['add', 'docs'], { env })).code).toBe(0);
      const installed = await here.run(['mcp', 'install', client], { env, cwd: here.path });
      expect(installed.code, installed.stderr).toBe(0);
      expect(installed.stderr).toContain(`Library: ${join(here.path, '.strata')}\n`);
      const started = read(readFileSync(join(base, path), 'utf8'));
      const { structuredContent } = await ask(started, 'list_documents');
      expect(structuredContent.documents).toMatchObject([{ title: `Harbours of ${client}` }]);
    },
  );

  it('names the clients it knows, and shows the entry for any other', async () => {
    const here = folder();
    const unknown = await here.strata('mcp', 'install', 'emacs');
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringMatching(/emacs.*gemini-cli.*--print/) });
    const shown = await here.strata('mcp', 'install', '--print');
    expect(shown.code).toBe(0);
    expect(shown.json<{ mcpServers: { strata: Started } }>().mcpServers.strata.args).toContain('--library');
  });

  it('B12 an empty library says so with its path, and never that nothing matches', async () => {
    const here = folder();
    const shown = await here.strata('mcp', 'install', '--print');
    const { strata } = shown.json<{ mcpServers: { strata: Started } }>().mcpServers;
    const found = await ask(strata, 'search_knowledge', { query: 'tides' });
    const empty = `The library ${join(here.path, '.strata')} is empty`;
    expect(found.content[0].text).toContain(empty);
    expect(found.content[0].text).not.toContain('Nothing matches');
    expect(found.structuredContent.notices).toEqual([expect.stringContaining(empty)]);
    const missing = await ask(strata, 'inspect', { id: '00000000-0000-4000-8000-000000000000' });
    expect(JSON.stringify(missing.content)).toContain(empty);
    for (const { content } of [found, missing])
      expect(JSON.stringify(content)).not.toMatch(/`strata |--[a-z]/);
  });

  it('B5 the server’s budget is a flag, and a shortened answer can be read on', async () => {
    const topics = Array.from({ length: 6 }, (_, at) => [`docs/${at}.md`, guide(`Harbour ${at}`, 'tides')]);
    const here = folder(Object.fromEntries(topics));
    await here.strata('add', 'docs');
    const shown = await here.strata('mcp', 'install', '--print');
    const { strata } = shown.json<{ mcpServers: { strata: Started } }>().mcpServers;
    const small = { ...strata, args: [...strata.args, '--max-tokens', '1500'] };
    const seen: string[] = [];
    for (let after: unknown = 0; after !== null; ) {
      const { structuredContent } = await ask(small, 'search_knowledge', { query: 'tides', after });
      const { results, next } = structuredContent as { results: { item: { id: string } }[]; next: unknown };
      expect(results.length).toBeGreaterThan(0);
      expect(seen.length === 0 ? results.length : 0).toBeLessThan(5);
      seen.push(...results.map(({ item }) => item.id));
      after = next;
    }
    expect(new Set(seen).size).toBe(6);
    expect(seen).toHaveLength(6);
    const refused = await here.strata('mcp', '--max-tokens', '3');
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--max-tokens') });
  });

  it('strata skill prints an instruction file whose commands exist', async () => {
    const here = folder();
    const { stdout, code } = await here.strata('skill');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^---\nname: strata\ndescription: /);
    const help = (await here.strata('--help')).stdout;
    for (const [, command] of stdout.matchAll(/`strata (\w+)/g))
      expect(help).toMatch(new RegExp(`^  ${command}\\b`, 'm'));
  });
});
