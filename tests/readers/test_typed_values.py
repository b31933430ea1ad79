"""Values of another type than declared are read as the declared type spells them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mcpgen import source
from mcpgen.diagnostics import Diagnostics
from mcpgen.readers.openapi import read
from mcpgen.readers.typed_values import REFUSED, RESPELLED
from mcpgen.settings import Settings

_HEAD = "openapi: 3.0.3\ninfo: {title: t, version: '1'}\nservers: [{url: 'https://a.test'}]\n"


def _of_yaml(schema: str, folder: Path, more: str = "") -> tuple[Any, Diagnostics]:
    """The schema of an argument that YAML describes, and what is told of it."""
    text = (
        f"{_HEAD}{more}paths:\n  /a:\n    get:\n      responses: {{'200': {{description: ok}}}}\n"
    )
    text += f"      parameters:\n        - {{name: a, in: query, schema: {schema}}}\n"
    path, told = folder / "api.yaml", Diagnostics()
    path.write_text(text)
    api = read(source.load(str(path), diagnostics=told), Settings(), told)
    return api.tools[0].input_schema["properties"]["a"], told


@pytest.mark.parametrize(
    ("written", "values"),
    [
        ("{type: string, enum: [1.0, 1.10, 07, 1e3, 0xF]}", ["1.0", "1.10", "07", "1e3", "0xF"]),
        ("{type: string, enum: [true, False, 2024-01-01]}", ["true", "False", "2024-01-01"]),
        ("{type: string, enum: [1, 22, X]}", ["1", "22", "X"]),
        ('{type: integer, enum: ["0", "-1", "2.0"]}', [0, -1, 2]),
        ('{type: number, enum: ["1.5", "2"]}', [1.5, 2]),
        ('{type: boolean, enum: ["true", "False"]}', [True, False]),
        ("{type: boolean, enum: [yes, off]}", [True, False]),
        ("{type: string, nullable: true, enum: ['', 1]}", ["", "1", None]),
        ('{type: integer, nullable: true, enum: ["1"]}', [1, None]),
        ('{type: string, enum: [a, ~, "null"]}', ["a", "null"]),
        ('{type: integer, enum: ["1", "one", 1]}', [1]),
    ],
)  # fmt: skip
def test_an_enum_is_read_from_the_text_as_its_type_spells_it(
    tmp_path: Path, written: str, values: list[Any]
) -> None:
    schema, told = _of_yaml(written, tmp_path)
    assert json.dumps(schema["enum"]) == json.dumps(values)
    assert {each.message for each in told.warnings} <= {
        RESPELLED.format("enum"), REFUSED.format("enum")
    }  # fmt: skip
    assert told.warnings
    assert all(each.location is not None for each in told.warnings)
