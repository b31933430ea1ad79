"""What an agent is told of an argument that cannot be sent: which one, and what was expected."""

from collections.abc import Callable
from functools import partial
from typing import Any, cast

import anyio
import pytest
from tables import table

from mcpgen.runtime import ArgumentError, Context, tool
from mcpgen.runtime.bodies.encoding import encode_body
from mcpgen.runtime.calls.catalogue import Handler
from mcpgen.runtime.parts.forms.cookies import build_cookie
from mcpgen.runtime.parts.forms.forms import build_querystring
from mcpgen.runtime.values import style
from mcpgen.runtime.values.arguments import Limits
from mcpgen.runtime.values.parameters import build_headers, build_path, build_query, check_target

NAN = float("nan")
Build = Callable[[Any], Any]


def path(value: Any) -> str:
    return build_path("/{a}", {"a": value})


def in_fixed_query(value: Any) -> str:
    return build_path("/x?q={a}", {"a": value})


def query(value: Any) -> str:
    return build_query({"a": value})


def header(value: Any) -> Any:
    return build_headers({"a": value})


def cookie(value: Any) -> Any:
    return build_cookie({"a": value})


def body(kind: Any, value: Any, media_type: str | None = None, **encoding: style.Part) -> Any:
    return encode_body(kind, value, media_type, encoding, limits=Limits(depth=3))


def lines(value: Any) -> Any:
    return body("body", value, "application/x-ndjson")


def text(value: Any) -> Any:
    return body("text", value, "text/plain; charset=latin-1")


def xml(value: Any) -> Any:
    return body("text", value, "application/xml")


def field(kind: str, part: style.Part) -> Build:
    return lambda value: body(kind, {"a": value}, None, a=part)


def items_of(build: Build) -> Build:
    """Where the items of an array are written apart."""
    return lambda value: build([value])


def refused(build: Build, value: Any) -> ArgumentError:
    with pytest.raises(ArgumentError) as caught:
        build(value)
    return caught.value


@table(
    "build, value, reason",
    (path, None, "is required: it is part of the URL"),
    (path, "", "must not be empty: it is part of the URL"),
    (path, "x" * 8193, "is 8193 bytes long; at most 8192 "),
    (path, "a\n", "holds a control character"),
    (path, "..", "holds `.` or `..` as a path segment"),
    (path, NAN, "must be a finite number: JSON has no NaN"),
    (path, style.json(NAN), "holds a number that JSON cannot carry (NaN,"),
    (path, style.json("\ud800"), "holds a lone surrogate"),
    (path, style.text("\ud800"), "holds a lone surrogate"),
    (path, [[NAN]], "holds a number that JSON cannot carry"),
    (path, style.pipe_delimited(["a|b"]), "has an item that holds `|`, which separates"),
    (path, style.space_delimited(["a", "b c"]), "has an item that holds a space"),
    (in_fixed_query, None, "is required: it is part of the URL"),
    (in_fixed_query, style.json("\ud800"), "holds a lone surrogate"),
    (in_fixed_query, "\ud800", "holds a lone surrogate"),
    (query, {"a": NAN}, "must be a finite number"),
    (query, {"\ud800": 1}, "holds a lone surrogate"),
    (query, style.deep_object({"\ud800": 1}), "holds a lone surrogate"),
    (query, style.deep_object({"b": NAN}), "must be a finite number"),
    (query, style.form([NAN], explode=False), "must be a finite number"),
    (query, style.pipe_delimited(["a|b"]), "has an item that holds `|`, which separates"),
    (query, style.pipe_delimited({"a|b": "c"}), "has an item that holds `|`"),
    (query, style.space_delimited(["a b"]), "has an item that holds a space"),
    (query, style.tab_delimited(["a\tb"]), "has an item that holds a tab"),
    (header, {"b": NAN}, "must be a finite number"),
    (header, ["a,b"], "has an item that holds a comma"),
    (header, style.pipe_delimited(["a|b"]), "has an item that holds `|`"),
    (header, style.simple({"a=b": 1}, explode=True), "has an item that holds `=`"),
    (header, "a\r\nb", "is sent as a header and must not hold line breaks"),
    (header, "a\n", "is sent as a header and must not hold line breaks"),
    (header, "é", "is sent as a header and must be ASCII"),
    (header, "x" * 16385, "is 16385 bytes long; a header may be at most 16384"),
    (cookie, "a\nb", "is sent as a cookie and must not hold control characters"),
    (cookie, style.cookie("é"), "is sent as a cookie unencoded: use ASCII, "),
    (cookie, style.cookie("a; b"), "is sent as a cookie unencoded: use ASCII, "),
    (cookie, style.cookie([" a"]), "is sent as a cookie unencoded: use ASCII, "),
    (cookie, style.cookie(["a,b"], explode=False), "has an item that holds a comma"),
    (cookie, "x" * 16384, "makes the Cookie header longer than 16384 bytes"),
    (partial(body, "json"), NAN, "holds a number that JSON cannot carry"),
    (lines, [NAN], "holds a number that JSON cannot carry"),
    (lines, "\ud800", "holds a lone surrogate"),
    (text, "\ud800", "holds a lone surrogate"),
    (text, "漢", "holds characters that latin-1 does not have"),
    (xml, {"a": 1}, "must be the XML document as text"),
    (partial(body, "form"), [1], "must be an object: each of its members is a form field"),
    (partial(body, "multipart"), [1], "must be an object: each of its members is a form field"),
    (partial(body, "binary"), "?", "is binary and not valid base64"),
    *[
        (field(kind, part), value, reason)
        for kind in ("form", "multipart")
        for part, value, reason in (
            (style.part(), NAN, "must be a finite number"),
            (style.part(), [NAN], "must be a finite number"),
            (style.part(style="form"), NAN, "must be a finite number"),
            (style.part(content_type="application/json"), NAN, "holds a number that JSON"),
            (style.part(binary=True), "data:x", "is a data: URI without the comma"),
            (style.part(binary=True), "file:x", "is a file: URI, but this server reads no"),
        )
    ],
)
def test_a_refusal_names_the_argument_and_begins_with_what_is_wrong(build, value, reason):
    error = refused(build, value)
    assert error.argument in ("a", "body")
    assert error.reason.startswith(reason)
    assert error.reason.endswith(".")


@pytest.mark.parametrize("build", [path, query, header, cookie])
def test_a_number_may_have_too_many_digits(build):
    for value in (10**5000, [10**5000]):
        error = refused(build, value)
        assert error.argument == "a"
        assert error.reason.startswith("is a number with too many digits")


@table(
    "build, value, reason",
    (build_querystring, 5, "The query string must be an object or text."),
    (build_querystring, "\ud800", "holds a lone surrogate"),
    (build_querystring, style.json(NAN), "holds a number"),
    (check_target, "/" * 32769, "The arguments make a URL of 32769 bytes; at most 32768 "),
    (partial(encode_body, "json"), "x" * (1 << 22), "The arguments make a body of 4194306 "),
)
def test_what_is_of_no_single_argument_names_none(build, value, reason):
    error = refused(build, value)
    assert error.argument == ""
    assert str(error).startswith(reason)


DEPTH = Limits(depth=3)
PLACES: dict[str, Build] = {
    "path": lambda value: build_path("/{a}", {"a": value}, DEPTH),
    "path, JSON": lambda value: build_path("/{a}", {"a": style.json(value)}, DEPTH),
    "path, text": lambda value: build_path("/{a}", {"a": style.text(value)}, DEPTH),
    "query of the path": lambda value: build_path("/x?{a}", {"a": value}, DEPTH),
    "query of the path, JSON": lambda value: build_path("/x?{a}", {"a": style.json(value)}, DEPTH),
    "query": lambda value: build_query({"a": style.form(value, explode=False)}, limits=DEPTH),
    "query, exploded": lambda value: build_query({"a": {"b": value}}, limits=DEPTH),
    "query, deep": lambda value: build_query({"a": style.deep_object(value)}, limits=DEPTH),
    "query, JSON": lambda value: build_query({"a": style.json(value)}, limits=DEPTH),
    "query string": items_of(lambda value: build_querystring({"a": value}, DEPTH)),
    "query string, JSON": lambda value: build_querystring(style.json(value), DEPTH),
    "header": lambda value: build_headers({"a": value}, DEPTH),
    "header, JSON": lambda value: build_headers({"a": style.json(value)}, DEPTH),
    "cookie": lambda value: build_cookie({"a": style.form(value, explode=False)}, DEPTH),
    "JSON": partial(body, "json"),
    "text": partial(body, "text"),
    "lines": items_of(lines),
}
for kind in ("form", "multipart"):
    PLACES |= {
        kind: field(kind, style.part(style="form", explode=False)),
        f"{kind}, deep": field(kind, style.part(style="deepObject")),
        f"{kind}, JSON": items_of(field(kind, style.part(content_type="application/json"))),
        f"{kind}, text": items_of(field(kind, style.part(content_type="text/plain"))),
    }


@pytest.mark.parametrize("build", PLACES.values(), ids=PLACES)
def test_values_are_nested_as_deep_as_the_limit_everywhere(build):
    for most in ({"b": {"c": {"d": 1}}}, [[[1]]]):
        build(most)
    for too_deep in ({"b": {"c": {"d": {"e": 1}}}}, [[[[1]]]]):
        assert "nested deeper than 3 levels" in refused(build, too_deep).reason


def test_names_and_depth_of_what_is_refused():
    error = refused(build_headers, {"a b": 1})
    assert (error.argument, error.reason[:29]) == ("a b", "has a name that HTTP does not")
    assert refused(partial(encode_body, "form"), {"\ud800": 1}).argument == "\ud800"
    assert refused(partial(body, "json"), {"b": [[[1]]]}).argument == "body"
    assert refused(partial(body, "json"), {"b": [[[[1]]]]}).argument == "b"


@table(
    "name, told",
    ("X-Trace", "The API's `X-Trace` is sent as a header"),
    ("trace", "Argument `trace` is sent as a header"),
    ("id[0]", "Argument `id[0]` is sent as a header"),
    ("id.deep", "Argument `id.deep` is sent as a header"),
    ("identifier", "The API's `identifier` is sent as a header"),
    ("", "is sent as a header"),
)
def test_a_name_that_only_the_api_knows_is_told_to_be_its_own(name, told):
    def plain(ctx, *, trace, ids=""):
        raise ArgumentError(name, "is sent as a header.")

    async def waiting(ctx, *, trace, ids=""):
        plain(ctx, trace=trace)

    for function in (plain, waiting):
        with pytest.raises(ArgumentError) as caught:
            anyio.run(Handler(tool("t", ids="id")(function)), cast("Context", None), {"trace": "x"})
        assert caught.value.message == f"{told}."
        assert caught.value.argument == name
