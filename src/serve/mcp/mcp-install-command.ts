import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { StrataError } from '../../model/errors.js';
import { print, printError } from '../cli/print.js';
import { applyInstall, type InstallScope, MCP_CLIENTS, planInstall } from './mcp-install.js';

export interface InstallFlags {
  readonly scope?: string;
  readonly library?: string;
  readonly print?: boolean;
}

/** Shows what is written, then writes it; with `--print` only shows it. */
export async function installCommand(client: string, flags: InstallFlags): Promise<void> {
  const known = MCP_CLIENTS.find((name) => name === client);
  if (known === undefined) {
    throw new StrataError('INVALID_ARGUMENT', `"${client}" is none of ${MCP_CLIENTS.join(', ')}`);
  }
  if (flags.scope !== undefined && flags.scope !== 'user' && flags.scope !== 'project') {
    throw new StrataError('INVALID_ARGUMENT', `--scope: "${flags.scope}" is neither user nor project`);
  }
  // Clients start the server from anywhere, often without the shell's PATH: node and the program by full path.
  const program = realpathSync(process.argv[1]!);
  const library = flags.library === undefined ? [] : ['--library', resolve(flags.library)];
  const plan = planInstall(
    known,
    { command: process.execPath, args: [program, 'mcp', ...library] },
    { project: process.cwd(), home: homedir(), platform: process.platform, env: process.env },
    flags.scope as InstallScope | undefined,
  );
  await print(`${plan.entry}\n`);
  if (flags.print) return;
  if (!plan.changed) {
    printError(`${plan.path} has this already.`);
    return;
  }
  applyInstall(plan);
  printError(`Written to ${plan.path}. Restart the client to use it.`);
}
