"""Texts that patterns match, and patterns of which nothing is known."""

from __future__ import annotations

import pytest

from mcpgen.samples.checks import matches
from mcpgen.samples.pattern_texts import UnreadablePattern, text_for


@pytest.mark.parametrize(
    "pattern",
    [
        r"^[^\s\S]|a$",
        r"^(?<word>a)b$",
        r"^(?i)ab$",
        r"^(?i:a)b$",
        r"^a(?!b)$",
        r"^\ba\b-$",
        r"^\cJ$",
        r"^\p{Lu}\P{L}\pN$",
        r"^\u0041\x42\u{43}$",
        r"^[a\-z\d]{3}[^a-y]$",
        r"^[+--]$",
        r"^[\w-]$",
        r"^[\d-z]$",
        r"^[[:digit:][:upper:]]{2,}$",
        r"^[[:]$",
        r"^a+?b*?c??d{2}?$",
        r"^a{,2}$",
        r"^{x}$",
        r"^a{2,3}$",
        r"^a{0}b{0,}$",
    ],
)
def test_a_text_fits_its_pattern(pattern: str) -> None:
    """Where servers enforce it: what they cannot run is left to the reader's eye."""
    found = {matches(pattern, text_for(pattern, extra=0, salt=salt)) for salt in range(3)}
    assert found & {True, None}, pattern


@pytest.mark.parametrize(
    ("pattern", "text"),
    [(r"(a)\1", "a"), (r"(?<x>a)\k<x>b", "ab"), (r"\k<x", ""), (r"(?=a)b(?<!c)d", "bd")],
)
def test_what_refers_to_other_text_is_skipped(pattern: str, text: str) -> None:
    assert matches(pattern, text) is None
    assert text_for(pattern, extra=0, salt=0) == text


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("a)b", "unbalanced"),
        ("a\\", "too early"),
        ("[]", "empty"),
        ("[a", "too early"),
        ("(a", "too early"),
        ("(" * 50, "too deeply"),
        (r"\p{Lu", "not closed"),
        (r"\u{41", "not closed"),
        (r"\x4z", "is none"),
        (r"\u{110000}", "is none"),
        ("a{9999}", "repetition"),
        ("(a{99}){99}", "text that is too long"),
    ],
)
def test_a_pattern_that_cannot_be_read_says_why(pattern: str, reason: str) -> None:
    with pytest.raises(UnreadablePattern, match=reason):
        text_for(pattern, extra=0, salt=0)


def test_patterns_are_searched_in_linear_time() -> None:
    assert matches("^(a+)+$", "a" * 40 + "!") is False
    assert matches("b", "abc") is True
    assert matches("(?<!a)b", "b") is None
