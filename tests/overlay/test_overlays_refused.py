"""What is said of overlays that break their specification, or do nothing."""

from typing import Any

import pytest
from jsonpath_rfc9535.node import JSONPathNode
from overlaying import REF, SHARED, SHOP, load
from tables import table

from mcpgen.diagnostics import GenerationError
from mcpgen.overlay import jsonpath

BAD: dict[str, tuple[str, Any, str, str]] = {
    "no path": ("1.1.0", {"target": "$.a[", "remove": True}, "overlay-path", "target"),
    "a path without root": (
        "1.1.0",
        {"target": "info.title", "update": 1},
        "overlay-path",
        "target",
    ),
    "a name with a hyphen": (
        "1.0.0",
        {"target": "$.paths[?@.x-a]", "remove": True},
        "overlay-path",
        "target",
    ),
    "an unknown function": (
        "1.1.0",
        {"target": "$.paths[?foo(@.a)]", "remove": True},
        "overlay-path",
        "target",
    ),
    "no target": ("1.1.0", {"update": {}}, "overlay", ""),
    "a target of another type": ("1.1.0", {"target": 1}, "overlay", "target"),
    "remove as text": ("1.1.0", {"target": "$.info", "remove": "yes"}, "overlay", "remove"),
    "an unknown member": ("1.1.0", {"target": "$.info", "updates": {}}, "overlay", "updates"),
    "copy in 1.0": ("1.0.0", {"target": "$.info", "copy": "$"}, "overlay", "copy"),
    "a reference in 1.1": ("1.1.0", {"$ref": f"{REF}a~1b", "target": "$"}, "overlay", "$ref"),
    "an action that is no object": ("1.1.0", "$.info", "overlay", ""),
    "a plain value in 1.0": (
        "1.0.0",
        {"target": "$.info.title", "update": "New"},
        "overlay-target",
        "target",
    ),
    "the root is not removed": (
        "1.1.0",
        {"target": "$", "remove": True},
        "overlay-target",
        "target",
    ),
    "targets of two kinds": ("1.1.0", {"target": "$.*", "update": {}}, "overlay-target", "target"),
    "an object by a text": (
        "1.1.0",
        {"target": "$.info", "update": "x"},
        "overlay-target",
        "update",
    ),
    "a text by an object": (
        "1.1.0",
        {"target": "$.info.title", "update": {}},
        "overlay-target",
        "update",
    ),
    "a list by a text, inside": (
        "1.1.0",
        {"target": "$", "update": {"tags": "x"}},
        "overlay-target",
        "update/tags",
    ),
    "an object by a list, inside": (
        "1.1.0",
        {"target": "$", "update": {"info": []}},
        "overlay-target",
        "update/info",
    ),
    "copy of nothing": ("1.1.0", {"target": "$.info", "copy": "$.none"}, "overlay-target", "copy"),
    "copy of several": (
        "1.1.0",
        {"target": "$.info", "copy": "$.servers[*]"},
        "overlay-target",
        "copy",
    ),
    "copy of another kind": (
        "1.1.0",
        {"target": "$.info", "copy": "$.info.title"},
        "overlay-target",
        "copy",
    ),
    "a reference to nothing": ("1.2.0", {"$ref": f"{REF}ab", "target": "$"}, "overlay", "$ref"),
    "a reference that leads out": (
        "1.2.0",
        {"$ref": "other.yaml#/components/actions/e", "target": "$"},
        "overlay",
        "$ref",
    ),
    "a reference without escapes": (
        "1.2.0",
        {"$ref": f"{REF}a/b", "target": "$"},
        "overlay",
        "$ref",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_action_is_refused_at_its_place(name, tmp_path):
    version, action, code, place = BAD[name]
    more = {"components": SHARED} if version == "1.2.0" else {}
    with pytest.raises(GenerationError) as caught:
        load(tmp_path, [action], version, **more)
    [found] = caught.value.diagnostics
    assert (found.code, found.pointer) == (code, f"/actions/0/{place}".rstrip("/"))
    assert found.location is not None
    assert found.location.file.endswith("fix.json")


WRONG: dict[str, tuple[dict[str, Any], str, str]] = {
    "an unknown version": ({"overlay": "2.0.0"}, "overlay-version", "/overlay"),
    "no title": ({"info": {"version": "1"}}, "overlay", "/info"),
    "a version that is a number": (
        {"info": {"title": "A", "version": 1}},
        "overlay",
        "/info/version",
    ),
    "no actions": ({"actions": []}, "overlay", "/actions"),
    "an unknown member": ({"action": []}, "overlay", "/action"),
    "components before 1.2": ({"components": {}}, "overlay", "/components"),
    "a fragment": ({"overlay": "1.2.0", "$self": "a.yaml#b"}, "overlay", "/$self"),
    "a target in a reusable action": (
        {"overlay": "1.2.0", "components": {"actions": {"a": {"fields": {"target": "$"}}}}},
        "overlay",
        "/components/actions/a/fields/target",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_bad_overlay_is_refused_at_its_place(name, tmp_path):
    members, code, pointer = WRONG[name]
    given = {"actions": [{"target": "$.info", "update": {}}], **members}
    version = given.pop("overlay", "1.1.0")
    with pytest.raises(GenerationError) as caught:
        load(tmp_path, given.pop("actions"), version, **given)
    errors = {(each.code, each.pointer) for each in caught.value.diagnostics}
    assert (code, pointer) in errors


@table(
    "action, code",
    ({"target": "$.none", "update": {}}, "overlay-no-match"),
    ({"target": "$.info"}, "overlay-no-effect"),
    ({"target": "$.info", "update": {}, "copy": "$.tags[0]"}, "overlay-no-effect"),
)
def test_what_does_nothing_is_a_warning(action, code, tmp_path):
    document, found = load(tmp_path, [action])
    assert document.root.value == SHOP
    assert [each.code for each in found.warnings] == [code]


@table(
    "extends, own, base, is_told",
    ("api.json", "", "", False),
    ("other.json", "", "", True),
    ("shop.json", "https://x.example/shop.json", "https://x.example/fix.json", False),
    ("https://x.example/shop.json", "https://x.example/shop.json", "", False),
    ("https://x.example/shop.json", "", "", True),
)
def test_an_overlay_for_another_document_is_told(extends, own, base, is_told, tmp_path):
    more = {"extends": extends, **({"$self": base} if base else {})}
    document = {**SHOP, **({"$self": own} if own else {})}
    _, found = load(
        tmp_path, [{"target": "$.info", "update": {}}], "1.2.0", document=document, **more
    )
    assert [each.code for each in found.items] == ["overlay-extends"] * is_told


def test_an_overlay_cannot_grow_without_end(tmp_path):
    doubling = [
        {"target": "$.info", "update": {f"x-{n}": {}}}
        if n % 2
        else {"target": f"$.info['x-{n - 1}']", "copy": "$.paths"}
        for n in range(1, 3)
    ]
    grow = [
        {"target": "$.paths['/a'].get.tags", "copy": "$.paths['/a'].get.tags", "x-n": n}
        for n in range(40)
    ]
    with pytest.raises(GenerationError) as caught:
        load(tmp_path, doubling + grow, most=5_000)
    assert {each.code for each in caught.value.diagnostics} == {"too-many-values"}


@pytest.fixture
def passed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many values paths came by, of which they may take 10,000 steps."""
    passed = [0]
    new_child = JSONPathNode.new_child

    def counted(*given: Any) -> JSONPathNode:
        passed[0] += 1
        return new_child(*given)

    monkeypatch.setattr(JSONPathNode, "new_child", counted)
    monkeypatch.setattr(jsonpath, "_LEAST", 10_000)
    monkeypatch.setattr(jsonpath, "_WALKS", 0)
    return passed


@pytest.mark.parametrize("member", ["target", "copy"])
def test_a_path_that_passes_too_much_is_refused(member, tmp_path, passed):
    """A list of selectors in each of three steps passes 200 x 200 x 200 times what is there."""
    path = "$" + 3 * f"[{','.join(200 * '*')}]"
    action = (
        {"target": path, "remove": True}
        if member == "target"
        else {"target": "$.info", "copy": path}
    )
    with pytest.raises(GenerationError) as caught:
        load(tmp_path, [action])
    [found] = caught.value.diagnostics
    assert (found.code, found.pointer) == ("overlay-path", f"/actions/0/{member}")
    assert "the paths of all actions take more than 10,000 steps" in found.message
    assert passed[0] < 11_000


@pytest.mark.parametrize(
    "path",
    [
        "$..[?count(@..*) > count($..*)]",
        "$..[?count($..*) > count($..[?count($..*) > 1])]",
        f"$..[{','.join(1_000 * ['?@.a == 1'])}]",
        f"$..[{','.join(10_000 * '1')}]",
        f"$..[?{' || '.join(200 * ['1 == 2'])}]",
        "$['x-list'][?$['x-list'] == $['x-list']]",
        "$['x-list'][?value($['x-list']) == $['x-list']]",
    ],
    ids=["filter", "nested", "filters", "indices", "terms", "equal", "function"],
)
def test_what_a_filter_passes_is_counted(path, tmp_path, passed):
    document = {**SHOP, "x-list": [{"a": {"b": n}} for n in range(300)]}
    with pytest.raises(GenerationError) as caught:
        load(tmp_path, [{"target": path, "remove": True}], document=document)
    [found] = caught.value.diagnostics
    assert "take more than 10,000 steps" in found.message
    assert passed[0] < 11_000


def test_all_actions_share_the_steps_of_paths(tmp_path, passed):
    document = {**SHOP, "x-list": [{"a": {"b": n}} for n in range(300)]}
    action = {"target": "$..b", "update": 7}
    load(tmp_path, 2 * [action], "1.1.0", document=document)
    with pytest.raises(GenerationError) as caught:
        load(tmp_path, 40 * [action], "1.1.0", document=document)
    [found] = caught.value.diagnostics
    assert "the paths of all actions take more than 10,000 steps" in found.message


def test_a_large_document_may_be_walked_through_often(tmp_path, monkeypatch):
    monkeypatch.setattr(jsonpath, "_LEAST", 0)
    document = {**SHOP, "x-list": [{"a": {"b": n}} for n in range(300)]}
    actions = 40 * [{"target": "$..b", "update": 7}]
    changed, _ = load(tmp_path, actions, "1.1.0", document=document)
    assert changed.root["x-list"].value[-1] == {"a": {"b": 7}}
