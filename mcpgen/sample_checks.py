"""Is a value an instance of a schema? Without slow patterns, without fetching."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import jsonschema
from jsonschema.validators import extend
from pydantic_core import SchemaError, SchemaValidator, core_schema
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from mcpgen.api import Schema


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> SchemaValidator | None:
    try:
        return SchemaValidator(core_schema.str_schema(pattern=pattern, strict=True))
    except (SchemaError, UnicodeEncodeError):
        return None


def matches(pattern: str, text: str) -> bool | None:
    """Search `text` for `pattern` in linear time; None where the engine cannot read the pattern."""
    compiled = _compiled(pattern)
    if compiled is None:
        return None
    try:
        return compiled.isinstance_python(text)
    except UnicodeEncodeError:
        return False


Errors = Iterator[jsonschema.ValidationError]


def _pattern(validator: Any, pattern: str, instance: Any, schema: Any) -> Errors:
    if isinstance(instance, str) and matches(pattern, instance) is False:
        yield jsonschema.ValidationError(f"{instance!r} does not match {pattern!r}")


def _pattern_properties(validator: Any, patterns: Any, instance: Any, schema: Any) -> Errors:
    if not isinstance(instance, dict):
        return
    for pattern, subschema in patterns.items():
        for name, value in instance.items():
            if matches(pattern, name):
                yield from validator.descend(value, subschema, path=name, schema_path=pattern)


def _additional_properties(validator: Any, additional: Any, instance: Any, schema: Any) -> Errors:
    if not isinstance(instance, dict):
        return
    declared = schema.get("properties", {})
    patterns = schema.get("patternProperties", {})
    for name, value in instance.items():
        if name in declared or any(matches(pattern, name) for pattern in patterns):
            continue
        if additional is False:
            yield jsonschema.ValidationError(f"{name!r} is not allowed")
        else:
            yield from validator.descend(value, additional, path=name)


_Validator = extend(
    jsonschema.Draft202012Validator,
    {
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional_properties,
    },
)


_POOL = "urn:pool"


class Checker:
    """Judges values against schemas whose references name schemas of one pool."""

    def __init__(self, pool: Mapping[str, Schema]) -> None:
        root = Resource.from_contents({"$defs": pool}, default_specification=DRAFT202012)
        registry: Registry[Any] = Registry().with_resource(_POOL, root)
        self._any = _Validator({}, registry=registry, _resolver=registry.resolver(_POOL))

    def problem(self, value: Any, schema: Schema) -> str | None:
        """Say why `value` is no instance of `schema`; None where it is one."""
        try:
            error = next(self._any.evolve(schema=schema).iter_errors(value), None)
        except RecursionError:
            return "the schema nests too deeply to judge"
        except Exception as exc:  # a broken schema must cost this sample only
            return f"the schema cannot be judged ({type(exc).__name__})"
        return None if error is None else error.message[:200]

    def valid(self, value: Any, schema: Schema) -> bool:
        """Tell whether `value` is an instance of `schema`."""
        return self.problem(value, schema) is None
