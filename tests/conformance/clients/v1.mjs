// node v1.mjs CALLS stdio COMMAND ARGUMENT...   |   node v1.mjs CALLS http URL
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { report } from './report.mjs';

const [calls, kind, target, ...args] = process.argv.slice(2);
const transport =
  kind === 'stdio'
    ? new StdioClientTransport({ command: target, args, env: process.env, stderr: 'inherit' })
    : new StreamableHTTPClientTransport(new URL(target));
const client = new Client({ name: 'typescript-v1', version: '1' }, { capabilities: {} });
await client.connect(transport);
const call = (params, options) => client.callTool(params, undefined, options);
await report(client, 'legacy', JSON.parse(calls), call);
