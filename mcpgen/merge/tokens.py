"""Code as its words: what stays the same when only the layout changes.

The hashes made here live in locks for years, so they depend on no version of Python's tokenizer.
"""

from __future__ import annotations

import hashlib
import re

_LENGTH = 10
_QUOTED = (
    r"(?:'''(?:[^\\]|\\.)*?'''|\"\"\"(?:[^\\]|\\.)*?\"\"\""
    r"|'(?:[^\\'\n]|\\.)*'|\"(?:[^\\\"\n]|\\.)*\")"
)
_WORD = re.compile(
    rf"(?P<comment>\#[^\r\n]*)|(?P<text>[A-Za-z]{{0,2}}{_QUOTED})|(?P<name>\w+)"
    r"|(?P<join>\\\r?\n)|(?P<line>\r?\n|\r)|(?P<space>[ \t\f]+)|(?P<other>.)",
    re.DOTALL,
)
_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")
_LINE, _IN, _OUT = "\n", "\n>", "\n<"


def fingerprint(code: str, *, block: bool = False) -> str:
    """A short hash of code that does not depend on line breaks, indentation width or quotes.

    `block`: it is statements, in which nesting counts; otherwise (part of) an expression.
    """
    text = "\0".join(words(code, block=block))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_LENGTH]


def names_in(code: str) -> set[str]:
    """Every name that code mentions, also in a string that holds an expression."""
    found: set[str] = set()
    for word in words(code):
        if word.isidentifier():
            found.add(word)
        elif word[-1] in "\"'" and " " not in word and len(word) < 200:
            found.update(re.findall(r"[^\W\d]\w*", word))
    return found


def comments_in(code: str) -> list[str]:
    """The comments of code, in order."""
    return [word for word in words(code) if word.startswith("#")]


def words(code: str, *, block: bool = False) -> list[str]:
    """The words of code, with marks for lines and nesting where it is a block."""
    reader = _Reader(block)
    for match in _WORD.finditer(code):
        reader.take(match.lastgroup or "other", match[0])
    return reader.end()


class _Reader:
    def __init__(self, block: bool) -> None:
        self._block = block
        self._words: list[str] = []
        self._depth = 0
        self._indents = [0]
        self._column = 0
        self._fresh = True
        """No word of the line was seen yet."""

    def take(self, kind: str, text: str) -> None:
        if kind == "line":
            self._break()
        elif kind == "space":
            self._column += len(text.expandtabs()) if self._fresh else 0
        elif kind == "comment":
            self._words.append(text.rstrip())
        elif kind != "join":
            self._word(kind, text)

    def end(self) -> list[str]:
        self._break()
        if self._words and self._words[-1] == "," and not self._block:
            self._words.pop()
        return self._words

    def _break(self) -> None:
        if not self._depth:
            if self._block and not self._fresh:
                self._words.append(_LINE)
            self._fresh = True
            self._column = 0

    def _word(self, kind: str, text: str) -> None:
        if self._fresh:
            self._fresh = False
            if self._block:
                self._nest()
        if kind == "text":
            text = _double(text)
        elif text in _OPEN:
            self._depth += 1
        elif text in _CLOSE:
            self._depth = max(0, self._depth - 1)
            if self._words and self._words[-1] == ",":
                self._words.pop()
        self._words.append(text)

    def _nest(self) -> None:
        if self._column > self._indents[-1]:
            self._indents.append(self._column)
            self._words.append(_IN)
        while self._column < self._indents[-1]:
            self._indents.pop()
            self._words.append(_OUT)


def _double(text: str) -> str:
    """A string in double quotes, where it is one that any formatter would write so."""
    plain = text[0] == "'" and text[:3] != "'''" and '"' not in text and "\\" not in text
    return f'"{text[1:-1]}"' if plain else text
