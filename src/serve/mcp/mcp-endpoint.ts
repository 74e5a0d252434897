import { randomUUID } from 'node:crypto';
import {
  type AuthInfo,
  createMcpHandler,
  isLegacyRequest,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { type SessionLimits, Sessions } from './sessions.js';

/**
 * MCP over HTTP for both eras of the protocol. Clients of 2026-07-28 send self-contained requests; older ones open a
 * session first and listen on it, which is how they hear `list_changed`. One factory makes the servers of both.
 */
export interface McpEndpoint {
  fetch(request: Request, auth: AuthInfo): Promise<Response>;
  /** Tell every client that listens that documents came or went. */
  resourcesChanged(): void;
  /** Tell every client that listens that tools came or went. */
  toolsChanged(): void;
  close(): Promise<void>;
}

export interface McpEndpointOptions extends SessionLimits {
  readonly maxBodyBytes: number;
}

export function mcpEndpoint(factory: McpServerFactory, options: McpEndpointOptions): McpEndpoint {
  const { maxBodyBytes, onError } = options;
  const modern = createMcpHandler(factory, {
    legacy: 'reject',
    onerror: onError,
    maxRequestBodySize: maxBodyBytes,
  });
  const sessions = new Sessions(options);

  const open = async (request: Request, auth: AuthInfo): Promise<Response> => {
    const owner = auth.clientId;
    await sessions.makeRoom(owner);
    const server = await factory({ era: 'legacy', authInfo: auth, requestInfo: request });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: maxBodyBytes,
      onsessioninitialized: (id) => sessions.add(id, { transport, server, owner }),
      onsessionclosed: (id) => void sessions.end(id),
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
    const session = sessions.use(id, auth.clientId);
    return session?.transport.handleRequest(request, { authInfo: auth }) ?? sessionUnknown();
  };

  return {
    async fetch(request, auth) {
      const old = await isLegacyRequest(request, undefined, { maxRequestBodySize: maxBodyBytes });
      return old ? legacy(request, auth) : modern.fetch(request, { authInfo: auth });
    },
    resourcesChanged() {
      modern.notify.resourcesChanged();
      sessions.resourcesChanged();
    },
    toolsChanged() {
      modern.notify.toolsChanged();
      sessions.toolsChanged();
    },
    async close() {
      await sessions.endAll();
      await modern.close();
    },
  };
}

/** As the transport itself answers: a client that gets this opens a new session. */
function sessionUnknown(): Response {
  const body = { jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null };
  return Response.json(body, { status: 404 });
}
