"""The API behind the tools: where it is, and how to sign in."""

from ._runtime import Api, ServerUrl

API = Api(env_prefix="TOWN_LIBRARY", servers=[ServerUrl("https://api.library.example/v5")])
