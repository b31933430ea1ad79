"""Python code as a list of tokens that stays equal if only the layout changes.

The hashes made from it stay in locks for years, so they do not depend on any version of Python's
tokenizer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from .. import hashes

_HASH_LENGTH = 10
_QUOTED = (
    r"(?:'''(?:[^\\]|\\.)*?'''|\"\"\"(?:[^\\]|\\.)*?\"\"\""
    r"|'(?:[^\\'\n]|\\.)*'|\"(?:[^\\\"\n]|\\.)*\")"
)
_SIGNIFICANT = (
    rf"[()\[\]{{}},.:=|]|\w{{3,}}|\#[^\r\n]*|[A-Za-z]{{0,2}}{_QUOTED}|\w+"
    r"|[^\s\\]|\\(?!\r?\n)|[^\S \t\f\r\n]"
)
_INLINE = re.compile(rf"[ \t\f\r\n]*+(?:\\\r?\n[ \t\f\r\n]*+)*+(?:({_SIGNIFICANT})|\Z)", re.DOTALL)
"""The words of an expression, wherever its lines break."""
_BLOCK = re.compile(
    rf"[ \t\f]*+(?:\\\r?\n[ \t\f]*+)*+(?:({_SIGNIFICANT}|(?:\r?\n|\r)[ \t\f]*)|\Z)", re.DOTALL
)
"""The words of statements, and the ends of their lines with the blanks behind them."""
_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")
_LINE, _IN, _OUT = "\n", "\n>", "\n<"
_ENDS = frozenset({"", _LINE, _IN, _OUT})


@lru_cache(maxsize=20_000)
def fingerprint(code: str, *, block: bool = False) -> str:
    """A short hash of code that ignores line breaks, indentation width and quote style.

    `block`: the code is statements, whose nesting matters; otherwise it is part of an expression.
    """
    return hashes.fingerprint("\0".join(words(code, block=block)), _HASH_LENGTH)


def comments_in(code: str) -> list[str]:
    """The comments of code, in order."""
    return [word for word in words(code) if word.startswith("#")]


def words(code: str, *, block: bool = False) -> list[str]:
    """The tokens of code; for a block, also marks for line ends and nesting."""
    if block:
        tokens = _read_block(code)
    else:
        tokens = [*filter(None, _INLINE.findall(code))]
        if tokens and tokens[-1] == ",":
            tokens.pop()
    if "'" in code or "#" in code:
        tokens = [_plain(word) for word in tokens]
    if '"""' in code and "\n" in code:
        tokens = [*_with_docstrings(tokens)]
    if ": (" in code:
        tokens = _without_parentheses(tokens)
    pairs = zip(tokens, [*tokens[1:], ""], strict=False)
    return [word for word, following in pairs if word != "," or following not in _CLOSE]


def _read_block(code: str) -> list[str]:
    tokens: list[str] = []
    depth, column, indents = 0, 0, [0]
    fresh = True  # no word of the line was seen yet, but comments
    for word in filter(None, _BLOCK.findall(f"\n{code}\n")):
        if word[0] in "\r\n":
            if not depth:
                tokens += [] if fresh else [_LINE]
                fresh, column = True, len(word.strip("\r\n").expandtabs())
            continue
        if fresh and word[0] != "#":
            fresh = False
            _nest(tokens, column, indents)
        if word in _OPEN:
            depth += 1
        elif word in _CLOSE and depth:
            depth -= 1
        tokens.append(word)
    return tokens


def _nest(tokens: list[str], column: int, indents: list[int]) -> None:
    if column > indents[-1]:
        indents.append(column)
        tokens.append(_IN)
    while column < indents[-1]:
        indents.pop()
        tokens.append(_OUT)


def _with_docstrings(tokens: list[str]) -> Iterator[str]:
    """The tokens, with docstrings indented by four spaces, as formatters do."""
    for before, word, after in zip(["", *tokens], tokens, [*tokens[1:], ""], strict=False):
        if "\n" in word and '"""' in word and before in _ENDS and after in _ENDS:
            first, *rest = word.split("\n")
            margin = min((_margin(line) for line in rest if line.strip()), key=len, default="")
            word = "\n".join([first, *(_indented(line, margin) for line in rest)])
        yield word


def _without_parentheses(tokens: list[str]) -> list[str]:
    """The tokens without the parentheses that a formatter puts around a long annotation."""
    gone: set[int] = set()
    opened: list[int] = []
    lists: set[int] = set()
    for place, word in enumerate(tokens):
        if word in _OPEN:
            opened.append(place)
        elif word == "," and opened:
            lists.add(opened[-1])
        elif word in _CLOSE and opened:
            start = opened.pop()
            before, after = tokens[max(start - 2, 0) : start], tokens[place + 1 : place + 2]
            is_annotation = before[1:] == [":"] and before[0].isidentifier()
            is_last = not after or after[0] in ("=", ",", ")")
            is_parameter = not opened or tokens[opened[-1]] == "("
            if is_annotation and is_last and is_parameter and start not in lists:
                gone |= {start, place}
    return [word for place, word in enumerate(tokens) if place not in gone]


def _margin(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _indented(line: str, margin: str) -> str:
    return f"    {line.removeprefix(margin)}" if margin and line.startswith(margin) else line


def _plain(word: str) -> str:
    """A token as all formatters would write it: double quotes, no trailing blanks."""
    if word[0] == "#":
        return word.rstrip()
    if word[0] != "'" or word[:3] == "'''" or '"' in word or "\\" in word or len(word) == 1:
        return word
    return f'"{word[1:-1]}"'
