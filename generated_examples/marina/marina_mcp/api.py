"""The API behind the tools: where it is, and how to sign in."""

from ._runtime import Api, ApiKey, Bearer, ServerUrl

API = Api(
    env_prefix="MARINA",
    servers=[ServerUrl("https://harbour.example/api")],
    security_schemes={
        "key": ApiKey("X-Harbour-Key", location="header", env="MARINA_KEY"),
        "master": Bearer(env="MARINA_MASTER_TOKEN"),
    },
    security=[{"key": []}],
    refusals={"log_entry": {"*": {"_method": None}}},
)
