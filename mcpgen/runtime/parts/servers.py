"""Variables of a server's URL, which environment variables can set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..values.environment import actual
from ..values.errors import ToolError


@dataclass(frozen=True)
class Variable:
    """A `{variable}` of a server URL; the environment variable `env` overrides its default.

    A variable without a default must be set.
    """

    default: str | None = None
    enum: Sequence[str] = ()
    env: str | None = None

    def value(self, name: str, environ: Mapping[str, str]) -> str:
        """The value of the variable.

        Raises:
            ToolError: there is no value, or the variable's enum or a URL does not allow it.
        """
        text = actual(environ.get(self.env, "")).strip() if self.env else ""
        if text and self.enum and text not in self.enum:
            raise ToolError(
                f"The environment variable {self.env} must be one of {', '.join(self.enum)}."
            )
        if any(ord(char) <= 0x20 or char in '@?#\\"<>' for char in text):
            raise ToolError(
                f"The environment variable {self.env} holds characters that no URL may hold."
            )
        if not text and self.default is None:
            raise ToolError(
                f"The API's server URL needs {name}. Set the environment variable "
                f"{self.env} for this server and restart it."
            )
        return text or self.default or ""
