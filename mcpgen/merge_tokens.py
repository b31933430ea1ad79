"""Code as its tokens: what stays the same when only the layout changes."""

from __future__ import annotations

import hashlib
import io
import re
import tokenize
from collections.abc import Iterator
from tokenize import TokenInfo

_LENGTH = 12
_LAYOUT = frozenset({tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER})
_FSTRING_START = getattr(tokenize, "FSTRING_START", -1)
_FSTRING_END = getattr(tokenize, "FSTRING_END", -1)
_PLAIN = re.compile(r"'([^'\"\\\n]*)'")


def fingerprint(code: str, *, block: bool = False) -> str:
    """A short hash of code that does not depend on line breaks, indentation width or quotes.

    `block`: it is statements, in which nesting counts; otherwise (part of) an expression.
    """
    text = "\n".join(_words(code if block else f"({code}\n)"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_LENGTH]


def names_in(code: str) -> set[str]:
    """Every name that code mentions, also in a string that holds an expression."""
    found: set[str] = set()
    for word in _words(code):
        if word.isidentifier():
            found.add(word)
        elif word[-1:] in "\"'" and " " not in word and len(word) < 200:
            found.update(re.findall(r"[^\W\d]\w*", word))
    return found


def comments_in(code: str) -> list[str]:
    """The comments of code, in order."""
    return [word for word in _words(code) if word.startswith("#")]


def _words(code: str) -> list[str]:
    words: list[str] = []
    for token in _tokens(code):
        text = token.string
        if token.type == tokenize.NEWLINE:
            text = "\\n"
        elif token.type == tokenize.INDENT:
            text = "\\i"
        elif token.type == tokenize.DEDENT:
            text = "\\d"
        elif token.type == tokenize.STRING:
            text = _PLAIN.sub(r'"\1"', text) if _PLAIN.fullmatch(text) else text
        elif text in (")", "]", "}") and words and words[-1] == ",":
            words.pop()
        words.append(text)
    return words


def _tokens(code: str) -> Iterator[TokenInfo]:
    """Tokens without layout; an f-string is one token, as it is before Python 3.12."""
    lines = code.splitlines(keepends=True)
    depth, start = 0, (0, 0)
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == _FSTRING_START:
            start = start if depth else token.start
            depth += 1
        elif token.type == _FSTRING_END:
            depth -= 1
            if not depth:
                text = _slice(lines, start, token.end)
                yield TokenInfo(tokenize.STRING, text, start, token.end, token.line)
        elif not depth and token.type not in _LAYOUT:
            yield token


def _slice(lines: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    if start[0] == end[0]:
        return lines[start[0] - 1][start[1] : end[1]]
    middle = lines[start[0] : end[0] - 1]
    return "".join([lines[start[0] - 1][start[1] :], *middle, lines[end[0] - 1][: end[1]]])
