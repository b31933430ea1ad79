// ts-oauth2-server on loopback, which exchanges tokens (RFC 8693) of people who signed in elsewhere.
//
//     node exchange_server.mjs NODE_MODULES USERINFO
//
// It knows the client `the-server` with the secret `s3cret/of it`, asks USERINFO whose a token is,
// and gives scopes that begin with `papers:`. Prints its URL, below which `/token` is as it should
// be. `/others` knows no such client, `/closed` does not let it exchange, `/without` exchanges
// nothing, and for `/elsewhere` no token is anybody's.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, userinfo] = process.argv.slice(2);
const found = createRequire(join(resolve(modules), "_")).resolve("@jmondi/oauth2-server");
const { AuthorizationServer, DateInterval, OAuthException, OAuthRequest } =
  await import(pathToFileURL(found).href);
const EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";

function serverOf({ secret = "s3cret/of it", grants = [EXCHANGE], exchanges = true, knows = true }) {
  const client = {
    id: "the-server", name: "the server", secret, redirectUris: [], allowedGrants: grants, scopes: [],
  };
  const server = new AuthorizationServer(
    {
      getByIdentifier: async () => client,
      isClientValid: async (grant, own, given) =>
        own.secret === given && own.allowedGrants.includes(grant),
    },
    {
      issueToken: async (own, scopes, user) => ({
        accessToken: crypto.randomUUID(), accessTokenExpiresAt: new Date(), client: own, user, scopes,
      }),
      persist: async () => {},
    },
    {
      getAllByIdentifiers: async (names) =>
        names.filter((name) => name.startsWith("papers:")).map((name) => ({ name })),
      finalize: async (scopes) => scopes,
    },
    "a key of thirty-two letters or more",
  );
  const processTokenExchange = async ({ subjectToken }) => {
    const answer = await fetch(userinfo, { headers: { authorization: `Bearer ${subjectToken}` } });
    if (!knows || !answer.ok) throw OAuthException.badRequest("subject_token is nobody's");
    return { id: (await answer.json()).sub };
  };
  if (exchanges) {
    server.enableGrantTypes([{ grant: EXCHANGE, processTokenExchange }, new DateInterval("1h")]);
  }
  return server;
}

const servers = {
  "/token": serverOf({}),
  "/others": serverOf({ secret: "another" }),
  "/closed": serverOf({ grants: [] }),
  "/without": serverOf({ exchanges: false }),
  "/elsewhere": serverOf({ knows: false }),
};

const http = createServer(async (request, response) => {
  let text = "";
  for await (const part of request) text += part;
  const body = Object.fromEntries(new URLSearchParams(text));
  let status = 200;
  let answer;
  try {
    const asked = new OAuthRequest({ body, headers: request.headers });
    answer = (await servers[request.url].respondToAccessTokenRequest(asked)).body;
  } catch (problem) {
    status = problem.status ?? 500;
    answer = { error: problem.errorType, error_description: problem.errorDescription };
  }
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
});
http.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${http.address().port}`));
