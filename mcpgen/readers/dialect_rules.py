"""The dialects of JSON Schema by name, and how each differs from 2020-12."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Rules(NamedTuple):
    """How a dialect differs from JSON Schema 2020-12."""

    nullable: bool
    """`nullable` is a keyword of the dialect."""
    flags: bool
    """`exclusiveMinimum` and `exclusiveMaximum` may be booleans."""
    siblings: bool
    """Keywords beside `$ref` count; otherwise only annotations do."""
    tuples: bool
    """`items` may be an array."""


NULLABLE = ("nullable", "x-nullable")
"""Keywords that allow null beside a type: OpenAPI 3.0's, and the extension for 2.0."""

OPENAPI_2_AND_3_0 = Rules(nullable=True, flags=True, siblings=False, tuples=True)
DRAFT_4_TO_7 = Rules(nullable=False, flags=True, siblings=False, tuples=True)
DRAFT_2019 = Rules(nullable=False, flags=False, siblings=True, tuples=True)
DRAFT_2020 = Rules(nullable=False, flags=False, siblings=True, tuples=False)

_DRAFT_5 = "draft-05"
"""The specification that tidied draft-04, whose meta-schemas it left in use
(https://json-schema.org/draft-05)."""
_BY_URI = {
    "draft-04": DRAFT_4_TO_7,
    _DRAFT_5: DRAFT_4_TO_7,
    "draft-06": DRAFT_4_TO_7,
    "draft-07": DRAFT_4_TO_7,
    "2019-09": DRAFT_2019,
}
_LIKE_2020 = ("2020-12", "spec.openapis.org/oas/3.")


def rules_of(uri: Any, otherwise: Rules) -> Rules:
    """The rules for a dialect's URI: 2020-12 if it is unknown, `otherwise` if it is not a
    string.
    """
    if not isinstance(uri, str):
        return otherwise
    return next((rules for part, rules in _BY_URI.items() if part in uri), DRAFT_2020)


def is_nullable(source: Mapping[str, Any]) -> bool:
    """Whether a schema says `nullable: true`."""
    return any(source.get(name) is True for name in NULLABLE)


def odd_dialect(uri: Any) -> str:
    """What is unusual about a `$schema` dialect, and how it is read; empty if nothing is."""
    if not isinstance(uri, str):
        return "`$schema` must be a string; it is ignored"
    if _DRAFT_5 in uri:
        return "draft-05 of JSON Schema uses the meta-schema of draft-04; it is read as draft-04"
    if any(part in uri for part in (*_BY_URI, *_LIKE_2020)):
        return ""
    return f"the dialect {uri[:200]!r} is not known; it is read as JSON Schema 2020-12"
