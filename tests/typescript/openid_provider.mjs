// A real OpenID provider on loopback that registers no clients, for tests of signing people in.
//
//     node openid_provider.mjs NODE_MODULES REDIRECT_URI
//
// It knows one client, `the-server` with the secret `s3cret/of it`, and signs everybody in as `ann`,
// without a page, who is in the group `Shop Admins`. Prints its issuer.
import { createRequire } from "node:module";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, redirect] = process.argv.slice(2);
const found = createRequire(join(resolve(modules), "_")).resolve("oidc-provider");
const { default: Provider } = await import(pathToFileURL(found).href);

const server = createServer();
server.listen(0, "127.0.0.1", () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [{
      client_id: "the-server",
      client_secret: "s3cret/of it",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      redirect_uris: [redirect],
    }],
    scopes: ["openid", "offline_access", "groups"],
    claims: { openid: ["sub"], groups: ["groups"] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, groups: ["Shop Admins"] }),
    }),
    interactions: { url: (_, interaction) => `/sign-in/${interaction.uid}` },
  });
  provider.use(async (ctx, next) => {
    if (!ctx.path.startsWith("/sign-in/")) return next();
    const { prompt, params } = await provider.interactionDetails(ctx.req, ctx.res);
    const result = { login: { accountId: "ann" } };
    if (prompt.name === "consent") {
      const grant = new provider.Grant({ accountId: "ann", clientId: params.client_id });
      grant.addOIDCScope(params.scope);
      result.consent = { grantId: await grant.save() };
    }
    await provider.interactionFinished(ctx.req, ctx.res, result, { mergeWithLastSubmission: true });
  });
  server.on("request", provider.callback());
  console.log(issuer);
});
