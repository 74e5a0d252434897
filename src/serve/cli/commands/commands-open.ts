import { spawn } from 'node:child_process';
import { localisedExamples } from '../../language/localise.js';
import { print } from '../print.js';
import type { ExtraCommand } from './commands.js';
import {
  log,
  mcpSettings,
  portNumber,
  type ServerFlags,
  serverOptions,
  untilStopped,
} from './commands-agent.js';

interface OpenFlags extends ServerFlags {
  readonly port: string;
  readonly browser: boolean;
}

const EXAMPLES = `
Examples:
  strata open                # search, read and add in the browser
  strata open --no-browser   # only print the address`;

/** Somebody who looks types fast and scrolls fast; the server is theirs alone. */
const PER_MINUTE = 6000;

export const openCommand: ExtraCommand = {
  name: 'open',
  summary: 'Open the library in the browser: search, read, add, try out',
  declare(command, { onExit }) {
    serverOptions(command)
      .description(
        'Starts a server of your own on this machine and opens its page. The address works once and lets nobody else in: with it the page may also add, remove and measure. Ctrl-C ends it.',
      )
      .option('--port <n>', 'On this port (0: any free one)', '0')
      .option('--no-browser', 'Only print the address')
      .addHelpText('after', () => localisedExamples(EXAMPLES))
      .action(async (flags: OpenFlags) => {
        const [{ serveOverHttp }, { createLogin }, { LOCAL_PRINCIPAL }] = await Promise.all([
          import('../../http/serve-http.js'),
          import('../../http/login.js'),
          import('../../../tools/access/principal.js'),
        ]);
        const settings = mcpSettings(flags, { access: 'owner', caller: null });
        const login = createLogin(LOCAL_PRINCIPAL);
        const port = portNumber(flags.port);
        const server = await serveOverHttp({
          ...settings,
          host: '127.0.0.1',
          port,
          perMinute: PER_MINUTE,
          login,
        });
        const address = `${server.url}/#code=${login.code}`;
        await print(`${address}\n`);
        if (flags.browser) openBrowser(address);
        settings.library().then(
          (library) => settings.embedBehind(library),
          (error: Error) => log(error.message),
        );
        await untilStopped(server, settings);
        onExit(0);
        process.exit();
      });
  },
};

/** The system's own way; where there is none the printed address does. */
function openBrowser(address: string): void {
  const [program, ...args] =
    process.platform === 'darwin'
      ? ['open', address]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', address]
        : ['xdg-open', address];
  const child = spawn(program!, args, { stdio: 'ignore', detached: true });
  child.on('error', () => log('no browser could be started: open the address above yourself'));
  child.unref();
}
