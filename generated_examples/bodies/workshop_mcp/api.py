"""The API behind the tools: where it is, and how to sign in."""

from ._runtime import Api, ServerUrl

API = Api(
    env_prefix="WORKSHOP",
    servers=[ServerUrl("https://api.workshop.example")],
    refusals={"orderForm": {"options": {}}, "sendExtras": {"*": {"_method": None}}},
)
