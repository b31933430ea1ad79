"""Splits regular expressions into tokens: those of ECMA-262 and of more lenient engines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_ESCAPE = (
    r"(?P<escape>\\(?:[pPux]\{[^{}]*\}|[pP][A-Z]|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}"
    r"|k<[^<>]*>|c[A-Za-z]|[0-9]+|.|\Z))"
)
_TOKEN = re.compile(
    rf"{_ESCAPE}|(?P<look>\(\?<?[=!])|(?P<named>\(\?P?<[^<>()]*>)|(?P<back>\(\?P=\w+\))"
    r"|(?P<group>\((?:\?:)?)|(?P<close>\))|(?P<repeat>(?:[*+?]|\{[0-9]+(?:,[0-9]*)?\})\??)"
    r"|(?P<set>\[\^?)|(?P<char>.)",
    re.DOTALL,
)
_MEMBER = re.compile(rf"{_ESCAPE}|(?P<end>\])|(?P<char>.)", re.DOTALL)
_POSIX_MEMBER = re.compile(rf"(?P<posix>\[:[a-z]+:\])|{_MEMBER.pattern}", re.DOTALL)


class Token(NamedTuple):
    """A token of an expression; `kind` is the name of the group that matched in `_TOKEN`."""

    kind: str
    text: str
    """Of a set of characters, what opens it."""
    end: int
    """Where it ends in the expression."""
    members: tuple[str, ...] = ()
    """Of a set: characters, escapes and names of POSIX."""
    is_closed: bool = True


def tokens(pattern: str, *, posix: bool = False) -> Iterator[Token]:
    """The tokens of an expression; `posix`: it may use POSIX sets such as `[:alpha:]`."""
    member = _POSIX_MEMBER if posix else _MEMBER
    at = 0
    while match := _TOKEN.match(pattern, at):
        at = match.end()
        members: list[str] = []
        inner = None
        while match.lastgroup == "set" and (inner := member.match(pattern, at)):
            at = inner.end()
            if inner.lastgroup == "end":
                break
            members.append(inner[0])
        is_closed = match.lastgroup != "set" or inner is not None
        yield Token(match.lastgroup or "", match[0], at, tuple(members), is_closed)
