"""Servers whose URL holds `{variables}`, which environment variables may set."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..values.environment import actual
from ..values.errors import ToolError
from ..values.urls import ServerUrl

_VARIABLE = re.compile(r"\{([^{}]*)\}")


def filled(server: ServerUrl, environ: Mapping[str, str]) -> str:
    """Put values into the `{variables}` of a server URL.

    Raises:
        ToolError: a value that the variable's enum does not allow, an undeclared variable, or one
            that has no default and is not set.
    """

    def value(match: re.Match[str]) -> str:
        variable = server.variables.get(match[1])
        if variable is None:
            raise ToolError(
                f"The API's server URL has a variable {{{match[1]}}}, which its document does not "
                "declare."
            )
        text = actual(environ.get(variable.env, "")).strip() if variable.env else ""
        if text and variable.enum and text not in variable.enum:
            raise ToolError(
                f"The environment variable {variable.env} must be one of "
                f"{', '.join(variable.enum)}."
            )
        if any(ord(char) <= 0x20 or char in '@?#\\"<>' for char in text):
            raise ToolError(
                f"The environment variable {variable.env} holds characters that no URL may hold."
            )
        if not text and variable.default is None:
            raise ToolError(
                f"The API's server URL needs {match[1]}. Set the environment variable "
                f"{variable.env} for this server and restart it."
            )
        return text or variable.default or ""

    return _VARIABLE.sub(value, server.url)
