"""The Python types of an API, written by datamodel-code-generator."""

from __future__ import annotations

import json
import re
import textwrap
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from datamodel_code_generator import (
    DataModelType,
    GenerateConfig,
    InputFileType,
    LiteralType,
    PythonVersion,
    generate as run,
)

from .annotations import Annotation, annotate
from .api import Api, Schema
from .lifting import Lifter, Simple
from .naming import Names
from .shapes import Place


@dataclass(frozen=True)
class Models:
    """The models' source, and what it calls the types of arguments and results."""

    files: Mapping[str, str]
    """By path in the package."""
    names: Names
    pool: Mapping[str, Schema] = field(repr=False)

    def annotate(self, schema: Schema, hint: str) -> Annotation:
        """The Python type of a schema; `hint` is `<tool> <argument>` or `<tool> result`."""
        lifted = self.names.lifted
        candidates = lifted.roots.get(hint, ())
        for same in (lambda known: known is schema, lambda known: known == schema):
            for known, simple in candidates:
                if same(known):
                    return annotate(simple, self.names.classes)
        simple = Lifter(self.pool).value(schema, Place("", ""))
        return annotate(unnamed(simple, self.names.classes), self.names.classes)


def unnamed(simple: Simple, classes: Mapping[str, str]) -> Simple:
    """The same without references to places that have no class."""
    if "$ref" in simple:
        return simple if simple["$ref"] in classes else {"type": "object", "additionalProperties": {}}
    if "anyOf" in simple:
        return {"anyOf": [unnamed(part, classes) for part in simple["anyOf"]]}
    for key in ("items", "additionalProperties"):
        if key in simple:
            return {**simple, key: unnamed(simple[key], classes)}
    return simple


def generate(api: Api, names: Names, *, workers: int | None = None) -> Models:
    schemas = {names.classes[k]: named(s, names.classes) for k, s in names.lifted.schemas.items()}
    files = {"models.py": _module(schemas)}
    return Models(files, names, api.schemas)


def named(simple: Simple, classes: Mapping[str, str]) -> Simple:
    """The same with class names instead of places, in OpenAPI's form."""
    out: Simple = {}
    for key, value in simple.items():
        if key == "$ref":
            out[key] = f"#/components/schemas/{classes[value]}"
        elif key == "anyOf":
            out[key] = [named(part, classes) for part in value]
        elif key == "properties":
            out[key] = {name: named(part, classes) for name, part in value.items()}
        elif key in ("items", "additionalProperties"):
            out[key] = named(value, classes)
        elif key == "description":
            out[key] = describe(value)
        else:
            out[key] = value
    return out


def describe(text: str) -> str:
    """The first paragraph of a description, wrapped, as it reads in a docstring."""
    paragraph = re.split(r"\n\s*\n", text.strip(), maxsplit=1)[0]
    line = " ".join("".join(c if c.isprintable() else " " for c in paragraph).split())
    return textwrap.fill(
        textwrap.shorten(line, 400, placeholder=" ..."), 88, break_long_words=False, break_on_hyphens=False
    )


def _module(schemas: Mapping[str, Simple]) -> str:
    head = '"""The types of the API\'s arguments and answers."""\n\n'
    if not schemas:
        return f"{head}from __future__ import annotations\n"
    text = _source(schemas)
    return head + text[text.index("from __future__") :]


def _source(schemas: Mapping[str, Simple]) -> str:
    document = {
        "openapi": "3.1.0",
        "info": {"title": "models", "version": "1"},
        "paths": {},
        "components": {"schemas": schemas},
    }
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        config = GenerateConfig(
            input_file_type=InputFileType.OpenAPI,
            output_model_type=DataModelType.TypingTypedDict,
            target_python_version=PythonVersion.PY_311,
            use_closed_typed_dict=False,
            enum_field_as_literal=LiteralType.All,
            disable_timestamp=True,
            use_double_quotes=True,
            use_schema_description=True,
            use_single_line_docstring=True,
            allow_remote_refs=False,
            strict_refs=True,
            formatters=[],
            emit_model_metadata=Path(folder) / "metadata.json",
        )
        text = run(json.dumps(document), config=config)
    assert isinstance(text, str)
    return text
