"""Documents that are small to write and endless to work out: bounded, and right where possible."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from mcpgen.diagnostics import Diagnostics, GenerationError
from mcpgen.generate import generate
from mcpgen.readers.openapi import schema_budget
from mcpgen.settings import Settings

from . import running
from .documents import OK, openapi
from .judge import PACKAGE

SECONDS = 20
"""Of CPU, in this process and those that it started. What is endless takes hours, not seconds."""


def refer(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def document(schema: Any, schemas: Any = None) -> dict[str, Any]:
    """An operation that takes a value of the schema, and one that answers with it."""
    content = {"application/json": {"schema": schema}}
    taking = {"type": "object", "required": ["v"], "properties": {"v": schema}}
    body = {"required": True, "content": {"application/json": {"schema": taking}}}
    paths = {
        "/take": {"put": {"operationId": "take", "requestBody": body, "responses": OK}},
        "/give": {"get": {"responses": {"200": {"description": "ok", "content": content}}}},
    }
    return openapi(paths, components={"schemas": schemas or {}})


@contextmanager
def bounded() -> Iterator[None]:
    start = sum(os.times()[:4])
    yield
    assert sum(os.times()[:4]) - start < SECONDS


def tools_of(found: dict[str, Any], folder: Path) -> list[dict[str, Any]]:
    """The tools of a document, generated within the time."""
    with bounded():
        files = running.generated(found, folder).files
    tools: list[dict[str, Any]] = json.loads(files[f"{PACKAGE}/tools.json"])["tools"]
    return tools


def nested(depth: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(depth):
        schema = {"type": "object", "properties": {"n": schema}, "required": ["n"]}
    return schema


def arrays(depth: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(depth):
        schema = {"type": "array", "items": schema, "minItems": 2}
    return schema


SCHEMAS: dict[str, Any] = {
    "a hundred objects inside each other": nested(100),
    "two to the fortieth values at least": arrays(40),
    "a billion items": {"type": "array", "items": {"type": "string"}, "minItems": 10**9},
    "a billion characters": {"type": "string", "minLength": 10**9},
    "a billion properties": {"type": "object", "minProperties": 10**9},
    "a million different booleans": {
        "type": "array", "items": {"type": "boolean"}, "minItems": 10**6, "uniqueItems": True,
    },
    "a catastrophic pattern": {"type": "string", "pattern": "^(a+)+$", "default": "a" * 40 + "!"},
    "catastrophic names": {
        "type": "object", "minProperties": 3,
        "patternProperties": {f"^{i}(a+)+$": {"type": "string"} for i in range(200)},
    },
    "a number of 3,000 digits": {"type": "integer", "default": 10**2999},
    "the smallest step": {"type": "number", "multipleOf": 1e-300, "minimum": 1e300},
    "30 steps of 3,000 digits each": {
        "type": "integer", "allOf": [{"multipleOf": 10**3000 + i} for i in range(1, 31)],
    },
    "500 properties": {
        "type": "object",
        "properties": {f"p{i}": {"type": "string"} for i in range(500)},
        "required": [f"p{i}" for i in range(500)],
    },
    "5,000 values": {"type": "string", "enum": [f"v{i}" for i in range(5_000)]},
    "300 alternatives": {
        "anyOf": [{"type": "object", "properties": {f"p{i}": {}}} for i in range(300)]
    },
    "a name of 100,000 characters": {"type": "object", "properties": {"n" * 100_000: {}}},
    "a value of 300,000 characters": {"const": "c" * 300_000},
}  # fmt: skip


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_that_are_hard_to_meet(tmp_path: Path, name: str) -> None:
    """They are advertised as they are written, whether or not a sample can be made.

    All but a default that the schema refuses.
    """
    schema = {**SCHEMAS[name]}
    take, give = tools_of(document(schema), tmp_path)
    if name == "a catastrophic pattern":
        del schema["default"]
    assert take["inputSchema"]["properties"]["v"] == schema
    assert len(json.dumps(give.get("outputSchema"))) <= 8300


def test_an_operation_that_needs_a_value_between_no_limits_is_left_out(tmp_path: Path) -> None:
    schema = {"type": "integer", "minimum": 5, "maximum": 4}
    (give,) = tools_of(document(schema), tmp_path)
    assert give["annotations"]["readOnlyHint"]


DIGITS = "9" * 5000
"""More than Python reads as a number."""


@pytest.mark.parametrize(
    "pattern",
    [
        "^((a{1000}){1000}){1000}$",
        f"^a{{1,{DIGITS}}}$",
        f"^a{{{DIGITS},1}}$",
        f"^.{{1,{DIGITS}}}$",
        rf"^(a)\{DIGITS}$",
    ],
    ids=["groups", "most", "least", "length", "reference"],
)
def test_a_pattern_of_too_many_characters_is_not_advertised(tmp_path: Path, pattern: str) -> None:
    """No client could compile it, and would refuse the tool; a short one is in the description."""
    schema = {"type": "string", "pattern": pattern}
    take, _ = tools_of(document(schema), tmp_path)
    told = {"description": f"Pattern: `{pattern}`"} if len(pattern) < 100 else {}
    assert take["inputSchema"]["properties"]["v"] == {"type": "string", **told}


def test_definitions_that_double_with_each_step(tmp_path: Path) -> None:
    """2^40 values if anything was written out; each definition is there once."""
    schemas: dict[str, Any] = {
        f"S{i}": {
            "type": "object",
            "properties": {"a": refer(f"S{i + 1}"), "b": refer(f"S{i + 1}")},
        }
        for i in range(40)
    }
    schemas["S40"] = {"type": "string"}
    take, _ = tools_of(document(refer("S0"), schemas), tmp_path)
    assert len(take["inputSchema"]["$defs"]) == 40
    assert len(json.dumps(take)) < 10_000


CHAINS: dict[str, Callable[[str], dict[str, Any]]] = {
    "references": refer,
    "allOf": lambda name: {"allOf": [True, refer(name)]},
    "alternatives": lambda name: {"anyOf": [refer(name), {"type": "null"}]},
    "doubling": lambda name: {"allOf": [refer(name), refer(name)]},
}


@pytest.mark.usefixtures("usual_depth")
@pytest.mark.parametrize("kind", CHAINS)
def test_endless_chains_on_one_value(tmp_path: Path, kind: str) -> None:
    """No validator follows them, so an operation that needs one is left out, with the reason."""
    sys.setrecursionlimit(600)
    length = 40 if kind == "doubling" else 650
    schemas = {f"S{i}": CHAINS[kind](f"S{i + 1}") for i in range(length)}
    schemas[f"S{length}"] = {"type": "string"}
    schemas["Around"] = {"type": "object", "properties": {"a": refer("S0")}}
    schemas["Outer"] = {"type": "object", "properties": {"b": refer("Around")}}
    for start in ("S0", "Outer") if kind == "references" else ("Outer",):
        with bounded(), pytest.raises(GenerationError) as caught:
            running.generated(document(refer(start), schemas), tmp_path)
        assert "to one value" in str(caught.value)


@pytest.mark.parametrize("kinds", [("oneOf",), ("allOf", "oneOf"), ("anyOf",)])
def test_choices_inside_choices(tmp_path: Path, kinds: tuple[str, ...]) -> None:
    """Each is judged once for a value, not twice by the one around it."""
    schema: dict[str, Any] = {"type": "object", "properties": {"leaf": {"type": "string"}}}
    for level in range(18):
        others = [{"type": "object", "properties": {f"{of}{level}": {}}} for of in "pq"]
        schema = {kinds[level % len(kinds)]: [schema, *others]}
    take, _ = tools_of(document(schema), tmp_path)
    # Two branches of each choice take the same values, so more than one may hold.
    advertised = json.loads(json.dumps(schema).replace("oneOf", "anyOf"))
    assert take["inputSchema"]["properties"]["v"] == advertised


def test_cycles_stay_finite(tmp_path: Path) -> None:
    schemas = {
        "A": {"type": "object", "properties": {"a": refer("A"), "b": refer("B")}},
        "B": {"allOf": [refer("A"), {"properties": {"c": {"type": "array", "items": refer("B")}}}]},
    }
    take, give = tools_of(document(refer("A"), schemas), tmp_path)
    assert set(take["inputSchema"]["$defs"]) == {"A", "B"}
    assert give["outputSchema"]["type"] == "object"


def test_a_property_may_be_called_like_a_keyword(tmp_path: Path) -> None:
    """Under `properties`, in examples and in values a `$ref` is a name, and nothing is fetched."""
    schema = {
        "type": "object",
        "properties": {name: {"type": "string"} for name in ("$ref", "$id", "$schema", "$defs")},
        "required": ["$ref"],
        "default": {"$ref": "file:///etc/passwd"},
        "examples": [{"$ref": "http://127.0.0.1:9/a"}],
    }
    take, _ = tools_of(document(schema), tmp_path)
    assert take["inputSchema"]["properties"]["v"] == schema


@pytest.mark.parametrize("char", [" ", "{", "\u200b"])
def test_texts_of_one_character_again_and_again(tmp_path: Path, char: str) -> None:
    """Each text of a document, where the patterns that read it would start again at each place."""
    long = f"a{char * 50_000}b"
    found = document({"type": "string", "description": long})
    found["info"] |= {"title": long, "description": long}
    found["paths"]["/take"]["put"] |= {"summary": long, "description": long, "tags": [long]}
    assert len(tools_of(found, tmp_path)) == 2


def test_many_tools_that_reach_the_same_many_definitions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Written out for each, half a megabyte of a document would become a list of hundreds."""
    monkeypatch.setattr(schema_budget, "ROOM", 1 << 19)
    text = {f"p{i}": {"type": "string", "description": f"text {i}"} for i in range(3)}
    names = [f"S{i}" for i in range(60)]
    schemas = {
        name: {"type": "object", "properties": {**text, "next": refer(after)}}
        for name, after in zip(names, [*names[1:], names[0]], strict=True)
    }
    found = document({"type": "string"}, schemas)
    for name in names:
        content = {"application/json": {"schema": refer(name)}}
        found["paths"][f"/{name}"] = {"put": {"requestBody": {"content": content}, "responses": OK}}
    (tmp_path / "api.json").write_text(json.dumps(found), encoding="utf-8")
    told = Diagnostics()
    with bounded():
        asked = Settings(source=str(tmp_path / "api.json"))
        made = generate(asked, tmp_path / "out", told)
    assert len(made.tools_json) < 3 << 19
    cut = [item for item in told.warnings if item.code == "input-schemas-cut"]
    assert [item.location is None for item in cut] == [False]
    first = next(tool for tool in made.api.tools if tool.name == "put_S0").input_schema
    assert first["properties"].keys() == {*text, "next"}


@pytest.mark.parametrize("part", ["a", "{v}", "%20"])
def test_a_path_longer_than_any_url_is_left_out(tmp_path: Path, part: str) -> None:
    """The server would refuse each call of it; five megabytes of it took one gigabyte."""
    found = document({"type": "string"})
    found["paths"][f"/{part * 40_000}"] = {"get": {"responses": OK}}
    assert len(tools_of(found, tmp_path)) == 2


def test_names_longer_than_any_name_are_none(tmp_path: Path) -> None:
    """They are in the lock and in the handlers' texts, where five megabytes took 700 MiB."""
    found = document({"type": "string"})
    found["paths"]["/take"]["put"] |= {"operationId": "long" * 1000, "tags": ["long" * 1000, "b"]}
    files = running.generated(found, tmp_path).files
    listed = json.loads(files[f"{PACKAGE}/tools.json"])["tools"]
    assert listed[0]["name"] == "put_take"
    assert f"{PACKAGE}/handlers/b.py" in files
    assert not any("long" * 500 in text for text in map(str, files.values()))


def test_hundreds_of_ways_to_sign_in(tmp_path: Path) -> None:
    """Each is tested, and none by looking through all of them for each of all."""
    found = document({"type": "string"})
    schemes = {f"s{i}": {"type": "apiKey", "in": "header", "name": f"x-{i}"} for i in range(400)}
    found["components"] = {"securitySchemes": schemes}
    found["security"] = [{name: []} for name in schemes]
    assert len(tools_of(found, tmp_path)) == 2
