"""The API behind the tools: where it is, and how to sign in."""

from ._runtime import Api, Bearer, ServerUrl

API = Api(
    env_prefix="TOWN_HALL",
    servers=[ServerUrl("https://town.example/api")],
    security_schemes={"clerk": Bearer(env="TOWN_HALL_CLERK_TOKEN")},
    security=[{"clerk": []}],
)
