// One of the real MCP clients does the same small session: list, call, structured result, error, cancel.
// `node session.js ai-sdk|langchain http URL` or `… stdio COMMAND ARGS…`; prints what it saw as JSON.
import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as AiStdio } from '@ai-sdk/mcp/mcp-stdio';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';

const [, , kind, transport, ...target] = process.argv;
const question = { query: 'restoring a backup' };
const unknown = { id: '00000000-0000-4000-8000-000000000000' };

const sessions = {
  async 'ai-sdk'() {
    const client = await createMCPClient({
      transport:
        transport === 'http'
          ? { type: 'http', url: target[0] }
          : new AiStdio({ command: target[0], args: target.slice(1), cwd: process.cwd() }),
    });
    const tools = await client.tools();
    const call = (name, args, abortSignal) =>
      tools[name].execute(args, { toolCallId: name, messages: [], abortSignal });
    const found = await call('search_knowledge', question);
    const failed = await call('inspect', unknown);
    const cancelled = await call('search_knowledge', question, aborted()).then(
      () => false,
      () => true,
    );
    const after = await call('status', {});
    await client.close();
    return {
      tools: Object.keys(tools),
      structured: found.structuredContent,
      error: failed.isError === true ? failed.content[0].text : null,
      cancelled,
      after: after.structuredContent,
    };
  },

  async langchain() {
    const server =
      transport === 'http'
        ? { transport: 'http', url: target[0] }
        : { transport: 'stdio', command: target[0], args: target.slice(1), cwd: process.cwd() };
    const client = new MultiServerMCPClient({
      mcpServers: { strata: server },
      useStandardContentBlocks: true,
    });
    const tools = await client.getTools();
    const named = (name) => tools.find((tool) => tool.name === name);
    const text = await named('search_knowledge').invoke(question);
    const raw = await client.getClient('strata');
    const found = await raw.callTool({ name: 'search_knowledge', arguments: question });
    const error = await named('inspect')
      .invoke(unknown)
      .then(
        () => null,
        (thrown) => String(thrown.message),
      );
    const cancelled = await raw
      .callTool({ name: 'search_knowledge', arguments: question }, undefined, { signal: aborted() })
      .then(
        () => false,
        () => true,
      );
    const after = await raw.callTool({ name: 'status', arguments: {} });
    await client.close();
    return {
      tools: tools.map((tool) => tool.name),
      text: JSON.stringify(text),
      structured: found.structuredContent,
      error,
      cancelled,
      after: after.structuredContent,
    };
  },
};

function aborted() {
  const stop = new AbortController();
  queueMicrotask(() => stop.abort());
  return stop.signal;
}

console.log(JSON.stringify(await sessions[kind]()));
process.exit(0);
