"""Reading tool files: every problem at its place, all at once, with a way out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tool_file_reading import ANY, LIMITED, described, of_tool, one, problems, read, taking

from mcpgen.catalogue.tools_json import wire_tool
from mcpgen.diagnostics import Diagnostics, GenerationError


def test_a_keyword_in_what_tools_share_is_told_once(tmp_path: Path) -> None:
    found = Diagnostics()
    refers = described({"inputSchema": {**ANY, "properties": {"a": {"$ref": "#/$defs/s"}}}})
    tools = [refers, {**refers, "name": "u"}]
    read(tmp_path, {"$defs": {"s": {"minimun": 1}}, "tools": tools}, found)
    assert [(d.code, d.pointer) for d in found.warnings] == [("keyword", "/$defs/s/minimun")]


OF_METHOD = {"readOnlyHint", "destructiveHint", "idempotentHint"}


@pytest.mark.parametrize(
    ("hints", "method", "pointer"),
    [
        ({"readOnlyHint": False}, "GET", "readOnlyHint"),
        ({"idempotentHint": False}, "PUT", "idempotentHint"),
        ({"readOnlyHint": True, "destructiveHint": True}, "GET", "destructiveHint"),
        ({"readOnlyHint": True, "destructiveHint": True}, "", "destructiveHint"),
        ({"readOnlyHint": True, "idempotentHint": False}, "POST", ""),
    ],
)
def test_hints_that_go_against_what_is_known_are_told_and_kept(
    tmp_path: Path, hints: dict[str, bool], method: str, pointer: str
) -> None:
    found = Diagnostics()
    http = {"http": f"{method} /x"} if method else {}
    api = read(tmp_path, {"tools": [described({"annotations": hints, **http})]}, found)
    listed = wire_tool(api.tools[0])["annotations"]
    assert {**listed, **hints} == listed
    assert set(listed) == set(hints) | (OF_METHOD if method else set())
    told = [d.pointer.removeprefix("/tools/0/annotations/") for d in found.warnings]
    assert told == [pointer] * bool(pointer)
    assert all("the hint" in d.hint or "two hints" in d.hint for d in found.warnings)


@pytest.mark.parametrize(
    ("tool", "hint"),
    [
        ({"http": "get /x"}, "Did you mean `GET`?"),
        ({"icons": "https://shop.example/icon.png"}, "such as `[{src: "),
        ({"http": {"method": "GET", "path": "/x", "security": ["key"]}}, "such as `{key: []}`"),
        ({"http": "FIND /x"}, "The methods are GET, "),
        ({"http": "/x"}, "The method stands before the path, as in `GET /pets`"),
        ({"http": "GET x"}, "The path starts with `/`"),
        ({"http": "GET  /x"}, "One blank stands between the method and the path"),
        ({"http": "GET /x "}, "One blank stands between the method and the path"),
        ({"http": "GET https://shop.example/x"}, "the address is `server.baseUrl`"),
        ({"inputSchema": {**ANY, "properties": {"a": {"type": "str"}}}}, "Did you mean `string`?"),
        ({"inputSchema": {**ANY, "properties": {"a": {"type": "list"}}}}, "must be one of array, "),
        ({"inputSchema": {**ANY, "properties": {"a": "string"}}}, "write `type: string` in it"),
        ({"inputSchema": {**ANY, "properties": {"type": "null"}}}, "write `type: null` in it"),
        (
            {"inputSchema": {**ANY, "properties": {"a": {"required": True}}}},
            "the list of the properties that it must have",
        ),
        ({"inputSchema": {**ANY, "properties": ["a"]}}, "must be an object, found an array"),
        ({"inputSchema": {**ANY, "minProperties": "1"}}, "must be a whole number, found a string"),
        ({"inputSchema": {**ANY, "minProperties": -1}}, "json-schema.org/understanding"),
        ({"http": "GET /x/{a"}, "as in `/pets/{name}`"),
        ({"inputSchema": {**ANY, "additionalProperties": "no"}}, "Write `false`: in YAML 1.2 `no`"),
        ({"inputSchema": {**ANY, "deprecated": "On"}}, "Write `true`: in YAML 1.2 `On` is text."),
        ({"annotations": {"readOnlyHint": "yes"}}, "Write `true`: in YAML 1.2 `yes` is text."),
        ({"annotations": {"readOnlyHint": "si"}}, "Write true or false, without quotes."),
        ({"annotations": {"readOnlyHint": 1}}, "The tool changes nothing."),
    ],
)
def test_what_people_often_write_is_told_with_the_way_out(
    tmp_path: Path, tool: dict[str, Any], hint: str
) -> None:
    with pytest.raises(GenerationError) as caught:
        one(tmp_path, tool)
    (told,) = caught.value.diagnostics
    assert hint in f"{told.message}: {told.hint}"


@pytest.mark.parametrize(
    ("tool", "expected"),
    [
        ({"desciption": "x"}, [("unknown-key", "/desciption")]),
        ({"annotations": {"readOnly": True}}, [("unknown-key", "/annotations/readOnly")]),
        (
            {"annotations": {"readOnlyHint": "yes"}},
            [("wrong-type", "/annotations/readOnlyHint")],
        ),
        ({"inputSchema": {"type": "array"}}, [("wrong-value", "/inputSchema/type")]),
        ({"inputSchema": {}}, [("missing-key", "/inputSchema")]),
        (
            {"inputSchema": {**ANY, "properties": {"a": {"type": "strin"}}}},
            [("not-json-schema", "/inputSchema/properties/a/type")],
        ),
        ({"outputSchema": {"required": "a"}}, [("not-json-schema", "/outputSchema/required")]),
        (
            {"inputSchema": {**ANY, "$schema": "https://dialect.example/own"}},
            [("unknown-dialect", "/inputSchema/$schema")],
        ),
        (
            {"inputSchema": {**ANY, "$schema": "https://["}},
            [("unknown-dialect", "/inputSchema/$schema")],
        ),
        (
            {"inputSchema": {**ANY, "$schema": "http://json-schema.org/draft-05/schema#"}},
            [("unknown-dialect", "/inputSchema/$schema")],
        ),
        (
            {"inputSchema": {**ANY, "$schema": "http://json-schema.org/draft-03/schema#"}},
            [("unknown-dialect", "/inputSchema/$schema")],
        ),
        (
            {"inputSchema": {**LIMITED, "$schema": "https://json-schema.org/draft-07/schema#"}},
            [("not-json-schema", "/inputSchema/properties/a/exclusiveMinimum")],
        ),
        ({"name": "a b"}, [("wrong-value", "/name")]),
        ({"name": "a\n"}, [("wrong-value", "/name")]),
        ({"icons": [{"src": "javascript:x"}]}, [("wrong-value", "/icons/0/src")]),
        ({"http": "FETCH /x"}, [("wrong-value", "/http")]),
        ({"http": {"method": "GET"}}, [("missing-key", "/http")]),
        ({"http": "GET //evil.test/x"}, [("path", "/http")]),
        ({"http": "GET /x/{a"}, [("path", "/http")]),
        ({"http": "GET /x#top"}, [("path", "/http")]),
        ({"http": "GET /x?a={a}"}, [("path", "/http")]),
        ({"http": "GET /a/../b"}, [("path", "/http")]),
        ({"http": "GET /x/{id}"}, [("placeholder", "/http")]),
        (
            {"inputSchema": taking("id"), "http": "GET /x/{id}"},
            [("argument", "/http")],
        ),
        (
            {
                "annotations": {"readOnlyHint": True, "destructiveHint": False},
                "http": "DELETE /x",
            },
            [
                ("annotation", "/annotations/readOnlyHint"),
                ("annotation", "/annotations/destructiveHint"),
            ],
        ),
    ],
)
def test_problems_of_a_tool(
    tmp_path: Path, tool: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    assert of_tool(tmp_path, tool) == expected


@pytest.mark.parametrize(
    ("http", "pointers"),
    [
        ({"arguments": {"b": "query"}}, "/http/arguments/b"),
        ({"arguments": {"a": "path"}}, "/http/arguments/a /http/arguments/a"),
        ({"arguments": {"a": {"in": "header", "name": "Host"}}}, "/http/arguments/a"),
        ({"arguments": {"a": {"in": "header", "name": "x:y"}}}, "/http/arguments/a"),
        ({"arguments": {"a": {"in": "header", "name": "x-key"}}}, "/http/arguments/a"),
        ({"arguments": {"a": {"in": "query", "style": "matrix"}}}, "/http/arguments/a"),
        ({"arguments": {"a": {"in": "body", "explode": True}}}, "/http/arguments/a"),
        ({"arguments": {"a": {"in": "query", "name": "c"}, "c": "query"}}, "/http"),
        ({"arguments": {"a": "query"}, "body": {"argument": "a"}}, "/http/arguments/a"),
        ({"arguments": {"c": "body"}, "body": {"argument": "a"}}, "/http/body"),
        ({"path": "/x/{a}", "body": {"argument": "a"}}, "/http/path"),
        ({"body": {"argument": "z"}}, "/http/body /http/body/argument"),
        ({"body": "text/plain"}, "/http/body"),
        ({"body": "no media type"}, "/http/body"),
        ({"body": {"encoding": {"a": {}}}}, "/http/body/encoding"),
        ({"body": {"mediaType": "multipart/a", "encoding": {"b": {}}}}, "/http/body/encoding/b"),
        ({"method": "GET", "arguments": {"a": "body"}}, "/http/arguments/a"),
        ({"method": "GET", "body": "application/json"}, "/http/body"),
        ({"method": "GET", "arguments": {"a": "querystring"}}, "/http"),
        (
            {"arguments": {"a": {"in": "query", "contentType": "text/plain", "explode": False}}},
            "/http/arguments/a",
        ),
        ({"arguments": {"a": {"in": "query", "contentType": "text/*"}}}, "/http/arguments/a"),
        ({"accept": "json"}, "/http/accept"),
        ({"accept": []}, "/http/accept"),
        ({"statuses": ["OK"]}, "/http/statuses"),
        ({"security": [{"missing": []}]}, "/http/security /http/security/0"),
    ],
)
def test_problems_of_a_request(tmp_path: Path, http: dict[str, Any], pointers: str) -> None:
    server = {"securitySchemes": {"k": {"type": "apiKey", "in": "header", "name": "X-Key"}}}
    call = {"method": "POST", "path": "/x", **http}
    tool = {"inputSchema": taking("a", "c"), "http": call}
    found = [pointer for _, pointer in of_tool(tmp_path, tool, server=server)]
    assert found == pointers.split()


def test_all_problems_at_once(tmp_path: Path) -> None:
    file = {
        "servr": {},
        "server": {"baseUrl": "ftp://x", "versoin": "1"},
        "tools": [
            described({"name": "a", "http": "GET /{x}"}),
            described({"name": "a"}),
            described({"name": "c", "inputSchema": {**ANY, "minProperties": "1"}}),
            None,
        ],
    }
    codes = {code for code, _ in problems(tmp_path, file)}
    assert codes == {
        "unknown-key", "server", "placeholder", "duplicate-tool", "not-json-schema", "wrong-type",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "shown"), [("", "empty"), ("a b", "'a b'"), ("é" * 99, f"'{'é' * 77}...'")]
)
def test_what_cannot_be_is_shown(tmp_path: Path, name: str, shown: str) -> None:
    with pytest.raises(GenerationError) as caught:
        read(tmp_path, {"server": {}, "tools": [described({"name": name})]})
    assert {item.message for item in caught.value.diagnostics} == {f"`name` cannot be {shown}"}


@pytest.mark.parametrize("shared", [5, [], "none"])
def test_what_tools_share_is_an_object(tmp_path: Path, shared: Any) -> None:
    tool = described({"inputSchema": {**ANY, "properties": {"a": {"$ref": "#/$defs/A"}}}})
    found = problems(tmp_path, {"server": {}, "$defs": shared, "tools": [tool]})
    assert found == [("wrong-type", "/$defs")]


def test_the_nearest_key_is_named(tmp_path: Path) -> None:
    with pytest.raises(GenerationError) as caught:
        read(tmp_path, {"server": {}, "tools": [described({"input_schema": {}, "Title": "x"})]})
    assert [item.hint for item in caught.value.diagnostics] == [
        "Did you mean `inputSchema`?",
        "Did you mean `title`?",
    ]


def test_the_nearest_key_is_named_where_an_unknown_one_is_kept(tmp_path: Path) -> None:
    found = Diagnostics()
    hints = {"readonlyHint": True, "vendor": 1}
    read(tmp_path, {"tools": [described({"annotations": hints})]}, found)
    assert [item.hint for item in found.warnings] == [
        "Did you mean `readOnlyHint`? It is kept as it is.",
        "It is kept as it is.",
    ]
