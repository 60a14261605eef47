// Drives the TypeScript library of the legacy era: a command a line on standard input, an answer a line on standard output.
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const client = new Client({ name: 'toolgate-test', version: '1.32' });
await client.connect(
  new StreamableHTTPClientTransport(new URL(process.env.MCP_URL), {
    requestInit: { headers: { Authorization: `Bearer ${process.env.MCP_KEY}` } },
  }),
);

async function answer(asked) {
  if (asked.do === 'list') {
    const listed = await client.listTools();
    return { tools: listed.tools.map((tool) => tool.name) };
  }
  const result = await client.callTool({ name: asked.name, arguments: asked.arguments });
  return { isError: result.isError === true, text: result.content.map((block) => block.text).join('\n') };
}

for await (const line of createInterface({ input: process.stdin })) {
  const said = await answer(JSON.parse(line)).catch((failure) => ({ failure: failure.message }));
  console.log(JSON.stringify(said));
}
await client.close();
process.exit(0);
