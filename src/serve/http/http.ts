import type { AddressInfo } from 'node:net';
import { type HttpBindings, serve } from '@hono/node-server';
import type { AuthInfo } from '@modelcontextprotocol/server';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Library } from '../../engine/library.js';
import { type ErrorCode, reasonOf, StrataError } from '../../model/errors.js';
import { requireLibraryAccess } from '../../tools/access/permission.js';
import { type AccessLevel, limitedTo, type Principal } from '../../tools/access/principal.js';
import type { McpEndpoint } from '../mcp/mcp-endpoint.js';
import type { ToolEndpoints } from '../mcp/tool-endpoints.js';
import { streamChanges, streamOperation } from './event-stream.js';
import { createGuard, type GuardSettings, isLoopback, type Refusal } from './http-guard.js';
import type { Login } from './login.js';
import { putPage } from './page-files.js';
import type { Served } from './served.js';
import { LARGEST_UPLOAD } from './uploads.js';

export interface HttpAppOptions {
  readonly guard: GuardSettings;
  readonly maxBodyBytes: number;
  readonly mcp: McpEndpoint;
  /** Those of the library's own tools, at `/mcp/<name>`. */
  readonly endpoints: Pick<ToolEndpoints, 'fetch'>;
  /** By name: `POST /api/v1/<name>`. */
  readonly operations: ReadonlyMap<string, Served>;
  readonly library: () => Promise<Library>;
  /** What any caller may do at most. */
  readonly access: AccessLevel;
  /** After files have come: their vectors are made behind. */
  readonly onAdded: (library: Library) => void;
  /** Where the page of `strata open` hands in its code. */
  readonly login: Login | null;
  readonly log: (line: string) => void;
  /** Somebody came without a key or with a wrong one. */
  readonly onRefused?: (address: string) => void;
}

export type Env = { Bindings: HttpBindings; Variables: { principal: Principal; address: string } };

/**
 * The HTTP face: `/` for people, `/mcp` for agents, `/api/v1/<operation>` for programs and the page, `/health` for whoever
 * watches the server. Everything but `/health` and the page's own files passes the guard first; pages of other origins may
 * call only where they were allowed by name.
 */
export function httpApp(options: HttpAppOptions): Hono<Env> {
  const { guard, maxBodyBytes, mcp, log } = options;
  const app = new Hono<Env>();

  app.use('*', async (c, next) => {
    await next();
    c.res.headers.set('x-content-type-options', 'nosniff');
    if (!c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'no-store');
  });

  app.get('/health', (c) => c.json({ status: 'ok' }));

  const beforeKeys = (): void => {
    putPage(app);
    putLogin(app, options.login);
    putDescription(app, options.operations);
  };
  putGuard(app, guard, { beforeKeys, onRefused: options.onRefused ?? (() => {}) });
  // Files are larger than questions.
  app.use('/api/v1/files/*', limited(LARGEST_UPLOAD));
  app.use('/mcp', limited(maxBodyBytes));
  app.use('/mcp/:endpoint', limited(maxBodyBytes));
  app.use('/api/:name', limited(maxBodyBytes));
  app.use('/api/v1/:name', limited(maxBodyBytes));

  app.all('/mcp', (c) => mcp.fetch(c.req.raw, authInfoOf(c)));
  app.all('/mcp/:endpoint', async (c) => {
    const name = c.req.param('endpoint');
    const answer = await options.endpoints.fetch(name, c.req.raw, authInfoOf(c));
    return answer ?? c.json(problem('NOT_FOUND', `nothing at ${c.req.path}`), 404);
  });

  putApi(app, options);

  app.notFound((c) => c.json(problem('NOT_FOUND', `nothing at ${c.req.path}`), 404));
  app.onError((error, c) => {
    if (error instanceof StrataError) return c.json(problem(error.code, error.message), statusOf(error.code));
    // Our defect: logged whole, told in brief, since it may name places on this machine.
    log(error.stack ?? error.message);
    return c.json(problem('INTERNAL', 'something went wrong in Strata; its log has the details'), 500);
  });
  return app;
}

/** What a server of the protocol is told about its caller; `callerOf` (mcp.ts) reads it again. */
function authInfoOf(c: Context<Env>): AuthInfo {
  const [principal, address] = [c.get('principal'), c.get('address')];
  return {
    token: '',
    clientId: principal.key,
    scopes: [principal.access],
    extra: { principal, address },
  };
}

const limited = (maxSize: number) =>
  bodyLimit({
    maxSize,
    onError: (c) => c.json(problem('LIMIT', `the request is over ${maxSize} bytes`), 413),
  });

/** The version is in the address; `/api/<name>` is the way it was called before there were versions. */
function putApi(app: Hono<Env>, { operations, log, library, access, onAdded }: HttpAppOptions): void {
  app.get('/api', (c) => c.json({ operations: [...operations.keys()] }));
  app.get('/api/v1', (c) => c.json({ operations: [...operations.keys()] }));
  app.get('/api/v1/events', (c) => {
    const principal = c.get('principal');
    requireLibraryAccess(principal, 'read', 'events');
    return streamChanges(c, library, principal);
  });
  app.on('POST', ['/api/v1/:name', '/api/:name'], async (c) => {
    const name = c.req.param('name');
    const [principal, address] = [c.get('principal'), c.get('address')];
    const operation = operations.get(name);
    // What only the machine's owner may do does not exist for others, owners of the library included.
    const isHidden = operation?.access === 'owner' && !operation.overHttp && principal.kind !== 'local';
    if (operation === undefined || isHidden) return c.json(problem('NOT_FOUND', `no operation ${name}`), 404);
    const given = await readJson(c);
    if (/text\/event-stream/.test(c.req.header('accept') ?? ''))
      return streamOperation(c, operation, { given, principal, address, log });
    const { signal } = c.req.raw;
    return c.json((await operation.run(given, { principal, address, signal, progress: () => {} })) as object);
  });
  app.put('/api/v1/files/:name{.+}', async (c) => {
    const principal = c.get('principal');
    requireLibraryAccess(limitedTo(principal, access), 'write', 'files');
    const bytes = new Uint8Array(await c.req.arrayBuffer());
    const opened = await library();
    const { keepUpload } = await import('./uploads.js');
    const caller = { signal: c.req.raw.signal, progress: () => {} };
    const report = await keepUpload(opened, { name: c.req.param('name'), bytes }, caller);
    onAdded(opened);
    return c.json(report);
  });
}

/** What the API is like says nothing about the library: whoever reaches the server may read it. */
function putDescription(app: Hono<Env>, operations: ReadonlyMap<string, Served>): void {
  app.get('/api/v1/openapi.json', async (c) => {
    const { openApi } = await import('./open-api.js');
    return c.json(openApi(operations.values()));
  });
}

/** Before the guard asks for a token: this is how one is got. The code itself cannot be guessed. */
function putLogin(app: Hono<Env>, login: Login | null): void {
  app.post('/api/v1/login', limited(4096), async (c) => {
    if (!isJson(c.req.header('content-type')))
      return refused(c, { status: 415, message: 'a request has the content type application/json' });
    const { code } = await readJson(c);
    const token = login === null || typeof code !== 'string' ? null : login.redeem(code);
    if (token !== null) return c.json({ token });
    return refused(c, {
      status: 401,
      message: 'this link has been used or is too old; run `strata open` again',
    });
  });
}

interface GuardHooks {
  /** Puts what needs no key, but is asked by the right host and origin only. */
  readonly beforeKeys: () => void;
  readonly onRefused: (address: string) => void;
}

function putGuard(app: Hono<Env>, settings: GuardSettings, hooks: GuardHooks): void {
  const { checkOrigin, admit } = createGuard(settings);

  app.use('*', async (c, next) => {
    const refusal = checkOrigin(c.req.raw);
    if (refusal !== null) return refused(c, refusal);
    const origin = c.req.header('origin');
    if (origin === undefined) return next();
    // A browser asks first, and without a token: only then does it send the request itself.
    if (c.req.method === 'OPTIONS') return new Response(null, { status: 204, headers: preflight(origin, c) });
    await next();
    for (const [name, value] of Object.entries(forPage(origin))) c.res.headers.set(name, value);
    return undefined;
  });

  hooks.beforeKeys();

  app.use('*', async (c, next) => {
    const address = c.env?.incoming?.socket?.remoteAddress ?? '';
    const verdict = await admit(c.req.raw, address);
    if ('refusal' in verdict) {
      if (verdict.refusal.status === 401) hooks.onRefused(address);
      return refused(c, verdict.refusal);
    }
    if (c.req.method === 'POST' && !isJson(c.req.header('content-type'))) {
      return refused(c, { status: 415, message: 'a request has the content type application/json' });
    }
    c.set('principal', verdict.principal);
    c.set('address', address);
    return next();
  });
}

const refused = (c: Context, { status, message, headers }: Refusal): Response =>
  c.json({ error: { code: status === 401 ? 'UNAUTHORIZED' : 'FORBIDDEN', message } }, status, headers);

const isJson = (type: string | undefined): boolean =>
  type !== undefined && /^application\/json *(;|$)/i.test(type.trim());

/** What a browser must be told before it shows an answer to a page of another origin. */
const forPage = (origin: string): Record<string, string> => ({
  'access-control-allow-origin': origin,
  'access-control-expose-headers': 'mcp-session-id, www-authenticate, retry-after',
  vary: 'origin',
});

const preflight = (origin: string, c: Context): Record<string, string> => ({
  ...forPage(origin),
  'access-control-allow-methods': 'GET, POST, PUT, DELETE',
  'access-control-allow-headers':
    c.req.header('access-control-request-headers') ?? 'authorization, content-type',
  'access-control-max-age': '600',
});

const problem = (code: ErrorCode, message: string) => ({ error: { code, message } });

async function readJson(c: Context): Promise<Readonly<Record<string, unknown>>> {
  const text = await c.req.text();
  let value: unknown;
  try {
    value = text.trim() === '' ? {} : JSON.parse(text);
  } catch (cause) {
    throw new StrataError('INVALID_ARGUMENT', `the request's body is no JSON: ${reasonOf(cause)}`, { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new StrataError('INVALID_ARGUMENT', "the request's body must be a JSON object");
  }
  return value as Record<string, unknown>;
}

const STATUS: Partial<Record<ErrorCode, 400 | 403 | 404 | 413 | 499 | 502 | 503>> = {
  INVALID_ARGUMENT: 400,
  INVALID_RECORD: 400,
  UNSUPPORTED: 400,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  FILE_MISSING: 404,
  LIMIT: 413,
  FETCH_FAILED: 502,
  EMBEDDER_FAILED: 502,
  EMBEDDER_UNAVAILABLE: 503,
  STORE_BUSY: 503,
};

const statusOf = (code: ErrorCode) => (STATUS[code] ?? 500) as 500;

export interface RunningServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts listening. Without keys or tokens only loopback is allowed: a knowledge base is not for the whole network. */
export async function listen(
  app: Hono<Env>,
  options: { host: string; port: number; open: boolean },
): Promise<RunningServer> {
  if (options.open && !isLoopback(options.host)) {
    throw new StrataError(
      'FORBIDDEN',
      `serving on ${options.host} without keys would open the library to the network; make one with \`strata user add NAME\` and \`strata key create NAME\`, or give --token-file`,
    );
  }
  return new Promise((resolve, reject) => {
    const server = serve(
      { fetch: app.fetch, hostname: options.host, port: options.port },
      (info: AddressInfo) => {
        const host = info.family === 'IPv6' ? `[${info.address}]` : info.address;
        resolve({
          url: `http://${host}:${info.port}`,
          close: () =>
            new Promise((done) => {
              server.close(() => done());
              if ('closeAllConnections' in server) server.closeAllConnections();
            }),
        });
      },
    );
    server.on('error', (cause: NodeJS.ErrnoException) => {
      const why =
        cause.code === 'EADDRINUSE'
          ? 'the port is taken; choose another with --port'
          : `${cause.code ?? cause.message}; choose an address of this machine with --host`;
      reject(
        new StrataError('INVALID_ARGUMENT', `cannot listen on ${options.host}:${options.port}: ${why}`, {
          cause,
        }),
      );
    });
  });
}
