// The TypeScript SDK's clients sign in, each with a browser that allows what it is asked.
//
//     node signing_client.mjs NODE_MODULES v1|v2 URL
//
// Prints what it has as one line of JSON: the tools, the result of a call, the tokens' scope, what a
// refresh gave, and the client's id.
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, version, url] = process.argv.slice(2);
const require = createRequire(join(resolve(modules), "_"));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const v1 = version === "v1";
const { Client } = await load(v1 ? "@modelcontextprotocol/sdk/client/index.js" : "@modelcontextprotocol/client");
const { StreamableHTTPClientTransport } = await load(
  v1 ? "@modelcontextprotocol/sdk/client/streamableHttp.js" : "@modelcontextprotocol/client",
);

const redirect = "http://127.0.0.1:3333/callback";
const cookies = new Map();

async function visit(address, options = {}) {
  const host = new URL(address).host;
  const own = [...(cookies.get(host) ?? new Map())].map(([name, value]) => `${name}=${value}`);
  const headers = { ...options.headers, Cookie: own.join("; ") };
  const answer = await fetch(address, { ...options, headers, redirect: "manual" });
  for (const line of answer.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
    cookies.set(host, (cookies.get(host) ?? new Map()).set(name, value));
  }
  return answer;
}

async function browse(address) {
  let answer = await visit(address);
  for (;;) {
    const location = answer.headers.get("location");
    if (location?.startsWith(redirect)) return new URL(location);
    if (location) {
      address = new URL(location, address).href;
      answer = await visit(address);
      continue;
    }
    const page = await answer.text();
    if (answer.status !== 200) throw new Error(`${answer.status} ${page}`);
    const id = /name="id" value="([^"]+)"/.exec(page)[1];
    const action = new URL(/action="([^"]+)"/.exec(page)[1], address);
    const headers = { "Content-Type": "application/x-www-form-urlencoded", Origin: action.origin };
    const body = new URLSearchParams({ id, answer: "allow" });
    address = action.href;
    answer = await visit(address, { method: "POST", headers, body });
  }
}

const kept = {};
let back;
const provider = {
  redirectUrl: redirect,
  clientMetadata: { client_name: `typescript ${version}`, redirect_uris: [redirect] },
  clientInformation: () => kept.client,
  saveClientInformation: (client) => { kept.client = client; },
  tokens: () => kept.tokens,
  saveTokens: (tokens) => { kept.tokens = tokens; },
  saveCodeVerifier: (verifier) => { kept.verifier = verifier; },
  codeVerifier: () => kept.verifier,
  state: () => "state-of-typescript",
  redirectToAuthorization: async (address) => { back = await browse(address.href); },
};

const connect = async () => {
  const client = new Client({ name: "typescript", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: provider });
  try {
    await client.connect(transport);
    return client;
  } catch (error) {
    if (!back) throw error;
    const query = back.searchParams;
    back = undefined;
    await (v1 ? transport.finishAuth(query.get("code")) : transport.finishAuth(query));
    return connect();
  }
};

let client = await connect();
const { tools } = await client.listTools();
const result = await client.callTool({ name: "listBooks", arguments: {} });
await client.close();
const first = kept.tokens;
kept.tokens = { ...first, access_token: "over" }; // refused: it refreshes
client = await connect();
await client.listTools();
await client.close();
console.log(JSON.stringify({
  tools: tools.map((tool) => tool.name),
  isError: Boolean(result.isError),
  scope: kept.tokens.scope,
  refreshed: kept.tokens.refresh_token !== first.refresh_token,
  client: kept.client.client_id,
  tokens: kept.tokens,
}));
