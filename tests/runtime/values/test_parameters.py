"""What reaches the wire in paths and queries, and what is refused with a reason."""

import json
from types import MappingProxyType
from typing import Any

import pytest
from tables import table

from mcpgen.runtime import UNSET, ArgumentError
from mcpgen.runtime.parts.forms.cookies import build_cookie
from mcpgen.runtime.parts.forms.forms import Form, build_querystring, urlencoded
from mcpgen.runtime.parts.forms.multipart import multipart
from mcpgen.runtime.values import style
from mcpgen.runtime.values.arguments import Limits
from mcpgen.runtime.values.parameters import build_headers, build_path, build_query, check_target

from ..parameter_values import HARD, refusal


def path(values: dict[str, Any]) -> str:
    return build_path("/users/{id}/x", values)


@table(
    "value, expected",
    (HARD, "a%2Fb%3Fc%23d%26e%3Df%20%2B%C3%A9%25"),
    ("a%2Fb", "a%252Fb"),
    ("a;b=c", "a%3Bb%3Dc"),
    ("a\\b", "a%5Cb"),
    ("file.tar.gz", "file.tar.gz"),
    ("...", "..."),
    ("http://other.example/", "http%3A%2F%2Fother.example%2F"),
    (True, "true"),
    (7, "7"),
    (3.0, "3"),
    (10**40, "1" + "0" * 40),
    (["a/b", "c,d"], "a%2Fb,c%2Cd"),
    ({"r": "a/b"}, "r,a%2Fb"),
    (style.label([1.5, 2], explode=True), ".1%2E5.2"),
    (style.pipe_delimited(["a", "b c"]), "a%7Cb%20c"),
    (style.simple(["a,b;c", "d"], allow_reserved=True), "a%2Cb;c,d"),
    (style.simple({"a=b": "c,d"}, explode=True, allow_reserved=True), "a%3Db=c%2Cd"),
    (style.matrix(["a;b,c", "d"], allow_reserved=True), ";id=a%3Bb%2Cc,d"),
    (style.matrix(["a;b,c"], explode=True, allow_reserved=True), ";id=a%3Bb,c"),
    (style.matrix(["", "a"], explode=True), ";id;id=a"),
    (style.matrix({"a": "", "b": "c"}, explode=True), ";a;b=c"),
    (style.matrix(["", "a"]), ";id=,a"),
    (style.label(["a,b.c"], allow_reserved=True), ".a%2Cb.c"),
    (style.label({"a.b": "c=d,e"}, explode=True, allow_reserved=True), ".a%2Eb=c%3Dd,e"),
    (style.simple("a%20b%41%7e", allow_reserved=True), "a%20b%41%7e"),
    (style.simple("a:b@c/d%41", allow_reserved=True), "a:b@c%2Fd%41"),
    (style.json({"a": [1]}), "%7B%22a%22%3A%5B1%5D%7D"),
    ("a\x1fb\x1c", "a%1Fb%1C"),
    ([{"a": 1}, 2], "%5B%7B%22a%22%3A1%7D%2C2%5D"),
    (style.json({}), "%7B%7D"),
    (style.json([]), "%5B%5D"),
    (style.json(None), "null"),
    (style.json(""), "%22%22"),
)
def test_a_path_value_stays_one_segment(value, expected):
    assert path({"id": value}) == f"/users/{expected}/x"


@table(
    "value",
    *["..", ".", "../admin", "..%2fadmin", "%2e%2e", ".%2e", "..\\..\\x", "..;/x", "a/..;x/b"],
    *["%252e%252e", "%%32%65%2e", "a/./b", "x/..", ".. ", "..%00", "..\x1f"],
    *[["a", ".."], {"k": "../x"}, {"..": "x"}],
)
def test_dot_segments_are_refused_in_any_encoding(value):
    assert "path segment" in refusal(path, value)


@table(
    "values, said",
    (["", [], {}, [""], style.label(""), style.matrix([])], "must not be empty"),
    ([None, UNSET, style.matrix(UNSET), style.json(UNSET)], "is required"),
    (["\0", "a\r\nX-Evil: 1", "a\x7f", "\x1b", ["a", "b\n"]], "control character"),
    ([*map(style.segments, ("/a", "//host.example", "a//b", "/", "folder/"))], "empty segment"),
    ([*map(style.segments, ("a/../b", "a/.", "..", "a/%2e%2e/b", "a/..;x/b"))], "path segment"),
)
def test_what_a_path_cannot_hold_is_refused(values, said):
    for value in values:
        assert said in refusal(path, value), value


@table(
    "value, expected",
    (style.segments(HARD), "a/b%3Fc%23d%26e%3Df%20%2B%C3%A9%25"),
    (style.segments("a%2Fb/c:d@e"), "a%252Fb/c%3Ad%40e"),
    (style.segments(["a/b", "c,d"]), "a/b,c%2Cd"),
    (style.segments("a/b:c%20d/e?f#g h", allow_reserved=True), "a/b:c%20d/e%3Ff%23g%20h"),
)
def test_a_path_value_of_several_segments_keeps_its_slashes(value, expected):
    assert path({"id": value}) == f"/users/{expected}/x"


def test_limits_and_odd_values_of_a_path():
    empty = style.simple("", allow_empty=True)
    assert build_path("/a/{x}", {"x": empty}) == "/a/"
    assert build_path("/a/{x}/b", {"x": empty}) == "/a//b"
    assert "must not be empty" in refusal(path, style.simple(""))
    with pytest.raises(ArgumentError, match="empty segment"):
        build_path("/{x}/b", {"x": empty})
    with pytest.raises(ArgumentError, match="`b` is required"):
        build_path("/{a}/{b}", {"a": 1})
    assert "8192" in refusal(path, "é" * 5000)
    assert path({"id": "x" * 8192}).endswith("/x")
    with pytest.raises(ArgumentError, match="at most 4"):
        build_path("/{id}", {"id": "abcde"}, Limits(path_value=4))
    # As in `/files{path}` of file stores; at the path's beginning a host would follow.
    assert build_path("/files{path}", {"path": style.segments("/a/b")}) == "/files/a/b"
    for template in ("{path}", "/{path}", "/files{path}{path}"):
        with pytest.raises(ArgumentError, match="empty segment"):
            build_path(template, {"path": style.segments("/a/")})


@table(
    "template, values, expected",
    ("/{a}/{b}.{ext}", {"a": "x", "b": "y", "ext": "z"}, "/x/y.z"),
    ("/{a}/{a}", {"a": "é"}, "/%C3%A9/%C3%A9"),
    ("/{a b}/{c.d}-{e}", {"a b": 1, "c.d": 2, "e": 3}, "/1/2-3"),
    ("/{id}:run", {"id": "a:b"}, "/a%3Ab:run"),
    ("/map{p}/x", {"p": style.matrix([1, 2])}, "/map;p=1,2/x"),
    ("/a b/é/{}x", {"": "v"}, "/a%20b/%C3%A9/vx"),
    ("/a{b", {}, "/a%7Bb"),
    ("/x?action=list&f[]=1", {}, "/x?action=list&f[]=1"),
    ("/x/{id}?q={q}&r", {"id": 1, "q": "a b&c"}, "/x/1?q=a%20b%26c&r"),
    ("/x?q={q}", {"q": style.json({"a": "b c"})}, "/x?q=%7B%22a%22%3A%22b%20c%22%7D"),
    ("/x?q={q}", {"q": [1, "b,c"]}, "/x?q=1,b%2Cc"),
    ("/x?q={q}&r={r}", {"q": "..", "r": ""}, "/x?q=..&r="),
    ("/a[b]/x?a=b?c[]&d={d}&e[]=f?g", {"d": 1}, "/a%5Bb%5D/x?a=b?c[]&d=1&e[]=f?g"),
    ("/#Action=Create", {}, "/"),
    ("/x/{id}#y{z}", {"id": 1}, "/x/1"),
    ("/100%/%41", {}, "/100%25/%41"),
    ("/files/{path}", {"path": style.segments("folder/")}, "/files/folder/"),
)
def test_templates(template, values, expected):
    assert build_path(template, values) == expected


@table(
    "value, expected",
    (HARD, "q=a%2Fb%3Fc%23d%26e%3Df%20%2B%C3%A9%25"),
    ("a\r\nX: y", "q=a%0D%0AX%3A%20y"),
    (None, ""),
    (UNSET, ""),
    (style.form(UNSET), ""),
    ("", "q="),
    ([], ""),
    ({}, ""),
    (style.form([], allow_empty=True), "q="),
    (style.form([], explode=False, allow_empty=True), "q="),
    (style.form([], explode=False), ""),
    (style.pipe_delimited([None]), ""),
    ([None, "a"], "q=a"),
    ({"a": None, "b": 1}, "b=1"),
    (True, "q=true"),
    (10**30, "q=1" + "0" * 30),
    (style.form(["a,b", "c d"], explode=False), "q=a%2Cb,c%20d"),
    (style.form(HARD, allow_reserved=True), "q=a/b?c%23d%26e%3Df%20%2B%C3%A9%25"),
    (style.form("a%20b:c,d%41e%", allow_reserved=True), "q=a%20b:c,d%41e%25"),
    (style.form(["a,b"], explode=False, allow_reserved=True), "q=a%2Cb"),
    (style.json({"a": "é"}), "q=%7B%22a%22%3A%22%C3%A9%22%7D"),
    (style.text("a b"), "q=a%20b"),
    (style.tab_delimited(["a", "b"]), "q=a%09b"),
    (style.space_delimited({"a": 1, "b": 2}), "q=a%201%20b%202"),
    (style.pipe_delimited({"a": 1, "b": 2}), "q=a%7C1%7Cb%7C2"),
    (style.urlencoded({"a": "b c", "d": [1, 2]}), "q=a%3Db%2Bc%26d%3D1%26d%3D2"),
    (style.urlencoded("a=b"), "q=a%3Db"),
    (style.joined([[1, True], ["a"], "b"], "|"), "q=1%7Ctrue&q=a&q=b"),
    (style.joined(UNSET, "|"), ""),
    (style.urlencoded(UNSET), ""),
    ({"a": [1, 2], "b": {"c": None}}, "a=1&a=2&b=%7B%22c%22%3Anull%7D"),
    ([{"a": 1}, {"a": 2}], "q=%7B%22a%22%3A1%7D&q=%7B%22a%22%3A2%7D"),
    ({"a": [{"b": 1}]}, "a=%5B%7B%22b%22%3A1%7D%5D"),
    (MappingProxyType({"a": MappingProxyType({"b": 1})}), "a=%7B%22b%22%3A1%7D"),
    (style.deep_object(["a", "b"]), "q%5B%5D=a&q%5B%5D=b"),
    (style.deep_object("a"), "q=a"),
    (style.deep_object({"a": {"b": [1, 2]}}), "q%5Ba%5D%5Bb%5D%5B%5D=1&q%5Ba%5D%5Bb%5D%5B%5D=2"),
    (
        style.deep_object({"a": [{"b": 1}, {"b": True}], "c": []}),
        "q%5Ba%5D%5B0%5D%5Bb%5D=1&q%5Ba%5D%5B1%5D%5Bb%5D=true",
    ),
)
def test_query_values(value, expected):
    assert build_query({"q": value}) == expected


@table(
    "number, text",
    *[(0.0, "0"), (-0.0, "0"), (1.0, "1"), (-2.5, "-2.5"), (100.0, "100"), (1234.5, "1234.5")],
    *[(0.05, "0.05"), (-0.00102, "-0.00102"), (10.05, "10.05"), (0.000012, "0.000012")],
    *[(0.1, "0.1"), (1e-6, "0.000001"), (1.5e-7, "1.5e-7"), (1e-7, "1e-7"), (5e-324, "5e-324")],
    *[(1e20, "100000000000000000000"), (1e21, "1e%2B21"), (1.25e22, "1.25e%2B22")],
    (1.7976931348623157e308, "1.7976931348623157e%2B308"),
)
def test_numbers_are_spelled_as_in_json(number, text):
    assert build_query({"n": number}) == f"n={text}"


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
@pytest.mark.parametrize("wrap", [lambda x: x, lambda x: [x], style.json, lambda x: {"a": [x]}])
def test_numbers_that_are_not_json_are_refused(number, wrap):
    for build in (path, build_query, build_headers, build_cookie):
        refusal(build, wrap(number))


@pytest.mark.parametrize("build", [path, build_query, build_headers, build_cookie])
@pytest.mark.parametrize("value", ["\ud800", ["a\udfff"], {"\ud800": 1}, style.json(["\ud800"])])
def test_lone_surrogates_are_refused(build, value):
    refusal(build, value).encode()


@table(
    "value, expected",
    (None, ""),
    (UNSET, ""),
    (style.json(UNSET), ""),
    (style.form({"a": "b"}, explode=True), "a=b"),
    ({"a": "b c", "l": [1, 2], "n": None, "o": {"k": 1}}, "a=b+c&l=1&l=2&o=%7B%22k%22%3A1%7D"),
    (
        style.fields(
            {"a": "b c", "l": ["x y", "z"], "o": {"k": 1}, "n": None},
            {"l": style.part(explode=False), "o": style.part(style="deepObject")},
        ),
        "a=b+c&l=x+y,z&o%5Bk%5D=1",
    ),
    (style.fields(UNSET, {"l": style.part(explode=False)}), ""),
    (style.json({"a": [1], "f": None}), "%7B%22a%22%3A%5B1%5D%2C%22f%22%3Anull%7D"),
    (style.text("$.a[1:1]"), "%24.a%5B1%3A1%5D"),
    ("a=1&b=x y#z", "a=1&b=x%20y%23z"),
)
def test_a_parameter_that_is_the_whole_query(value, expected):
    assert build_querystring(value) == expected


@pytest.mark.parametrize("empty", [[], {}])
def test_an_array_or_object_without_members_is_undefined_and_not_sent(empty):
    """RFC 6570 2.3, also where it is required: the schema may ask for members."""
    assert build_headers({"X": empty}) == []
    assert build_query({"q": style.deep_object(empty)}) == ""
    assert build_query({"q": style.pipe_delimited(empty)}) == ""
    assert build_cookie({"c": empty}) is None
    assert urlencoded(Form({"q": empty}, {"q": style.Part(style="form")})) == b""


def test_what_is_unset_inside_a_value_is_left_out_as_it_is_in_json():
    items = [UNSET, "a", UNSET, "b"]
    assert build_query({"q": items}) == "q=a&q=b"
    assert build_query({"q": style.pipe_delimited(items)}) == "q=a%7Cb"
    assert build_query({"q": style.deep_object({"b": UNSET, "c": 1})}) == "q%5Bc%5D=1"
    assert build_query({"q": {"b": UNSET, "c": 1}}) == "c=1"
    assert build_path("/{p}", {"p": items}) == "/a,b"
    assert build_headers({"X": items}) == [("X", "a,b")]
    assert urlencoded(Form({"q": items}, {})) == b"q=a&q=b"
    assert [each.content for each in multipart(Form({"q": items}, {}))] == [b"a", b"b"]


def test_urls_and_refusals():
    check_target("/" + "x" * 32767)
    with pytest.raises(ArgumentError, match=r"URL of 32769 bytes.* Give shorter or fewer values"):
        check_target("/" + "x" * 32768)
    error = ArgumentError("a\ud800", "is wrong.")
    assert json.loads(json.dumps(str(error).encode().decode())) == "Argument `a\\ud800` is wrong."
    assert build_headers({"X": style.pipe_delimited(style.joined([["a", "b"], ["c"]], ","))}) == [
        ("X", "a,b|c")
    ]
    with pytest.raises(ArgumentError, match="of an inner list holds"):
        style.joined([["a,b"]], ",")
    query = {"$filter": 1, "ids[]": [2, 3], "a b": 4, "é&=": 5}
    expected = "x=0&$filter=1&ids%5B%5D=2&ids%5B%5D=3&a%20b=4&%C3%A9%26%3D=5"
    assert build_query(query, fixed="x=0") == expected
    assert build_query() == ""
