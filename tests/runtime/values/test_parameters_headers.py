"""What reaches the wire in headers and cookies, and what is refused with a reason."""

import pytest
from tables import table

from mcpgen.runtime import UNSET, ArgumentError
from mcpgen.runtime.parts.forms.cookies import build_cookie
from mcpgen.runtime.values import style
from mcpgen.runtime.values.arguments import Limits
from mcpgen.runtime.values.parameters import build_headers

from ..parameter_values import HARD, refusal


@table(
    "value, expected",
    ("ok", "ok"),
    (" a \t", "a"),
    ("", ""),
    (True, "true"),
    (5, "5"),
    ("a, b", "a, b"),
    ([1, None, 2], "1,2"),
    (style.pipe_delimited(["a", "b"]), "a|b"),
    (style.space_delimited(["a,b", "c"]), "a,b c"),
    (style.simple({"X": "a=b", "Y": None}, explode=True), "X=a=b"),
    ([{"a": "b,c"}], '[{"a":"b,c"}]'),
    (style.json({"a": "é"}), r'{"a":"\u00e9"}'),
    (style.text("a, b"), "a, b"),
    ({"a": {"é": "🐾\n"}}, r'{"a":{"\u00e9":"\ud83d\udc3e\n"}}'),
)
def test_header_values(value, expected):
    assert build_headers({"X-T": value}) == [("X-T", expected)]


@pytest.mark.parametrize("value", [None, UNSET, [], {}, style.simple(None)])
def test_headers_without_a_value_are_not_sent(value):
    assert build_headers({"X-T": value, "bad name": UNSET, "X-U": 1}) == [("X-U", "1")]


@pytest.mark.parametrize("value", ["a\r\nX-Evil: 1", "a\nb", "a\r\n", "\fa", "a\0b", "a\tb"])
def test_control_characters_are_refused_in_a_header(value):
    assert "control" in refusal(build_headers, value)


@table(
    "value, expected",
    ("a; admin=1", "c=a%3B%20admin%3D1"),
    (HARD, "c=a%2Fb%3Fc%23d%26e%3Df%20%2B%C3%A9%25"),
    ("", "c="),
    ({"a;b": "c"}, "a%3Bb=c"),
    (style.form("a/b;c,d e", allow_reserved=True), "c=a/b%3Bc%2Cd%20e"),
    (style.form([], allow_empty=True), "c="),
    (style.pipe_delimited(["a", "b"]), "c=a%7Cb"),
    (style.cookie(["a", "b"], explode=False), "c=a,b"),
    (style.cookie(["a", "b"]), "c=a; c=b"),
    (style.cookie("a%20b=c"), "c=a%20b=c"),
    (style.json(["a"]), "c=%5B%22a%22%5D"),
    (None, None),
    ([], None),
)
def test_cookies_are_percent_encoded(value, expected):
    assert build_cookie({"c": value}) == expected


def test_headers_and_cookies_may_be_as_long_as_the_limit_and_have_names():
    limits = Limits(header=8)
    assert build_headers({"X": "12345678"}, limits) == [("X", "12345678")]
    assert build_cookie({"a": 1, "b": 2}, limits) == "a=1; b=2"
    with pytest.raises(ArgumentError, match="`X`"):
        build_headers({"X": "123456789"}, limits)
    with pytest.raises(ArgumentError, match="`b`"):
        build_cookie({"a": 1, "b": 22}, limits)
    with pytest.raises(ArgumentError, match="name"):
        build_headers({"a b\r\n": "x"})
    assert build_cookie({"a": 1, "b": UNSET, "c[d]": "x"}) == "a=1; c[d]=x"
    assert build_cookie({}) is None
