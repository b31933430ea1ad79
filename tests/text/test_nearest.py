"""The word that was probably meant, for hints."""

import time

from tables import table

from mcpgen.text.nearest import nearest

KNOWN = ("base_url", "inputSchema", "Source", "strict", "x-timeout")


@table(
    "given, meant",
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
)
def test_the_nearest(given, meant):
    assert nearest(given, KNOWN) == meant


def test_capitals_count_where_only_they_tell_words_apart():
    assert nearest("Sort", ["sort", "Sort"]) == "Sort"
    assert nearest("sort", ["Sort", "sort"]) == "sort"


def test_a_long_word_is_looked_up_as_fast_as_a_short_one():
    """It is folded once, and not for each word that is known."""
    start = time.process_time()
    assert nearest("x" * 200_000, [f"name{number}" for number in range(1000)]) == ""
    assert time.process_time() - start < 1
