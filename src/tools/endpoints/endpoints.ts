import type { Library } from '../../engine/library.js';
import { partsOf } from '../../engine/open-library.js';
import { StrataError } from '../../model/errors.js';
import type { Backend } from '../../store/backend.js';
import { grantsGoneWith } from '../access/grants.js';
import { may, missing, requirePermission, requireToPut } from '../access/permission.js';
import type { Principal } from '../access/principal.js';
import { openTools } from '../open-tools.js';
import type { SearchTool, ToolAnswer, ToolQuery } from '../search/search-tool.js';
import { TOOLS } from '../search/tool-store.js';
import type { ToolContext } from '../tools.js';
import { checkEndpointName, ENDPOINTS, type Endpoint } from './endpoint-store.js';

/** An endpoint as lists show it: with the tools that agents see there now. */
export interface EndpointDetails {
  readonly name: string;
  readonly description: string;
  /** Where `strata serve` has it. */
  readonly path: string;
  readonly tools: readonly string[];
  readonly created_at: string;
}

/** MCP endpoints of a library: sets of its tools, each under an address of its own. Every method checks its caller. */
export interface Endpoints {
  create(
    request: { name: string; description?: string | undefined },
    caller: Principal,
  ): Promise<EndpointDetails>;
  list(caller: Principal): Promise<readonly EndpointDetails[]>;
  remove(name: string, caller: Principal): Promise<EndpointDetails>;
  /** Binding shares a tool with everybody who may use the endpoint, so it needs the right to change both. */
  bind(name: string, tools: readonly string[], caller: Principal): Promise<EndpointDetails>;
  unbind(name: string, tools: readonly string[], caller: Principal): Promise<EndpointDetails>;
  /** What agents see there; refused as `missing` where the caller may not use the endpoint. */
  open(name: string, caller: Principal): Promise<OpenEndpoint>;
  call(name: string, tool: string, query: ToolQuery, context: CallContext): Promise<ToolAnswer>;
}

export interface OpenEndpoint {
  readonly name: string;
  readonly description: string;
  readonly tools: readonly SearchTool[];
}

export type CallContext = ToolContext & { readonly principal: Principal };

const resourceOf = (name: string) => ({ kind: 'endpoint', id: name }) as const;

export function endpointsOf(library: Library): Endpoints {
  const { backend } = partsOf(library);
  const tools = openTools(library);

  const found = async (name: string, caller: Principal, action: 'use' | 'change'): Promise<Endpoint> => {
    requirePermission(caller, action, resourceOf(name));
    const endpoint = await ENDPOINTS.read(backend, name);
    if (endpoint === null) throw missing(resourceOf(name));
    return endpoint;
  };
  const rebound = async (endpoint: Endpoint, bound: Endpoint['tools']): Promise<EndpointDetails> => {
    const changed = { ...endpoint, tools: bound };
    await backend.commit({ records: [ENDPOINTS.put(changed)] });
    return detailsOf(backend, changed);
  };

  return {
    async create({ name, description }, caller) {
      checkEndpointName(name);
      const before = await ENDPOINTS.read(backend, name);
      requireToPut(caller, resourceOf(name), before !== null);
      if (before !== null) {
        throw new StrataError(
          'INVALID_ARGUMENT',
          `endpoint ${name}: there is one already; \`strata endpoint bind ${name} TOOL\` adds tools to it`,
        );
      }
      const made: Endpoint = {
        name,
        description: description ?? '',
        tools: [],
        created_at: new Date().toISOString(),
      };
      await backend.commit({ records: [ENDPOINTS.put(made)] });
      return detailsOf(backend, made);
    },
    async list(caller) {
      const seen = (await ENDPOINTS.readAll(backend)).filter(({ name }) =>
        may(caller, 'see', resourceOf(name)),
      );
      return Promise.all(seen.map((endpoint) => detailsOf(backend, endpoint)));
    },
    async remove(name, caller) {
      const endpoint = await found(name, caller, 'change');
      const grants = await grantsGoneWith(backend, resourceOf(name));
      const details = await detailsOf(backend, endpoint);
      await backend.commit({ records: [ENDPOINTS.remove(name), ...grants] });
      return details;
    },
    async bind(name, names, caller) {
      const endpoint = await found(name, caller, 'change');
      const added = await Promise.all(names.map((tool) => toolToBind(backend, tool, caller)));
      const others = endpoint.tools.filter((tool) => !names.includes(tool.name));
      return rebound(endpoint, [...others, ...added.map(({ name: tool, id }) => ({ name: tool, id }))]);
    },
    async unbind(name, names, caller) {
      const endpoint = await found(name, caller, 'change');
      const unknown = names.find((tool) => !endpoint.tools.some((bound) => bound.name === tool));
      if (unknown !== undefined) {
        throw new StrataError(
          'NOT_FOUND',
          `tool ${unknown}: is not bound to the endpoint ${name}; \`strata endpoint list\` shows what is`,
        );
      }
      return rebound(
        endpoint,
        endpoint.tools.filter((tool) => !names.includes(tool.name)),
      );
    },
    async open(name, caller) {
      const endpoint = await found(name, caller, 'use');
      return { name, description: endpoint.description, tools: await toolsOf(backend, endpoint) };
    },
    async call(name, tool, query, context) {
      const endpoint = await found(name, context.principal, 'use');
      const bound = (await toolsOf(backend, endpoint)).some((one) => one.name === tool);
      // Tools that are not bound do not exist here, also for those who may call them elsewhere.
      if (!bound) throw new StrataError('NOT_FOUND', `tool ${tool}: there is none at this endpoint`);
      const covered = { kind: 'tool', id: tool, access: 'read' } as const;
      const principal = { ...context.principal, grants: [...(context.principal.grants ?? []), covered] };
      return tools.call(tool, query, { ...context, principal });
    },
  };
}

async function toolToBind(backend: Backend, name: string, caller: Principal): Promise<SearchTool> {
  const resource = { kind: 'tool', id: name } as const;
  requirePermission(caller, 'change', resource);
  const tool = await TOOLS.read(backend, name);
  if (tool === null) throw missing(resource);
  return tool;
}

/** In the order in which they were bound; those that are gone are left out. */
async function toolsOf(backend: Backend, { tools }: Endpoint): Promise<readonly SearchTool[]> {
  const known = new Map((await TOOLS.readAll(backend)).map((tool) => [tool.name, tool]));
  return tools.flatMap(({ name, id }) => {
    const tool = known.get(name);
    return tool?.id === id ? [tool] : [];
  });
}

async function detailsOf(backend: Backend, endpoint: Endpoint): Promise<EndpointDetails> {
  const { name, description, created_at } = endpoint;
  const tools = (await toolsOf(backend, endpoint)).map((tool) => tool.name);
  return { name, description, path: `/mcp/${name}`, tools, created_at };
}
