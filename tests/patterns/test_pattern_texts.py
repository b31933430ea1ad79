"""Texts that patterns match, and patterns of which nothing is known."""

import pytest
from tables import table

from mcpgen.patterns.texts import UnreadablePattern, text_for
from mcpgen.samples.checks import matches


@table(
    "pattern",
    r"^[^\s\S]|a$",
    r"^(?<word>a)b$",
    r"^a(?!b)$",
    r"^\ba\b-$",
    r"^\cJ$",
    r"^\p{Lu}\P{L}\p{N}$",
    r"^\u0041\x42\u{43}$",
    r"^[a\-z\d]{3}[^a-y]$",
    r"^[+--]$",
    r"^[\w-]$",
    r"^[[:]$",
    r"^a+?b*?c??d{2}?$",
    r"^a{2,3}$",
    r"^a{0}b{0,}$",
)
def test_a_text_fits_its_pattern(pattern):
    """Where servers enforce it: what they cannot run is left to the reader's eye."""
    found = {matches(pattern, text_for(pattern, extra=0, salt=salt)) for salt in range(3)}
    assert found & {True, None}, pattern


@table("pattern, text", (r"(a)\1", "a"), (r"(?<x>a)\k<x>b", "ab"), (r"(?=a)b(?<!c)d", "bd"))
def test_what_refers_to_other_text_is_skipped(pattern, text):
    assert matches(pattern, text) is None
    assert text_for(pattern, extra=0, salt=0) == text


@table(
    "pattern, reason",
    ("a)b", "closes a group that was not"),
    ("a\\", "has `"),
    ("[]", "empty"),
    ("[a", "not closed"),
    ("(" * 50 + ")" * 50, "too deeply"),
    (r"\u{110000}", "unknown to ECMAScript"),
    ("a{9999999}", "repetition"),
    ("a{9999}", "repetition"),
    ("(a{99}){99}", "text that is too long"),
)
def test_a_pattern_that_cannot_be_read_says_why(pattern, reason):
    with pytest.raises(UnreadablePattern, match=reason):
        text_for(pattern, extra=0, salt=0)


def test_patterns_are_searched_in_linear_time():
    assert matches("^(a+)+$", "a" * 40 + "!") is False
    assert matches("b", "abc") is True
    assert matches("(?<!a)b", "b") is None
