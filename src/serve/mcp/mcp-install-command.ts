import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { isLibrary } from '../../engine/drivers.js';
import { locate } from '../../engine/locate.js';
import { StrataError } from '../../model/errors.js';
import { print, printError } from '../cli/print.js';
import { applyInstall, type InstallScope, MCP_CLIENTS, planInstall } from './mcp-install.js';

export interface InstallFlags {
  readonly scope?: string;
  readonly library?: string;
  readonly print?: boolean;
}

/** Shows what is written, then writes it; with `--print` only shows it, also for clients that are not known here. */
export async function installCommand(client: string | undefined, flags: InstallFlags): Promise<void> {
  const known = MCP_CLIENTS.find((name) => name === client);
  if (known === undefined && !(flags.print && client === undefined)) {
    throw new StrataError(
      'INVALID_ARGUMENT',
      `${client === undefined ? 'no client is named' : `"${client}" is not known`}: give one of ${MCP_CLIENTS.join(', ')}, or --print alone for another`,
    );
  }
  if (flags.scope !== undefined && flags.scope !== 'user' && flags.scope !== 'project') {
    throw new StrataError('INVALID_ARGUMENT', `--scope: "${flags.scope}" is neither user nor project`);
  }
  const { location } = await locate({ library: flags.library });
  // Clients start the server from anywhere, often without the shell's PATH: node, program and library by full path.
  const program = realpathSync(process.argv[1]!);
  const server = { command: process.execPath, args: [program, 'mcp', '--library', location] };
  const said = isLibrary(location)
    ? `Library: ${location}`
    : `Library: ${location} (there is none yet: \`strata add FOLDER --library ${location}\` fills it)`;
  if (known === undefined) {
    await print(`${JSON.stringify({ mcpServers: { strata: server } }, null, 2)}\n`);
    printError(said);
    return;
  }
  const place = { project: process.cwd(), home: homedir(), platform: process.platform, env: process.env };
  const plan = planInstall(known, server, place, flags.scope as InstallScope | undefined);
  await print(`${plan.entry.trimEnd()}\n`);
  printError(said);
  if (flags.print) return;
  if (!plan.changed) {
    printError(`${plan.path} has this already.`);
    return;
  }
  applyInstall(plan);
  printError(`Written to ${plan.path}. Restart the client to use it.`);
}
