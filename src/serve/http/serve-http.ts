import type { Library } from '../../engine/library.js';
import { StrataError } from '../../model/errors.js';
import { requireLibraryAccess } from '../../tools/access/permission.js';
import { limitedTo } from '../../tools/access/principal.js';
import { watchGeneration } from '../cli/changes.js';
import { readInput } from '../fields.js';
import { type McpSettings, mcpServerFactory } from '../mcp/mcp.js';
import { mcpEndpoint } from '../mcp/mcp-endpoint.js';
import type { Operation } from '../operation.js';
import { operations } from '../operations.js';
import { type HttpOperation, httpApp, listen, type RunningServer } from './http.js';
import { readTokenFile } from './token-file.js';

export interface ServeOptions extends McpSettings {
  readonly host: string;
  readonly port: number;
  readonly tokenFile?: string;
  readonly allowedHosts?: readonly string[];
  readonly allowedOrigins?: readonly string[];
  readonly perMinute?: number;
  readonly maxBodyBytes?: number;
}

const MEBIBYTE = 2 ** 20;

/** `strata serve`: agents at /mcp, programs at /api. Reading only, on loopback, unless the options say otherwise. */
export async function serveOverHttp(options: ServeOptions): Promise<RunningServer> {
  const { perMinute = 600, maxBodyBytes = 4 * MEBIBYTE, tokenFile } = options;
  if (options.access !== 'read' && tokenFile === undefined) {
    throw new StrataError(
      'FORBIDDEN',
      '--allow-write needs --token-file: without tokens every user and program of this machine could write. A line of the file is TOKEN NAME write; `openssl rand -hex 32` makes a token',
    );
  }
  const tokens = tokenFile === undefined ? null : readTokenFile(tokenFile, options.log);
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
    operations: new Map(
      operations.filter(isServed).map((operation) => [operation.name, served(operation, options)]),
    ),
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

/**
 * What works on the server's one library and is not its owner's alone. Paths of `add` come from the caller, so it goes
 * by /mcp, which confines them.
 */
const isServed = ({ library, access, overHttp, name }: Operation): boolean =>
  library !== 'none' && library !== 'own' && (access !== 'owner' || overHttp === true) && name !== 'add';

function served(operation: Operation, options: ServeOptions): HttpOperation {
  return async (given, caller, signal) => {
    const principal = limitedTo(caller, options.access);
    requireLibraryAccess(principal, operation.access, operation.name);
    const library: Library = await options.library();
    return operation.handler(library, readInput(operation.input, given), {
      principal,
      signal,
      remote: true,
      progress: () => {},
      notice: options.log,
      cwd: library.root,
      library: options.libraryOptions,
    });
  };
}
