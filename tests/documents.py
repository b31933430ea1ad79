"""Documents for tests of reading them."""

import json
from pathlib import Path
from typing import Any

import pytest

from mcpgen import source
from mcpgen.diagnostics import Diagnostic, Diagnostics, GenerationError
from mcpgen.source import SourceOptions
from mcpgen.source.document import Document, Node


def load(path: Path | str, found: Diagnostics | None = None, **options: Any) -> Document:
    return source.load(
        str(path),
        options=SourceOptions(**options),
        diagnostics=found if found is not None else Diagnostics(),
    )


def refusal(path: Path | str, **options: Any) -> Diagnostic:
    with pytest.raises(GenerationError) as caught:
        load(path, **options)
    [found] = caught.value.diagnostics
    return found


def referring(*references: str) -> dict[str, Any]:
    return schemas(**{f"S{i}": {"$ref": reference} for i, reference in enumerate(references)})


def load_value(folder: Path, value: Any, found: Diagnostics | None = None) -> Document:
    path = folder / "api.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return load(path, found)


def schemas(**named: Any) -> dict[str, Any]:
    return {"openapi": "3.1.0", "components": {"schemas": named}}


def at(document: Document, path: str) -> Node:
    return document.node(document.root.file, path)


def errors(folder: Path, value: Any) -> list[str]:
    with pytest.raises(GenerationError) as caught:
        load_value(folder, value)
    return [item.code for item in caught.value.diagnostics]
