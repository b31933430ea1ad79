"""URI templates (RFC 6570): whether a URI is one of theirs, and with which variables."""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain
from urllib.parse import unquote

from mcp.shared.uri_template import UriTemplate

_EXPRESSION = re.compile(r"\{[^{}]*\}")
_AFTER_A_QUERY = re.compile(r"([^?#]*)\?(\w+=[^{}#&]*(?:&\w+=[^{}#&]*)*)\{&([^{}]+)\}", re.ASCII)
"""A template whose variables follow a query that stands in it as it is."""


class Template:
    """A template; the query of its URIs may be in any order, and lack variables."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._fixed: dict[str, str] = {}
        """What the query must have besides variables."""
        found = _AFTER_A_QUERY.fullmatch(text)
        if found is None:
            self._template = UriTemplate.parse(text)
        else:  # the SDK lets variables be left out only where no other query stands before them
            pairs = (pair.partition("=") for pair in found[2].split("&"))
            self._fixed = {name: unquote(value) for name, _, value in pairs}
            names = ",".join([*self._fixed, found[3]])
            self._template = UriTemplate.parse(f"{found[1]}{{?{names}}}")
        expressions = _EXPRESSION.findall(text)
        optional = (each[2:-1].split(",") for each in expressions if each[1] in "?&")
        self._queried = Counter([*_query_names(_EXPRESSION.sub("", text)), *chain(*optional)])
        """The names that may be in the query, each as often as it may."""

    def match(self, uri: str) -> tuple[dict[str, str], list[str]] | None:
        """The variables of a URI, and what is wrong with its query; None if it does not match."""
        values = self._template.match(uri)
        if values is None:
            return None
        if any(values.pop(name, None) != value for name, value in self._fixed.items()):
            return None
        unknown = (Counter(_query_names(uri)) - self._queried).elements()
        texts = {name: str(value) for name, value in values.items()}
        return texts, [self._problem(name) for name in unknown]

    def _problem(self, name: str) -> str:
        wrong = "stands twice in the query" if name in self._queried else "is no variable"
        return f"`{name[:100]}` {wrong} of {self._text}"


def _query_names(uri: str) -> list[str]:
    """The names in a URI's query."""
    query = uri.partition("#")[0].partition("?")[2]
    names = (unquote(part.partition("=")[0]) for part in query.split("&"))
    return [name for name in names if name]
