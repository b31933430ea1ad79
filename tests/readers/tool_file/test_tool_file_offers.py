"""Reading resources, templates and prompts: what is served how, and every problem at its place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from documents import load_value

from mcpgen.api import Api, Offer
from mcpgen.diagnostics import Diagnostics, GenerationError
from mcpgen.readers import tool_file
from mcpgen.readers.tool_file.uri_templates import variables

TOOL = {"name": "t", "description": "d", "inputSchema": {"type": "object"}}


def read(folder: Path, **members: Any) -> Api:
    return tool_file.read(load_value(folder, {"tools": [TOOL], **members}), Diagnostics())


def resource(folder: Path, **members: Any) -> Offer:
    (found,) = read(folder, resources=[{"uri": "a:b", "name": "n", **members}]).resources
    return found


def problems(folder: Path, **members: Any) -> list[tuple[str, str]]:
    with pytest.raises(GenerationError) as caught:
        read(folder, **members)
    found = caught.value.diagnostics
    assert all(item.location is not None and item.location.line >= 1 for item in found)
    return [(item.code, item.pointer) for item in found]


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("a:{b}", {"b": True}),
        ("a://{+path}.txt", {"path": True}),
        ("a://x{/b}/{c,d}{?e,f}{&g}", {"b": True, "c": True, "d": True} | dict.fromkeys("efg")),
    ],
)
def test_templates(template: str, expected: dict[str, bool | None]) -> None:
    assert {v.name: v.required or None for v in variables(template)} == expected


@pytest.mark.parametrize(
    "template",
    [
        "a:b",
        "a:{b",
        "a:{b}}",
        "a:{b}{c}",
        "a:{+b}/{+c}",
        "a:{b*}",
        "a:{b:3}",
        "a:{}",
        "a:{b}/{b}",
        "{b}",
        "a:{#b}",
        "a:{b}{+c}",
        "ø:{b}",
        "a:<b>/{b}",
        "a:b?c=d{&e}",
    ],
)
def test_templates_that_cannot_be_told_apart(template: str, tmp_path: Path) -> None:
    entry = {"uriTemplate": template, "name": "n", "text": "x"}
    found = problems(tmp_path, resourceTemplates=[entry])
    assert found == [("uri-template", "/resourceTemplates/0/uriTemplate")]


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"text": "x", "blob": "eA=="}, [("served-twice", "/blob")]),
        ({"blob": "not base64"}, [("blob", "/blob")]),
        ({"file": "../x"}, [("file", "/file")]),
        ({"file": "/etc/passwd"}, [("file", "/file")]),
        ({"file": "a\\b"}, [("file", "/file")]),
        ({"file": "c:x"}, [("file", "/file")]),
        ({"http": "POST /x"}, [("method", "/http")]),
        ({"http": "GET /x/{id}"}, [("placeholder", "/http")]),
        ({"text": "x", "mimeType": "plain"}, [("media-type", "/mimeType")]),
        ({"uri": "no scheme"}, [("uri", "/uri")]),
        ({"uri": "a:{b}", "text": "x"}, [("uri", "/uri")]),
        ({"uri": "a:b c"}, [("uri", "/uri")]),
        ({"uri": "a:b|c"}, [("uri", "/uri")]),
        ({"uri": 'a:"b"'}, [("uri", "/uri")]),
        ({"uri": "a:%zz"}, [("uri", "/uri")]),
        ({"uri": "a:b#c#d"}, [("uri", "/uri")]),
        ({"txt": "x"}, [("unknown-key", "/txt")]),
        ({"size": -1}, [("wrong-value", "/size")]),
        ({"name": 3}, [("wrong-type", "/name")]),
    ],
)
def test_resources_that_cannot_be(
    members: dict[str, Any], expected: list[tuple[str, str]], tmp_path: Path
) -> None:
    entry = {"uri": "a:b", "name": "n", **members}
    found = problems(tmp_path, resources=[entry])
    assert found == [(code, f"/resources/0{pointer}") for code, pointer in expected]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ({"type": "text"}, [("missing-key", "")]),
        ({"type": "text", "text": 3}, [("wrong-type", "/text")]),
        ({"type": "image", "data": "eA=="}, [("missing-key", "")]),
        ({"type": "audio", "mimeType": "audio/wav"}, [("missing-key", "")]),
        ({"type": "resource"}, [("missing-key", "")]),
        ({"type": "resource", "resource": {"uri": "a:b"}}, [("missing-key", "/resource")]),
        ({"type": "resource_link", "uri": "a:b"}, [("missing-key", "")]),
        ({"text": "x"}, [("missing-key", "")]),
        (
            {"type": "resource", "resource": {"uri": "a:b", "text": 3}},
            [("wrong-type", "/resource/text")],
        ),
        (
            {"type": "text", "text": "x", "annotations": {"priority": 7}},
            [("wrong-value", "/annotations/priority")],
        ),
        (
            {"type": "text", "text": "x", "annotations": {"lastModified": "last week"}},
            [("wrong-value", "/annotations/lastModified")],
        ),
        ({"type": "image", "data": "no base64", "mimeType": "image/png"}, [("blob", "/data")]),
        ({"type": "audio", "data": "eA==", "mimeType": "wav"}, [("media-type", "/mimeType")]),
        (
            {"type": "resource", "resource": {"uri": "a:b", "blob": "?"}},
            [("blob", "/resource/blob")],
        ),
        ({"type": "resource", "resource": {"uri": "b", "text": "x"}}, [("uri", "/resource/uri")]),
        ({"type": "resource_link", "uri": "a b", "name": "n"}, [("uri", "/uri")]),
        ({"type": "resource_link", "uri": "{other}", "name": "n"}, [("uri", "/uri")]),
    ],
)
def test_messages_that_clients_cannot_read(
    content: dict[str, Any], expected: list[tuple[str, str]], tmp_path: Path
) -> None:
    messages = [{"role": "user", "content": content}]
    found = problems(tmp_path, prompts=[{"name": "p", "messages": messages}])
    assert found == [
        (code, f"/prompts/0/messages/0/content{pointer}") for code, pointer in expected
    ]
