"""JSON Schema's `pattern` in linear time: runs ECMA-262 expressions in pydantic_core's engine.

The two dialects differ in character classes and a few escapes, which are rewritten. What the engine
cannot compile (lookahead, backreferences) is not enforced.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from pydantic_core import SchemaError, SchemaValidator, core_schema

_MAX_CHARACTERS = 5_000
_ESCAPE = r"\\[pPux]\{[^{}]*\}|\\."
_OUTSIDE = re.compile(rf"{_ESCAPE}|\[\^?\]?|\{{\d+(?:,\d*)?\}}|.", re.DOTALL)
_INSIDE = re.compile(rf"{_ESCAPE}|\[:\^?[a-z]+:\]|.", re.DOTALL)
"""The tokens outside a character class, and inside one."""
_SET = re.compile(r"\\[dDwWsSpP]")
_SETS = {"d": "0-9", "w": "0-9A-Za-z_", "s": r"\s\x{FEFF}"}
_ESCAPES = {r"\0": r"\x00", r"\<": "<", r"\>": ">", r"\Z": r"\z"}
_REWRITTEN_OUTSIDE = _ESCAPES | {r"\b": r"(?-u:\b)", "{": r"\{", "[]": r"[^\s\S]", "[^]": r"[\s\S]"}
_REWRITTEN_INSIDE = _ESCAPES | {r"\b": r"\x08", "&": r"\&", "~": r"\~", "[": r"\["}


class _Untranslatable(Exception):
    """An expression that has no equivalent in the engine."""


def matches(pattern: str, text: str) -> bool:
    """Whether the text contains a match; true for a pattern that cannot be enforced."""
    matcher = _matcher(pattern)
    return matcher is None or matcher(text)


def is_enforced(pattern: str) -> bool:
    """Whether the engine can run the pattern."""
    return _matcher(pattern) is not None


@lru_cache(maxsize=4096)
def _matcher(pattern: str) -> Callable[[str], bool] | None:
    if len(pattern) > _MAX_CHARACTERS:
        return None
    try:
        pattern.encode()
        schema = core_schema.str_schema(pattern=_translated(pattern), regex_engine="rust-regex")
        return SchemaValidator(schema).isinstance_python
    except (_Untranslatable, SchemaError, UnicodeError):
        return None


def _translated(pattern: str) -> str:
    """The ECMA-262 expression in the syntax of the engine.

    In that syntax, character classes can be nested and have operators.
    """
    out: list[str] = []
    inside = False
    at, last = 0, ""
    while token := (_INSIDE if inside else _OUTSIDE).match(pattern, at):
        text = token[0]
        at = token.end()
        if text[0] == "\\" and text[1:].lower() in _SETS:
            out.append(_set(text[1], inside))
        elif inside and text == "-":
            out.append(_dash(last, pattern[at:]))
        else:
            rewritten = _REWRITTEN_INSIDE if inside else _REWRITTEN_OUTSIDE
            out.append(rewritten.get(text, text))
        inside = text != "]" if inside else text in ("[", "[^")
        last = text
    return "".join(out)


def _set(letter: str, inside: bool) -> str:
    members = _SETS[letter.lower()]
    if letter.isupper():
        return f"[^{members}]"
    return members if inside else f"[{members}]"


def _dash(last: str, rest: str) -> str:
    """A `-` in a character class; it is escaped next to a set such as `\\d`."""
    if last.endswith("-") or rest.startswith("-"):
        raise _Untranslatable
    return r"\-" if _SET.match(last) or _SET.match(rest) else "-"
