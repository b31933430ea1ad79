"""There is no API behind the tools: this names the server's environment variables."""

from ._runtime import Api

API = Api(env_prefix="CHANDLER")
