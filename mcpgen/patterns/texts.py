"""A short string that matches a regular expression of ECMA-262.

Look-around and back-references are skipped, so the caller must check the result.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from .ecmascript import foreign
from .tokens import Token, tokens

MAX_LENGTH = 2_000
_MAX_DEPTH = 40
_DIGITS = "0123456789"
_WORD = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
_CLASSES = {"d": _DIGITS, "w": _WORD, "s": " ", "D": "abcx-", "W": "-. ", "S": "abcx0123"}
_UNICODE = {"L": "abcdefghABCDEFGH", "N": _DIGITS, "P": ".-,", "Z": " ", "S": "+$"}
_CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v", "0": "\0"}
_PRINTABLE = "".join(map(chr, range(0x20, 0x7F)))
_PREFERRED = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_ ./"

_LIMITS = re.compile(r"\{([0-9]{1,6})(?:(,)([0-9]{0,6}))?\}")
_OPENING = ("group", "named", "look")

Writer = Callable[[int], str]
"""Writes a match; the number says how many repetitions beyond the least to spend."""


class UnreadablePattern(ValueError):
    """An expression with unsupported syntax, or one that is too large."""


def text_for(pattern: str, *, extra: int, salt: int) -> str:
    """A string that matches `pattern`, with `extra` more repetitions than each quantifier requires.

    Raises UnreadablePattern.
    """
    if why := foreign(pattern):
        raise UnreadablePattern(why)
    return _Reader(tokens(pattern), salt).alternatives()(extra)


class _Reader:
    def __init__(self, parts: Iterable[Token], salt: int) -> None:
        self._rest = list(parts)[::-1]
        self._salt = salt
        self._depth = 0

    def alternatives(self) -> Writer:
        """Consume the tokens up to the end of a group; returns a writer for its alternatives."""
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise UnreadablePattern("nested too deeply")
        branches: list[list[Writer]] = [[]]
        while self._rest:
            token = self._rest.pop()
            if token.kind == "close":
                break
            if token.text == "|":
                branches.append([])
            else:
                branches[-1].append(self._repeated(self._atom(token)))
        self._depth -= 1
        parts = branches[self._salt % len(branches)]
        return lambda extra: _bounded("".join(part(extra) for part in parts))

    def _atom(self, token: Token) -> Writer:
        if token.kind in _OPENING:
            inner = self.alternatives()
            return inner if token.kind != "look" else lambda extra: ""
        if token.kind == "set":
            return self._choose(_members(token), token.end)
        if token.kind == "escape":
            if token.text[1] in "bBk123456789":
                return lambda extra: ""
            return self._choose(_characters(token.text), token.end)
        if token.text == ".":
            return self._choose("abcdefghijklmnopqrstuvwxyz", token.end)
        return lambda extra: "" if token.text in "^$" else token.text

    def _choose(self, chars: str, at: int) -> Writer:
        if not chars:
            raise UnreadablePattern("a character class that is empty")
        best = [char for char in _PREFERRED if char in chars] or list(chars)
        char = best[(self._salt + at) % min(len(best), 26)]
        return lambda extra: char

    def _repeated(self, atom: Writer) -> Writer:
        if not self._rest or self._rest[-1].kind != "repeat":
            return atom
        low, high = _limits(self._rest.pop().text)
        least = low if low else min(1, high)
        if low > MAX_LENGTH:
            raise UnreadablePattern("a repetition that is too long")

        def write(extra: int) -> str:
            text = atom(extra)
            return _bounded(text * min(least + extra, high, 1 + MAX_LENGTH // max(1, len(text))))

        return write


def _limits(text: str) -> tuple[int, int]:
    if text[0] in "*+?":
        return {"*": (0, MAX_LENGTH), "+": (1, MAX_LENGTH), "?": (0, 1)}[text[0]]
    match = _LIMITS.match(text)
    if match is None:
        raise UnreadablePattern("a repetition that is too long")
    low = int(match[1])
    return low, int(match[3] or MAX_LENGTH) if match[2] else low


def _members(token: Token) -> str:
    """The characters of a set."""
    rest, chars = list(token.members)[::-1], ""
    while rest:
        first = _characters(rest.pop())
        if len(rest) > 1 and rest[-1] == "-":
            rest.pop()
            first = _range(first, _characters(rest.pop()))
        chars += first
    if token.text == "[":
        return chars
    return "".join(char for char in _PRINTABLE if char not in chars) or "é"


def _characters(text: str) -> str:
    """The characters that a literal character or an escape matches."""
    if text[0] != "\\":
        return text
    char, rest = text[1], text[2:].strip("{}")
    if char in _CLASSES:
        return _CLASSES[char]
    if char == "P":
        return "-0 a"
    if char == "p":
        kind = rest.rpartition("=")[2]
        return "ABCDEFGH" if kind == "Lu" else _UNICODE.get(kind[:1], "a")
    if char in "xu":
        return chr(int(rest, 16))
    if char == "c":
        return chr(ord(rest) % 32)
    return _CONTROLS.get(char, char)


def _range(first: str, last: str) -> str:
    if len(first) != 1 or len(last) != 1 or ord(first) > ord(last):
        return first + "-" + last
    codes = range(ord(first), min(ord(last), ord(first) + 256) + 1)
    return "".join(chr(code) for code in codes if not 0xD800 <= code < 0xE000)


def _bounded(text: str) -> str:
    if len(text) > MAX_LENGTH:
        raise UnreadablePattern("a text that is too long")
    return text
