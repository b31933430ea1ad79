// A real authorization server on loopback, for the recipes of docs/callers.md.
//
//     node authorization_server.mjs NODE_MODULES RESOURCE [registers]
//
// It signs everybody in as `ann`, without a page, and grants what is asked for. `registers`: clients
// may register themselves (RFC 7591); else it knows one, `vets-clients`. Prints its issuer.
import { createRequire } from "node:module";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, resource, registers] = process.argv.slice(2);
const found = createRequire(join(resolve(modules), "_")).resolve("oidc-provider");
const { default: Provider } = await import(pathToFileURL(found).href);

const scope = "pets:read pets:write";
const client = {
  client_id: "vets-clients",
  token_endpoint_auth_method: "none",
  grant_types: ["authorization_code"],
  response_types: ["code"],
  redirect_uris: ["http://127.0.0.1:3333/callback"],
};

const server = createServer();
server.listen(0, "127.0.0.1", () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: registers ? [] : [client],
    scopes: ["offline_access", ...scope.split(" ")], // clients that register want refresh tokens
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: Boolean(registers) },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_, asked) => {
          if (asked !== resource) throw new Error("unknown resource");
          return { scope, audience: resource, accessTokenFormat: "jwt" };
        },
      },
    },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    interactions: { url: (_, interaction) => `/sign-in/${interaction.uid}` },
  });
  provider.use(async (ctx, next) => {
    if (!ctx.path.startsWith("/sign-in/")) return next();
    const { prompt, params } = await provider.interactionDetails(ctx.req, ctx.res);
    const result = { login: { accountId: "ann" } };
    if (prompt.name === "consent") {
      const grant = new provider.Grant({ accountId: "ann", clientId: params.client_id });
      grant.addResourceScope(resource, params.scope);
      grant.addOIDCScope(params.scope);
      result.consent = { grantId: await grant.save() };
    }
    await provider.interactionFinished(ctx.req, ctx.res, result, { mergeWithLastSubmission: true });
  });
  server.on("request", provider.callback());
  console.log(issuer);
});
