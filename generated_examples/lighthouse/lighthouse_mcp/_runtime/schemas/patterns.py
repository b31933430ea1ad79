"""JSON Schema's `pattern` in linear time: ECMA-262 expressions in pydantic_core's regex engine.

The two dialects differ in character classes and a few escapes, which are rewritten. What the engine
cannot compile (lookahead, backreferences) is not enforced.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from pydantic_core import SchemaError, SchemaValidator, core_schema

_LONGEST = 5_000
_QUANTIFIER = re.compile(r"\{\d+(?:,\d*)?\}")
_BRACES = re.compile(r"\{[^{}]*\}")
_POSIX = re.compile(r"\[:\^?[a-z]+:\]")
_SETS = {"d": "0-9", "w": "0-9A-Za-z_", "s": r"\s\x{FEFF}"}
_ESCAPES = {"0": r"\x00", "<": "<", ">": ">", "Z": r"\z", "b": r"(?-u:\b)"}


class _Untranslatable(Exception):
    """The expression has no equivalent in the engine."""


def matches(pattern: str, text: str) -> bool:
    """Whether the text holds a match; true for a pattern that cannot be enforced."""
    matcher = _matcher(pattern)
    return matcher is None or matcher(text)


def is_enforced(pattern: str) -> bool:
    """Whether the engine can run the pattern."""
    return _matcher(pattern) is not None


@lru_cache(maxsize=4096)
def _matcher(pattern: str) -> Callable[[str], bool] | None:
    if len(pattern) > _LONGEST:
        return None
    try:
        pattern.encode()
        schema = core_schema.str_schema(pattern=translate(pattern), regex_engine="rust-regex")
        return SchemaValidator(schema).isinstance_python
    except (_Untranslatable, SchemaError, UnicodeError):
        return None


def translate(pattern: str) -> str:
    """Rewrite an ECMA-262 expression for the engine, where the two dialects differ."""
    out: list[str] = []
    at = 0
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            text, at = _escape(pattern, at)
            out.append(text)
        elif char == "[":
            text, at = _class(pattern, at)
            out.append(text)
        elif char == "{" and not _QUANTIFIER.match(pattern, at):
            out.append(r"\{")
            at += 1
        else:
            out.append(char)
            at += 1
    return "".join(out)


def _escape(pattern: str, at: int) -> tuple[str, int]:
    """Rewrite the escape at `at`, outside a character class."""
    letter = pattern[at + 1 : at + 2]
    if letter.lower() in _SETS:
        return f"[{'' if letter.islower() else '^'}{_SETS[letter.lower()]}]", at + 2
    return _common_escape(pattern, at, letter)


def _common_escape(pattern: str, at: int, letter: str) -> tuple[str, int]:
    if letter == "c":
        return _control(pattern, at)
    braces = _BRACES.match(pattern, at + 2) if letter and letter in "pPux" else None
    if braces:
        return "\\" + letter + braces[0], braces.end()
    return _ESCAPES.get(letter, "\\" + letter), at + 2


def _control(pattern: str, at: int) -> tuple[str, int]:
    letter = pattern[at + 2 : at + 3]
    if not (letter.isascii() and letter.isalpha()):
        raise _Untranslatable
    return f"\\x{ord(letter) % 32:02x}", at + 3


def _class(pattern: str, at: int) -> tuple[str, int]:
    """Rewrite the character class at `at`; the engine's classes nest and have set operators."""
    negated = pattern.startswith("[^", at)
    at += 2 if negated else 1
    if pattern.startswith("]", at):
        return (r"[\s\S]" if negated else r"[^\s\S]"), at + 1
    out = ["[^" if negated else "["]
    after_set = False
    while at < len(pattern) and pattern[at] != "]":
        text, end = _class_item(pattern, at)
        is_set = pattern[at] == "\\" and pattern[at + 1 : at + 2] in "dDwWsSpP"
        if text == "-":
            if pattern.startswith("--", at) or pattern.startswith("--", at - 1):
                raise _Untranslatable
            following = pattern[at + 1 : at + 3]
            if after_set or (following[:1] == "\\" and following[1:] in "dDwWsSpP"):
                text = r"\-"
        out.append(text)
        after_set = is_set
        at = end
    if at >= len(pattern):
        raise _Untranslatable
    return "".join(out) + "]", at + 1


def _class_item(pattern: str, at: int) -> tuple[str, int]:
    char = pattern[at]
    if char == "[":
        posix = _POSIX.match(pattern, at)
        return (posix[0], posix.end()) if posix else (r"\[", at + 1)
    if char in "&~":
        return "\\" + char, at + 1
    if char != "\\":
        return char, at + 1
    letter = pattern[at + 1 : at + 2]
    if letter.lower() in _SETS:
        members = _SETS[letter.lower()]
        return (members if letter.islower() else f"[^{members}]"), at + 2
    if letter == "b":
        return r"\x08", at + 2
    return _common_escape(pattern, at, letter)
