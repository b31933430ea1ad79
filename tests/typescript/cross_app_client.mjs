// The TypeScript SDK's client brings assertions of a company's provider.
//
//     node cross_app_client.mjs NODE_MODULES URL CLIENT SECRET ASSERTION...
//
// Each sign-in takes the next assertion. Prints as one line of JSON what it was asked for, the
// result of a call, and whether it could call again after its token was refused.
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, url, clientId, clientSecret, ...assertions] = process.argv.slice(2);
const require = createRequire(join(resolve(modules), "_"));
const { Client, CrossAppAccessProvider, StreamableHTTPClientTransport } = await import(
  pathToFileURL(require.resolve("@modelcontextprotocol/client")).href
);

const asked = [];
const assertion = async ({ authorizationServerUrl, resourceUrl }) => {
  asked.push([authorizationServerUrl, resourceUrl]);
  return assertions.shift();
};
const authProvider = new CrossAppAccessProvider({ assertion, clientId, clientSecret });

const call = async () => {
  const client = new Client({ name: "typescript", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { authProvider }));
  const result = await client.callTool({ name: "getPet", arguments: { petId: 7 } });
  await client.close();
  return result.structuredContent;
};

const result = await call();
authProvider.saveTokens({ ...authProvider.tokens(), access_token: "over" });
console.log(JSON.stringify({ result, again: await call(), asked }));
