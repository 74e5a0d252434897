import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isMap, parseDocument, type YAMLMap } from 'yaml';
import { reasonOf, StrataError } from '../../model/errors.js';
import { isObject } from '../../model/json/json.js';

/**
 * Writes the MCP server into a client's own configuration. The files may hold comments and other people's servers
 * (VS Code's are JSON with comments), so they are edited in place, never parsed and printed anew.
 */
export const MCP_CLIENTS = [
  'claude-code',
  'claude-desktop',
  'cursor',
  'vscode',
  'windsurf',
  'codex',
  'zed',
  'gemini-cli',
] as const;
export type McpClient = (typeof MCP_CLIENTS)[number];

export interface InstallPlace {
  readonly project: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** `user`: for every project of this person; `project`: kept in the project's folder, where the client can do that. */
export type InstallScope = 'user' | 'project';

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export interface InstallPlan {
  readonly path: string;
  /** The whole file as it will be. */
  readonly text: string;
  /** Only our entry, for showing. */
  readonly entry: string;
  readonly changed: boolean;
}

interface ClientFormat {
  readonly scopes: readonly InstallScope[];
  readonly servers: string;
  /** What the client wants in an entry beside command and arguments. */
  readonly more?: Readonly<Record<string, string>>;
  path(scope: InstallScope, place: InstallPlace): string;
}

const FORMATS: Readonly<Record<McpClient, ClientFormat>> = {
  'claude-code': {
    scopes: ['project', 'user'],
    servers: 'mcpServers',
    more: { type: 'stdio' },
    path: (scope, { project, home }) =>
      scope === 'project' ? join(project, '.mcp.json') : join(home, '.claude.json'),
  },
  'claude-desktop': {
    scopes: ['user'],
    servers: 'mcpServers',
    path: (_scope, place) => join(applicationData(place), 'Claude', 'claude_desktop_config.json'),
  },
  cursor: {
    scopes: ['project', 'user'],
    servers: 'mcpServers',
    path: (scope, { project, home }) => join(scope === 'project' ? project : home, '.cursor', 'mcp.json'),
  },
  vscode: {
    scopes: ['project', 'user'],
    servers: 'servers',
    more: { type: 'stdio' },
    path: (scope, place) =>
      scope === 'project'
        ? join(place.project, '.vscode', 'mcp.json')
        : join(applicationData(place), 'Code', 'User', 'mcp.json'),
  },
  windsurf: {
    scopes: ['user'],
    servers: 'mcpServers',
    path: (_scope, { home }) => join(home, '.codeium', 'windsurf', 'mcp_config.json'),
  },
  codex: {
    scopes: ['user'],
    servers: 'mcp_servers',
    path: (_scope, { home, env }) => join(env.CODEX_HOME ?? join(home, '.codex'), 'config.toml'),
  },
  zed: {
    scopes: ['project', 'user'],
    servers: 'context_servers',
    more: { source: 'custom' },
    path: (scope, place) =>
      scope === 'project'
        ? join(place.project, '.zed', 'settings.json')
        : join(zedFolder(place), 'settings.json'),
  },
  'gemini-cli': {
    scopes: ['project', 'user'],
    servers: 'mcpServers',
    path: (scope, { project, home }) =>
      join(scope === 'project' ? project : home, '.gemini', 'settings.json'),
  },
};

/** Zed keeps to `~/.config` on macOS, too. */
const zedFolder = (place: InstallPlace): string =>
  place.platform === 'win32'
    ? join(applicationData(place), 'Zed')
    : join(place.env.XDG_CONFIG_HOME ?? join(place.home, '.config'), 'zed');

/** Where desktop programs keep their settings on each system. */
function applicationData({ home, platform, env }: InstallPlace): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return env.APPDATA ?? join(home, 'AppData', 'Roaming');
  return env.XDG_CONFIG_HOME ?? join(home, '.config');
}

export function planInstall(
  client: McpClient,
  server: ServerCommand,
  place: InstallPlace,
  scope: InstallScope = FORMATS[client].scopes[0]!,
): InstallPlan {
  const format = FORMATS[client];
  if (!format.scopes.includes(scope)) {
    throw new StrataError(
      'INVALID_ARGUMENT',
      `${client} has no ${scope} configuration; use --scope ${format.scopes[0]}`,
    );
  }
  const path = format.path(scope, place);
  if (path.endsWith('.toml')) return planToml(path, `${format.servers}.strata`, server);
  const before = readConfig(path);
  const entry = { ...format.more, command: server.command, args: [...server.args] };
  const text = withServer(before, format.servers, entry, path);
  return {
    path,
    text: text.endsWith('\n') ? text : `${text}\n`,
    entry: JSON.stringify({ [format.servers]: { strata: entry } }, null, 2),
    changed: JSON.stringify(JSON.parse(bareJson(before))) !== JSON.stringify(JSON.parse(bareJson(text))),
  };
}

/** The file with the entry put in its place, everything else as it was written. */
function withServer(text: string, servers: string, entry: object, path: string): string {
  // JSON is YAML too, and the library says where each member stands.
  const root = parseDocument(bareJson(text), { uniqueKeys: false }).contents as YAMLMap;
  if (!root.has(servers)) return withMember(text, root, 1, servers, { strata: entry });
  const map: unknown = root.get(servers, true);
  if (!isMap(map))
    throw new StrataError('CORRUPT', `${path}: not changed, since its "${servers}" is no object`);
  const old = map.get('strata', true);
  if (old === undefined) return withMember(text, map, 2, 'strata', entry);
  const [start, end] = old.range!;
  return text.slice(0, start) + indented(entry, 2) + text.slice(end);
}

function withMember(text: string, map: YAMLMap, depth: number, key: string, value: object): string {
  const member = `\n${'  '.repeat(depth)}"${key}": ${indented(value, depth)}`;
  const last = map.items.at(-1)?.value as { range: readonly number[] } | undefined;
  const at = last === undefined ? map.range![0] + 1 : last.range[1]!;
  const written = last === undefined ? `${member}\n${'  '.repeat(depth - 1)}` : `,${member}`;
  return text.slice(0, at) + written + text.slice(at);
}

const indented = (value: object, depth: number): string =>
  JSON.stringify(value, null, 2).replaceAll('\n', `\n${'  '.repeat(depth)}`);

/** JSON with comments as JSON: what is not JSON becomes blanks, so that every offset stays. */
function bareJson(text: string): string {
  const withoutComments = text.replace(
    /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|[\t\ufeff]/g,
    (found) => (found.startsWith('"') ? found : found.replace(/[^\n]/g, ' ')),
  );
  return withoutComments.replace(/"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])/g, (found) =>
    found === ',' ? ' ' : found,
  );
}

/** TOML has no comments-keeping editor here: our own table is replaced whole, or put at the end; the rest is not touched. */
function planToml(path: string, table: string, { command, args }: ServerCommand): InstallPlan {
  const before = readText(path);
  if (new RegExp(`^\\s*${table.split('.')[0]}\\s*=`, 'm').test(before)) {
    throw new StrataError(
      'CORRUPT',
      `${path}: not changed, since it has its servers in one line; put what --print shows there`,
    );
  }
  // A string of JSON is one of TOML, and so is a list of them.
  const entry = `[${table}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`;
  const own = new RegExp(
    `^\\[${table.replaceAll('.', '\\.')}\\][^\\n]*\\n(?:(?!\\s*\\[)[^\\n]*(?:\\n|$))*`,
    'm',
  );
  const end = before === '' || before.endsWith('\n') ? '' : '\n';
  const text = own.test(before)
    ? before.replace(own, () => entry)
    : `${before}${end}${before === '' ? '' : '\n'}${entry}`;
  return { path, text, entry, changed: text !== before };
}

/** Nothing where there is no file yet. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw new StrataError('FILE_UNREADABLE', `${path}: cannot be read: ${(cause as Error).message}`, {
      cause,
    });
  }
}

/** An empty object where there is no file yet; a file that is not JSON (with comments) is left alone. */
function readConfig(path: string): string {
  const text = readText(path);
  if (text.trim() === '') return '{}';
  let problem = 'it holds no object';
  try {
    const value: unknown = JSON.parse(bareJson(text));
    if (isObject(value)) return text;
  } catch (error) {
    problem = reasonOf(error);
  }
  throw new StrataError(
    'CORRUPT',
    `${path}: not changed, since it is no valid JSON (${problem}); mend it and try again`,
  );
}

/** Beside the old file, then in its place: a crash leaves one or the other whole. */
export function applyInstall(plan: InstallPlan): void {
  mkdirSync(dirname(plan.path), { recursive: true });
  const beside = `${plan.path}.strata-${process.pid}`;
  writeFileSync(beside, plan.text);
  renameSync(beside, plan.path);
}
