import { randomUUID } from 'node:crypto';
import {
  type AuthInfo,
  createMcpHandler,
  isLegacyRequest,
  type McpServer,
  type McpServerFactory,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';

/**
 * MCP over HTTP for both eras of the protocol. Clients of 2026-07-28 send self-contained requests; older ones open a
 * session first and listen on it, which is how they hear `list_changed`. One factory makes the servers of both.
 */
export interface McpEndpoint {
  fetch(request: Request, auth: AuthInfo): Promise<Response>;
  /** Tell every client that listens that documents came or went. */
  resourcesChanged(): void;
  toolsChanged(): void;
  close(): Promise<void>;
}

export interface McpEndpointOptions {
  readonly maxBodyBytes: number;
  readonly onError: (error: Error) => void;
  /** Sessions of older clients: how many at once, how many of one caller, and how long one may be silent. */
  readonly maxSessions?: number;
  readonly maxSessionsEach?: number;
  readonly idleMs?: number;
  readonly now?: () => number;
}

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: McpServer | Server;
  readonly owner: string;
  usedAt: number;
}

const MINUTE = 60_000;

export function mcpEndpoint(factory: McpServerFactory, options: McpEndpointOptions): McpEndpoint {
  const { maxBodyBytes, onError, idleMs = 30 * MINUTE, now = Date.now } = options;
  const { maxSessions = 256, maxSessionsEach = 32 } = options;
  const modern = createMcpHandler(factory, {
    legacy: 'reject',
    onerror: onError,
    maxRequestBodySize: maxBodyBytes,
  });
  const sessions = new Map<string, Session>();

  const end = async (id: string): Promise<void> => {
    const session = sessions.get(id);
    sessions.delete(id);
    await session?.server.close().catch(onError);
  };

  /** Sessions stand in the order of their last use, the longest silent one first. */
  const sessionsOf = (owner: string): string[] =>
    [...sessions].filter(([, session]) => session.owner === owner).map(([id]) => id);

  const sweep = async (opener: string): Promise<void> => {
    const stale = [...sessions].filter(([, session]) => now() - session.usedAt > idleMs).map(([id]) => id);
    await Promise.all(stale.map(end));
    const own = sessionsOf(opener);
    await Promise.all(own.slice(0, Math.max(0, own.length - maxSessionsEach + 1)).map(end));
    // Where there are too many all the same, whoever has most of them gives one up.
    while (sessions.size >= maxSessions) {
      const owners = new Set([...sessions.values()].map(({ owner }) => owner));
      const [longest] = [...owners].map(sessionsOf).sort((a, b) => b.length - a.length);
      await end(longest![0]!);
    }
  };

  const open = async (request: Request, auth: AuthInfo): Promise<Response> => {
    await sweep(auth.clientId);
    const server = await factory({ era: 'legacy', authInfo: auth, requestInfo: request });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: maxBodyBytes,
      onsessioninitialized: (id) => {
        sessions.set(id, { transport, server, owner: auth.clientId, usedAt: now() });
      },
      onsessionclosed: (id) => void end(id),
    });
    await server.connect(transport);
    const response = await transport.handleRequest(request, { authInfo: auth });
    // Not an `initialize`: the transport has said so, and nothing may stay behind.
    if (transport.sessionId === undefined) await server.close().catch(onError);
    return response;
  };

  const legacy = async (request: Request, auth: AuthInfo): Promise<Response> => {
    const id = request.headers.get('mcp-session-id');
    if (id === null) return open(request, auth);
    const session = sessions.get(id);
    // A session belongs to whoever opened it; to others it does not exist.
    if (session === undefined || session.owner !== auth.clientId) return sessionUnknown();
    session.usedAt = now();
    sessions.delete(id);
    sessions.set(id, session);
    return session.transport.handleRequest(request, { authInfo: auth });
  };

  const tellSessions = (tell: (server: McpServer) => void): void => {
    for (const { server } of sessions.values())
      if ('sendToolListChanged' in server) tell(server as McpServer);
  };

  return {
    async fetch(request, auth) {
      const old = await isLegacyRequest(request, undefined, { maxRequestBodySize: maxBodyBytes });
      return old ? legacy(request, auth) : modern.fetch(request, { authInfo: auth });
    },
    resourcesChanged() {
      modern.notify.resourcesChanged();
      tellSessions((server) => server.sendResourceListChanged());
    },
    toolsChanged() {
      modern.notify.toolsChanged();
      tellSessions((server) => server.sendToolListChanged());
    },
    async close() {
      await Promise.all([...sessions.keys()].map(end));
      await modern.close();
    },
  };
}

/** As the transport itself answers: a client that gets this opens a new session. */
function sessionUnknown(): Response {
  const body = { jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null };
  return Response.json(body, { status: 404 });
}
