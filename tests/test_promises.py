"""Every tool of every document takes what it advertises, and clients can take every tool."""

import json
import subprocess
from pathlib import Path
from typing import Any

import examples
import pytest
from faults import run
from faults.promises import NODE, broken
from prepared import python


@pytest.mark.parametrize("name", sorted(examples.SOURCES))
def test_every_promise_is_kept(name: str) -> None:
    (path,) = examples.FOLDER.glob(f"{name}/*/tools.json")
    listed = json.loads(path.read_text("utf-8"))["tools"]
    assert listed
    assert list(map(str, broken(listed))) == []


@pytest.mark.parametrize(
    ("schema", "what"),
    [
        ({"type": "string", "enum": ["a", 5]}, "`enum` has 5"),
        ({"type": "string", "default": None}, "`default` has null"),
        ({"items": {"type": "integer", "examples": ["1"]}}, '`examples` has "1"'),
        ({"$ref": "#/$defs/word", "const": 5}, "`const` has 5"),
        ({"type": ["array", "null"]}, "an array without items"),
    ],
)
def test_a_promise_that_is_not_kept_is_found(schema: dict[str, Any], what: str) -> None:
    properties = {"a": schema, "$filter": {}}
    root = {"type": "object", "properties": properties, "$defs": {"word": {"type": "string"}}}
    found = [str(each) for each in broken([{"name": "t", "inputSchema": root}])]
    assert len(found) == 2
    assert found[0].startswith("t inputSchema/properties/a")
    assert what in found[0]
    assert "'$filter'" in found[1]


def test_a_folder_of_documents_is_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def at_once(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = python(*arguments)
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)

    monkeypatch.setattr(run, "_run", at_once)
    good = examples.ROOT / "specs" / "bookshop.yaml"
    (tmp_path / "good.yaml").write_text(good.read_text())
    (tmp_path / "bad.yaml").write_text("openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: 5\n")
    (tmp_path / "notes.md").write_text("none")
    found = run.documents(tmp_path)
    assert list(found) == ["bad", "good"]
    assert [run.tried(path, tests=False) for path in found.values()] == [[], []]
    (tmp_path / "list.tsv").write_text("one\tgood.yaml\n")
    assert run.documents(tmp_path / "list.tsv") == {"one": tmp_path / "good.yaml"}


@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_a_pattern_that_node_does_not_compile_is_found() -> None:
    text = {"type": "string", "pattern": "(?i)a"}
    root = {"type": "object", "properties": {"a": text}, "patternProperties": {"a++": {}, "b": {}}}
    found = broken([{"name": "t", "inputSchema": root}])
    assert sorted(each.what for each in found) == ["the pattern (?i)a", "the pattern a++"]
