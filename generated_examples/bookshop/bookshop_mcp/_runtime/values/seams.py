"""The seams: the places where parts extend the core, and the part that fills each of them.

Nothing else in the core knows the name of a part. A part's code is loaded on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .errors import ToolError

LOADERS: dict[str, Callable[[], object]] = {}
"""What imports a part that a server of this process names, which registers it."""


class Seam(dict[str, Any]):
    """A dictionary of the objects that the runtime's parts add for one purpose."""

    def __init__(self, purpose: str, parts: Mapping[str, str]) -> None:
        """`parts` maps each key to the name of the part that contributes the object with
        that key.
        """
        super().__init__()
        self._purpose = purpose
        self.parts = parts

    def __missing__(self, name: str) -> Any:
        part = self.parts[name]
        if part in LOADERS:
            LOADERS[part]()
        if name not in self:
            raise ToolError(lacking(part, f"{self._purpose} `{name}`"))
        return self[name]

    def has(self, name: str) -> bool:
        """Whether a part of this server contributes an object with this key."""
        return name in self or self.parts.get(name) in LOADERS


def lacking(part: str, purpose: str) -> str:
    """The message that a part is missing; `purpose` says what the part does."""
    return (
        f"This server was generated without the part `{part}`, which {purpose}. `mcpgen update` "
        "adds it if a handler needs it; or add it to `parts` in server.py."
    )


KEYWORDS = Seam(
    "checks the keyword",
    {
        "anyOf": "branches",
        "oneOf": "branches",
        "unevaluatedProperties": "unevaluated",
        "unevaluatedItems": "unevaluated",
    },
)
"""A check of `schemas.keywords` each."""
DIALECTS = Seam(
    "reads schemas of",
    dict.fromkeys(("draft-04", "draft-06", "draft-07", "draft/2019-09"), "dialects"),
)
"""A class of jsonschema's validators each, by the dialect in the URI of its metaschema."""
WRITERS = Seam(
    "writes",
    dict.fromkeys(
        ("form", "multipart", "text", "binary", "body", "lines", "querystring", "cookie"), "forms"
    ),
)
"""What writes a kind of body that is not one JSON value, a whole query, or cookies."""
STYLES = dict.fromkeys(("fields", "part", "urlencoded"), "forms")
"""The part of each function of `style` whose result is for such a writer."""
READERS = Seam("reads", {"multipart": "multipart_answers"})
"""What adds an answer of a kind to a result."""

LOADED_LATER = {
    part for seam in (KEYWORDS, DIALECTS, WRITERS, READERS) for part in seam.parts.values()
}
"""The parts that do nothing else than to register."""
ASKING = "asking"
"""The part that asks users."""
SURFACES = {"search": "search"}
"""The part of each way to show tools other than one by one."""
FLAGS = {"--http": "http", "--healthcheck": "http", "--new-token": "tokens"}
"""The part of each flag of the command line that not every server has."""
SETTINGS = {
    **dict.fromkeys(("audit", "caller_auth", "caller_exchange"), "http"),
    **dict.fromkeys(("http_token", "http_issuer"), "http"),
    **dict.fromkeys(("calls_per_minute", "calls_per_minute_in_all"), "http"),
    **dict.fromkeys(("calls_per_minute_by_tool", "calls_at_once", "calls_at_once_in_all"), "http"),
    "http_tokens_file": "tokens",
    **dict.fromkeys(("sign_in_provider", "sign_in_client_id", "sign_in_scopes"), "sign_in"),
    "delegated_schemes": "delegation",
    "sign_in_clients": "identity_assertions",
    "metrics": "metrics",
    "tools_file": "changes",
    "store": "store",
}
"""The part of each setting that no server may be given in vain: it limits, hides or records."""
ASKED_BY = {
    "http": "http = true",
    "tokens": "http_tokens = true",
    "sign_in": "[sign_in]",
    "delegation": 'auth.source = "sign_in"',
    "identity_assertions": "identity_assertions = true",
    "metrics": "metrics = true",
    "page": "page = true",
    "store": "store = true",
    "changes": "list_changed = true",
    "search": 'surface = "search"',
    "skills": "skills = true",
    "links": "result_links = true",
}
"""What a `mcpgen.toml` says to have a part; a table stands for whatever is in it."""


def way_to(part: str) -> str:
    """The message about a setting or flag whose part is missing; it says how to add the part."""
    return f"this server cannot do that: generate it with `{ASKED_BY[part]}`"
