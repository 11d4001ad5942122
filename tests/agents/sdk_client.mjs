// Connects the SDK's client in each of its modes over both transports, lists the tools and calls one.
// usage: node sdk_client.mjs URL COMMAND [ARGUMENT...]
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [url, command, ...args] = process.argv.slice(2);
const env = { ...process.env };
const expected = new Map([['auto', '2026-07-28'], ['pinned', '2026-07-28'], ['legacy', '2025-11-25']]);
const modes = new Map([['auto', 'auto'], ['pinned', { pin: '2026-07-28' }], ['legacy', 'legacy']]);
const transports = new Map([
  ['http', () => new StreamableHTTPClientTransport(new URL(url))],
  ['stdio', () => new StdioClientTransport({ command, args, env })],
]);

let failed = 0;
for (const [transport, make] of transports)
  for (const [name, mode] of modes) {
    const client = new Client({ name: 'loci-test', version: '1' }, { versionNegotiation: { mode } });
    try {
      await client.connect(make());
      const revision = client.getNegotiatedProtocolVersion();
      if (revision !== expected.get(name)) throw new Error(`speaks ${revision}`);
      const { tools } = await client.listTools();
      const found = await client.callTool({ name: 'memory_search', arguments: { query: 'passphrase' } });
      if (!found.structuredContent.hits.some((hit) => hit.text.includes('workshop'))) throw new Error(JSON.stringify(found));
      console.log(`${transport} ${name}: ${revision}, ${tools.length} tools`);
      await client.close();
    } catch (error) {
      failed += 1;
      console.log(`${transport} ${name}: failed: ${error.message}`);
    }
  }
process.exit(failed ? 1 : 0);
