import { StrataError } from '../../model/errors.js';
import { watchGeneration } from '../cli/changes.js';
import { type McpSettings, mcpServerFactory } from '../mcp/mcp.js';
import { mcpEndpoint } from '../mcp/mcp-endpoint.js';
import { httpApp, listen, type RunningServer } from './http.js';
import { bothBooks, type Login } from './login.js';
import { servedOperations } from './served.js';
import { readTokenFile, type TokenBook } from './token-file.js';

export interface ServeOptions extends McpSettings {
  readonly host: string;
  readonly port: number;
  readonly tokenFile?: string;
  readonly allowedHosts?: readonly string[];
  readonly allowedOrigins?: readonly string[];
  readonly perMinute?: number;
  readonly maxBodyBytes?: number;
  /** For the person who opens the page (`strata open`): who they are, and the way in. */
  readonly login?: Login;
}

const MEBIBYTE = 2 ** 20;

/** `strata serve`: people at /, agents at /mcp, programs at /api/v1. Reading only, on loopback, unless the options say otherwise. */
export async function serveOverHttp(options: ServeOptions): Promise<RunningServer> {
  const { perMinute = 600, maxBodyBytes = 4 * MEBIBYTE, tokenFile } = options;
  if (options.access !== 'read' && tokenFile === undefined && options.login === undefined) {
    throw new StrataError(
      'FORBIDDEN',
      '--allow-write needs --token-file: without tokens every user and program of this machine could write. A line of the file is TOKEN NAME write; `openssl rand -hex 32` makes a token',
    );
  }
  const written = tokenFile === undefined ? null : readTokenFile(tokenFile, options.log);
  const tokens = bookOf(written, options.login);
  const mcp = mcpEndpoint(mcpServerFactory(options), {
    maxBodyBytes,
    onError: (error) => options.log(`mcp: ${error.message}`),
  });
  const app = httpApp({
    guard: {
      allowedHosts: options.allowedHosts ?? [],
      allowedOrigins: options.allowedOrigins ?? [],
      tokens,
      anonymous: { kind: 'anonymous', name: 'anonymous', access: 'read', key: 'anonymous' },
      perMinute,
    },
    maxBodyBytes,
    mcp,
    log: options.log,
    operations: servedOperations(options),
    library: options.library,
    access: options.access,
    onAdded: options.embedBehind,
    login: options.login ?? null,
  });
  const server = await listen(app, { host: options.host, port: options.port, open: tokens === null });
  const stop = watchGeneration(options.library, () => mcp.resourcesChanged());
  return {
    url: server.url,
    async close() {
      stop();
      await mcp.close();
      await server.close();
    },
  };
}

function bookOf(written: TokenBook | null, login: Login | undefined): TokenBook | null {
  if (login === undefined) return written;
  return written === null ? login.tokens : bothBooks(written, login.tokens);
}
