"""Reading resources, templates and prompts: what is served how, and every problem at its place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from documents import load_value

from mcpgen.api import Api, In, Offer
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


def test_the_file_of_the_guide_is_read_without_a_warning(tmp_path: Path) -> None:
    guide = (Path(__file__).parents[3] / "docs/resources.md").read_text("utf-8")
    shown = yaml.safe_load(guide.partition("```yaml\n")[2].partition("```")[0])
    diagnostics = Diagnostics()
    found = tool_file.read(load_value(tmp_path, {"tools": [TOOL], **shown}), diagnostics)
    assert [item.name for item in found.prompts] == ["log-entry"]
    assert [item.message for item in diagnostics.items] == []


def test_mcps_fields_are_listed_and_ours_are_not(tmp_path: Path) -> None:
    found = resource(tmp_path, title="T", mimeType="text/plain", text="x", _meta={"a": 1})
    assert found.written == {
        "uri": "a:b",
        "name": "n",
        "title": "T",
        "mimeType": "text/plain",
        "_meta": {"a": 1},
    }
    assert found.served == {"text": "x"}
    assert found.function is None


@pytest.mark.parametrize(
    ("members", "summary"),
    [({}, ""), ({"description": " \nGreet.\nLoud."}, "Greet.")],
)
def test_the_summary_of_a_function_is_what_is_said_of_it(
    tmp_path: Path, members: dict[str, Any], summary: str
) -> None:
    listed = {"tools": [TOOL], "prompts": [{"name": "p", **members}]}
    (found,) = tool_file.read(load_value(tmp_path, listed), Diagnostics()).prompts
    assert found.function is not None
    assert found.function.summary == summary


def test_a_request_gets_the_variables_of_the_template(tmp_path: Path) -> None:
    entry = {"uriTemplate": "a:{id}{?deep}", "name": "n", "http": "GET /x/{id}"}
    (found,) = read(tmp_path, resourceTemplates=[entry]).resources
    assert found.is_template
    assert found.function is not None
    places = {a.name: (a.location, a.required) for a in found.function.arguments}
    assert places == {"id": (In.PATH, True), "deep": (In.QUERY, False)}


def test_what_changes_can_be_subscribed_to(tmp_path: Path) -> None:
    assert resource(tmp_path, subscribe=True).changes
    found = resource(tmp_path, file="a.md", subscribe=True)
    assert found.served == {"file": "a.md", "subscribe": True}
    assert "subscribe" not in found.written
    assert not resource(tmp_path, text="x", subscribe=False).changes
    entry = {"uri": "a:b", "name": "n", "text": "x", "subscribe": True}
    assert problems(tmp_path, resources=[entry]) == [("subscribe", "/resources/0/subscribe")]


def test_without_anything_a_python_function_serves_it(tmp_path: Path) -> None:
    found = resource(tmp_path)
    assert found.function is not None
    assert found.function.http is None


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
    ("member", "entry", "home"),
    [
        ("resourceTemplates", {"uriTemplate": "a:{b}{?c}"}, "uriTemplate"),
        ("prompts", {"arguments": [{"name": "c"}]}, "arguments"),
    ],
)
def test_what_a_request_lacks_is_told_in_the_words_of_the_entry(
    tmp_path: Path, member: str, entry: dict[str, Any], home: str
) -> None:
    served = {"name": "n", **entry, "http": "GET /x/{c}/{d}"}
    tool = {"name": "t", "description": "d", "inputSchema": {"type": "object"}}
    document = load_value(tmp_path, {"tools": [tool], member: [served]})
    with pytest.raises(GenerationError) as caught:
        tool_file.read(document, Diagnostics())
    argument, placeholder = sorted(caught.value.diagnostics, key=lambda d: d.code)
    assert f"must be `required`, but `{home}` lets a call leave it out" in argument.message
    assert placeholder.hint == f"Declare it in `{home}`."


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


def test_an_embedded_resource_says_what_it_is(tmp_path: Path) -> None:
    kinds = [{"text": "x"}, {"blob": "eA=="}, {"text": "# x", "mimeType": "text/markdown"}]
    blocks = [{"type": "resource", "resource": {"uri": "a:{b}", **kind}} for kind in kinds]
    messages = [{"role": "user", "content": block} for block in blocks]
    prompt = {"name": "p", "arguments": [{"name": "b"}], "messages": messages}
    (found,) = read(tmp_path, prompts=[prompt]).prompts
    made = [message["content"]["resource"]["mimeType"] for message in found.served["messages"]]
    assert made == ["text/plain", "application/octet-stream", "text/markdown"]


def test_every_problem_is_told_at_once(tmp_path: Path) -> None:
    found = problems(
        tmp_path,
        resources=[{"uri": "a:b", "name": "n"}, {"uri": "a:b", "name": "m", "file": ".."}],
        resourceTemplates=[{"uriTemplate": "a:{b}", "name": "n", "complete": {"c": ["x"]}}],
        prompts=[
            {"name": "p", "arguments": [{"name": "a"}, {"name": "a"}]},
            {
                "name": "q",
                "messages": [{"role": "system", "content": {"type": "text", "text": "x"}}],
            },
            {"name": "p", "complete": {"x": "perl"}},
        ],
    )
    assert found == [
        ("duplicate-entry", "/resources/1/uri"),
        ("file", "/resources/1/file"),
        ("argument", "/resourceTemplates/0/complete/c"),
        ("duplicate-argument", "/prompts/0/arguments/1/name"),
        ("wrong-value", "/prompts/1/messages/0/role"),
        ("wrong-value", "/prompts/2/complete/x"),
    ]


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("text", "Hail {shp}, {who}."),
        ("messages", [{"role": "user", "content": {"type": "text", "text": "{who}, {shp}"}}]),
    ],
)
def test_an_argument_that_no_text_uses_is_told(tmp_path: Path, member: str, value: Any) -> None:
    found = Diagnostics()
    taken = [{"name": "who"}, {"name": "ship"}]
    prompt = {"name": "hail", "arguments": taken, member: value}
    prompts = [prompt, {"name": "own", "arguments": taken}]
    tool_file.read(load_value(tmp_path, {"tools": [TOOL], "prompts": prompts}), found)
    (told,) = found.warnings
    assert (told.code, told.pointer) == ("argument", f"/prompts/0/{member}")
    assert "`ship`" in told.message
