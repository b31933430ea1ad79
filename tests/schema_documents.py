"""Small documents for the tests of schemas."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from mcpgen import source
from mcpgen.api import Schema
from mcpgen.diagnostics import Diagnostics
from mcpgen.readers.dialect import Dialect, SchemaPool
from mcpgen.schemas import reachable

Convert = Callable[..., "Converted"]
"""Makes a document of schemas, a dialect and other members."""

PET = {"$ref": "#/components/schemas/Pet"}

HEADS: dict[Dialect, dict[str, str]] = {
    Dialect.OAS20: {"swagger": "2.0"},
    Dialect.OAS30: {"openapi": "3.0.4"},
    Dialect.OAS31: {"openapi": "3.1.0"},
}


class Converted:
    """A document's schemas, converted."""

    def __init__(
        self,
        folder: Path,
        schemas: Mapping[str, Any],
        dialect: Dialect = Dialect.OAS31,
        *,
        closed_whole: bool = False,
        **more: Any,
    ) -> None:
        place = (
            {"definitions": schemas}
            if dialect is Dialect.OAS20
            else {"components": {"schemas": schemas}}
        )
        value = {**HEADS[dialect], "info": {"title": "t", "version": "1"}, **place, **more}
        path = folder / "api.json"
        path.write_text(json.dumps(value))
        self.diagnostics = Diagnostics()
        self.document = source.load(str(path), diagnostics=self.diagnostics)
        self.loaded = len(self.diagnostics)
        self.pool = SchemaPool(self.document, dialect, self.diagnostics, closed_whole=closed_whole)
        self._place = "/definitions" if dialect is Dialect.OAS20 else "/components/schemas"

    def add(self, name: str = "It") -> Schema:
        """The converted component of a name."""
        return self.at(f"{self._place}/{name}")

    def at(self, pointer: str) -> Schema:
        """The converted schema at a pointer of the main file."""
        node = self.document.node(self.document.root.file, pointer)
        return self.pool.add(node)

    @property
    def warnings(self) -> list[tuple[str, str]]:
        """Pointer and message of each problem that the conversion found."""
        return [(item.pointer, item.message) for item in self.diagnostics.items[self.loaded :]]


def whole(schema: Schema, pool: Mapping[str, Schema]) -> Any:
    """The schema with the definitions that it reaches."""
    found = dict(reachable([schema], pool))
    if isinstance(schema, bool):
        return schema
    return {**schema, "$defs": found} if found else dict(schema)


def assert_valid(schema: Any) -> None:
    """The schema is JSON Schema 2020-12."""
    Draft202012Validator.check_schema(schema)


def accepts(schema: Any, value: Any) -> bool:
    """Whether a value is an instance of the schema; formats are not asserted."""
    return bool(Draft202012Validator(schema).is_valid(value))


def one(convert: Convert, schema: Any, dialect: Dialect = Dialect.OAS30) -> Any:
    """A schema that is converted without a warning."""
    converted = convert({"It": schema, "Pet": {"type": "object"}}, dialect)
    result = converted.add()
    assert_valid(whole(result, converted.pool.schemas))
    assert converted.warnings == []
    return result
