import type { Library } from '../../engine/library.js';
import { StrataError } from '../../model/errors.js';
import { accessOf } from '../../tools/access/access.js';
import type { AccessBook } from '../../tools/access/access-book.js';
import type { AuditEntry } from '../../tools/access/audit.js';
import type { Principal } from '../../tools/access/principal.js';
import { watchGeneration } from '../cli/changes.js';
import { type McpSettings, mcpServerFactory } from '../mcp/mcp.js';
import { mcpEndpoint } from '../mcp/mcp-endpoint.js';
import { toolEndpoints } from '../mcp/tool-endpoints.js';
import { httpApp, listen, type RunningServer } from './http.js';
import { isLoopback } from './http-guard.js';
import { bothBooks, type Login } from './login.js';
import { servedOperations } from './served.js';
import { readTokenFile, type TokenBook } from './token-file.js';
import { stopFollowing } from './views/watch.js';

export interface ServeOptions extends McpSettings {
  readonly host: string;
  readonly port: number;
  readonly tokenFile?: string;
  readonly allowedHosts?: readonly string[];
  readonly allowedOrigins?: readonly string[];
  readonly perMinute?: number;
  readonly maxBodyBytes?: number;
  /** There is no library yet, and so nobody with a key: it must not be made only to find that out. */
  readonly isNew?: boolean;
  /** For the person who opens the page (`strata open`): who they are, and the way in. */
  readonly login?: Login;
}

const MEBIBYTE = 2 ** 20;

/** Whoever calls a server that only reads, on this machine only, while the library has no users. */
const ANONYMOUS: Principal = { kind: 'anonymous', name: 'anonymous', access: 'read', key: 'anonymous' };

/** `strata serve`: people at /, agents at /mcp, programs at /api/v1. Reading only, on loopback, unless the options say otherwise. */
export async function serveOverHttp(options: ServeOptions): Promise<RunningServer> {
  const { perMinute = 600, maxBodyBytes = 4 * MEBIBYTE, tokenFile, audit } = options;
  const written = tokenFile === undefined ? null : readTokenFile(tokenFile, options.log);
  const tokens = bookOf(written, options.login);
  const keys = keysOf(options.library);
  const anonymous = isLoopback(options.host) && options.access === 'read' ? ANONYMOUS : null;
  if (anonymous === null && tokens === null && (options.isNew || !(await keys.hasUsers())))
    throw keysNeeded(options);
  const limits = { maxBodyBytes, onError: (error: Error) => options.log(`mcp: ${error.message}`) };
  const mcp = mcpEndpoint(mcpServerFactory(options), limits);
  const endpoints = toolEndpoints(options, limits);
  const app = httpApp({
    guard: {
      allowedHosts: options.allowedHosts ?? [],
      allowedOrigins: options.allowedOrigins ?? [],
      tokens,
      keys,
      anonymous,
      perMinute,
    },
    maxBodyBytes,
    mcp,
    endpoints,
    log: options.log,
    operations: servedOperations(options),
    library: options.library,
    access: options.access,
    onAdded: options.embedBehind,
    login: options.login ?? null,
    onRefused: (address) =>
      void audit?.().then(
        (log) => log.note(turnedAway(address)),
        () => {},
      ),
  });
  const server = await listen(app, { host: options.host, port: options.port, open: anonymous !== null });
  const stop = watchGeneration(options.library, () => {
    mcp.resourcesChanged();
    endpoints.libraryChanged().catch(limits.onError);
  });
  return {
    url: server.url,
    async close() {
      stop();
      await options.library().then(stopFollowing, () => {});
      await endpoints.close();
      await mcp.close();
      await server.close();
      await audit?.().then(
        (log) => log.flush(),
        () => {},
      );
    },
  };
}

const keysNeeded = ({ host, access }: ServeOptions): StrataError =>
  new StrataError(
    'FORBIDDEN',
    access === 'read'
      ? `serving on ${host} without keys would open the library to the network; make one with \`strata user add NAME\` and \`strata key create NAME\`, or give --token-file`
      : '--allow-write needs keys: without them every user and program of this machine could write. Make one with `strata user add NAME --role editor` and `strata key create NAME`, or give --token-file',
  );

/** The users of the server's library, which opens in the background. */
function keysOf(library: () => Promise<Library>): Pick<AccessBook, 'hasUsers' | 'identify'> {
  let book: AccessBook | undefined;
  const open = async (): Promise<AccessBook> => {
    book ??= accessOf(await library());
    return book;
  };
  return {
    hasUsers: async () => (await open()).hasUsers(),
    identify: async (key) => (await open()).identify(key),
  };
}

const turnedAway = (address: string): Omit<AuditEntry, 'at'> => ({
  by: null,
  via: 'http',
  action: 'authenticate',
  subject: null,
  outcome: 'refused',
  code: 'UNAUTHORIZED',
  address,
});

function bookOf(written: TokenBook | null, login: Login | undefined): TokenBook | null {
  if (login === undefined) return written;
  return written === null ? login.tokens : bothBooks(written, login.tokens);
}
