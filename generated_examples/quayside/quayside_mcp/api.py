"""The API behind the tools: where it is, and how to sign in."""

from ._runtime import Api, ApiKey, Bearer, ServerUrl

API = Api(
    env_prefix="QUAYSIDE",
    servers=[ServerUrl("https://kiosk.example/api")],
    security_schemes={"till": Bearer(env="QUAYSIDE_TILL_TOKEN")},
    security=[{"till": []}],
)

APIS = {
    "bookshop": Api(
        env_prefix="BOOKSHOP",
        servers=[ServerUrl("https://api.bookshop.example/v1")],
        security_schemes={
            "shop_key": ApiKey("X-Shop-Key", location="header", env="BOOKSHOP_SHOP_KEY")
        },
        security=[{"shop_key": []}],
    ),
}
"""The APIs of further sources; a handler finds their clients in `ctx.apis`."""
