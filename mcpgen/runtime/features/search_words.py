"""The words of names, texts and queries, as the search index has them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

_PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_A-Za-z]+")
"""Identifiers split at case, digits and separators; letters of other scripts stay together."""
_STOP = frozenset(
    (
        *(
            "a",
            "all",
            "an",
            "and",
            "any",
            "are",
            "as",
            "at",
            "be",
            "by",
            "can",
            "for",
            "from",
            "has",
        ),
        *("have", "i", "if", "in", "into", "is", "it", "its", "may", "me", "my", "not", "of", "on"),
        *("or", "that", "the", "their", "this", "to", "which", "will", "with", "you", "your"),
    )
)
_ENDINGS = (
    *("ification", "ing", "ion", "ment", "ity", "ed", "er", "or", "al", "ive", "ly", "able"),
)
_PLURALS = ("sses", "xes", "ches", "shes", "zes")
_VOWEL = re.compile("[aeiouy]")
_LONGEST = 40
"""Characters of a word; a longer one is no word."""

VERBS = {
    "GET": "get list find search show read fetch view",
    "QUERY": "get list find search show read fetch view",
    "HEAD": "check get",
    "POST": "create add new make post",
    "PUT": "update set change edit replace put",
    "PATCH": "update change edit modify patch",
    "DELETE": "delete remove",
}
"""The words that ask for an operation of a method."""


def pieces(text: str) -> list[str]:
    """The words of a text in lower case, identifiers split."""
    return [piece.lower() for piece in _PIECE.findall(text)]


def terms(text: str) -> Iterator[str]:
    """The words of a text that count, each without its ending."""
    for word in pieces(text):
        if word not in _STOP and len(word) <= _LONGEST:
            yield stem(word)


@lru_cache(maxsize=10_000)
def stem(word: str) -> str:
    """A word without its English ending, so that `creates`, `creating` and `creation` are one."""
    if len(word) < 4 or not word.isascii():
        return word
    word = _without_ending(_singular(word))
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    if len(word) > 3 and word.endswith("y"):
        word = f"{word[:-1]}i"
    return word[:-2] if len(word) > 5 and word.endswith("at") else word


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if word.endswith(_PLURALS):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _without_ending(word: str) -> str:
    for ending in _ENDINGS:
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= 3 and _VOWEL.search(rest):
            if ending == "ification":
                return f"{rest}ify"
            doubled = len(rest) > 3 and rest[-1] == rest[-2] and rest[-1] not in "lsz"
            return rest[:-1] if doubled else rest
    return word


def methods_of(word: str) -> frozenset[str]:
    """The methods of the operations that a verb asks for; none where it is no such verb."""
    return _METHODS.get(stem(word), frozenset())


_METHODS = {
    stem(verb): frozenset(m for m, verbs in VERBS.items() if verb in verbs.split())
    for verb in {verb for verbs in VERBS.values() for verb in verbs.split()}
}
