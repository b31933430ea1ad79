// ERA=auto|pin|legacy node v2.mjs CALLS stdio COMMAND ARGUMENT...   |   ... http URL
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { report } from './report.mjs';

const MODES = {
  auto: { versionNegotiation: { mode: 'auto' } },
  pin: { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  legacy: {},
};
const [calls, kind, target, ...args] = process.argv.slice(2);
const transport =
  kind === 'stdio'
    ? new StdioClientTransport({ command: target, args, env: process.env, stderr: 'inherit' })
    : new StreamableHTTPClientTransport(new URL(target));
const client = new Client(
  { name: 'typescript-v2', version: '1' },
  { capabilities: {}, ...MODES[process.env.ERA] },
);
await client.connect(transport);
const call = (params, options) => client.callTool(params, options);
await report(client, client.getProtocolEra(), JSON.parse(calls), call);
