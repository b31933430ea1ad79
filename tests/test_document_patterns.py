"""Which regular expressions of a document are advertised."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.readers.patterns import read


@pytest.mark.parametrize("pattern", ["^[a-z]+$", r"^\p{L}+$", "^.{0,1000}$", r"^\d{4}-\d\d$"])
def test_what_is_enforced_is_advertised(pattern: str) -> None:
    assert read(pattern) == ({"pattern": pattern}, "")


@pytest.mark.parametrize(
    ("pattern", "advertised"),
    [
        (r"\A[a-z]+\z", "^[a-z]+$"),
        (r"\A\d{4}\Z", r"^\d{4}$"),
        (r"^\-\@\_\:\ \/\.\{$", r"^-@_: \/\.\{$"),
        (r"^[\@\-\]\^\:]$", r"^[@\-\]\^:]$"),
        (r"[\w-.]+[a-\d][\d-z][.-]", r"[\w\-.]+[a\-\d][\d\-z][.-]"),
        (r"^x\d{1-5}y{z]{2,}$", r"^x\d\{1-5\}y\{z\]{2,}$"),
        ("[[:xdigit:]-_[:alpha:]]", r"[0-9A-Fa-f\-_A-Za-z]"),
    ],
)
def test_what_only_lenient_engines_read_is_written_as_all_do(pattern: str, advertised: str) -> None:
    """The right column compiles in ECMA-262 with the `u` flag, where the left one does not."""
    assert read(pattern) == ({"pattern": advertised}, "")


@pytest.mark.parametrize(
    "pattern", [r"\\A[\]\\A]\\z", r"\u{1F600}|\p{L}{2}", r"^[^]a[b-]{3,}$", r"\x41\cA[\d\-_]"]
)
def test_what_every_engine_reads_is_advertised_as_it_is(pattern: str) -> None:
    assert read(pattern).keywords == {"pattern": pattern}


@pytest.mark.parametrize("pattern", ["^(?=.*a)b", "(?<!a)b", r"(a)\1", "^(?!x).{0,90000}$"])
def test_what_others_can_enforce_is_advertised_and_reported(pattern: str) -> None:
    keywords, problem = read(pattern)
    assert keywords == {"pattern": pattern}
    assert "not enforced" in problem


@pytest.mark.parametrize(
    ("pattern", "advertised"),
    [(r"/^[\w ]+$/", r"^[\w ]+$"), (r"/^a\/b/gu", r"^a\/b"), ("/^[@:]$/v", "^[@:]$")],
)
def test_a_literal_of_javascript_is_advertised_without_its_slashes(
    pattern: str, advertised: str
) -> None:
    keywords, problem = read(pattern)
    assert keywords == {"pattern": advertised}
    assert "without its slashes" in problem


@pytest.mark.parametrize("pattern", ["/^[a-z]+$/i", "/^[a-z]+$/gim"])
def test_a_literal_whose_flags_change_its_meaning_is_left_out(pattern: str) -> None:
    keywords, problem = read(pattern)
    assert keywords == {}
    assert "with flags" in problem


@pytest.mark.parametrize("pattern", ["/a/", "/users/[0-9]+/", "^/a$/", "/(a|^b)/", r"/\^a/"])
def test_slashes_of_a_path_stay(pattern: str) -> None:
    assert read(pattern) == ({"pattern": pattern}, "")


@pytest.mark.parametrize("pattern", ["[", "a{2,1}", "(", "*"])
def test_what_no_engine_compiles_is_left_out(pattern: str) -> None:
    keywords, problem = read(pattern)
    assert keywords == {}
    assert "no regular expression" in problem


@pytest.mark.parametrize(
    ("pattern", "keywords"),
    [
        ("^.{0,262144}$", {"maxLength": 262144}),
        ("^.{20000}$", {"minLength": 20000, "maxLength": 20000}),
        ("^.{20000,}$", {"minLength": 20000}),
        (r"^[\s\S]{1,90000}$", {"minLength": 1, "maxLength": 90000}),
        ("^[^/]{0,262144}$", {}),
    ],
)
def test_what_is_too_large_for_engines_is_a_length_or_left_out(
    pattern: str, keywords: dict[str, Any]
) -> None:
    found = read(pattern)
    assert found.keywords == keywords
    assert "too large" in found.problem
