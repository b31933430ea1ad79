"""The API behind the tools: where it is, and how to sign in."""

from ._runtime import (
    Api,
    ApiKey,
    Basic,
    Bearer,
    HttpAuth,
    MutualTls,
    OAuth2,
    OpenIdConnect,
    ServerUrl,
    Variable,
)

API = Api(
    env_prefix="HARBOUR",
    servers=[
        ServerUrl(
            "https://{quay}.api.harbour.example/{version}",
            variables={
                "quay": Variable("north", enum=["north", "south", "east"], env="HARBOUR_QUAY"),
                "version": Variable("v1", env="HARBOUR_VERSION"),
            },
        )
    ],
    security_schemes={
        "office_key": ApiKey("X-Office-Key", location="header", env="HARBOUR_OFFICE_KEY"),
        "gate_key": ApiKey("gate", location="query", env="HARBOUR_GATE_KEY"),
        "pier_pass": ApiKey("pier", location="cookie", env="HARBOUR_PIER_PASS_KEY"),
        "clerk": Basic(
            username_env="HARBOUR_CLERK_USERNAME", password_env="HARBOUR_CLERK_PASSWORD"
        ),
        "pilot": Bearer(env="HARBOUR_PILOT_TOKEN"),
        "captain": HttpAuth("HOBA", env="HARBOUR_CAPTAIN_TOKEN"),
        "agency": OAuth2(
            env="HARBOUR_AGENCY_TOKEN",
            refresh_token_env="HARBOUR_AGENCY_REFRESH_TOKEN",
            client_id_env="HARBOUR_AGENCY_CLIENT_ID",
            client_secret_env="HARBOUR_AGENCY_CLIENT_SECRET",
            token_url="https://login.harbour.example/token",
            refresh_url="https://login.harbour.example/token",
        ),
        "customs": OpenIdConnect(
            env="HARBOUR_CUSTOMS_TOKEN",
            refresh_token_env="HARBOUR_CUSTOMS_REFRESH_TOKEN",
            client_id_env="HARBOUR_CUSTOMS_CLIENT_ID",
            client_secret_env="HARBOUR_CUSTOMS_CLIENT_SECRET",
            discovery_url="https://login.customs.example/.well-known/openid-configuration",
        ),
        "coastguard": MutualTls(
            cert_env="HARBOUR_COASTGUARD_CERT", key_env="HARBOUR_COASTGUARD_KEY"
        ),
    },
    security=[{"office_key": []}],
)
