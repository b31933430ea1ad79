"""The API behind the tools: where it is, and how to sign in."""

from ._runtime import Api, ServerUrl, Variable

API = Api(
    env_prefix="NIGHT_BUSES",
    servers=[
        ServerUrl(
            "https://api.nightbus.example/{release}",
            variables={
                "release": Variable("stable", enum=["stable", "next"], env="NIGHT_BUSES_RELEASE")
            },
        )
    ],
)
