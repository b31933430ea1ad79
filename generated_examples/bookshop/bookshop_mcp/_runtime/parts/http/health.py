"""`--healthcheck`: whether the server of this container answers."""

from __future__ import annotations

from http.client import HTTPConnection, HTTPException
from pathlib import Path

from ...app.logs import print_lines
from .listen import DEFAULT, Address

_STARTED = Path("/proc/1/cmdline")
"""What a container's first process was started with."""
_TIMEOUT_SECONDS = 3.0
_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""Addresses to listen on, and where this machine then answers."""


def code(given: str | None) -> int:
    """Check the health of the address `given`, or of the container's server; returns the exit code.

    Raises ConfigurationError if the address is not valid.
    """
    started = _flag() if given is None else given
    if started is None:
        return print_lines(["the first process serves over stdio: there is no port to ask"])
    address = Address.read(started or DEFAULT)
    host = _EVERYWHERE.get(address.host, address.host)
    connection = HTTPConnection(host, address.port, timeout=_TIMEOUT_SECONDS)
    try:
        connection.request("GET", "/healthz")
        status = connection.getresponse().status
    except (OSError, HTTPException) as problem:
        print_lines([f"{host}:{address.port} does not answer: {problem}"])
        return 1
    finally:
        connection.close()
    print_lines([f"{host}:{address.port} answers {status}"])
    return 0 if status == 200 else 1


def _flag() -> str | None:
    """The value of `--http` in the command of the first process; None without that flag."""
    try:
        words = _STARTED.read_text("utf-8", "replace").split("\0")
    except OSError:  # no Linux
        return None
    for place, word in enumerate(words):
        if word == "--http":
            return next((each for each in words[place + 1 :] if each[:1] != "-"), "")
        if word.startswith("--http="):
            return word.removeprefix("--http=")
    return None
