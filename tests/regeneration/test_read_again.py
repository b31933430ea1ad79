"""What is taken over from an earlier reading is what reading everything gives."""

from __future__ import annotations

import copy
import importlib
import json
import pickle
import random
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from fuzz.budget import count
from yaml import SafeDumper
from yaml import dump as yaml_text

from mcpgen import source
from mcpgen.api import Api
from mcpgen.diagnostics import Diagnostic, Diagnostics, GenerationError
from mcpgen.lifting.lifter import lift
from mcpgen.readers import openapi
from mcpgen.readers.openapi import Before, ReadOptions, details, room

NAMES = ("Leaf", "Root", "Stem", "Bark")
ODD = (
    {"$ref": "#/components/schemas/Missing"},
    {"type": "string", "pattern": "(?<broken"},
    {"type": "object", "dependencies": {"a": ["b"]}},
    {"type": "string", "description": "hid\u200bden"},
    {"type": "array", "minItems": "two"},
    {"type": "integer", "maximum": 1 << 90},
    {"$ref": "#/components/schemas/Leaf/properties/size"},
    {"oneOf": [{"$ref": "#/components/schemas/Root"}, {"type": "null"}]},
    {"type": "object", "properties": {"deep": {"type": "object", "properties": {"a": {}}}}},
)


class Garden:
    """A document whose paths and schemas change at random, many of them odd."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.root: dict[str, Any] = {
            "openapi": "3.1.0",
            "info": {"title": "Garden", "version": "1"},
            "servers": [{"url": "https://garden.example"}],
            "paths": {f"/beds/{n}": self.item(n) for n in range(6)},
            "components": {"schemas": {name: self.component() for name in NAMES}},
        }

    def schema(self) -> Any:
        if self.rng.random() < 0.3:
            return copy.deepcopy(self.rng.choice(ODD))
        if self.rng.random() < 0.5:
            return {"$ref": f"#/components/schemas/{self.rng.choice(NAMES)}"}
        return {"type": self.rng.choice(["string", "integer", "boolean"])}

    def component(self) -> dict[str, Any]:
        properties = {name: self.schema() for name in self.rng.sample(["size", "kin", "tag"], 2)}
        whole: dict[str, Any] = {"type": "object", "properties": {"size": {}, **properties}}
        if self.rng.random() < 0.3:
            whole["allOf"] = [{"$ref": f"#/components/schemas/{self.rng.choice(NAMES)}"}]
        return whole

    def item(self, number: int) -> dict[str, Any]:
        operations = {
            method: self.operation(f"{method}{number}")
            for method in self.rng.sample(["get", "put", "post"], self.rng.randint(1, 2))
        }
        shared = [{"name": "all", "in": "query", "schema": self.schema()}]
        return {**operations, **({"parameters": shared} if self.rng.random() < 0.5 else {})}

    def operation(self, name: str) -> dict[str, Any]:
        operation: dict[str, Any] = {
            "operationId": self.rng.choice([name, name, "same"]),
            "parameters": [{"name": "one", "in": "query", "schema": self.schema()}],
            "responses": {
                "200": {
                    "description": "It.",
                    "content": {"application/json": {"schema": self.schema()}},
                }
            },
        }
        if self.rng.random() < 0.4:
            operation["tags"] = [self.rng.choice(["beds", "trees"])]
        if self.rng.random() < 0.4:
            operation["servers"] = [{"url": f"https://{self.rng.choice('ab')}.example"}]
        return operation

    def change(self) -> None:
        paths = self.root["paths"]
        path = self.rng.choice(list(paths))
        match self.rng.randrange(8):
            case 0:
                self.root["components"]["schemas"][self.rng.choice(NAMES)] = self.component()
            case 1:
                paths[f"/beds/{self.rng.randrange(99)}"] = self.item(self.rng.randrange(99))
            case 2 if len(paths) > 2:
                del paths[path]
            case 3:
                self.root["info"]["description"] = "More " * self.rng.randrange(9)
            case 4:
                paths[path]["parameters"] = [{"name": "all", "in": "query", "schema": {}}]
            case 5:
                paths["/other"] = {"get": {**self.operation("other"), "x": f"/paths/{path}"}}
                schema = f"#/paths/{path.replace('/', '~1')}"
                paths["/other"]["get"]["parameters"][0]["schema"] = {
                    "$ref": f"{schema}/{next(iter(paths[path]))}/responses/200/content"
                    "/application~1json/schema"
                }
            case _:
                paths[path] = self.item(self.rng.randrange(99))

    def text(self, *, yaml: bool = False) -> str:
        if yaml:
            return yaml_text(self.root, sort_keys=False, Dumper=_Plain)
        return json.dumps(self.root, indent=1)


class _Plain(SafeDumper):
    """Writes what comes twice twice: a text with aliases is parsed as a whole."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def read(
    text: str, path: Path, before: Before | None
) -> tuple[Api | None, Before | None, set[Diagnostic]]:
    """The API, what a later run may take over, and what was said, excerpts of the text too."""
    path.write_text(text)
    found = Diagnostics()
    try:
        parsed = before.parsed if before is not None else None
        changed = partial(openapi.changed, before)
        document = source.load(str(path), diagnostics=found, before=parsed, changed=changed)
        api, now = openapi.read_again(document, ReadOptions(), found, before)
    except GenerationError as error:
        return None, None, {*found.items, *error.diagnostics}
    return api, pickle.loads(pickle.dumps(now())), set(found.items)


@pytest.mark.parametrize("seed", range(count(24)))
def test_reading_again_is_reading(seed: int, tmp_path: Path) -> None:
    garden = Garden(seed)
    yaml = seed % 3 == 0
    path = tmp_path / f"api.{'yaml' if yaml else 'json'}"
    before: Before | None = None
    old: Api | None = None
    for _ in range(6):
        api, now, said = read(garden.text(yaml=yaml), path, before)
        whole, _, all_said = read(garden.text(yaml=yaml), path, None)
        assert api == whole
        assert said == all_said
        if api is not None and old is not None:
            assert lift(api, (old, lift(old))) == lift(api)
        before, old = now or before, api or old
        garden.change()


@pytest.mark.parametrize("seed", range(count(6)))
def test_lengths_that_depend_on_all_tools_are_not_taken_over(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    garden = Garden(seed)
    before: Before | None = None
    for number in range(6):
        monkeypatch.setattr(room, "ROOM", (room.ROOM, 10)[(seed + number) % 3 == 1])
        api, now, said = read(garden.text(), tmp_path / "api.json", before)
        whole, _, all_said = read(garden.text(), tmp_path / "api.json", None)
        assert api == whole
        assert said == all_said
        assert now is None or room.ROOM > 10
        before = now or before
        garden.change()
        monkeypatch.undo()


@pytest.mark.parametrize("example", [1, 1 << 90])
def test_what_did_not_change_is_not_read_again(
    example: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    garden = Garden(1)
    path = tmp_path / "api.json"
    answer = {"200": {"description": "It.", "x-example": example}}
    garden.root["info"]["x-example"] = example
    garden.root["paths"] = {f"/beds/{n}": {"get": {"responses": answer}} for n in range(9)}
    _, before, _ = read(garden.text(), path, None)
    assert before is not None
    read_anew: list[str] = []
    make = details.read_details

    def noted(operation: Any, reading: Any) -> Any:
        read_anew.append(operation.key)
        return make(operation, reading)

    monkeypatch.setattr(
        importlib.import_module("mcpgen.readers.openapi.read"), "read_details", noted
    )
    garden.root["paths"]["/beds/4"]["get"]["summary"] = "Another"
    api, _, _ = read(garden.text(), path, before)
    assert api is not None
    assert read_anew == ["GET /beds/4"]


@pytest.mark.parametrize("first", ["/a", "/b"])
def test_what_is_said_once_is_said_at_the_same_place(first: str, tmp_path: Path) -> None:
    garden = Garden(1)
    path = tmp_path / "api.json"

    def item(**more: Any) -> dict[str, Any]:
        parameter = {"name": "one", "in": "query", "schema": {"type": "string", **more}}
        return {"get": {"parameters": [parameter], "responses": {"200": {"description": "It."}}}}

    garden.root["paths"] = {"/a": item(), "/b": item(), first: item(nullable=True)}
    _, before, _ = read(garden.text(), path, None)
    garden.root["paths"] = {each: item(nullable=True) for each in ("/a", "/b")}
    api, _, said = read(garden.text(), path, before)
    whole, _, all_said = read(garden.text(), path, None)
    assert api == whole
    assert said == all_said
    assert sum("nullable" in each.message for each in said) == 1


@pytest.mark.parametrize("paths", ["absent", None, [], "x"])
def test_a_document_that_has_lost_its_paths(paths: Any, tmp_path: Path) -> None:
    garden = Garden(1)
    path = tmp_path / "api.json"
    api, before, _ = read(garden.text(), path, None)
    assert api is not None
    assert before is not None
    garden.root["paths"] = paths
    if paths == "absent":
        del garden.root["paths"]
    assert read(garden.text(), path, before) == read(garden.text(), path, None)


def test_another_file_is_always_read(tmp_path: Path) -> None:
    garden = Garden(1)
    answer = {"description": "It.", "content": {"application/json": {"schema": {"$ref": "b.json"}}}}
    garden.root["paths"] = {"/beds": {"get": {"responses": {"200": answer}}}}
    before: Before | None = None
    for kind in ("string", "integer"):
        (tmp_path / "b.json").write_text(json.dumps({"type": kind}))
        api, before, _ = read(garden.text(), tmp_path / "api.json", before)
        assert api is not None
        assert next(iter(api.schemas.values())) == {"type": kind}


def test_leave_that_is_taken_back_is_asked_for_again(tmp_path: Path) -> None:
    garden = Garden(1)
    schema = {"$dynamicRef": "https://elsewhere.example/bed.json"}
    garden.root["paths"] = {"/beds": {"get": {"responses": {"200": {"description": "It."}}}}}
    garden.root["components"] = {"schemas": {"bed": schema}}
    path = tmp_path / "api.json"
    path.write_text(garden.text())
    leave = source.SourceOptions(allow_remote_refs=True)
    document = source.load(str(path), options=leave, diagnostics=Diagnostics())
    _, later = openapi.read_again(document, ReadOptions(), Diagnostics(), None)
    before = later()
    assert before is not None
    changed = partial(openapi.changed, before)
    with pytest.raises(GenerationError, match="remote"):
        source.load(str(path), diagnostics=Diagnostics(), changed=changed)
