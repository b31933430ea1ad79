"""The tools call no API: this only sets the prefix of the server's environment variables."""

from ._runtime import Api

API = Api(env_prefix="CHANDLER")
