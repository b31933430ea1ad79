"""With the lock, operations that come, go or move rename nothing else."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from mcpgen import lock, naming, source
from mcpgen.api import Api
from mcpgen.diagnostics import Diagnostics
from mcpgen.lock import Lock
from mcpgen.naming import Names
from mcpgen.readers import openapi
from mcpgen.regeneration import edits
from mcpgen.settings import Settings

SPECS = Path(__file__).parents[2] / "specs"
METHODS = ("get", "put", "post", "delete", "patch", "options", "head")


def documents() -> list[Path]:
    """The OpenAPI documents that are one file."""
    files = sorted(p for p in SPECS.iterdir() if p.suffix in (".yaml", ".json"))
    return [p for p in files if re.search(r"^\W*(openapi|swagger)\b", p.read_text(), re.MULTILINE)]


def read(path: Path, known: Lock | None = None) -> tuple[Api, Names]:
    found = Diagnostics()
    document = source.load(str(path), diagnostics=found)
    api = openapi.read(document, openapi.options(Settings(), known), found)
    names = edits.known_names(api, known, edits.Edits()) if known else None
    return api, naming.decide(api, known=names)


def facts(api: Api, names: Names) -> dict[str, Mapping[str, Any]]:
    """What must stay, by operation and by the place of a schema."""
    tools = {lock.operation(t): t for t in api.tools}
    return {
        "tools": {key: tool.name for key, tool in tools.items()},
        "functions": {key: names.functions[tool.name] for key, tool in tools.items()},
        "keywords": {key: names.keywords[tool.name] for key, tool in tools.items()},
        "modules": {key: names.modules[tool.tag] for key, tool in tools.items()},
        "classes": names.classes,
    }


def changed(document: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """The document with some operations less, some more, and all in another order."""
    out = copy.deepcopy(document)
    paths = list(out["paths"].items())
    rng.shuffle(paths)
    for _, item in paths:
        methods = [m for m in METHODS if m in item]
        if rng.random() < 0.3:
            for method in methods[1:]:
                del item[method]
    keep = paths[: max(1, int(len(paths) * rng.uniform(0.5, 1)))]
    for number, (path, item) in enumerate(list(keep)):
        if rng.random() < 0.5:
            more = copy.deepcopy(item)
            for method in METHODS:
                operation = more.get(method)
                if isinstance(operation, dict) and "operationId" in operation:
                    operation["operationId"] += rng.choice(["", "_", "!", str(number)])
            keep.insert(rng.randrange(len(keep)), (f"/more{number}{path}", more))
    out["paths"] = dict(keep)
    return out


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.name)
@pytest.mark.parametrize("seed", range(3))
def test_names_stay(path: Path, tmp_path: Path, seed: int) -> None:
    rng = random.Random(f"{path.name} {seed}")
    load = json.loads if path.suffix == ".json" else yaml.safe_load
    document = json.loads(json.dumps(load(path.read_text()), default=str))
    place = tmp_path / "api.json"
    place.write_text(json.dumps(document))
    api, names = read(place)
    for _ in range(2):
        before, known = facts(api, names), lock.make("api.json", "", api, names)
        document = changed(document, rng)
        place.write_text(json.dumps(document))
        api, names = read(place, known)
        after = facts(api, names)
        for kind, old in before.items():
            moved = {k: (v, after[kind][k]) for k, v in old.items() if after[kind].get(k, v) != v}
            assert not moved, kind
