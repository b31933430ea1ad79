"""Overlays 1.0, 1.1 and 1.2: what each action makes of a document."""

from pathlib import Path
from typing import Any

import pytest
from overlaying import REF, SHARED, SHOP, load

from mcpgen import overlay
from mcpgen.diagnostics import Diagnostics
from mcpgen.source import SourceOptions


def changed(**values: Any) -> dict[str, Any]:
    return {**SHOP, **values}


def info(more: dict[str, Any]) -> dict[str, Any]:
    return changed(info={"title": "Shop", "version": "1", **more})


def paths(a: Any = ..., b: Any = ...) -> dict[str, Any]:
    given = {"/a": SHOP["paths"]["/a"] if a is ... else a}
    given["/b"] = SHOP["paths"]["/b"] if b is ... else b
    return changed(paths=given)


A, B = SHOP["paths"]["/a"]["get"], SHOP["paths"]["/b"]
P_A = "$.paths['/a'].get"
Case = tuple[list[dict[str, Any]], dict[str, Any]]
CASES: dict[str, Case] = {
    "the root is merged": (
        [{"target": "$", "update": {"info": {"x-done": True}}}],
        info({"x-done": True}),
    ),
    "a member is added": (
        [{"target": "$.info", "update": {"license": {"name": "MIT"}}}],
        info({"license": {"name": "MIT"}}),
    ),
    "a plain member is replaced": (
        [{"target": P_A, "update": {"summary": "New"}}],
        paths({"get": {**A, "summary": "New"}}),
    ),
    "null replaces a plain member": (
        [{"target": P_A, "update": {"summary": None}}],
        paths({"get": {**A, "summary": None}}),
    ),
    "null is replaced": (
        [{"target": "$.paths['/b'].delete", "update": {"x-keep": 1}}],
        paths(b={**B, "delete": {"x-keep": 1}}),
    ),
    "a member that is new may be null": (
        [{"target": "$.info", "update": {"x-no": None}}],
        info({"x-no": None}),
    ),
    "lists inside objects are joined": (
        [{"target": P_A, "update": {"tags": ["z"]}}],
        paths({"get": {**A, "tags": ["x", "y", "z"]}}),
    ),
    "an object is appended to a list": (
        [{"target": f"{P_A}.parameters", "update": {"name": "q"}}],
        paths({"get": {**A, "parameters": [{"name": "p"}, {"name": "q"}]}}),
    ),
    "a list is joined to a list": (
        [{"target": f"{P_A}.parameters", "update": [{"name": "q"}, {"name": "r"}]}],
        paths({"get": {**A, "parameters": [{"name": "p"}, {"name": "q"}, {"name": "r"}]}}),
    ),
    "a plain value is appended to a list": (
        [{"target": f"{P_A}.tags", "update": "z"}],
        paths({"get": {**A, "tags": ["x", "y", "z"]}}),
    ),
    "all targets are changed": (
        [{"target": "$.paths.*.get", "update": {"x-safe": True}}],
        paths({"get": {**A, "x-safe": True}}, {**B, "get": {**B["get"], "x-safe": True}}),
    ),
    "a member is removed": (
        [{"target": "$.paths['/b'].delete", "remove": True}],
        paths(b={"get": B["get"]}),
    ),
    "a plain member is removed": (
        [{"target": f"{P_A}.summary", "remove": True}],
        paths({"get": {k: v for k, v in A.items() if k != "summary"}}),
    ),
    "an element that a filter finds is removed": (
        [{"target": "$.servers[?@.description == 'Dev']", "remove": True}],
        changed(servers=[{"url": "https://a.example"}]),
    ),
    "several elements of one list are removed": (
        [{"target": "$.servers[*]", "remove": True}],
        changed(servers=[]),
    ),
    "what is selected twice is removed once": (
        [{"target": "$.servers[0, 0]", "remove": True}],
        changed(servers=SHOP["servers"][1:]),
    ),
    "what is in something removed is removed with it": (
        [{"target": "$.paths..*", "remove": True}],
        changed(paths={}),
    ),
    "removed and added anew": (
        [
            {"target": "$.servers", "remove": True},
            {"target": "$", "update": {"servers": [{"url": "https://new.example"}]}},
        ],
        changed(servers=[{"url": "https://new.example"}]),
    ),
    "remove comes before update": (
        [{"target": "$.tags", "remove": True, "update": [1]}],
        {key: value for key, value in SHOP.items() if key != "tags"},
    ),
    "each action sees what the one before it did": (
        [
            {"target": "$.info", "update": {"x-new": {}}},
            {"target": "$.info['x-new']", "update": {"deep": 1}},
        ],
        info({"x-new": {"deep": 1}}),
    ),
    "a trait": (
        [{"target": "$.paths[?@.get.tags[?@ == 'x']].get", "update": {"x-paged": True}}],
        paths({"get": {**A, "x-paged": True}}),
    ),
    "a target in descendants": (
        [{"target": "$..parameters[?@.name == 'p']", "update": {"in": "query"}}],
        paths({"get": {**A, "parameters": [{"name": "p", "in": "query"}]}}),
    ),
    "extensions say nothing": (
        [{"target": "$.info", "x-why": 1, "description": "Why", "update": {"x-a": 1}}],
        info({"x-a": 1}),
    ),
}
LATER_CASES: dict[str, Case] = {
    "plain elements are removed": (
        [{"target": "$.paths.*.get.tags[?@ == 'y']", "remove": True}],
        paths({"get": {**A, "tags": ["x"]}}, {**B, "get": {**B["get"], "tags": []}}),
    ),
    "a plain value is replaced": (
        [{"target": "$.info.title", "update": "New"}],
        changed(info={"title": "New", "version": "1"}),
    ),
    "a plain element is replaced": (
        [{"target": f"{P_A}.tags[0]", "update": "new"}],
        paths({"get": {**A, "tags": ["new", "y"]}}),
    ),
    "copied into an object": (
        [{"target": "$.paths['/b']", "copy": "$.paths['/a']"}],
        paths(
            b={
                "get": {"summary": "A", "tags": ["y", "x", "y"], "parameters": [{"name": "p"}]},
                "delete": {"x-keep": None},
            }
        ),
    ),
    "copied into a list": (
        [{"target": "$.tags", "copy": "$.servers[0]"}],
        changed(tags=[{"name": "a"}, {"url": "https://a.example"}]),
    ),
    "a plain value is copied": (
        [{"target": "$.info.title", "copy": f"{P_A}.summary"}],
        changed(info={"title": "A", "version": "1"}),
    ),
    "moved": (
        [
            {"target": "$.paths", "update": {"/c": {}}},
            {"target": "$.paths['/c']", "copy": "$.paths['/b']"},
            {"target": "$.paths['/b']", "remove": True},
        ],
        changed(paths={"/a": {"get": A}, "/c": B}),
    ),
    "a copy of what is around its target": (
        [{"target": "$.info", "copy": "$.tags[0]"}, {"target": "$.tags[0]", "copy": "$.info"}],
        changed(
            info={"title": "Shop", "version": "1", "name": "a"},
            tags=[{"name": "a", "title": "Shop", "version": "1"}],
        ),
    ),
}
EACH = [(name, version) for version in ("1.0.0", "1.1.0", "1.2.0") for name in CASES]
EACH += [(name, version) for version in ("1.1.0", "1.2.0") for name in LATER_CASES]


@pytest.mark.parametrize(("name", "version"), EACH)
def test_an_action_changes_the_document(name, version, tmp_path):
    actions, wanted = {**CASES, **LATER_CASES}[name]
    document, found = load(tmp_path, actions, version)
    assert document.root.value == wanted
    assert [each.code for each in found.items] == []


def test_a_reusable_action_is_applied_to_each_target(tmp_path):
    actions = [{"$ref": f"{REF}a~1b", "target": t} for t in ("$.info", P_A)]
    document, found = load(tmp_path, actions, "1.2.0", components=SHARED)
    assert document.root.value["info"]["x-a"] == [1]
    assert document.root.value["paths"]["/a"]["get"]["x-a"] == [1]
    assert not found.items


def test_a_reference_overrides_fields_of_its_action(tmp_path):
    actions = [{"$ref": f"{REF}a~1b", "target": "$.tags", "remove": True}]
    document, _ = load(tmp_path, actions, "1.2.0", components=SHARED)
    assert "tags" not in document.root.value


def test_every_value_knows_the_text_that_it_came_from(tmp_path):
    actions = [
        {"target": "$.servers[0]", "remove": True},
        {"target": "$.servers", "update": {"url": "https://c.example"}},
        {"target": "$.paths['/b']", "copy": "$.paths['/a']"},
        {"target": "$.tags", "copy": "$.servers"},
    ]
    document, _ = load(tmp_path, actions)

    def line(pointer: str) -> str:
        place = document.node(document.root.file, pointer).location
        text = Path(place.file).read_text().splitlines()[place.line - 1]
        return text[place.column - 1 :]

    assert line("/servers/0/url").startswith('"url": "https://b.example"')
    assert line("/servers/1/url").startswith('"url": "https://c.example"')
    assert line("/paths/~1b/get/parameters/0/name").startswith('"name": "p"')
    assert line("/paths/~1b/delete").startswith('"delete": {')
    assert line("/tags/1/url").startswith('"url": "https://b.example"')
    assert line("/tags/2/url").startswith('"url": "https://c.example"')


def test_what_yaml_aliases_share_is_changed_at_one_place(tmp_path):
    (tmp_path / "api.yaml").write_text("openapi: 3.1.0\nx-a: &a {n: [1]}\nx-b: *a\n")
    (tmp_path / "fix.yaml").write_text(
        "overlay: 1.1.0\ninfo: {title: A, version: '1'}\n"
        "actions: [{target: $.x-b, update: {n: [2]}}]\n".replace("$.x-b", "\"$['x-b']\"")
    )
    files = [str(tmp_path / name) for name in ("api.yaml", "fix.yaml")]
    found = Diagnostics()
    document = overlay.load(files[0], files[1:], options=SourceOptions(), diagnostics=found)
    assert document.root.value["x-a"] == {"n": [1]}
    assert document.root.value["x-b"] == {"n": [1, 2]}
