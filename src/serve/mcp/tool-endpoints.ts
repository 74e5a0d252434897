import {
  type AuthInfo,
  type McpServerFactory,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Library } from '../../engine/library.js';
import { isStrataError } from '../../model/errors.js';
import { type Endpoints, endpointsOf } from '../../tools/endpoints/endpoints.js';
import { MOST_TOP_K, type SearchTool } from '../../tools/search/search-tool.js';
import { integerOr, LONGEST_QUERY, readInput, text } from '../fields.js';
import { noted } from '../noted.js';
import { inputSchema } from '../schemas.js';
import { answerForAgents } from './for-agents.js';
import { callerOf, failedCall, type McpSettings, progressTo } from './mcp.js';
import { type McpEndpoint, type McpEndpointOptions, mcpEndpoint } from './mcp-endpoint.js';

/**
 * `/mcp/<endpoint>`: the search tools that are bound there, and nothing else. What is bound is asked of the library at every
 * request, so tools come and go while clients are connected, whichever process binds them.
 */
export interface ToolEndpoints {
  /** Null where there is no such endpoint, or none that this caller may use. */
  fetch(name: string, request: Request, auth: AuthInfo): Promise<Response | null>;
  /** The library has changed: clients of endpoints whose tools are others now are told so. */
  libraryChanged(): Promise<void>;
  close(): Promise<void>;
}

interface Live {
  readonly mcp: McpEndpoint;
  /** The tools as clients have last been told of them. */
  tools: string;
}

export function toolEndpoints(settings: McpSettings, options: McpEndpointOptions): ToolEndpoints {
  const live = new Map<string, Live>();
  let opened: { library: Library; endpoints: Endpoints } | undefined;
  const endpoints = async (): Promise<Endpoints> => {
    const library = await settings.library();
    if (opened?.library !== library) opened = { library, endpoints: endpointsOf(library) };
    return opened.endpoints;
  };
  const end = async (name: string): Promise<void> => {
    const gone = live.get(name);
    live.delete(name);
    await gone?.mcp.close();
  };

  return {
    async fetch(name, request, auth) {
      const { principal } = callerOf(auth, settings);
      try {
        const { tools } = await (await endpoints()).open(name, principal);
        const known = live.get(name) ?? {
          mcp: mcpEndpoint(endpointServer(name, endpoints, settings), options),
          tools: JSON.stringify(tools.map(described)),
        };
        live.set(name, known);
        return await known.mcp.fetch(request, auth);
      } catch (error) {
        if (isStrataError(error, 'NOT_FOUND')) return null;
        throw error;
      }
    },
    async libraryChanged() {
      for (const [name, known] of live) {
        const now = await currentTools(await endpoints(), name);
        if (now === null) await end(name);
        else if (now !== known.tools) {
          known.tools = now;
          known.mcp.toolsChanged();
        }
      }
    },
    async close() {
      await Promise.all([...live.keys()].map(end));
    },
  };
}

/** Null where the endpoint was removed. Asked as the server itself, which serves every endpoint. */
async function currentTools(endpoints: Endpoints, name: string): Promise<string | null> {
  try {
    return JSON.stringify((await endpoints.open(name, SERVER)).tools.map(described));
  } catch (error) {
    if (isStrataError(error, 'NOT_FOUND')) return null;
    throw error;
  }
}

const SERVER = { kind: 'local', name: 'server', access: 'read', key: 'server' } as const;

function endpointServer(
  name: string,
  endpoints: () => Promise<Endpoints>,
  settings: McpSettings,
): McpServerFactory {
  return async ({ authInfo }) => {
    const { description } = await (await endpoints()).open(name, callerOf(authInfo, settings).principal);
    const server = new Server(
      { name: `strata-${name}`, title: `Strata: ${name}`, version: settings.version },
      {
        capabilities: { tools: { listChanged: true } },
        ...(description !== '' && { instructions: description }),
      },
    );
    server.setRequestHandler('tools/list', async (_, ctx) => {
      const { principal } = callerOf(ctx.http?.authInfo, settings);
      return { tools: (await (await endpoints()).open(name, principal)).tools.map(described) };
    });
    server.setRequestHandler('tools/call', async ({ params }, ctx) => {
      const { tools } = await (await endpoints()).open(
        name,
        callerOf(ctx.http?.authInfo, settings).principal,
      );
      const tool = tools.find((one) => one.name === params.name);
      if (tool === undefined)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${params.name} not found`);
      return callBound(name, tool, params.arguments ?? {}, { endpoints: await endpoints(), settings, ctx });
    });
    return server;
  };
}

/** As the protocol shows a tool. */
function described(tool: SearchTool): Tool {
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: inputSchemaOf(tool),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  };
}

/** What a caller may send: the schema that agents see and the check of what they send are made of the same fields. */
const fieldsOf = ({ top_k }: SearchTool) => ({
  query: text('The question', { longest: LONGEST_QUERY }),
  top_k: integerOr(top_k, 'How many results', { minimum: 1, maximum: MOST_TOP_K }),
});

const inputSchemaOf = (tool: SearchTool): Tool['inputSchema'] =>
  z.toJSONSchema(inputSchema({ input: fieldsOf(tool) }), { io: 'input' }) as Tool['inputSchema'];

interface CallParts {
  readonly endpoints: Endpoints;
  readonly settings: McpSettings;
  readonly ctx: ServerContext;
}

async function callBound(
  endpoint: string,
  tool: SearchTool,
  given: Readonly<Record<string, unknown>>,
  { endpoints, settings, ctx }: CallParts,
) {
  const { principal, address } = callerOf(ctx.http?.authInfo, settings);
  const work = async () =>
    endpoints.call(endpoint, tool.name, readInput(fieldsOf(tool), given), {
      principal,
      signal: ctx.mcpReq.signal,
      onProgress: progressTo(ctx),
      onNotice: settings.log,
    });
  const operation = { name: 'tool-call', subject: () => `${endpoint}/${tool.name}` };
  try {
    const log = await settings.audit?.();
    const deed = { principal, via: 'mcp', operation, input: given, address } as const;
    const answer = answerForAgents(log === undefined ? await work() : await noted(log, deed, work));
    return {
      content: [{ type: 'text' as const, text: JSON.stringify(answer) }],
      structuredContent: { ...answer },
    };
  } catch (error) {
    return failedCall(error, settings.log);
  }
}
