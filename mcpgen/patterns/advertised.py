"""Regular expressions of a document: which can be advertised, and which are enforced."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from .ecmascript import foreign
from .strict import other_words, strict

_BEYOND_LINEAR = re.compile(r"\(\?<?[=!]|\\[1-9]|\\k<")
"""Look-around and back-references, which no linear-time engine has."""
_HALF_PAIR = re.compile(r"(?<!\\)(?:\\\\)*\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
_ONLY_LENGTH = re.compile(r"\^(?:\.|\[\\s\\S\])\{(\d{1,15})(?:,(\d{0,15}))?\}\$")
"""Of limits that every client counts as a whole number."""
_LITERAL = re.compile(r"/(?P<body>\^.*)/(?P<flags>[a-z]*)", re.DOTALL)
"""A literal of JavaScript; read as an expression it never matches: nothing stands before `^`."""
_MAX_CHARACTERS = 200
_READ_AS_THEY_ARE = frozenset("guv")
"""Flags that do not change which texts the expression matches."""


class Pattern(NamedTuple):
    """The keywords to advertise for a `pattern`, and the problems to report."""

    keywords: dict[str, Any]
    problem: str


def read(pattern: str) -> Pattern:
    """A regular expression as it is advertised (JSON Schema 2020-12 validation, 6.3.3).

    This server and ECMAScript with the flag `u` can compile the result; otherwise clients would
    refuse the whole tool. Syntax that only lenient engines accept is replaced. A JavaScript literal
    such as `/a/` is read without its slashes.
    """
    literal = _LITERAL.fullmatch(pattern)
    if literal is None:
        return _read(pattern)
    if not _READ_AS_THEY_ARE.issuperset(literal["flags"]):
        return _problem(pattern, "is a literal of JavaScript with flags")
    problem = "is a literal of JavaScript; it is read without its slashes"
    inner = _read(literal["body"])
    return inner if inner.problem else Pattern(inner.keywords, problem)


def _read(pattern: str) -> Pattern:
    # With an engine that many documents do not need.
    from ..runtime.schemas.patterns import is_enforced

    written, pattern = pattern, strict(pattern)
    if why := foreign(pattern):
        return _problem(written, why)
    if is_enforced(pattern):
        words = ", ".join(f"`{word}`" for word in other_words(written))
        told = (
            f"has {words}, which ECMAScript writes differently; it is translated" if words else ""
        )
        return Pattern({"pattern": pattern}, told)
    if _HALF_PAIR.search(pattern):
        return _problem(written, "has half of a surrogate pair, which is not a character")
    if _BEYOND_LINEAR.search(pattern):
        return _problem(
            written, "has look-around or back-references, which cannot be run in linear time"
        )
    lengths = _ONLY_LENGTH.fullmatch(pattern)
    if lengths is None:
        return _problem(written, "is too large to be compiled")
    least, most = lengths.groups()
    keywords = {"minLength": int(least)} if int(least) else {}
    if most != "":  # `{3,}` has no upper limit, `{3}` has the lower one
        keywords["maxLength"] = int(most or least)
    return Pattern(keywords, "is too large to be compiled; only its limits of length are kept")


def key_of(pattern: str) -> str:
    """The advertised spelling of a key of `patternProperties`; empty if it has none."""
    key: str = read(pattern).keywords.get("pattern", "")
    return key


def why_not(pattern: str) -> str:
    """The reason why an expression cannot be advertised and enforced unchanged; empty if it can."""
    from ..runtime.schemas.patterns import is_enforced

    if why := foreign(pattern):
        return why
    return "" if is_enforced(pattern) else "cannot be run in linear time"


def in_words(pattern: str) -> str:
    """A description of a pattern that is not advertised; empty for a long pattern."""
    mark = "" if "`" in pattern else "`"
    is_short = len(pattern) <= _MAX_CHARACTERS and "\n" not in pattern
    return f"Pattern: {mark}{pattern}{mark}" if is_short else ""


def _problem(pattern: str, why: str) -> Pattern:
    fate = "its text is in the description" if in_words(pattern) else "it is left out"
    return Pattern({}, f"{why}; {fate}")
