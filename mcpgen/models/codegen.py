"""Runs datamodel-code-generator on one set of schemas, and uses the types that it writes.

It only gets local, resolved, small schemas (see `lifting`) under their final names. It is called
once, with a single class in which each field or alias is a numbered field, and only the types of
these fields are used. Real field names could be reserved or be rewritten, and whole classes would
take three times as long. Names of other types are filled in afterwards, so their schemas are not
needed.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping

from datamodel_code_generator import GenerateConfig, InputFileType, LiteralType, generate
from datamodel_code_generator.enums import DataModelType
from datamodel_code_generator.format import PythonVersion

from ..lifting.simple import Simple, references, substitute
from .module_text import Definition
from .references import REF
from .written_types import ANYTHING, Type, UnexpectedSource, checked, field_types

Schemas = Mapping[str, Simple]
Written = tuple[list[Definition], dict[str, str]]
"""The types, and why schemas have none, by their names."""
_WHOLE, _PLACE = "Types", "Place{}"
"""Names of the class that is asked for, and of what its fields refer to."""


def run(schemas: Schemas) -> Written:
    """Write the types of the given schemas, which may refer to types that are written elsewhere.

    A schema that the generator cannot handle becomes `Any`.
    """
    done: list[Definition] = []
    failed: dict[str, str] = {}
    _run(schemas, done, failed)
    return done, failed


def _run(schemas: Schemas, done: list[Definition], failed: dict[str, str]) -> None:
    """Run the generator; a set that fails is halved until the faulty schema is alone."""
    try:
        done += _definitions(schemas)
    except Exception as error:
        names = list(schemas)
        if len(names) == 1:
            failed[names[0]] = f"{type(error).__name__}: {error}".split("\n")[0][:200]
            done.append(Definition(names[0], alias=ANYTHING))
            return
        for half in (names[: len(names) // 2], names[len(names) // 2 :]):
            _run({name: schemas[name] for name in half}, done, failed)


def _definitions(schemas: Schemas) -> list[Definition]:
    """The types of schemas; field schemas that differ only in names are generated once."""
    parts = {_key(part): part for schema in schemas.values() for part in _parts(schema).values()}
    forms = {key: _form(part) for key, part in parts.items()}
    asked_for = {_key(form): form for form, _ in forms.values()}
    fields = {key: f"f{index}" for index, key in enumerate(asked_for)}
    asked = {
        "type": "object",
        "properties": {fields[key]: form for key, form in asked_for.items()},
        "required": list(fields.values()),
    }
    most = max((len(names) for _, names in forms.values()), default=0)
    places = [_PLACE.format(index) for index in range(most)]
    named = {place: {"type": "object"} for place in places}
    written = field_types(_source({**named, _WHOLE: asked}), _WHOLE)
    if list(written) != list(fields.values()):
        raise UnexpectedSource(_WHOLE)
    types = {
        key: checked(written[fields[_key(form)]], dict(zip(places, names, strict=False)))
        for key, (form, names) in forms.items()
    }
    return [_definition(name, schema, types) for name, schema in schemas.items()]


def _form(part: Simple) -> tuple[Simple, list[str]]:
    """A schema with placeholders for the names that it refers to, and those names."""
    names = list(dict.fromkeys(name for name, _ in references(part)))
    places = {name: {"$ref": REF + _PLACE.format(index)} for index, name in enumerate(names)}
    return substitute(part, places.__getitem__), [name.removeprefix(REF) for name in names]


def _parts(schema: Simple) -> Schemas:
    """The schemas of a class's fields; an alias has a single schema, under the empty name."""
    parts: Schemas = schema.get("properties", {"": schema})
    return parts


def _key(part: Simple) -> str:
    return json.dumps(part)


def _definition(name: str, schema: Simple, types: Mapping[str, Type]) -> Definition:
    if "properties" not in schema:
        return Definition(name, alias=types[_key(schema)])
    required = schema.get("required", ())
    fields = {
        key: types[_key(part)] if key in required else types[_key(part)].not_required
        for key, part in schema["properties"].items()
    }
    return Definition(name, schema.get("description", ""), fields)


def _source(schemas: Schemas) -> str:
    """The generator's output for some schemas."""
    document = {
        "openapi": "3.1.0",
        "info": {"title": "models", "version": "1"},
        "paths": {},
        "components": {"schemas": schemas},
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        config = GenerateConfig(
            input_file_type=InputFileType.OpenAPI,
            output_model_type=DataModelType.TypingTypedDict,
            target_python_version=PythonVersion.PY_311,
            use_closed_typed_dict=False,
            enum_field_as_literal=LiteralType.All,
            disable_timestamp=True,
            allow_remote_refs=False,
            strict_refs=True,
            formatters=[],
        )
        source = generate(json.dumps(document), config=config)
    if not isinstance(source, str):
        raise UnexpectedSource("modules")
    return source
