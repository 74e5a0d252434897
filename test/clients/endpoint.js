// A real MCP client stays connected to an endpoint: `node endpoint.js ai-sdk|langchain URL TOOL`. It prints the tools that it
// sees and what TOOL answers; then, for every line of its input, the tools as they are now, over the same connection.
import { createInterface } from 'node:readline';
import { createMCPClient } from '@ai-sdk/mcp';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';

const [, , kind, url, tool] = process.argv;
const question = { query: 'rules', top_k: 1 };

const connections = {
  async 'ai-sdk'() {
    const client = await createMCPClient({ transport: { type: 'http', url } });
    return {
      names: async () => Object.keys(await client.tools()),
      call: async () => {
        const tools = await client.tools();
        const { structuredContent } = await tools[tool].execute(question, { toolCallId: '1', messages: [] });
        return structuredContent;
      },
      close: () => client.close(),
    };
  },
  async langchain() {
    const client = new MultiServerMCPClient({ mcpServers: { team: { transport: 'http', url } } });
    await client.getTools();
    const raw = await client.getClient('team');
    return {
      names: async () => (await raw.listTools()).tools.map(({ name }) => name),
      call: async () => (await raw.callTool({ name: tool, arguments: question })).structuredContent,
      close: () => client.close(),
    };
  },
};

const { names, call, close } = await connections[kind]();
const tell = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
tell({ tools: await names(), answer: await call() });
for await (const _ of createInterface({ input: process.stdin })) tell({ tools: await names() });
await close();
process.exit(0);
