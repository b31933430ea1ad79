"""Models of small schemas, and the checks that they can be used."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from api_building import decide, reading
from mypy import api as mypy

from mcpgen.api import Api, Schema
from mcpgen.format import format_files
from mcpgen.models import Models, generate

TEXT = {"type": "string"}


def obj(**properties: Schema) -> dict[str, Any]:
    """An object with these properties."""
    return {"type": "object", "properties": properties}


def models(document: Api, **options: Any) -> Models:
    return generate(document, decide(document), **options)


def source(**schemas: Schema) -> str:
    """The formatted `models.py` of these schemas."""
    files = models(reading(schemas)).files
    return format_files(files)["models.py"]


def load(text: str) -> dict[str, Any]:
    """The names a module defines."""
    module = ModuleType("loaded_models")
    sys.modules[module.__name__] = module
    exec(compile(text, "models.py", "exec"), module.__dict__)
    return module.__dict__


def check(files: Mapping[str, str], folder: Path) -> None:
    """Write the files, and assert that ruff, mypy and every import are content."""
    for path, text in format_files(files).items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    rules = ["--isolated", "--select", "E,F,I,UP,B", "--line-length", "100"]
    ruff = ["ruff", "check", "--no-cache", "--target-version", "py311", *rules, str(folder)]
    done = subprocess.run(
        [sys.executable, "-m", *ruff], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    paths = [str(folder / path) for path in files]
    cache = folder.parent / "mypy-cache"  # of what Python itself declares, and of all these tests
    out, errors, status = mypy.run(["--strict", "--cache-dir", str(cache), *paths])
    assert status == 0, out + errors
    names = [path.removesuffix(".py").replace("/", ".").removesuffix(".__init__") for path in files]
    subprocess.run([sys.executable, "-c", EACH_ALONE, *names], cwd=folder, check=True)


EACH_ALONE = """
import importlib, sys
there = set(sys.modules)
for name in sys.argv[1:]:
    importlib.import_module(name)
    for loaded in set(sys.modules) - there:
        if loaded.partition(".")[0] in ("models", "use"):
            del sys.modules[loaded]
"""
"""Imports each module as if it were the first; only what is generated is loaded again."""
