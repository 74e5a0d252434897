import type { Command } from 'commander';
import type { Library, LibraryOptions } from '../../../engine/library.js';
import { StrataError } from '../../../model/errors.js';
import { VERSION } from '../../../model/version.js';
import type { AuditLog } from '../../../tools/access/audit.js';
import { LOCAL_PRINCIPAL } from '../../../tools/access/principal.js';
import type { RunningServer } from '../../http/http.js';
import { say } from '../../language/language.js';
import { localisedExamples } from '../../language/localise.js';
import { translate } from '../../language/translate.js';
import { emptyNotice, LEAST_TOKENS, MOST_TOKENS } from '../../limits.js';
import type { McpSettings } from '../../mcp/mcp.js';
import { embedBehind } from '../background.js';
import { declareLibrary } from '../flags.js';
import { wouldBeNew } from '../new-library.js';
import { printError } from '../print.js';
import type { ExtraCommand } from './commands.js';

/** `strata mcp` and `strata serve`: what agents and programs plug into; `commands-open.ts` has `strata open`. */

export interface ServerFlags {
  readonly library?: string;
  readonly store?: string;
  readonly embedder?: string;
  readonly rerank?: string;
  readonly allowRoot?: readonly string[];
  readonly maxTokens?: string;
}

export const log = (line: string): void => printError(say('strata: {1}', translate(line)));

export function serverOptions(command: Command): Command {
  return declareLibrary(command)
    .option(
      '--allow-root <dir...>',
      'Folders that callers may add files from (else the folder that holds the library)',
    )
    .option(
      '--max-tokens <n>',
      'The longest answer to an agent that names none (else STRATA_MAX_TOKENS, 5000)',
    );
}

/** The library opens in the background, once: no answer to `initialize` waits for it, and none for a model. */
export function mcpSettings(
  flags: ServerFlags,
  { access, caller }: Pick<McpSettings, 'access' | 'caller'>,
): McpSettings {
  const libraryOptions: LibraryOptions = {
    library: flags.library,
    store: flags.store,
    embedder: flags.embedder,
    rerank: flags.rerank,
    cwd: process.cwd(),
    create: true,
    at_once: true,
    guarded: true,
    onNotice: log,
  };
  let opening: Promise<Library> | undefined;
  const library = (): Promise<Library> => {
    opening ??= open(libraryOptions);
    // What went wrong once may be mended: the next call tries again.
    opening.catch(() => {
      opening = undefined;
    });
    return opening;
  };
  return {
    library,
    libraryOptions,
    version: VERSION,
    access,
    caller,
    audit: auditOf(library),
    // A library that was found may bring users of its own: they get files of this machine only where its user says so.
    roots: (opened, { kind }) => flags.allowRoot ?? (kind === 'user' ? [] : [opened.root]),
    cwd: process.cwd(),
    maxTokens: maxTokens(flags),
    showsPlaces: true,
    embedBehind: embedBehind(log),
    log,
  };
}

/** One log for all callers of a server, opened with the first entry. */
function auditOf(library: () => Promise<Library>): () => Promise<AuditLog> {
  let opened: AuditLog | undefined;
  return async () => {
    const { auditLog } = await import('../../../tools/access/audit.js');
    const { location } = await library();
    opened ??= auditLog(location, log);
    return opened;
  };
}

function maxTokens({ maxTokens: flag }: ServerFlags): number {
  const [name, value] =
    flag === undefined
      ? ['STRATA_MAX_TOKENS', process.env.STRATA_MAX_TOKENS || '5000']
      : ['--max-tokens', flag];
  const tokens = wholeNumber(name, value);
  if (tokens >= LEAST_TOKENS && tokens <= MOST_TOKENS) return tokens;
  throw new StrataError(
    'INVALID_ARGUMENT',
    `${name}: ${tokens} is not from ${LEAST_TOKENS} to ${MOST_TOKENS}`,
  );
}

async function open(options: LibraryOptions): Promise<Library> {
  const { openLibrary } = await import('../../../engine/open.js');
  const isNew = await wouldBeNew(options);
  const library = await openLibrary(options);
  library.warmUp();
  const { documents } = await library.list({ limit: 1 });
  if (isNew)
    log(
      `There was no library: an empty one was made in ${library.location}. Add documents to it, or name another with --library.`,
    );
  else if (documents.length === 0) log(emptyNotice(library.location));
  return library;
}

const EXAMPLES_MCP = `
Examples:
  strata mcp install claude-code       # write the client's configuration
  strata mcp install vscode --print    # only show it
  strata mcp --library ~/kb/.strata    # what clients start`;

const EXAMPLES_INSTALL = `
Examples:
  strata mcp install claude-code                 # write the client's configuration
  strata mcp install cursor --scope user         # for all projects of yours
  strata mcp install vscode --print              # only show it
  strata mcp install --print --library ~/kb/.strata  # for any other client`;

export const mcpCommand: ExtraCommand = {
  name: 'mcp',
  summary: 'Serve the library to an AI agent over standard input and output (MCP)',
  declare(command, { onExit }) {
    serverOptions(command)
      .description(
        'An MCP server for one client: search_knowledge, scout, inspect and more. It answers by words at once and by meaning when the model is ready.',
      )
      .option('--read-only', 'Offer no tools that change the library')
      .addHelpText('after', () => localisedExamples(EXAMPLES_MCP))
      .action(async (flags: ServerFlags & { readOnly?: boolean }) => {
        const { serveOverStdio } = await import('../../mcp/serve-stdio.js');
        const access = flags.readOnly ? 'read' : 'write';
        const settings = mcpSettings(flags, { access, caller: LOCAL_PRINCIPAL });
        await serveOverStdio(settings);
        await settings.library().then(
          (library) => library.close(),
          () => {},
        );
        onExit(0);
        // Threads of a model that was still loading must not keep a server alive whose client has gone.
        process.exit();
      });
    command
      .command('install')
      .summary("Write the server into a client's configuration")
      .argument('[client]', 'claude-code, claude-desktop, cursor, vscode, windsurf, codex, zed or gemini-cli')
      .option('--scope <scope>', 'project or user (the first the client has)')
      .option('--library <dir>', 'The library the client shall use (else the one found from here)')
      .option('--print', 'Show the configuration, write nothing')
      .addHelpText('after', () => localisedExamples(EXAMPLES_INSTALL))
      .exitOverride()
      .helpOption('-h, --help', 'Show help')
      .action(
        async (
          client: string | undefined,
          flags: { scope?: string; library?: string; print?: boolean },
          self: Command,
        ) => {
          const { installCommand } = await import('../../mcp/mcp-install-command.js');
          // Commander gives a flag that both commands know to the outer one.
          const library = flags.library ?? (self.parent?.opts() as ServerFlags | undefined)?.library;
          await installCommand(client, { ...flags, ...(library !== undefined && { library }) });
        },
      );
  },
};

const EXAMPLES_SERVE = `
Examples:
  strata serve                                    # http://127.0.0.1:7700/mcp, reading only
  strata user add ann && strata key create ann    # from now on callers need a key
  strata serve --allow-write                      # for the keys of editors and owners
  strata serve --host 0.0.0.0 --allow-host kb.example.org
  strata serve --allow-write --token-file tokens  # the simple way, a line a token: TOKEN NAME read|write`;

export const serveCommand: ExtraCommand = {
  name: 'serve',
  summary: 'Serve the library over HTTP: a page at /, agents at /mcp, programs at /api/v1',
  declare(command, { onExit }) {
    serverOptions(command)
      .description(
        'Reading only, and on this machine only, unless the options say otherwise. A library with users (`strata user add`) asks every caller for a key.',
      )
      .option('--host <address>', 'Listen here', '127.0.0.1')
      .option('--port <n>', 'On this port (0: any free one)', '7700')
      .option(
        '--token-file <file>',
        'Ask for bearer tokens, besides the keys of users; a line each: TOKEN NAME read|write',
      )
      .option('--allow-write', 'Let callers with the right to do so add and remove documents')
      .option('--allow-host <name...>', 'Answer to these host names besides loopback')
      .option('--allow-origin <origin...>', 'Let pages of these origins call')
      .option('--rate <n>', 'Requests a minute a caller', '600')
      .addHelpText('after', () => localisedExamples(EXAMPLES_SERVE))
      .action(async (flags: ServeFlags) => {
        const { serveOverHttp } = await import('../../http/serve-http.js');
        const settings = mcpSettings(flags, { access: flags.allowWrite ? 'owner' : 'read', caller: null });
        const server = await serveOverHttp({
          ...settings,
          isNew: await wouldBeNew(settings.libraryOptions),
          host: flags.host,
          port: portNumber(flags.port),
          perMinute: wholeNumber('--rate', flags.rate),
          ...(flags.tokenFile !== undefined && { tokenFile: flags.tokenFile }),
          allowedHosts: flags.allowHost ?? [],
          allowedOrigins: flags.allowOrigin ?? [],
        });
        log(
          `serving at ${server.url} (a page for people; agents: ${server.url}/mcp${flags.allowWrite ? '' : '; reading only'})`,
        );
        settings.library().then(
          (library) => flags.allowWrite && settings.embedBehind(library),
          (error: Error) => log(error.message),
        );
        await untilStopped(server, settings);
        onExit(0);
        process.exit();
      });
  },
};

/** Until the person ends it; then everything is closed. */
export async function untilStopped(server: RunningServer, settings: McpSettings): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  await server.close();
  await settings.library().then(
    (library) => library.close(),
    () => {},
  );
}

interface ServeFlags extends ServerFlags {
  readonly host: string;
  readonly port: string;
  readonly rate: string;
  readonly tokenFile?: string;
  readonly allowWrite?: boolean;
  readonly allowHost?: readonly string[];
  readonly allowOrigin?: readonly string[];
}

/** The highest port number of TCP. */
const HIGHEST_PORT = 65_535;

export function portNumber(text: string): number {
  const port = wholeNumber('--port', text);
  if (port <= HIGHEST_PORT) return port;
  throw new StrataError('INVALID_ARGUMENT', `--port: ${port} is no port; name one from 0 to ${HIGHEST_PORT}`);
}

export function wholeNumber(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new StrataError('INVALID_ARGUMENT', `${name}: "${text}" is no whole number; write one, such as 8000`);
}
