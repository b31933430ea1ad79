"""Runs datamodel-code-generator on one set of schemas.

It is given only local, resolved, small schemas (see `lifting`) under their final names.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from typing import Any

from datamodel_code_generator import GenerateConfig, InputFileType, LiteralType, generate
from datamodel_code_generator.enums import DataModelType
from datamodel_code_generator.format import PythonVersion

from ..processes.temporary_files import scratch_file
from .kinds import Kinds, UnexpectedSource
from .module_text import Definition
from .references import REF, outside
from .type_patterns import placeholders, take_apart

Schemas = Mapping[str, dict[str, Any]]
Written = tuple[list[Definition], dict[str, str]]
"""The types, and why schemas have none, by their names."""


def run(schemas: Schemas) -> Written:
    """Write the types of some schemas; a reference out of the set is to a type written elsewhere.

    A schema that the generator cannot handle becomes `Any`.
    """
    done: list[Definition] = []
    failed: dict[str, str] = {}
    _run(schemas, done, failed)
    return done, failed


def _run(schemas: Schemas, done: list[Definition], failed: dict[str, str]) -> None:
    """Run the generator, halving a set that fails until the schema to blame is alone."""
    try:
        done += _definitions(schemas)
    except Exception as error:
        names = list(schemas)
        if len(names) == 1:
            failed[names[0]] = f"{type(error).__name__}: {error}".split("\n")[0][:200]
            text = f"{names[0]}: TypeAlias = Any"
            typing = frozenset({"Any", "TypeAlias"})
            done.append(Definition(names[0], text, typing, frozenset(), frozenset()))
            return
        for half in (names[: len(names) // 2], names[len(names) // 2 :]):
            _run({name: schemas[name] for name in half}, done, failed)


def _definitions(schemas: Schemas) -> list[Definition]:
    kinds = Kinds(schemas)
    document = {
        "openapi": "3.1.0",
        "info": {"title": "models", "version": "1"},
        "paths": {},
        "components": {"schemas": _with_stubs(kinds.examples)},
    }
    source, fields = _source(json.dumps(document))
    if missing := kinds.examples.keys() - fields:
        raise UnexpectedSource(min(missing))
    return list(kinds.definitions(*take_apart(source, kinds, fields)))


def _with_stubs(schemas: Schemas) -> dict[str, Any]:
    """The set under safe names, preceded by an empty object for each outside reference."""
    stubs = {name: {"type": "object"} for name in outside(schemas)}
    return stubs | {name: _harmless(schema) for name, schema in schemas.items()}


def _harmless(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema under placeholder names.

    An array is put into a union of one, as it would else lose items that refer to itself.
    """
    if schema.get("type") == "array":
        return {"anyOf": [schema]}
    if "properties" not in schema:
        return schema
    names = placeholders(schema["properties"])
    properties = {names[name]: sub for name, sub in schema["properties"].items()}
    return {
        **schema,
        "properties": properties,
        "required": [names[name] for name in schema.get("required", ())],
    }


def _source(document: str) -> tuple[str, dict[str, dict[str, str]]]:
    """Run the generator: its source, and by its own account the types' fields and their keys."""
    with scratch_file() as metadata, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        config = GenerateConfig(
            input_file_type=InputFileType.OpenAPI,
            output_model_type=DataModelType.TypingTypedDict,
            target_python_version=PythonVersion.PY_311,
            use_closed_typed_dict=False,
            enum_field_as_literal=LiteralType.All,
            disable_timestamp=True,
            use_schema_description=True,
            use_single_line_docstring=True,
            allow_remote_refs=False,
            strict_refs=True,
            formatters=[],
            emit_model_metadata=metadata,
        )
        source = generate(document, config=config)
        models = json.loads(metadata.read_text(encoding="utf-8"))["models"]
    if not isinstance(source, str):
        raise UnexpectedSource("modules")
    return source, {
        model["class_name"]: {f["name"]: f["original_name"] for f in model["fields"]}
        for model in models
        if model["source_ref"] == REF + model["class_name"]
    }
