"""What the generated tests expect at the API: places, bodies, URLs and credentials."""

import pytest
from cases_building import argument, build, of_kind, request, tool
from tables import table

from mcpgen.api import Body, Encoding, HttpCall, In, Server, ServerVariable


def test_every_place_of_an_argument():
    seen = request(
        "full",
        argument("id", In.PATH, {"type": "integer", "const": 7}, required=True),
        argument("tags", In.QUERY, {"const": ["a", "b"]}, style="pipeDelimited", explode=False),
        argument("filter", In.QUERY, {"const": {"a": 1}}, style="deepObject"),
        argument("json", In.QUERY, {"const": [1]}, media_type="application/json"),
        argument("X-Trace", In.HEADER, {"const": "on"}),
        argument("theme", In.COOKIE, {"const": "a b"}),
        argument("name", In.PROPERTY, {"const": "n"}),
        http=HttpCall("PUT", "/a/{id}", Body("application/json", True, spread=True)),
    )
    assert seen == {
        "method": "PUT",
        "url": "https://api.example.org/v1/a/7?tags=a%7Cb&filter%5Ba%5D=1&json=%5B1%5D",
        "headers": {
            "accept": "application/json",
            "content-type": "application/json",
            "cookie": "theme=a%20b",
            "x-trace": "on",
        },
        "body": {"json": {"name": "n"}},
    }


def test_free_text_holds_what_has_to_be_escaped():
    seen = request("full", argument("q", In.QUERY), http=HttpCall("GET", "/a"))
    assert seen["url"].endswith("?q=q-text%20a%2Fb%3Fc%23d%26e%3Df%20%2B%C3%A9%25")


def test_the_required_variant_has_required_arguments_only():
    call = HttpCall("POST", "/a", Body("application/json", True, spread=True))
    optional = argument("o", In.PROPERTY), argument("q", In.QUERY)
    seen = request(
        "required", argument("r", In.PROPERTY, {"const": 1}, required=True), *optional, http=call
    )
    assert seen["body"] == {"json": {"r": 1}}
    assert "?" not in seen["url"]


@pytest.mark.parametrize(("a", "given"), [("string", {"q"}), ("null", {"q", "a", "b"})])
def test_what_a_body_needs_is_given_where_there_is_one(a, given):
    body = Body("application/json", False, spread=True, needed=("b",))
    taken = [
        argument("q", In.QUERY, {"type": ["string", "null"]}, required=True),
        argument("a", In.PROPERTY, {"type": a}),
        argument("b", In.PROPERTY),
    ]
    (case,) = of_kind(build(tool(*taken, http=HttpCall("POST", "/a", body))), "null")
    assert set(case["arguments"]) == given


@table(
    "media_type, body",
    ("application/json", {"json": {"a": None, "b": 1}}),
    ("application/merge-patch+json", {"json": {"a": None, "b": 1}}),
    ("application/x-www-form-urlencoded", {"text": "b=1"}),
)
def test_null_is_sent_where_the_body_has_it(media_type, body):
    call = HttpCall("POST", "/a", Body(media_type, True, spread=True))
    nullable = argument("a", In.PROPERTY, {"type": ["string", "null"]})
    seen = request(
        "null", nullable, argument("b", In.PROPERTY, {"const": 1}, required=True), http=call
    )
    if media_type == "application/x-www-form-urlencoded":
        assert "a=null" not in seen["body"]["text"]
    else:
        assert seen["body"] == body
    assert seen["headers"]["content-type"] == media_type


def test_null_in_a_whole_body():
    schema = {
        "type": "object",
        "properties": {"a": {"type": ["string", "null"]}},
        "minProperties": 1,
    }
    call = HttpCall("PATCH", "/a", Body("application/json", True, spread=False))
    seen = request("null", argument("body", In.BODY, schema, required=True), http=call)
    assert seen["body"] == {"json": {"a": None}}


def test_binary_parts():
    body = Body("multipart/form-data", True, spread=True, encoding={"f": Encoding(binary=True)})
    file = argument("f", In.PROPERTY, {"type": "string", "const": "aGk="}, required=True)
    seen = request("required", file, http=HttpCall("POST", "/a", body))
    assert "\r\n\r\nhi\r\n" in seen["body"]["text"]


@pytest.mark.parametrize("media_type", ["image/png", "text/csv"])
def test_a_body_of_bytes_is_what_its_base64_stands_for(media_type):
    body = Body(media_type, True, spread=False, binary=True)
    whole = argument("body", In.BODY, {"type": "string", "const": "aGk="}, required=True)
    seen = request("required", whole, http=HttpCall("POST", "/a", body))
    assert seen["headers"]["content-type"] == media_type
    assert seen["body"] == {"text": "hi"}


def test_undeclared_properties_go_into_the_body():
    body = Body("application/json", True, spread=True, extra=True)
    seen = request(
        "full", argument("a", In.PROPERTY, {"const": 1}), http=HttpCall("POST", "/a", body)
    )
    assert seen["body"] == {"json": {"a": 1, "undeclared_property": "not declared"}}


def test_further_media_types():
    schema = {"anyOf": [{"type": "object", "properties": {"a": {"const": 1}}}, {"const": "aGk="}]}
    body = Body("application/json", True, spread=False, offered=("application/octet-stream",))
    kinds = {"enum": ["application/json", "application/octet-stream"]}
    whole = argument("body", In.BODY, schema, required=True)
    chooser = argument("content_type", In.CONTENT_TYPE, kinds)
    seen = request("media type", whole, chooser, http=HttpCall("POST", "/a", body))
    assert seen["headers"]["content-type"] == "application/octet-stream"
    assert seen["body"] == {"text": "hi"}


def test_a_further_media_type_is_tried_with_a_body_of_its_own():
    url, file = (
        {"type": "object", "properties": {name: {"const": "aGk="}}, "required": [name]}
        for name in ("url", "file")
    )
    encoding = {"file": Encoding(binary=True)}
    form = ("multipart/form-data",)
    body = Body("application/json", True, spread=False, offered=form, encoding=encoding)
    whole = argument("body", In.BODY, {"anyOf": [url, file]}, required=True)
    seen = request("media type", whole, http=HttpCall("POST", "/a", body))
    assert seen["headers"]["content-type"].startswith("multipart/form-data")
    assert "\r\n\r\nhi\r\n" in seen["body"]["text"]


@table(
    "security, headers, query",
    ((), {}, ""),
    (({"key": ()},), {"x-key": "sentinel-t-key"}, ""),
    (({"query": ()},), {}, "?api%20key=sentinel-t-query"),
    (({"cookie": ()},), {"cookie": "session=sentinel-t-cookie"}, ""),
    (
        ({"basic": ()},),
        {"authorization": "Basic c2VudGluZWwtdC11c2VyOnNlbnRpbmVsLXQtcGFzc3dvcmQ="},
        "",
    ),
    (({"bearer": ()},), {"authorization": "Bearer sentinel-t-bearer"}, ""),
    (({"hoba": ()},), {"authorization": "hoba sentinel-t-hoba"}, ""),
    (({"oauth": ("read",)}, {"key": ()}), {"authorization": "Bearer sentinel-t-oauth"}, ""),
    (
        ({"key": (), "bearer": ()},),
        {"x-key": "sentinel-t-key", "authorization": "Bearer sentinel-t-bearer"},
        "",
    ),
    (({}, {"key": ()}), {"x-key": "sentinel-t-key"}, ""),
)
def test_exactly_the_declared_credentials(security, headers, query):
    seen = request("full", http=HttpCall("GET", "/a", security=security))
    assert seen["headers"] == {"accept": "application/json", **headers}
    assert seen["url"] == f"https://api.example.org/v1/a{query}"
    assert request("full", http=HttpCall("GET", "/a"), security=security) == seen


def test_each_alternative_alone_and_none_at_all():
    security = ({"key": (), "bearer": ()}, {"oauth": ()})
    found = of_kind(build(tool(http=HttpCall("GET", "/a", security=security))), "security")
    assert [case["environment"] for case in found] == [["T_KEY", "T_BEARER"], ["T_OAUTH"], []]
    assert found[1]["request"]["headers"]["authorization"] == "Bearer sentinel-t-oauth"
    assert "x-key" not in found[1]["request"]["headers"]
    assert found[2]["mentions"] == ["T_KEY", "T_BEARER", "T_OAUTH"]
    assert "request" not in found[2]


def test_optional_security_without_credentials_is_anonymous():
    http = HttpCall("GET", "/a", security=({"key": ()}, {}))
    last = of_kind(build(tool(http=http)), "security")[-1]
    assert last["environment"] == []
    assert last["request"]["headers"] == {"accept": "application/json"}


def test_a_foreign_server_gets_no_credential():
    http = HttpCall("GET", "/a", security=({"key": ()},), servers=(Server("https://b.example"),))
    seen = request("full", http=http)
    assert seen["url"] == "https://b.example/a"
    assert "x-key" not in seen["headers"]


INSTEAD = "https://api.example.com/base"
"""Where the API of a document without a usable server is taken to be."""


def varying(url: str, name: str, default: str | None) -> Server:
    return Server(url, "", (ServerVariable(name, default),))


@table(
    "server, base_url, sent",
    (Server("/v1"), INSTEAD, f"{INSTEAD}/a"),
    (varying("https://{host}/v1", "host", None), INSTEAD, f"{INSTEAD}/a"),
    (varying("https://a.example/{base}", "base", ""), None, "https://a.example/a"),
    (varying("https://a.example/{base}", "base", "v1"), None, "https://a.example/v1/a"),
    # As the client library writes it
    (Server("https://API.example.com:443/v1"), None, "https://api.example.com/v1/a"),
    (Server("http://api.example.com:0080"), None, "http://api.example.com/a"),
    (Server("https://api.example.com:80"), None, "https://api.example.com:80/a"),
    (Server("https://[::1]:443/v1"), None, "https://[::1]/v1/a"),
)
def test_the_url_of_a_server(server, base_url, sent):
    built = build(tool(http=HttpCall("GET", "/a")), servers=(server,))
    assert built["base_url"] == base_url
    assert of_kind(built, "full")[0]["request"]["url"] == sent


@pytest.mark.parametrize(("own", "path"), [("/v2", "/v2/a"), ("https://b.example", "/base/a")])
def test_the_base_url_that_is_given_gets_the_credentials(own, path):
    http = HttpCall("GET", "/a", security=({"key": ()},), servers=(Server(own),))
    seen = request("full", http=http, servers=(Server("/v1"),))
    assert seen["url"] == f"https://api.example.com{path}"
    assert seen["headers"]["x-key"] == "sentinel-t-key"


@pytest.mark.parametrize(("style", "query"), [("form", "?a="), ("pipeDelimited", "")])
def test_an_empty_list_is_sent_where_its_style_has_a_form_for_it(style, query):
    empty = {"type": "array", "maxItems": 0}
    shown = argument("a", In.QUERY, empty, required=True, style=style, allow_empty_value=True)
    assert request("required", shown, http=HttpCall("GET", "/a"))["url"].endswith(f"/a{query}")


def test_a_whole_query_string_stands_beside_what_else_is_sent():
    whole = argument("whole", In.QUERYSTRING, {"const": "a=b"}, required=True)
    other = argument("c", In.QUERY, {"const": "d"}, required=True)
    seen = request("required", whole, other, http=HttpCall("GET", "/a"))
    assert seen["url"].endswith("?a=b&c=d")
