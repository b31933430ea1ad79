"""RFC 6901."""

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import table

from mcpgen.text import pointer


@table(
    "text, tokens",
    ("", ()),
    ("/", ("",)),
    ("/foo/0", ("foo", "0")),
    ("/a~1b", ("a/b",)),
    ("/m~0n", ("m~n",)),
    ("/~01", ("~1",)),
    ("/ /é", (" ", "é")),
)
def test_split(text, tokens):
    assert pointer.split(text) == tokens
    assert pointer.join("", *tokens) == text


@pytest.mark.parametrize("text", ["a", "#/a", "/~", "/~2", "/a~"])
def test_what_is_no_pointer(text):
    with pytest.raises(ValueError, match="pointer"):
        pointer.split(text)


@given(st.lists(st.text()))
def test_tokens_survive(tokens):
    assert pointer.split(pointer.join("", *tokens)) == tuple(tokens)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_fragments_survive_percent_encoding(tokens):
    text = pointer.join("", *tokens)
    assert pointer.from_fragment(quote(text, safe="/")) == text


def test_parent_of_the_root_is_the_root():
    assert pointer.parent("/a/b~1c") == "/a"
    assert pointer.parent("/a") == ""
    assert pointer.parent("") == ""
