"""Headers for fetching a document that needs a login; their values are in the environment."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import urlsplit

from .problems import Problem

_FORM = re.compile(
    r"(?:(?P<origin>https?://[^\s/?#@]+)/?\s+)?"
    r"(?P<name>[!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?P<variable>[A-Za-z_][A-Za-z0-9_]*)"
)
_HINT = (
    "Such as `Authorization=DOCS_TOKEN`, or `https://docs.example.com Authorization=DOCS_TOKEN`."
)


class HeaderEnv(NamedTuple):
    """A header that is sent to one origin only, and the variable that has the header's value."""

    origin: str
    """Scheme and authority; empty where it is not known yet."""
    name: str
    variable: str

    def __str__(self) -> str:
        pair = f"{self.name}={self.variable}"
        return f"{self.origin} {pair}" if self.origin else pair


def read(text: str) -> HeaderEnv:
    """Read a header in the form of `mcpgen.toml` or a flag; raises Problem."""
    match = _FORM.fullmatch(text.strip())
    if match is None or match["name"].lower() == "host":
        message = "`header_env` must name a header and the environment variable with its value"
        raise Problem(message, _HINT, ("header_env",))
    return HeaderEnv(match["origin"] or "", match["name"], match["variable"])


def bound(texts: Iterable[str], sources: Iterable[str] | None) -> tuple[str, ...]:
    """The headers; those without an origin are bound to the only host among the sources.

    Raises Problem if the sources have no host, or several.
    """
    headers = [read(each) for each in texts]
    if sources is None:
        return tuple(map(str, headers))
    origins = {origin for each in sources if (origin := _origin(each))}
    if any(not each.origin for each in headers) and len(origins) != 1:
        message = "`header_env` names no host, and the documents do not come from exactly one"
        raise Problem(message, _HINT, ("header_env",))
    return tuple(str(each._replace(origin=each.origin or min(origins))) for each in headers)


def _origin(source: str) -> str:
    """Scheme and authority of a URL, without a password; empty for a file."""
    if not source.lower().startswith(("http://", "https://")):
        return ""
    parts = urlsplit(source)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
