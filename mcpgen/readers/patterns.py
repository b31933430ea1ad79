"""Regular expressions of a document: which can be advertised, and which are enforced."""

from __future__ import annotations

import re
import warnings
from typing import Any, NamedTuple

from .strict_patterns import strict

_BEYOND_LINEAR = re.compile(r"\(\?<?[=!]|\\[1-9]|\\k<")
"""Look-around and back-references, which no linear-time engine has."""
_ONLY_LENGTH = re.compile(r"\^(?:\.|\[\\s\\S\])\{(\d+)(?:,(\d*))?\}\$")
_LITERAL = re.compile(r"/(?P<body>\^.*)/(?P<flags>[a-z]*)", re.DOTALL)
"""A literal of JavaScript; read as an expression it never matches: nothing stands before `^`."""
_READ_AS_THEY_ARE = frozenset("guv")
"""Flags that do not change which texts the expression matches."""


class Pattern(NamedTuple):
    """The keywords to advertise for a `pattern`, and what there is to report about it."""

    keywords: dict[str, Any]
    problem: str


def read(pattern: str) -> Pattern:
    """How an expression is advertised (JSON Schema 2020-12 validation, 6.3.3).

    One that this server cannot enforce but others can is kept. One that no engine compiles, or
    only with more memory than engines allow, would make clients refuse the whole tool. Syntax of
    lenient engines is replaced by what all read, and a literal of JavaScript by what it holds.
    """
    literal = _LITERAL.fullmatch(pattern)
    if literal is None:
        return _read(pattern)
    if not _READ_AS_THEY_ARE.issuperset(literal["flags"]):
        return Pattern({}, "is a literal of JavaScript with flags; it is ignored")
    said = "is a literal of JavaScript; it is read without its slashes"
    inner = _read(literal["body"])
    return inner if inner.problem else Pattern(inner.keywords, said)


def _read(pattern: str) -> Pattern:
    # With an engine that many documents do not need.
    from ..runtime.schemas.patterns import is_enforced

    pattern = strict(pattern)
    if is_enforced(pattern):
        return Pattern({"pattern": pattern}, "")
    if not _compiles(pattern):
        return Pattern({}, "is no regular expression; it is ignored")
    if _BEYOND_LINEAR.search(pattern):
        return Pattern({"pattern": pattern}, "has look-around or back-references; not enforced")
    lengths = _ONLY_LENGTH.fullmatch(pattern)
    if lengths is None:
        return Pattern({}, "is too large to be compiled; it is ignored")
    least, most = lengths.groups()
    keywords = {"minLength": int(least)} if int(least) else {}
    if most != "":  # `{3,}` has no upper limit, `{3}` has the lower one
        keywords["maxLength"] = int(most or least)
    return Pattern(keywords, "is too large to be compiled; it is read as a length")


def is_broken(pattern: str) -> bool:
    """Whether no engine compiles an expression."""
    from ..runtime.schemas.patterns import is_enforced

    pattern = strict(pattern)
    return not (is_enforced(pattern) or _BEYOND_LINEAR.search(pattern) or _compiles(pattern))


def _compiles(pattern: str) -> bool:
    with warnings.catch_warnings(action="ignore", category=FutureWarning):
        try:
            re.compile(pattern)
        except (re.error, OverflowError, RecursionError, ValueError):
            return False
    return True
