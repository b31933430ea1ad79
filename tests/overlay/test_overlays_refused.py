"""What is said of overlays that break their specification, or do nothing."""

from pathlib import Path
from typing import Any

import pytest
from jsonpath_rfc9535.node import JSONPathNode
from overlaying import SHOP, load

from mcpgen.diagnostics import GenerationError
from mcpgen.overlay import jsonpath


def test_an_overlay_cannot_grow_without_end(tmp_path: Path) -> None:
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
    monkeypatch.setattr(jsonpath, "_MIN_STEPS", 10_000)
    monkeypatch.setattr(jsonpath, "_MAX_WALKS", 0)
    return passed


@pytest.mark.parametrize("member", ["target", "copy"])
def test_a_path_that_passes_too_much_is_refused(
    member: str, tmp_path: Path, passed: list[int]
) -> None:
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
    assert "the paths of all actions together need more than 10,000 steps" in found.message
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
def test_what_a_filter_passes_is_counted(path: str, tmp_path: Path, passed: list[int]) -> None:
    document = {**SHOP, "x-list": [{"a": {"b": n}} for n in range(300)]}
    with pytest.raises(GenerationError) as caught:
        load(tmp_path, [{"target": path, "remove": True}], document=document)
    [found] = caught.value.diagnostics
    assert "need more than 10,000 steps" in found.message
    assert passed[0] < 11_000


def test_all_actions_share_the_steps_of_paths(tmp_path: Path, passed: list[int]) -> None:
    document = {**SHOP, "x-list": [{"a": {"b": n}} for n in range(300)]}
    action = {"target": "$..b", "update": 7}
    load(tmp_path, 2 * [action], "1.1.0", document=document)
    with pytest.raises(GenerationError) as caught:
        load(tmp_path, 40 * [action], "1.1.0", document=document)
    [found] = caught.value.diagnostics
    assert "the paths of all actions together need more than 10,000 steps" in found.message


def test_a_large_document_may_be_walked_through_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jsonpath, "_MIN_STEPS", 0)
    document = {**SHOP, "x-list": [{"a": {"b": n}} for n in range(300)]}
    actions = 40 * [{"target": "$..b", "update": 7}]
    changed, _ = load(tmp_path, actions, "1.1.0", document=document)
    assert changed.root["x-list"].value[-1] == {"a": {"b": 7}}
