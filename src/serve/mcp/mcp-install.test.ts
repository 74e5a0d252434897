import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { applyInstall, type InstallPlace, MCP_CLIENTS, planInstall } from './mcp-install.js';

const server = { command: 'strata', args: ['mcp', '--library', '/kb/.strata'] };
const place = (over: Partial<InstallPlace> = {}): InstallPlace => {
  const base = mkdtempSync(join(tmpdir(), 'strata-install-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  return { project: join(base, 'project'), home: join(base, 'home'), platform: 'linux', env: {}, ...over };
};

describe('strata mcp install', () => {
  it.each(MCP_CLIENTS)('%s: a new file holds the server and nothing else', (client) => {
    const plan = planInstall(client, server, place());
    applyInstall(plan);
    const text = readFileSync(plan.path, 'utf8');
    if (client === 'codex') {
      expect(text).toBe(
        '[mcp_servers.strata]\ncommand = "strata"\nargs = ["mcp","--library","/kb/.strata"]\n',
      );
    } else {
      const config = JSON.parse(text);
      const [servers, ...others] = Object.values(config) as { strata: unknown }[];
      expect(others).toEqual([]);
      expect(servers?.strata).toMatchObject(server);
    }
    expect(planInstall(client, server, { ...place(), project: dirname(plan.path) }).entry).toContain(
      'strata',
    );
  });

  it('keeps comments, other servers and settings of the file it edits', () => {
    const where = place();
    const path = join(where.project, '.vscode', 'mcp.json');
    mkdirSync(dirname(path), { recursive: true });
    const before =
      '{\n\t// ours\n  "servers": { "other": { "command": "x//y" /* in, } */ } },\n  "inputs": [],\n}\n';
    writeFileSync(path, before);
    applyInstall(planInstall('vscode', server, where));
    const text = readFileSync(path, 'utf8');
    const entry = /,\n {4}"strata": \{[^}]*\}/.exec(text)![0];
    expect(text.replace(entry, '')).toBe(before);
    expect(JSON.parse(`{${entry.slice(1)}}`).strata).toMatchObject(server);
    expect(planInstall('vscode', server, where).changed).toBe(false);
    writeFileSync(path, text.replace('"strata": {', '"strata": { // old\n "env": {},'));
    applyInstall(planInstall('vscode', server, where));
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('puts the server into a file without servers, and refuses servers that are no object', () => {
    const where = place();
    const path = join(where.project, '.mcp.json');
    mkdirSync(where.project, { recursive: true });
    for (const before of ['{}', '{ /* none */ }', '{"a": 1}', '{"mcpServers": {}}', '\ufeff{"a": [1,],}']) {
      writeFileSync(path, before);
      const { text } = planInstall('claude-code', server, where);
      expect(JSON.parse(text.replace(/\/\*.*\*\/|\ufeff|,(?=[\]}])/g, '')).mcpServers.strata).toMatchObject(
        server,
      );
    }
    writeFileSync(path, '{"mcpServers": []}');
    expect(() => planInstall('claude-code', server, where)).toThrow(/"mcpServers" is no object/);
  });

  it('codex: replaces its own table and leaves every other line alone', () => {
    const where = place();
    const path = join(where.home, '.codex', 'config.toml');
    mkdirSync(dirname(path), { recursive: true });
    const others = ['# mine\nmodel = "x"\n\n', '[mcp_servers.other]\ncommand = "y"\n'] as const;
    writeFileSync(path, `${others[0]}[mcp_servers.strata]\ncommand = "old"\nargs = []\n\n${others[1]}`);
    applyInstall(planInstall('codex', server, where));
    const text = readFileSync(path, 'utf8');
    expect(text).toBe(
      `${others[0]}[mcp_servers.strata]\ncommand = "strata"\nargs = ["mcp","--library","/kb/.strata"]\n\n${others[1]}`,
    );
    expect(planInstall('codex', server, where).changed).toBe(false);
    writeFileSync(path, 'mcp_servers = { other = { command = "y" } }\n');
    expect(() => planInstall('codex', server, where)).toThrow(/not changed/);
  });

  it('replaces an older entry, and says when nothing changes', () => {
    const where = place();
    const first = planInstall('cursor', { command: 'old', args: [] }, where);
    applyInstall(first);
    const second = planInstall('cursor', server, where);
    expect(second.changed).toBe(true);
    applyInstall(second);
    expect(planInstall('cursor', server, where).changed).toBe(false);
    expect(JSON.parse(readFileSync(second.path, 'utf8')).mcpServers).toEqual({ strata: server });
  });

  it('leaves a broken file alone and names it', () => {
    const where = place();
    const path = join(where.project, '.mcp.json');
    mkdirSync(where.project, { recursive: true });
    writeFileSync(path, '{ "mcpServers": ');
    expect(() => planInstall('claude-code', server, where)).toThrow(/\.mcp\.json: not changed/);
    expect(readFileSync(path, 'utf8')).toBe('{ "mcpServers": ');
  });

  it('knows where each system keeps a desktop program’s settings', () => {
    const on = (platform: NodeJS.Platform, env = {}) =>
      planInstall('claude-desktop', server, place({ home: '/home/u', platform, env })).path;
    expect(on('linux')).toBe('/home/u/.config/Claude/claude_desktop_config.json');
    expect(on('darwin')).toBe('/home/u/Library/Application Support/Claude/claude_desktop_config.json');
    expect(on('win32', { APPDATA: '/appdata' })).toBe('/appdata/Claude/claude_desktop_config.json');
    expect(() => planInstall('claude-desktop', server, place(), 'project')).toThrow(
      /no project configuration/,
    );
  });
});
