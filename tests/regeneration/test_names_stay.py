"""With the lock, operations that come, go or move rename nothing else.

Also tried on the documents in `../shared/specs`, where it is there: on the small ones, or on all of
a folder that MCPGEN_SPECS names.
"""

import copy
import json
import os
import random
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from mcpgen import lock, python_names, source
from mcpgen.api import Api
from mcpgen.diagnostics import Diagnostics
from mcpgen.lock import Lock
from mcpgen.python_names import Names
from mcpgen.readers import openapi
from mcpgen.regeneration.edits import Edits
from mcpgen.regeneration.kept_names import decide
from mcpgen.settings import Settings

ROOT = Path(__file__).parents[2]
SMALL = 100_000
METHODS = ("get", "put", "post", "delete", "patch", "options", "head")


def documents() -> list[Path]:
    """The OpenAPI documents that are one file."""
    files = sorted((ROOT / "specs").iterdir())
    given = os.environ.get("MCPGEN_SPECS")
    shared = Path(given) if given else ROOT.parent / "shared" / "specs"
    if shared.is_dir():
        files += [p for p in sorted(shared.iterdir()) if given or p.stat().st_size < SMALL]
    return [p for p in files if p.suffix in (".yaml", ".json") and _is_openapi(p)]


def _is_openapi(path: Path) -> bool:
    text = path.read_text()
    return all(re.search(rf"^\W*({key})\b", text, re.M) for key in ("openapi|swagger", "paths"))


def load(text: str) -> Any:
    if text.lstrip().startswith("{"):
        return json.loads(text)
    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def read(path: Path, known: Lock | None = None) -> tuple[Api, Names]:
    found = Diagnostics()
    document = source.load(str(path), diagnostics=found)
    api = openapi.read(document, Settings(), found, known)
    names = decide(api, known, Edits()).names if known else None
    return api, python_names.with_classes(python_names.decide(api, kept_names=names), api, names)


def facts(api: Api, names: Names) -> dict[str, Mapping[str, Any]]:
    """What must stay, by operation and by the place of a schema."""
    tools = {lock.operation(t): t for t in api.tools}
    return {
        "tools": {key: tool.name for key, tool in tools.items()},
        "functions": {key: names.functions[tool.name] for key, tool in tools.items()},
        "keywords": {key: names.keywords[tool.name] for key, tool in tools.items()},
        "modules": {key: names.modules[tool.tag] for key, tool in tools.items()},
        "classes": names.classes,
        "package": {"server": names.server, "package": names.package},
    }


def changed(document: dict[str, Any], rng: random.Random, step: int) -> dict[str, Any]:
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
            keep.insert(rng.randrange(len(keep)), (f"/more{step}-{number}{path}", more))
    out["paths"] = dict(keep)
    out["info"]["title"] = f"{rng.choice(['Our', 'The new', 'Nightly'])} {out['info']['title']}"
    return out


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.name)
def test_names_stay(path, tmp_path):
    rng = random.Random(path.name)
    document = json.loads(json.dumps(load(path.read_text()), default=str))
    place = tmp_path / "api.json"
    place.write_text(json.dumps(document))
    api, names = read(place)
    for step in range(2):
        before, known = facts(api, names), lock.make("api.json", "", api, names)
        document = changed(document, rng, step)
        place.write_text(json.dumps(document))
        api, names = read(place, known)
        after = facts(api, names)
        for kind, old in before.items():
            moved = {k: (v, after[kind][k]) for k, v in old.items() if after[kind].get(k, v) != v}
            assert not moved, kind


def test_operations_whose_paths_differ_in_what_is_not_sent(tmp_path):
    """A fragment or a query tells operations apart, also in the lock."""
    operation = {"operationId": "update", "responses": {"204": {"description": "done"}}}
    keys = ["/files/{id}", "/files/{id}#restore", "/files/{id}?draft=true"]
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Files", "version": "1"},
        "paths": {key: {"put": operation} for key in keys},
    }
    place = tmp_path / "api.json"
    place.write_text(json.dumps(document))
    api, names = read(place)
    assert len({tool.name for tool in api.tools}) == 3
    before, known = facts(api, names), lock.make("api.json", "", api, names)
    document["paths"] = {"/other": {"put": operation}, **dict(reversed(document["paths"].items()))}
    place.write_text(json.dumps(document))
    after = facts(*read(place, known))
    for key in keys:
        assert after["tools"][f"PUT {key}"] == before["tools"][f"PUT {key}"]
