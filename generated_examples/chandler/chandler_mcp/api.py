"""The API behind the tools: where it is, and how to sign in."""

from ._runtime import Api

API = Api(
    env_prefix="CHANDLER",
    servers=[],
)
