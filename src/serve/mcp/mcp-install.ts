import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { applyEdits, modify, type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { StrataError } from '../../model/errors.js';

/**
 * Writes the MCP server into a client's own configuration. The files may hold comments and other people's servers
 * (VS Code's are JSON with comments), so they are edited in place, never parsed and printed anew.
 */
export const MCP_CLIENTS = ['claude-code', 'claude-desktop', 'cursor', 'vscode'] as const;
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
  /** Some clients want the transport named. */
  readonly typed: boolean;
  path(scope: InstallScope, place: InstallPlace): string;
}

const FORMATS: Readonly<Record<McpClient, ClientFormat>> = {
  'claude-code': {
    scopes: ['project', 'user'],
    servers: 'mcpServers',
    typed: true,
    path: (scope, { project, home }) =>
      scope === 'project' ? join(project, '.mcp.json') : join(home, '.claude.json'),
  },
  'claude-desktop': {
    scopes: ['user'],
    servers: 'mcpServers',
    typed: false,
    path: (_scope, place) => join(applicationData(place), 'Claude', 'claude_desktop_config.json'),
  },
  cursor: {
    scopes: ['project', 'user'],
    servers: 'mcpServers',
    typed: false,
    path: (scope, { project, home }) => join(scope === 'project' ? project : home, '.cursor', 'mcp.json'),
  },
  vscode: {
    scopes: ['project', 'user'],
    servers: 'servers',
    typed: true,
    path: (scope, place) =>
      scope === 'project'
        ? join(place.project, '.vscode', 'mcp.json')
        : join(applicationData(place), 'Code', 'User', 'mcp.json'),
  },
};

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
  const before = readConfig(path);
  const entry = { ...(format.typed && { type: 'stdio' }), command: server.command, args: [...server.args] };
  const edits = modify(before, [format.servers, 'strata'], entry, {
    formattingOptions: { insertSpaces: true, tabSize: 2 },
  });
  const text = applyEdits(before, edits);
  return {
    path,
    text: text.endsWith('\n') ? text : `${text}\n`,
    entry: JSON.stringify({ [format.servers]: { strata: entry } }, null, 2),
    changed: JSON.stringify(parse(before)) !== JSON.stringify(parse(text)),
  };
}

/** An empty object where there is no file yet; a file that is not JSON (with comments) is left alone. */
function readConfig(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return '{}';
    throw new StrataError('FILE_UNREADABLE', `${path}: cannot be read: ${(cause as Error).message}`, {
      cause,
    });
  }
  if (text.trim() === '') return '{}';
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined || typeof value !== 'object' || value === null || Array.isArray(value)) {
    const why = first
      ? `${printParseErrorCode(first.error)} at offset ${first.offset}`
      : 'it holds no object';
    throw new StrataError(
      'CORRUPT',
      `${path}: not changed, since it is no valid JSON (${why}); mend it and try again`,
    );
  }
  return text;
}

/** Beside the old file, then in its place: a crash leaves one or the other whole. */
export function applyInstall(plan: InstallPlan): void {
  mkdirSync(dirname(plan.path), { recursive: true });
  const beside = `${plan.path}.strata-${process.pid}`;
  writeFileSync(beside, plan.text);
  renameSync(beside, plan.path);
}
