import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'jsonc-parser';
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
    const config = JSON.parse(readFileSync(plan.path, 'utf8'));
    const servers = client === 'vscode' ? config.servers : config.mcpServers;
    expect(Object.keys(config)).toHaveLength(1);
    expect(servers.strata).toMatchObject(server);
    expect(planInstall(client, server, { ...place(), project: dirname(plan.path) }).entry).toContain(
      'strata',
    );
  });

  it('keeps comments, other servers and settings of the file it edits', () => {
    const where = place();
    const path = join(where.project, '.vscode', 'mcp.json');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '{\n  // ours\n  "servers": { "other": { "command": "x" } },\n  "inputs": [],\n}\n');
    applyInstall(planInstall('vscode', server, where));
    const text = readFileSync(path, 'utf8');
    expect(text).toContain('// ours');
    expect(parse(text)).toMatchObject({ servers: { other: { command: 'x' }, strata: server }, inputs: [] });
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
