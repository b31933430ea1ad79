"""Recursive types stay as precise as a type checker can bear."""

import random
from typing import Any

import pytest
from api_building import decide, reading, ref
from mypy import api as mypy

from mcpgen.lifting.recursion import settle
from mcpgen.lifting.simple import Simple, union
from mcpgen.models import generate


def named(key: str) -> Simple:
    return {"$ref": key}


def items(simple: Simple) -> Simple:
    return {"type": "array", "items": simple}


def obj(**properties: Simple) -> Simple:
    return {"type": "object", "properties": properties}


def test_an_alias_of_itself_is_anything():
    schemas = {"A": {"anyOf": [named("B"), {"type": "null"}]}, "B": named("A"), "C": named("C")}
    settle(schemas)
    assert schemas["C"] == {}
    assert {} in (schemas["A"], schemas["B"])


def test_recursion_through_a_container_or_a_class_stays():
    schemas = {
        "Tree": {"anyOf": [{"type": "string"}, items(named("Tree"))]},
        "Node": obj(children=named("Children")),
        "Children": items(named("Node")),
    }
    before = {key: dict(simple) for key, simple in schemas.items()}
    settle(schemas)
    assert schemas == before


def test_a_long_chain_of_aliases_is_cut():
    schemas = {f"A{n}": items(named(f"A{n + 1}")) for n in range(100)} | {"A100": obj(a={})}
    settle(schemas)
    assert schemas["A95"] == items(named("A96"))
    assert {} in schemas.values()


def test_aliases_in_a_dense_web_are_written_out():
    schemas: dict[str, Simple] = {}
    for n in range(0, 40, 2):
        schemas[f"A{n}"] = {"anyOf": [named(f"C{n + 1}"), items(named(f"C{n + 1}"))]}
        following = named(f"A{(n + 2) % 40}")
        schemas[f"C{n + 1}"] = obj(one=following, many=items(following))
    settle(schemas)
    assert schemas["C1"]["properties"]["one"] == schemas["A2"]
    assert schemas["A2"] == {"anyOf": [named("C3"), items(named("C3"))]}
    assert schemas["C1"]["properties"]["many"] == items(schemas["A2"])


@pytest.mark.parametrize(("size", "aliases"), [(20, 0.1), (40, 0.3), (40, 1.0)])
def test_mypy_gets_through_any_web(size, aliases, tmp_path):
    dice = random.Random(size)

    def some() -> dict[str, Any]:
        target = ref(f"T{dice.randrange(size)}")
        return dice.choice([target, items(target), {"additionalProperties": target}])

    schemas = {
        f"T{n}": {"anyOf": [some(), some(), some()]}
        if dice.random() < aliases
        else obj(**{f"f{k}": {"anyOf": [some(), some()]} for k in range(6)})
        for n in range(size)
    }
    document = reading(schemas)
    path = tmp_path / "models.py"
    path.write_text(generate(document, decide(document)).files["models.py"])
    cache = tmp_path.parent / "mypy-cache"  # of what Python itself declares
    out, errors, status = mypy.run(["--strict", "--cache-dir", str(cache), str(path)])
    assert status == 0, out + errors


def test_a_union_has_as_many_members_as_a_checker_bears():
    members = [named(f"T{number}") for number in range(301)]
    assert union(members) == {}
    assert union(members[:300]) == {"anyOf": members[:300]}
