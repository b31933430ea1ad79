// A client that sees the tools of a server change, in its own words: one line of JSON a list.
//
//     node changes.mjs NODE_MODULES v1|v2 auto|legacy stdio COMMAND ARGS...
//     node changes.mjs NODE_MODULES v1|v2 auto|legacy http URL
import { pathToFileURL } from 'node:url';

const [modules, generation, era, kind, target, ...rest] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(`${modules}/@modelcontextprotocol/${path}`));
const [{ Client }, { StdioClientTransport }, { StreamableHTTPClientTransport }] =
  generation === 'v1'
    ? await Promise.all([
        load('sdk/dist/esm/client/index.js'),
        load('sdk/dist/esm/client/stdio.js'),
        load('sdk/dist/esm/client/streamableHttp.js'),
      ])
    : await Promise.all([
        load('client/dist/index.mjs'),
        load('client/dist/stdio.mjs'),
        load('client/dist/index.mjs'),
      ]);

const lists = [];
let woken = () => {};
const onChanged = (error, tools) => {
  if (error) throw error;
  lists.push(tools.map((tool) => tool.name));
  woken();
};
const negotiation = era === 'auto' ? { versionNegotiation: { mode: 'auto' } } : {};
const client = new Client(
  { name: `typescript-${generation}`, version: '1' },
  { capabilities: {}, listChanged: { tools: { autoRefresh: true, debounceMs: 0, onChanged } }, ...negotiation },
);
await client.connect(
  kind === 'stdio'
    ? new StdioClientTransport({ command: target, args: rest, env: process.env, stderr: 'inherit' })
    : new StreamableHTTPClientTransport(new URL(target)),
);
const changed = async (wanted) => {
  while (!lists.some(wanted)) await new Promise((resolve) => (woken = resolve));
  return lists.splice(0).findLast(wanted);
};
const say = (names) => console.log(JSON.stringify(names));

say((await client.listTools()).tools.map((tool) => tool.name));
// Before 2026-07-28 nothing says when the stream on which it will be told over HTTP is open.
while (kind === 'http' && era === 'legacy' && !lists.length) {
  await client.callTool({ name: 'many', arguments: {} });
}
await client.callTool({ name: 'open_season', arguments: {} });
say(await changed((names) => names.includes('crane')));
await client.callTool({ name: 'close_season', arguments: {} });
say(await changed((names) => !names.includes('crane')));
await client.close();
