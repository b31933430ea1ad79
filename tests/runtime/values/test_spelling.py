"""Spelling values and escaping texts, where only the place that calls it would tell."""

from __future__ import annotations

from types import MappingProxyType

import pytest

from mcpgen.runtime.values.expansion import name_escape, percent_encode, reserved_escape
from mcpgen.runtime.values.jsontext import json_text


@pytest.mark.parametrize(
    ("keep", "text", "escaped"),
    [
        ("", "a/b c", "a%2Fb%20c"),
        ("/", "a/b c", "a/b%20c"),
        ("", "%2Fa%2f%2Gb%", "%2Fa%2f%252Gb%25"),
        ("", "%41%42", "%41%42"),
    ],
)
def test_reserved_characters_and_triples_stay(keep: str, text: str, escaped: str) -> None:
    assert reserved_escape(keep)(text) == escaped


def test_other_escapes_keep_no_triple() -> None:
    assert percent_encode("%41/~") == "%2541%2F~"
    assert name_escape("$a:b@c/[]") == "$a:b@c%2F%5B%5D"


def test_json_of_mappings_and_of_what_has_no_json_form() -> None:
    assert json_text("a", MappingProxyType({"b": [MappingProxyType({})]})) == '{"b":[{}]}'
    with pytest.raises(TypeError, match="type set"):
        json_text("a", {1})
