"""Converts regular expressions to ECMA-262's `u` syntax, in which clients compile them.

Without the flag, and in other dialects, more is allowed: needless escapes, braces and brackets as
ordinary characters, ranges that end in a set, other names for sets and for the ends of a string,
and other syntax for named groups.
"""

from __future__ import annotations

import re
import string

from .tokens import Token, tokens

_SET = re.compile(r"\\[dDwWsSpP]|\[:")
_POSIX_SETS = {
    "[:alnum:]": "0-9A-Za-z",
    "[:alpha:]": "A-Za-z",
    "[:digit:]": "0-9",
    "[:lower:]": "a-z",
    "[:space:]": r"\t-\r ",
    "[:upper:]": "A-Z",
    "[:word:]": r"\w",
    "[:xdigit:]": "0-9A-Fa-f",
}
_ANCHORS = {r"\A": "^", r"\Z": "$", r"\z": "$"}
"""What Ruby, Python and Perl write where the text begins and ends."""
_NEEDLESS = frozenset(string.punctuation + " ") - frozenset(r"^$\.*+?()[]{}|/")
"""What stands for itself, and may not be escaped."""


_PAIR = re.compile(r"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|\\.", re.DOTALL)
"""Two escapes that are one character with the flag `u` (ECMA-262, 22.2.1), or another escape."""


def strict(pattern: str) -> str:
    """The expression in strict syntax; parts that are strict already stay unchanged."""
    return "".join(map(_written, tokens(_PAIR.sub(_character, pattern), posix=True)))


def other_words(pattern: str) -> list[str]:
    """The constructs of Python, Perl or POSIX in an expression, as written, without duplicates."""
    words: dict[str, None] = {}
    for token in tokens(pattern, posix=True):
        if token.text in _ANCHORS or token.kind == "back":
            words[token.text] = None
        elif token.kind == "named" and token.text.startswith("(?P<"):
            words["(?P<...>"] = None
        words |= dict.fromkeys(each for each in token.members if each in _POSIX_SETS)
    return list(words)


def _character(match: re.Match[str]) -> str:
    if match[1] is None:
        return match[0]
    high, low = int(match[1], 16), int(match[2], 16)
    return f"\\u{{{0x10000 + (high - 0xD800) * 0x400 + low - 0xDC00:X}}}"


def _written(token: Token) -> str:
    match token.kind:
        case "escape":
            return _ANCHORS.get(token.text) or _escape(token.text, _NEEDLESS)
        case "named":
            return token.text.replace("(?P<", "(?<", 1)
        case "back":
            return rf"\k<{token.text[4:-1]}>"
        case "set":
            return token.text + _members(token.members) + "]" * token.is_closed
    return f"\\{token.text}" if token.text in ("{", "}", "]") else token.text


def _escape(text: str, needless: frozenset[str]) -> str:
    """The escape in strict syntax: `\\pL` becomes `\\p{L}`; a needless escape loses its `\\`."""
    if text[1:] in needless:
        return text[1]
    is_property = len(text) == 3 and text[1] in "pP"
    return f"{text[:2]}{{{text[2]}}}" if is_property else text


def _members(members: tuple[str, ...]) -> str:
    """The members of a character class in strict syntax."""
    out = []
    for at, member in enumerate(members):
        if member == "-" and 0 < at < len(members) - 1:
            beside_set = _SET.match(members[at - 1]) or _SET.match(members[at + 1])
            out.append(r"\-" if beside_set else member)
        elif member[0] == "\\":
            out.append(_escape(member, _NEEDLESS - {"-"}))
        else:
            out.append(_POSIX_SETS.get(member, member))
    return "".join(out)
