"""Finds the word that was probably meant."""

from __future__ import annotations

import re
from collections.abc import Iterable


def nearest(text: str, candidates: Iterable[str], cutoff: float = 0.6) -> str:
    """The most similar candidate; empty if none reaches `cutoff`.

    An equal candidate is best, then one that differs only in capitals, then one that also differs
    in hyphens and underscores.
    """
    words = list(candidates)
    for fold in (str, str.lower, _bare):
        key = fold(text)
        for word in words:
            if fold(word) == key:
                return word
    from difflib import get_close_matches  # slow to import, and only mistakes need it

    return next(iter(get_close_matches(text, words, n=1, cutoff=cutoff)), "")


def _bare(word: str) -> str:
    return re.sub(r"[-_\s]", "", word.lower())
