"""decode(encode(x)) == x for every style, read by an independent reader."""

from typing import Any
from urllib.parse import unquote

import pytest
from fuzz.budget import count
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpgen.runtime.parts.forms.cookies import build_cookie
from mcpgen.runtime.values.parameters import build_headers, build_path, build_query
from mcpgen.runtime.values.style import Styled

from ..wire_reading import read_cookies, read_query, read_segment

quick = settings(max_examples=count(6), deadline=None)

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
PRINTABLE = st.text(
    st.characters(exclude_categories=["C", "Z"], include_characters=" "), max_size=12
)
PLAIN = st.characters(min_codepoint=0x20, max_codepoint=0x7E, exclude_characters="./\\;%")
SEGMENT = st.text(PLAIN, max_size=12).map(lambda text: f"v{text}") | st.sampled_from(
    ["a/b?c#d&e=f +é%", "a%2Fb", "漢字", "a;b", "x.y,z", "=", "100%", "'\"<>"]
)


def shapes(item: st.SearchStrategy[str]) -> Any:
    key = item.filter(bool)
    return {
        "scalar": item,
        "array": st.lists(item, min_size=1, max_size=4),
        "object": st.dictionaries(key, item, min_size=1, max_size=4),
    }


@pytest.mark.parametrize("explode", [False, True])
@pytest.mark.parametrize("style", ["simple", "label", "matrix"])
@pytest.mark.parametrize("shape", ["scalar", "array", "object"])
@quick
@given(data=st.data())
def test_path(style, explode, shape, data):
    value = data.draw(shapes(SEGMENT)[shape])
    target = build_path("/a/{p}/b", {"p": Styled(value, style, explode)})
    first, second, raw, last = target.split("/")
    assert (first, second, last) == ("", "a", "b")
    assert "?" not in raw
    assert "#" not in raw
    assert read_segment(raw, "p", style, explode, shape) == value


DELIMITERS = {"spaceDelimited": " ", "pipeDelimited": "|", "tabDelimited": "\t"}


@pytest.mark.parametrize("explode", [False, True])
@pytest.mark.parametrize("style", ["form", *DELIMITERS])
@pytest.mark.parametrize("shape", ["scalar", "array", "object"])
@quick
@given(data=st.data())
def test_query(style, explode, shape, data):
    item = (
        TEXT.map(lambda text: text.replace(DELIMITERS.get(style, ""), ""))
        if style != "form"
        else TEXT
    )
    value = data.draw(shapes(item)[shape])
    query = build_query({"p": Styled(value, style, explode)})
    assert query.isascii()
    assert "#" not in query
    assert read_query(query, "p", style, explode, shape) == value


NAME = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="[]"), min_size=1, max_size=6
)
TREE = st.recursive(
    TEXT,
    lambda inner: (
        st.lists(inner, min_size=1, max_size=3)
        | st.dictionaries(
            NAME.filter(lambda name: not name.isdigit()), inner, min_size=1, max_size=3
        )
    ),
    max_leaves=8,
)


@quick
@given(st.dictionaries(NAME.filter(lambda name: not name.isdigit()), TREE, min_size=1, max_size=3))
def test_deep_object(value):
    query = build_query({"p": Styled(value, "deepObject", True)})
    assert read_query(query, "p", "deepObject", True, "object") == value


ASCII = st.text(
    st.characters(min_codepoint=33, max_codepoint=126, exclude_characters=","), min_size=1
)


@pytest.mark.parametrize("explode", [False, True])
@quick
@given(data=st.data())
def test_headers(explode, data):
    value = data.draw(shapes(ASCII)["array"])
    ((_, text),) = build_headers({"X-P": Styled(value, "simple", explode)})
    assert text.split(",") == value


@quick
@given(PRINTABLE)
def test_cookie_scalar(value):
    header = build_cookie({"p": value})
    assert header.isascii()
    ((name, text),) = read_cookies(header)
    assert (name, unquote(text)) == ("p", value)


@quick
@given(st.lists(PRINTABLE, min_size=1))
def test_cookie_arrays(value):
    exploded = read_cookies(build_cookie({"p": value}) or "")
    assert [(name, unquote(text)) for name, text in exploded] == [("p", text) for text in value]
    ((_, joined),) = read_cookies(build_cookie({"p": Styled(value, "form", False)}) or "")
    assert [unquote(text) for text in joined.split(",")] == value


@quick
@given(st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.booleans())
def test_scalars_keep_their_value(whole, number, flag):
    assert int(read_query(build_query({"p": whole}), "p", "form", True, "scalar")) == whole
    assert float(read_query(build_query({"p": number}), "p", "form", True, "scalar")) == number
    assert read_query(build_query({"p": flag}), "p", "form", True, "scalar") == str(flag).lower()
