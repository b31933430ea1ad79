"""The data of the generated tests: computed from the IR, and what the API must really see."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from msgspec.structs import replace

from mcpgen import cases
from mcpgen.api import (
    Annotations,
    Api,
    Argument,
    Body,
    Encoding,
    Example,
    Fixed,
    HttpCall,
    In,
    Question,
    SecurityScheme,
    Server,
    ServerVariable,
    Shape,
    Tool,
)
from mcpgen.cases.mock_answers import mock_answers
from mcpgen.schemas import output_schema

SCHEMES = (
    SecurityScheme("key", "apiKey", name="X-Key", location="header"),
    SecurityScheme("query", "apiKey", name="api key", location="query"),
    SecurityScheme("cookie", "apiKey", name="session", location="cookie"),
    SecurityScheme("basic", "http", scheme="basic"),
    SecurityScheme("bearer", "http", scheme="bearer"),
    SecurityScheme("hoba", "http", scheme="hoba"),
    SecurityScheme("oauth", "oauth2"),
)


@dataclass(frozen=True)
class Names:
    env: dict[str, dict[str, str]] = field(
        default_factory=lambda: {
            scheme.key: {"env": f"T_{scheme.key.upper()}"}
            if scheme.scheme != "basic"
            else {"username_env": "T_USER", "password_env": "T_PASSWORD"}
            for scheme in SCHEMES
        }
    )
    env_prefix: str = "T"

    @property
    def apis(self) -> dict[str, Names]:
        return {"": self}


def argument(name: str, location: In, schema: Any = None, **more: Any) -> Argument:
    options = {"required": False, **more}
    return Argument(
        name, {"type": "string"} if schema is None else schema, location, name, **options
    )


def tool(*arguments: Argument, http: HttpCall, **more: Any) -> Tool:
    schema = {
        "type": "object",
        "properties": {each.name: each.schema for each in arguments},
        "required": [each.name for each in arguments if each.required],
        "additionalProperties": bool(http.body and http.body.extra),
    }
    options: dict[str, Any] = {
        "output_schema": None,
        "result": {"type": "object"},
        "result_media_type": "application/json",
        **more,
    }
    hints = Annotations(True, False, True)
    return Tool(
        "t", "T", "T.", "T.", arguments, schema, annotations=hints, http=http, tag="a", **options
    )


def build(*tools: Tool, **more: Any) -> dict[str, Any]:
    options: dict[str, Any] = {
        "servers": (Server("https://api.example.org/v1"),),
        "security_schemes": SCHEMES,
        **more,
    }
    built = cases.build(Api("A", "1", tools=tools, **options), Names())
    assert built == json.loads(cases.to_json(built))
    return built


def of_kind(built: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [case for case in built["cases"] if case["kind"] == kind]


def request(kind: str, *arguments: Argument, http: HttpCall, **more: Any) -> dict[str, Any]:
    (case,) = of_kind(build(tool(*arguments, http=http), **more), kind)
    found: dict[str, Any] = case["request"]
    return found


def test_every_place_of_an_argument() -> None:
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


def test_a_binary_answer_is_a_block_or_a_link() -> None:
    for links, kind, members in (
        (False, "resource", {"type", "mimeType", "blob"}),
        (True, "resource_link", {"type", "mimeType", "size"}),
    ):
        pdf = {"result": None, "result_media_type": "application/pdf", "links": links}
        (case,) = of_kind(build(tool(http=HttpCall("GET", "/a"), **pdf)), "full")
        (block,) = case["result"]["content"]
        assert (block["type"], block.keys()) == (kind, members)


def test_free_text_holds_what_has_to_be_escaped() -> None:
    seen = request("full", argument("q", In.QUERY), http=HttpCall("GET", "/a"))
    assert seen["url"].endswith("?q=q-text%20a%2Fb%3Fc%23d%26e%3Df%20%2B%C3%A9%25")


def test_the_required_variant_has_required_arguments_only() -> None:
    call = HttpCall("POST", "/a", Body("application/json", True, spread=True))
    optional = argument("o", In.PROPERTY), argument("q", In.QUERY)
    seen = request(
        "required", argument("r", In.PROPERTY, {"const": 1}, required=True), *optional, http=call
    )
    assert seen["body"] == {"json": {"r": 1}}
    assert "?" not in seen["url"]


@pytest.mark.parametrize(("a", "given"), [("string", {"q"}), ("null", {"q", "a", "b"})])
def test_what_a_body_needs_is_given_where_there_is_one(a: str, given: set[str]) -> None:
    body = Body("application/json", False, spread=True, needed=("b",))
    taken = [
        argument("q", In.QUERY, {"type": ["string", "null"]}, required=True),
        argument("a", In.PROPERTY, {"type": a}),
        argument("b", In.PROPERTY),
    ]
    (case,) = of_kind(build(tool(*taken, http=HttpCall("POST", "/a", body))), "null")
    assert set(case["arguments"]) == given


def test_what_the_user_would_be_asked_for_is_given() -> None:
    asked = Question("Which size?", {"size": {"type": "string"}})
    size, color = (argument(name, In.QUERY) for name in ("size", "color"))
    one = tool(size, color, http=HttpCall("GET", "/a"), questions=(asked,))
    (case,) = of_kind(build(one), "required")
    assert set(case["arguments"]) == {"size"}


@pytest.mark.parametrize(
    ("media_type", "body"),
    [
        ("application/json", {"json": {"a": None, "b": 1}}),
        ("application/merge-patch+json", {"json": {"a": None, "b": 1}}),
        ("application/x-www-form-urlencoded", {"text": "b=1"}),
    ],
)
def test_null_is_sent_where_the_body_has_it(media_type: str, body: dict[str, Any]) -> None:
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


def test_null_in_a_whole_body() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": ["string", "null"]}},
        "minProperties": 1,
    }
    call = HttpCall("PATCH", "/a", Body("application/json", True, spread=False))
    seen = request("null", argument("body", In.BODY, schema, required=True), http=call)
    assert seen["body"] == {"json": {"a": None}}


def test_binary_parts() -> None:
    body = Body("multipart/form-data", True, spread=True, encoding={"f": Encoding(binary=True)})
    file = argument("f", In.PROPERTY, {"type": "string", "const": "aGk="}, required=True)
    seen = request("required", file, http=HttpCall("POST", "/a", body))
    assert "\r\n\r\nhi\r\n" in seen["body"]["text"]


@pytest.mark.parametrize("media_type", ["image/png", "text/csv"])
def test_a_body_of_bytes_is_what_its_base64_stands_for(media_type: str) -> None:
    body = Body(media_type, True, spread=False, binary=True)
    whole = argument("body", In.BODY, {"type": "string", "const": "aGk="}, required=True)
    seen = request("required", whole, http=HttpCall("POST", "/a", body))
    assert seen["headers"]["content-type"] == media_type
    assert seen["body"] == {"text": "hi"}


def test_undeclared_properties_go_into_the_body() -> None:
    body = Body("application/json", True, spread=True, extra=True)
    seen = request(
        "full", argument("a", In.PROPERTY, {"const": 1}), http=HttpCall("POST", "/a", body)
    )
    assert seen["body"] == {"json": {"a": 1, "undeclared_property": "not declared"}}


def test_further_media_types() -> None:
    schema = {"anyOf": [{"type": "object", "properties": {"a": {"const": 1}}}, {"const": "aGk="}]}
    body = Body("application/json", True, spread=False, offered=("application/octet-stream",))
    kinds = {"enum": ["application/json", "application/octet-stream"]}
    whole = argument("body", In.BODY, schema, required=True)
    chooser = argument("content_type", In.CONTENT_TYPE, kinds)
    seen = request("media type", whole, chooser, http=HttpCall("POST", "/a", body))
    assert seen["headers"]["content-type"] == "application/octet-stream"
    assert seen["body"] == {"text": "hi"}


def test_a_further_media_type_is_tried_with_a_body_of_its_own() -> None:
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


@pytest.mark.parametrize(
    ("security", "headers", "query"),
    [
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
    ],
)
def test_exactly_the_declared_credentials(security: Any, headers: Any, query: str) -> None:
    seen = request("full", http=HttpCall("GET", "/a", security=security))
    assert seen["headers"] == {"accept": "application/json", **headers}
    assert seen["url"] == f"https://api.example.org/v1/a{query}"
    assert request("full", http=HttpCall("GET", "/a"), security=security) == seen


def test_each_alternative_alone_and_none_at_all() -> None:
    security = ({"key": (), "bearer": ()}, {"oauth": ()})
    found = of_kind(build(tool(http=HttpCall("GET", "/a", security=security))), "security")
    assert [case["environment"] for case in found] == [["T_KEY", "T_BEARER"], ["T_OAUTH"], []]
    assert found[1]["request"]["headers"]["authorization"] == "Bearer sentinel-t-oauth"
    assert "x-key" not in found[1]["request"]["headers"]
    assert found[2]["mentions"] == ["T_KEY", "T_BEARER", "T_OAUTH"]
    assert "request" not in found[2]


def test_optional_security_without_credentials_is_anonymous() -> None:
    http = HttpCall("GET", "/a", security=({"key": ()}, {}))
    last = of_kind(build(tool(http=http)), "security")[-1]
    assert last["environment"] == []
    assert last["request"]["headers"] == {"accept": "application/json"}


def test_a_foreign_server_gets_no_credential() -> None:
    http = HttpCall("GET", "/a", security=({"key": ()},), servers=(Server("https://b.example"),))
    seen = request("full", http=http)
    assert seen["url"] == "https://b.example/a"
    assert "x-key" not in seen["headers"]


@pytest.mark.parametrize(
    "server", [Server("/v1"), Server("https://{host}/v1", "", (ServerVariable("host", None),))]
)
def test_a_document_without_a_usable_server(server: Server) -> None:
    built = build(tool(http=HttpCall("GET", "/a")), servers=(server,))
    assert built["base_url"] == "https://api.example.com/base"
    assert of_kind(built, "full")[0]["request"]["url"] == "https://api.example.com/base/a"


@pytest.mark.parametrize(("own", "path"), [("/v2", "/v2/a"), ("https://b.example", "/base/a")])
def test_the_base_url_that_is_given_gets_the_credentials(own: str, path: str) -> None:
    http = HttpCall("GET", "/a", security=({"key": ()},), servers=(Server(own),))
    seen = request("full", http=http, servers=(Server("/v1"),))
    assert seen["url"] == f"https://api.example.com{path}"
    assert seen["headers"]["x-key"] == "sentinel-t-key"


@pytest.mark.parametrize(
    ("default", "sent"), [("", "https://a.example/a"), ("v1", "https://a.example/v1/a")]
)
def test_a_server_variable_with_its_default(default: str, sent: str) -> None:
    server = Server("https://a.example/{base}", "", (ServerVariable("base", default),))
    built = build(tool(http=HttpCall("GET", "/a")), servers=(server,))
    assert built["base_url"] is None
    assert of_kind(built, "full")[0]["request"]["url"] == sent


@pytest.mark.parametrize(
    ("url", "seen"),
    [
        ("https://API.example.com:443/v1", "https://api.example.com/v1/a"),
        ("http://api.example.com:0080", "http://api.example.com/a"),
        ("https://api.example.com:80", "https://api.example.com:80/a"),
        ("https://[::1]:443/v1", "https://[::1]/v1/a"),
    ],
)
def test_an_url_is_expected_as_the_client_library_writes_it(url: str, seen: str) -> None:
    built = build(tool(http=HttpCall("GET", "/a")), servers=(Server(url),))
    assert of_kind(built, "full")[0]["request"]["url"] == seen


def test_wrong_arguments() -> None:
    number = argument("count", In.QUERY, {"type": "integer"}, required=True)
    found = of_kind(build(tool(number, http=HttpCall("GET", "/a"))), "invalid")
    assert [case["mentions"] for case in found] == [["count"], ["count"], ["no_such_argument"]]
    assert found[0]["arguments"] == {}


@pytest.mark.parametrize(("needed", "missing"), [("b", []), ("c", [["c"]])])
def test_a_wrong_call_leaves_out_what_an_argument_needs_and_no_call_has(
    needed: str, missing: list[list[str]]
) -> None:
    taken = [argument("a", In.QUERY), argument("b", In.QUERY, required=True)]
    one = tool(*taken, argument("c", In.QUERY), http=HttpCall("GET", "/a"))
    schema = {**one.input_schema, "dependentRequired": {"a": [needed]}}
    found = of_kind(build(replace(one, input_schema=schema)), "invalid")
    told = [case["mentions"] for case in found if isinstance(case["arguments"].get("a"), str)]
    assert told == missing


def test_wrong_arguments_fit_no_branch() -> None:
    forms = [{"type": "object", "properties": {name: {"type": "string"}}} for name in "ab"]
    body = argument("body", In.QUERY, {"oneOf": forms})
    found = of_kind(build(tool(body, http=HttpCall("GET", "/a"))), "invalid")
    assert found[0]["arguments"] == {"body": [["wrong"]]}


def test_wrong_arguments_of_a_tool_without_samples_are_named_among_the_first_problems() -> None:
    never = {"allOf": [{"type": "string"}, {"type": "null"}]}
    names = [f"n{number}" for number in range(6)]
    many = [argument(name, In.QUERY, never, required=True) for name in names]
    found = of_kind(build(tool(*many, http=HttpCall("GET", "/a"))), "invalid")
    assert [case["mentions"] for case in found] == [["n0"]]
    few = of_kind(build(tool(*many[:3], http=HttpCall("GET", "/a"))), "invalid")
    assert [case["mentions"] for case in few] == [["n2"], ["n0"], ["no_such_argument"]]


@pytest.mark.parametrize(("style", "query"), [("form", "?a="), ("pipeDelimited", "")])
def test_an_empty_list_is_sent_where_its_style_has_a_form_for_it(style: str, query: str) -> None:
    empty = {"type": "array", "maxItems": 0}
    shown = argument("a", In.QUERY, empty, required=True, style=style, allow_empty_value=True)
    assert request("required", shown, http=HttpCall("GET", "/a"))["url"].endswith(f"/a{query}")


def test_a_whole_query_string_stands_beside_what_else_is_sent() -> None:
    whole = argument("whole", In.QUERYSTRING, {"const": "a=b"}, required=True)
    other = argument("c", In.QUERY, {"const": "d"}, required=True)
    seen = request("required", whole, other, http=HttpCall("GET", "/a"))
    assert seen["url"].endswith("?a=b&c=d")


@pytest.mark.parametrize(
    ("media_type", "blocks"),
    [("application/json", 2), ("text/html", 2), ("image/png", 1), ("multipart/mixed", 1)],
)
@pytest.mark.parametrize("is_declared", [True, False])
def test_a_redirect_is_told_with_what_text_it_has(
    media_type: str, blocks: int, is_declared: bool
) -> None:
    declared = media_type if is_declared else "application/*"
    one = tool(
        http=HttpCall("GET", "/a", accept=(declared,), statuses=("302",)),
        result_media_type=media_type,
    )
    note = not is_declared and media_type != "application/json"
    (case,) = of_kind(build(one), "full")
    assert case["result"] == {"content": [{"type": "text"}] * blocks, "note": note}


def test_errors_and_undeclared_successes() -> None:
    built = build(tool(http=HttpCall("GET", "/a", statuses=("200", "203"))))
    (error,) = of_kind(built, "error")
    assert error["answer"]["json"]["message"] in error["mentions"]
    (drift,) = of_kind(built, "drift")
    assert drift["answer"]["status"] == 201
    for open_to_all in (
        HttpCall("GET", "/a", statuses=("2XX",)),
        HttpCall("GET", "/a", statuses=("202",), poll={}),  # its end may have any status
    ):
        assert not of_kind(build(tool(http=open_to_all)), "drift")


def test_what_cannot_be_sampled_is_named() -> None:
    never = argument(
        "n", In.QUERY, {"allOf": [{"type": "string"}, {"type": "null"}]}, required=True
    )
    built = build(tool(never, http=HttpCall("GET", "/a")))
    assert "exclude" in built["untested"]["t"]
    assert {case["kind"] for case in built["cases"]} == {"invalid"}


@pytest.mark.parametrize(("required", "answers"), [((), [{}]), (("a",), [])])
def test_no_answer_relies_on_a_pattern_that_clients_alone_enforce(
    required: tuple[str, ...], answers: list[Any]
) -> None:
    """Clients throw away an answer that breaks a strict outputSchema, by their own engine."""
    text = {"type": "string", "pattern": "^(?=x)"}
    schema = {"type": "object", "properties": {"a": text}, "required": list(required)}
    made = {"result": schema, "output_schema": schema}
    built = build(tool(http=HttpCall("GET", "/a"), **made))
    assert [case["answer"]["json"] for case in of_kind(built, "full")] == answers
    assert ("t" in built["untested"]) is bool(required)


@pytest.mark.parametrize(
    ("media_type", "key", "result"),
    [
        ("application/json", "json", {"structured": "object", "note": False}),
        ("application/problem+json", "json", {"structured": "object", "note": False}),
        ("text/csv", "text", {"content": [{"type": "text"}]}),
        ("image/*", "base64", {"content": [{"type": "image", "mimeType": "image/png"}]}),
        ("audio/wav", "base64", {"content": [{"type": "audio", "mimeType": "audio/wav"}]}),
        ("video/*", "base64", {"content": [{"type": "resource"}]}),
        ("font/*", "base64", {"content": [{"type": "resource"}]}),
        ("model/*", "base64", {"content": [{"type": "resource"}]}),
        ("application/*", "json", {"structured": "object", "note": False}),
        ("application/*+json", "json", {"structured": "object", "note": False}),
        ("*/*", "json", {"structured": "object", "note": False}),
        ("*", "json", {"structured": "object", "note": False}),
        ("application/pdf", "base64", {"content": [{"type": "resource"}]}),
        ("multipart/mixed", "text", {"content": [{"text": "first part"}, {"text": "second part"}]}),
    ],
)
def test_answers_of_every_kind(media_type: str, key: str, result: dict[str, Any]) -> None:
    call = HttpCall("GET", "/a", accept=(media_type,))
    one = tool(http=call, result_media_type=media_type)
    assert key in mock_answers(Api("A", "1", tools=(one,)))["t"]
    (case,) = of_kind(build(one), "full")
    if "structured" in result:
        assert case["result"] == result
    else:
        assert case["result"]["note"] is False
        for block, members in zip(case["result"]["content"], result["content"], strict=True):
            assert block.items() >= members.items()


def test_answers_come_from_examples_that_fit() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    shown = tuple(Example(201, "application/json", {"a": value}) for value in ("wrong", 5))
    one = tool(
        http=HttpCall("GET", "/a", statuses=("201",)),
        result=schema,
        output_schema=schema,
        examples=shown,
    )
    expected = {"status": 201, "content_type": "application/json", "json": {"a": 5}}
    assert mock_answers(Api("A", "1", tools=(one,)))["t"] == expected
    sampled = mock_answers(Api("A", "1", tools=(replace(one, examples=shown[:1]),)))["t"]
    assert isinstance(sampled["json"]["a"], int)
    never = replace(one, result=False, examples=shown[:1])
    assert mock_answers(Api("A", "1", tools=(never,)))["t"]["json"] == {"a": "wrong"}


def test_an_answer_without_content_has_no_example() -> None:
    one = tool(
        http=HttpCall("GET", "/a", statuses=("200", "204")),
        result={"type": "object", "properties": {"a": {"const": 1}}},
        examples=(Example(204, "application/json", {}),),
    )
    found = mock_answers(Api("A", "1", tools=(one,)))["t"]
    assert (found["status"], found["json"]) == (200, {"a": 1})


@pytest.mark.parametrize(
    ("member", "described"),
    [
        (
            {"type": "object", "properties": {key: {"const": "x" * 10_000} for key in "cdef"}},
            {},
        ),
        ({"type": "integer"}, {"additionalProperties": False}),
    ],
)
def test_what_may_be_left_out_is_where_the_whole_is_too_long_or_no_answer(
    member: Any, described: dict[str, Any]
) -> None:
    result = {"type": "object", "properties": {"a": {"const": 1}, "b": member}, "required": ["a"]}
    schema = {"type": "object", "properties": {"a": {"const": 1}}, **described}
    one = tool(http=HttpCall("GET", "/a"), result=result, output_schema=schema)
    assert mock_answers(Api("A", "1", tools=(one,)))["t"]["json"] == {"a": 1}


@pytest.mark.parametrize(("given", "expected"), [("a,b\n", "a,b\n"), ("", "id,name\n")])
def test_an_empty_text_is_no_example_of_an_answer(given: str, expected: str) -> None:
    """A call says of it that there was no content, which is not the text that it would be."""
    one = tool(
        http=HttpCall("GET", "/a", accept=("text/csv",)),
        result_media_type="text/csv",
        examples=(Example(200, "text/csv", given),),
    )
    (case,) = of_kind(build(one), "full")
    assert case["answer"]["text"].startswith(expected)


@pytest.mark.parametrize(
    ("statuses", "status", "told"),
    [(("200", "202"), 202, "202"), (("200", "202"), 200, None), (("202",), 202, None)],
)
@pytest.mark.parametrize("media_type", ["application/json", "text/csv"])
def test_which_of_several_successes_an_answer_is_is_told(
    statuses: tuple[str, ...], status: int, told: str | None, media_type: str
) -> None:
    one = tool(
        http=HttpCall("GET", "/a", accept=(media_type,), statuses=statuses),
        result_media_type=media_type,
        examples=(Example(status, media_type, '{"a": 1}'),),
    )
    (case,) = of_kind(build(one), "full")
    assert case["answer"]["status"] == status
    assert case["result"].get("told") == told


@pytest.mark.parametrize(
    ("schema", "text", "expected"),
    [
        ({"type": "object", "properties": {"a": {"type": "integer"}}}, '{"a": 5}', {"a": 5}),
        ({"type": "array", "items": {"type": "integer"}}, "[5]", [5]),
        ({"type": "object", "properties": {"a": {"const": 7}}}, "An answer.", {"a": 7}),
        ({"type": ["object", "string"]}, '{"a": 5}', '{"a": 5}'),
    ],
)
def test_an_example_that_is_the_text_of_json_is_what_it_says(
    schema: Any, text: str, expected: Any
) -> None:
    one = tool(
        http=HttpCall("GET", "/a"),
        result=schema,
        output_schema=output_schema(schema, {}),
        examples=(Example(200, "application/json", text),),
    )
    assert mock_answers(Api("A", "1", tools=(one,)))["t"]["json"] == expected


def test_a_tool_whose_only_answers_clients_refuse_is_not_tested() -> None:
    never = {"allOf": [{"type": "string"}, {"type": "null"}]}
    schema = {"type": "object", "properties": {"a": never}, "required": ["a"]}
    one = tool(http=HttpCall("GET", "/a"), result=schema, output_schema=schema)
    built = build(one)
    assert "outputSchema" in built["untested"]["t"]
    assert {case["kind"] for case in built["cases"]} == {"invalid"}
    opened = {"type": "object", "anyOf": [schema, {"type": "object"}]}
    assert build(replace(one, output_schema=opened))["untested"] == {}


@pytest.mark.parametrize("status", ["204", "302"])
def test_an_answer_without_data_that_clients_refuse_is_not_tested(status: str) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    call = HttpCall("GET", "/a", statuses=(status,))
    one = tool(http=call, result=schema, output_schema=schema)
    assert "outputSchema" in build(one)["untested"]["t"]
    assert build(replace(one, output_schema={"type": "object"}))["untested"] == {}
    assert build(replace(one, output_schema={"type": "array"}))["untested"] == {}


def test_an_answer_of_which_nothing_is_shown_has_a_note() -> None:
    result = {"type": "object", "properties": {"a": {"const": 1}}, "required": ["a"]}
    one = tool(http=HttpCall("GET", "/a"), result=result, shape=Shape(fields=("$.b",)))
    (case,) = of_kind(build(one), "full")
    assert case["result"]["note"] is True


def test_a_redirect_of_which_nothing_is_shown_has_a_note() -> None:
    call = HttpCall("GET", "/a", statuses=("302",))
    result = {"type": "object", "properties": {"a": {"const": 1}}, "required": ["a"]}
    one = tool(http=call, result=result, shape=Shape(fields=("$.b",)))
    (case,) = of_kind(build(one), "full")
    assert case["result"]["note"] is True


def test_a_variable_may_be_text_for_one_tool_and_json_for_another() -> None:
    a = argument("a", In.QUERY)
    sent = [Fixed(a, env="X", parsed=parsed) for parsed in (False, True)]
    for order in (sent, sent[::-1]):
        tools = [
            replace(tool(http=HttpCall("GET", "/a"), fixed=(fixed,)), name=name)
            for name, fixed in zip("tu", order, strict=True)
        ]
        built = cases.build(Api("A", "1", tools=tuple(tools)), Names())
        number = int(built["fixed"]["X"])
        urls = {case["request"]["url"] for case in of_kind(built, "full")}
        assert {url.partition("?")[2] for url in urls} == {f"a={number}"}


def test_a_text_is_no_example_of_parts() -> None:
    one = tool(
        http=HttpCall("GET", "/a", accept=("multipart/mixed",)),
        result_media_type="multipart/mixed",
        examples=(Example(200, "multipart/mixed", "one part"),),
    )
    (case,) = of_kind(build(one), "full")
    assert case["answer"]["text"].count("boundary-of-parts") == 3


@pytest.mark.parametrize("http", [HttpCall("HEAD", "/a"), HttpCall("GET", "/a", statuses=("304",))])
def test_answers_without_a_body(http: HttpCall) -> None:
    found = mock_answers(Api("A", "1", tools=(tool(http=http),)))["t"]
    assert found["content_type"] is None


def test_the_file_is_ascii_with_a_case_a_line() -> None:
    odd = argument("\u202e\u0007", In.QUERY, {"const": "\u2066\ud800"})
    text = cases.to_json(build(tool(odd, http=HttpCall("GET", "/a")))).decode()
    assert text.isascii()
    assert text.isprintable() or set(text) - {"\n"} == {c for c in text if c.isprintable()}
    assert text.count("\n") == len(json.loads(text)["cases"]) + 2
