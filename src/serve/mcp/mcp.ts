import { relative } from 'node:path';
import {
  type AuthInfo,
  McpServer,
  type McpServerFactory,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Library, LibraryOptions } from '../../engine/library.js';
import { isStrataError, StrataError } from '../../model/errors.js';
import type { Progress } from '../../model/progress.js';
import { nextTurn } from '../../model/turns.js';
import type { AuditLog } from '../../tools/access/audit.js';
import { libraryFor, mayAsk } from '../../tools/access/granted-library.js';
import { requireLibraryAccess } from '../../tools/access/permission.js';
import { type AccessLevel, limitedTo, type Principal } from '../../tools/access/principal.js';
import { emptyNotice } from '../limits.js';
import { changesLibrary, noted } from '../noted.js';
import { fitToBudget, type Reply } from './agent-tool.js';
import { answerForAgents, forAgents } from './for-agents.js';
import { type OfferedTool, offeredTools } from './tools.js';

export interface McpSettings {
  /** Opens the library when first called, then gives the same one: `initialize` must not wait for it. */
  readonly library: () => Promise<Library>;
  readonly libraryOptions: LibraryOptions;
  readonly version: string;
  /** Who calls where the transport does not say: over stdio whoever started the program, over HTTP nobody. */
  readonly caller: Principal | null;
  /** What any caller may do at most; `read` unless writing was allowed. */
  readonly access: AccessLevel;
  /** Folders that this caller may add files from. */
  readonly roots: (library: Library, principal: Principal) => readonly string[];
  /** Notes what callers do; without it nothing is noted. */
  readonly audit?: () => Promise<AuditLog>;
  readonly cwd: string;
  /** Callers may learn where the library stands. */
  readonly showsPlaces: boolean;
  /** The longest answer to a caller who names none. */
  readonly maxTokens: number;
  readonly embedBehind: (library: Library) => void;
  readonly log: (line: string) => void;
}

const INSTRUCTIONS = `A knowledge base of documents, in Chinese and in English, with checkable citations.
Ask search_knowledge a question and get the passages that answer it. For a broad subject, or with little context left,
scout first (titles and summaries only), then inspect the ids that matter. Cite what you use by its citation ref;
verify_citation tells whether the source still says so.`;

/** A server for one connection or one request, with the tools its caller may use. Both protocol eras get the same. */
export function mcpServerFactory(settings: McpSettings): McpServerFactory {
  const tools = offeredTools();
  return ({ authInfo }) => {
    const { principal } = callerOf(authInfo, settings);
    // Where things stand on this machine is for whoever runs the program, not for callers from elsewhere.
    const own = authInfo === undefined ? settings : { ...settings, showsPlaces: false };
    const server = new McpServer(
      { name: 'strata', title: 'Strata knowledge base', version: settings.version },
      { instructions: INSTRUCTIONS, capabilities: { tools: {}, resources: { listChanged: true } } },
    );
    for (const tool of tools) if (mayAsk(principal, tool.operation)) registerTool(server, tool, own);
    registerResources(server, settings);
    return server;
  };
}

export interface McpCaller {
  readonly principal: Principal;
  readonly address: string | null;
}

/** Asked again at every request: a session may outlive its caller's rights. */
export function callerOf(
  authInfo: AuthInfo | undefined,
  settings: Pick<McpSettings, 'access' | 'caller'>,
): McpCaller {
  const { principal = settings.caller, address = null } = (authInfo?.extra ?? {}) as Partial<McpCaller>;
  if (principal === null) throw new StrataError('FORBIDDEN', 'nobody is known to call');
  return { principal: limitedTo(principal, settings.access), address };
}

function registerTool(server: McpServer, offered: OfferedTool, settings: McpSettings): void {
  const { tool, access, annotations, inputSchema, outputSchema } = offered;
  const { name, title, description } = tool;
  server.registerTool(
    name,
    { title, description, annotations, inputSchema, outputSchema },
    async (input, ctx) => {
      try {
        const answer = answerForAgents(await runTool(offered, settings, input, ctx));
        const budget = typeof input.max_tokens === 'number' ? input.max_tokens : settings.maxTokens;
        const reply = fitToBudget(tool, answer, budget);
        const empty = access === 'read' ? await emptyNote(settings) : null;
        const { structured, text } = empty === null ? reply : ofNothing(reply, empty);
        return {
          content: [{ type: 'text', text }],
          structuredContent: structured as Record<string, unknown>,
        };
      } catch (error) {
        const refused = failedCall(error, settings.log);
        const empty = isStrataError(error, 'NOT_FOUND') ? await emptyNote(settings) : null;
        if (empty !== null) refused.content.push({ type: 'text', text: empty });
        return refused;
      }
    },
  );
}

async function runTool(
  { tool, access, operation }: OfferedTool,
  settings: McpSettings,
  input: Readonly<Record<string, unknown>>,
  ctx: ServerContext,
): Promise<object> {
  const library = await settings.library();
  const { principal, address } = callerOf(ctx.http?.authInfo, settings);
  const work = async (): Promise<object> => {
    const { ofTables } = operation;
    const granted = libraryFor(principal, library, { name: tool.name, access, ofTables });
    // As over HTTP: one operation per turn.
    await nextTurn();
    return tool.run(granted, input, {
      principal,
      signal: ctx.mcpReq.signal,
      progress: progressTo(ctx),
      notice: settings.log,
      cwd: settings.cwd,
      library: settings.libraryOptions,
      roots: settings.roots(library, principal),
      embedBehind: settings.embedBehind,
    });
  };
  if (settings.audit === undefined || (principal.kind === 'local' && !changesLibrary(operation)))
    return work();
  const named = { name: tool.name, ...(operation.subject && { subject: operation.subject }) };
  return noted(await settings.audit(), { principal, via: 'mcp', operation: named, input, address }, work);
}

/** What an agent must be told before it believes that something is not there. */
async function emptyNote(settings: McpSettings): Promise<string | null> {
  const library = await settings.library();
  const { documents } = await library.list({ limit: 1 });
  const { location, root } = library;
  if (documents.length > 0) return null;
  return emptyNotice(settings.showsPlaces ? location : relative(root, location));
}

const ofNothing = ({ structured }: Reply, empty: string): Reply => ({
  structured: 'notices' in structured ? { ...structured, notices: [empty] } : structured,
  text: empty,
});

/** An agent can act on a StrataError's message; anything else is our defect: logged whole, told in brief. */
export function failedCall(error: unknown, log: (line: string) => void) {
  if (error instanceof StrataError) {
    return {
      isError: true,
      content: [{ type: 'text' as const, text: `${error.code}: ${forAgents(error.message)}` }],
    };
  }
  log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const text = 'INTERNAL: something went wrong in Strata; its log has the details';
  return { isError: true, content: [{ type: 'text' as const, text }] };
}

/** At most ten notes a second, and only to a client that asked for them. */
const PROGRESS_INTERVAL_MS = 100;

export function progressTo(ctx: ServerContext): (progress: Progress) => void {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let last = 0;
  let count = 0;
  return ({ stage, done, total, item }) => {
    const now = Date.now();
    if (now - last < PROGRESS_INTERVAL_MS && done !== total) return;
    last = now;
    // Stages follow each other, each from 0 on; the protocol wants a number that only grows.
    count += 1;
    const message = `${stage}: ${done}${total === undefined ? '' : ` of ${total}`}${item ? ` (${item})` : ''}`;
    void ctx.mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, progress: count, message } })
      .catch(() => {});
  };
}

/** A list from which a person picks; agents search instead. */
const LISTED_RESOURCES = 200;

function registerResources(server: McpServer, settings: McpSettings): void {
  const libraryFor = async (ctx: ServerContext): Promise<Library> => {
    requireLibraryAccess(callerOf(ctx.http?.authInfo, settings).principal, 'read', 'resources');
    return settings.library();
  };
  server.registerResource(
    'document',
    new ResourceTemplate('strata://doc/{id}', {
      list: async (ctx) => {
        const { documents } = await (await libraryFor(ctx)).list({ limit: LISTED_RESOURCES });
        return {
          resources: documents.map(({ id, title, source_path, summary }) => ({
            uri: `strata://doc/${id}`,
            name: source_path,
            title,
            description: summary,
            mimeType: 'text/plain',
          })),
        };
      },
    }),
    { title: 'A document', description: "A document's text as the library keeps it", mimeType: 'text/plain' },
    async (uri, { id }, ctx) => {
      const { text } = await (await libraryFor(ctx)).show(String(id));
      return { contents: [{ uri: uri.href, mimeType: 'text/plain', text }] };
    },
  );
  server.registerResource(
    'chunk',
    new ResourceTemplate('strata://chunk/{id}', { list: undefined }),
    { title: 'A passage', description: "A passage's text", mimeType: 'text/plain' },
    async (uri, { id }, ctx) => {
      const found = await (await libraryFor(ctx)).inspect(String(id));
      if (found.is_parent) throw new StrataError('NOT_FOUND', `${id}: a document; read strata://doc/${id}`);
      return { contents: [{ uri: uri.href, mimeType: 'text/plain', text: found.content }] };
    },
  );
}
