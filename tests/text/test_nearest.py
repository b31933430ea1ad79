"""The word that was probably meant, for hints."""

from __future__ import annotations

import time

import pytest

from mcpgen.text.nearest import nearest

KNOWN = ("base_url", "inputSchema", "Source", "strict", "x-timeout")


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("strict", "strict"),
        ("strct", "strict"),
        ("STRICT", "strict"),
        ("base-url", "base_url"),
        ("BaseURL", "base_url"),
        ("input_schema", "inputSchema"),
        ("source", "Source"),
        ("xtimeout", "x-timeout"),
        ("colour", ""),
        ("", ""),
    ],
)
def test_the_nearest(given: str, meant: str) -> None:
    assert nearest(given, KNOWN) == meant


def test_capitals_count_where_only_they_tell_words_apart() -> None:
    assert nearest("Sort", ["sort", "Sort"]) == "Sort"
    assert nearest("sort", ["Sort", "sort"]) == "sort"


def test_a_long_word_is_looked_up_as_fast_as_a_short_one() -> None:
    """It is folded once, and not for each word that is known."""
    start = time.process_time()
    assert nearest("x" * 200_000, [f"name{number}" for number in range(1000)]) == ""
    assert time.process_time() - start < 1
