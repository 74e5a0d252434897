import { Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { watchGeneration } from '../cli/changes.js';
import { type McpSettings, mcpServerFactory } from './mcp.js';

/**
 * MCP over standard input and output. Standard output carries the protocol and nothing else, whatever any dependency
 * prints: everything written there by others goes to standard error. Resolves when the client has gone.
 */
export async function serveOverStdio(settings: McpSettings): Promise<void> {
  const protocol = claimStdout();
  const transport = new StdioServerTransport(process.stdin, protocol);
  const factory = mcpServerFactory(settings);
  const open = new Set<{ sendResourceListChanged(): void }>();
  const handle = serveStdio(
    async (context) => {
      const server = await factory(context);
      if ('sendResourceListChanged' in server && 'registerTool' in server) open.add(server as never);
      return server;
    },
    { transport, onerror: (error) => settings.log(`mcp: ${error.message}`) },
  );
  const stop = watchGeneration(settings.library, () => {
    for (const server of open) server.sendResourceListChanged();
  });
  await new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
  });
  stop();
  await handle.close();
}

/** The only way to the real standard output from now on. */
function claimStdout(): Writable {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;
  return new Writable({
    write(chunk, encoding, done) {
      write(chunk, encoding, (error) => done(error ?? null));
    },
  });
}
