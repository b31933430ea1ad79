"""Texts of documents as agents read them: on one line, without unnecessary parts."""

from __future__ import annotations

import re

from ...values.display import visible

_ABOUT, _WHOLE = 500, 300
"""Characters of a tool's description, and of its beginning that is kept whole."""
_SENTENCES = re.compile(r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.) (?=[A-Z`\"'(\[])")
_RULE = re.compile(
    r"\b(?:must|requir\w*|only|cannot|formats?|formatted|e\.g|examples?|defaults?|max\w*|min\w*|most|"
    r"least|between|separated|encoded|one of|up to|ISO|RFC|UTC)\b",
    re.IGNORECASE,
)
"""What a sentence says that an agent has to know."""
_MAX_CHARACTERS = 4000
"""Characters of a text that are looked at."""
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()\s]*\)")
"""A link in Markdown, of which only the words count."""


def about(text: str) -> str:
    """A tool's text, shortened and on one line; its paragraphs become sentences."""
    *parts, last = [p.strip() for p in text[:_MAX_CHARACTERS].split("\n\n") if p.strip()] or [""]
    ended = [part if part.endswith((".", "!", "?", ":", "…")) else f"{part}." for part in parts]
    return gist(" ".join([*ended, last]), _ABOUT, _WHOLE)


def gist(text: str, most: int = _MAX_CHARACTERS, whole: int = 0) -> str:
    """The first sentence, those with rules ("must"), and those in the first `whole` characters.

    The result is cut to `most` characters.
    """
    plain = _LINK.sub(r"\1", text[:_MAX_CHARACTERS]).replace("**", "")
    first, *others = _SENTENCES.split(one_line(plain, _MAX_CHARACTERS))
    end = len(first)
    parts = [first]
    for sentence in others:
        end += len(sentence) + 1
        if end <= whole or _RULE.search(sentence):
            parts.append(sentence)
    return one_line(" ".join(parts), most)


def one_line(text: str, most: int) -> str:
    """A text on one line, cut after `most` characters."""
    line = visible(" ".join(text.split()))
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"
