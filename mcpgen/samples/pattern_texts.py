"""A short text that a regular expression matches, for the expressions people write in schemas.

Reads the syntax of ECMA 262 that JSON Schema recommends. Look-around and back-references are
skipped, so the caller checks what comes out.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

MAX_LENGTH = 2_000
_MAX_DEPTH = 40
_DIGITS = "0123456789"
_WORD = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
_CLASSES = {"d": _DIGITS, "w": _WORD, "s": " ", "D": "abcx-", "W": "-. ", "S": "abcx0123"}
_UNICODE = {"L": "abcdefghABCDEFGH", "N": _DIGITS, "P": ".-,", "Z": " ", "S": "+$"}
_CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v", "0": "\0"}
_PRINTABLE = "".join(map(chr, range(0x20, 0x7F)))
_PREFERRED = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_ ./"

_LOOK_AROUND = re.compile(r"\?<?[=!]")
_GROUP_HEAD = re.compile(r"\?[^:>)]*[:>]?")
"""What a group begins with that has a name or flags, or does not capture."""
_TIMES = re.compile(r"(?P<low>[0-9]{1,6})(?P<more>,(?P<high>[0-9]{0,6}))?")

Writer = Callable[[int], str]
"""Writes a match; the number says how many repetitions beyond the least to spend."""


class UnreadablePattern(ValueError):
    """The expression uses syntax that is not understood, or is too large."""


def text_for(pattern: str, *, extra: int, salt: int) -> str:
    """Write a text for `pattern`, each repetition `extra` times longer than it must be.

    Raises UnreadablePattern.
    """
    reader = _Reader(pattern, salt)
    text = reader.alternatives()(extra)
    if reader.at < len(pattern):
        raise UnreadablePattern(f"unbalanced parenthesis at {reader.at}")
    return text


class _Reader(Struct):
    pattern: str
    salt: int
    at: int = 0
    depth: int = 0

    def peek(self) -> str:
        return self.pattern[self.at : self.at + 1]

    def take(self) -> str:
        if self.at >= len(self.pattern):
            raise UnreadablePattern("the pattern ends too early")
        self.at += 1
        return self.pattern[self.at - 1]

    def alternatives(self) -> Writer:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise UnreadablePattern("nested too deeply")
        branches = [self.sequence()]
        while self.peek() == "|":
            self.at += 1
            branches.append(self.sequence())
        self.depth -= 1
        return branches[self.salt % len(branches)]

    def sequence(self) -> Writer:
        parts: list[Writer] = []
        while self.peek() not in ("", "|", ")"):
            atom = self.atom()
            parts.append(self.quantified(atom))
        return lambda extra: _bounded("".join(part(extra) for part in parts))

    def atom(self) -> Writer:
        char = self.take()
        if char == "(":
            return self.group()
        if char == "[":
            return self.choose(self.char_class())
        if char == "\\":
            return self.escape()
        if char in "^$":
            return lambda extra: ""
        if char == ".":
            return self.choose("abcdefghijklmnopqrstuvwxyz")
        return lambda extra: char

    def choose(self, chars: str) -> Writer:
        if not chars:
            raise UnreadablePattern("a character class that is empty")
        best = [char for char in _PREFERRED if char in chars] or list(chars)
        char = best[(self.salt + self.at) % min(len(best), 26)]
        return lambda extra: char

    def group(self) -> Writer:
        looks_around = _LOOK_AROUND.match(self.pattern, self.at)
        head = looks_around or _GROUP_HEAD.match(self.pattern, self.at)
        if head is not None:
            self.at = head.end()
        inner = self.alternatives()
        self.take()  # the parenthesis: alternatives end nowhere else but at the pattern's end
        return (lambda extra: "") if looks_around else inner

    def escape(self) -> Writer:
        char = self.take()
        if char in "bBAzZG" or char in "123456789":
            return lambda extra: ""
        if char == "k" and self.peek() == "<":
            self.at = self.pattern.find(">", self.at) + 1 or len(self.pattern)
            return lambda extra: ""
        chars = self.escaped_chars(char)
        return self.choose(chars) if len(chars) != 1 else lambda extra: chars

    def escaped_chars(self, char: str) -> str:
        if char in _CLASSES:
            return _CLASSES[char]
        if char in "pP":
            return self.unicode_class(negated=char == "P")
        if char in "xu":
            return self.code_point(2 if char == "x" else 4)
        if char == "c":
            return chr(ord(self.take()) % 32)
        return _CONTROLS.get(char, char)

    def unicode_class(self, *, negated: bool) -> str:
        name = self.take()
        if name == "{":
            end = self.pattern.find("}", self.at)
            if end < 0:
                raise UnreadablePattern("a property that is not closed")
            name, self.at = self.pattern[self.at : end], end + 1
        if negated:
            return "-0 a"
        kind = name.rpartition("=")[2]
        return "ABCDEFGH" if kind == "Lu" else _UNICODE.get(kind[:1], "a")

    def code_point(self, digits: int) -> str:
        if self.peek() == "{":
            end = self.pattern.find("}", self.at)
            if end < 0:
                raise UnreadablePattern("a character code that is not closed")
            text, self.at = self.pattern[self.at + 1 : end], end + 1
        else:
            text = self.pattern[self.at : self.at + digits]
            self.at += digits
        try:
            return chr(int(text, 16))
        except (ValueError, OverflowError):
            raise UnreadablePattern("a character code that is none") from None

    def char_class(self) -> str:
        negated = self.peek() == "^"
        self.at += negated
        pieces: list[str] = []
        while (char := self.take()) != "]":
            chars = self.escaped_chars(self.take()) if char == "\\" else self.posix_class(char)
            if self.peek() == "-" and self.pattern[self.at + 1 : self.at + 2] not in ("]", ""):
                self.at += 1
                last = self.take()
                last = self.escaped_chars(self.take()) if last == "\\" else last
                chars = _range(chars, last)
            pieces.append(chars)
        chars = "".join(pieces)
        if not negated:
            return chars
        return "".join(char for char in _PRINTABLE if char not in chars) or "é"

    def posix_class(self, char: str) -> str:
        if char != "[" or self.peek() != ":":
            return char
        end = self.pattern.find(":]", self.at + 1)
        if end < 0:
            return char
        name, self.at = self.pattern[self.at + 1 : end], end + 2
        return {"digit": "0123456789", "space": " ", "upper": "ABCDEF"}.get(name, "abcdef")

    def quantified(self, atom: Writer) -> Writer:
        low, high = self.bounds()
        if (low, high) == (1, 1):
            return atom
        least = low if low else min(1, high)
        if low > MAX_LENGTH:
            raise UnreadablePattern("a repetition that is too long")

        def write(extra: int) -> str:
            text = atom(extra)
            return _bounded(text * min(least + extra, high, 1 + MAX_LENGTH // max(1, len(text))))

        return write

    def bounds(self) -> tuple[int, int]:
        low, high = 1, 1
        char = self.peek()
        if char and char in "*+?":
            self.at += 1
            low, high = {"*": (0, MAX_LENGTH), "+": (1, MAX_LENGTH), "?": (0, 1)}[char]
        elif char == "{":
            end = self.pattern.find("}", self.at)
            match = _TIMES.fullmatch(self.pattern, self.at + 1, max(end, 0))
            if match is None:
                return 1, 1
            low = int(match["low"])
            high = int(match["high"] or MAX_LENGTH) if match["more"] else low
            self.at = end + 1
        if self.peek() in ("?", "+") and (low, high) != (1, 1):
            self.at += 1
        return low, high


def _range(first: str, last: str) -> str:
    if len(first) != 1 or len(last) != 1 or ord(first) > ord(last):
        return first + "-" + last
    codes = range(ord(first), min(ord(last), ord(first) + 256) + 1)
    return "".join(chr(code) for code in codes if not 0xD800 <= code < 0xE000)


def _bounded(text: str) -> str:
    if len(text) > MAX_LENGTH:
        raise UnreadablePattern("a text that is too long")
    return text
