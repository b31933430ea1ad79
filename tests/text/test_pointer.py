"""RFC 6901."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpgen.text import pointer


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", ()),
        ("/", ("",)),
        ("/foo/0", ("foo", "0")),
        ("/a~1b", ("a/b",)),
        ("/m~0n", ("m~n",)),
        ("/~01", ("~1",)),
        ("/ /é", (" ", "é")),
    ],
)
def test_split(text: str, tokens: tuple[str, ...]) -> None:
    assert pointer.split(text) == tokens
    assert pointer.join("", *tokens) == text


@pytest.mark.parametrize("text", ["a", "#/a", "/~", "/~2", "/a~"])
def test_what_is_no_pointer(text: str) -> None:
    with pytest.raises(ValueError, match="pointer"):
        pointer.split(text)


@given(st.lists(st.text()))
def test_tokens_survive(tokens: list[str]) -> None:
    assert pointer.split(pointer.join("", *tokens)) == tuple(tokens)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_fragments_survive_percent_encoding(tokens: list[str]) -> None:
    text = pointer.join("", *tokens)
    assert pointer.from_fragment(quote(text, safe="/")) == text


def test_parent_of_the_root_is_the_root() -> None:
    assert pointer.parent("/a/b~1c") == "/a"
    assert pointer.parent("/a") == ""
    assert pointer.parent("") == ""
