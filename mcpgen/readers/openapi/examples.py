"""The examples of parameters and bodies: as documents write them, and as arguments tell them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from ... import schemas
from ...api import In, Schema
from ...diagnostics import GenerationError
from ...samples.checks import Checker
from ...schemas.types import with_integers
from ...source.document import ReferenceProblem
from ..spelled_examples import spelled
from .parts import Media, Parameter

if TYPE_CHECKING:
    from ...source.document import Node

Pool = Mapping[str, Schema]

_LONGEST = 400
_LONGEST_BODY = 2000
"""Characters of JSON of an example that is told: a property's, and a whole body's."""


def as_it_is(example: Any) -> list[Any]:
    """The value of an example that is not serialized: itself."""
    return [example]


def written(
    node: Node, *, as_text: bool = False, meant: Callable[[Any], list[Any]] = as_it_is
) -> tuple[Any, ...]:
    """The values of `example` and `examples`, in that order; external ones are not fetched.

    `as_text`: the serialized form is wanted, where there is one. `meant` gives the values of an
    example that may be serialized (OpenAPI 3.1.1, "Fixed Fields for use with `schema`"): of any but
    a `dataValue`.
    """
    wanted = ("serializedValue", "value", "dataValue") if as_text else ("value", "dataValue")
    found: list[Any] = []
    if isinstance(node.value, dict) and "example" in node.value:
        found += meant(node.value["example"])
    for _, entry in node.optional("examples").items():
        try:
            value = entry.resolve().value
        except (ReferenceProblem, GenerationError):
            continue
        key = next((key for key in wanted if isinstance(value, dict) and key in value), None)
        if key is not None:
            found += meant(value[key]) if key == "value" else [value[key]]
    return tuple(found)


def sent(parameter: Parameter, pool: Pool) -> list[Any]:
    """A parameter's own examples that can be sent."""
    return _sendable(parameter, _values(parameter, pool))


def told(parameter: Parameter, schema: Schema, pool: Pool) -> list[Any]:
    """What is told as the parameter's examples: its schema's, else its own."""
    shown = _sendable(parameter, _of(schema) or _values(parameter, pool))
    return [example for example in shown if not _is_whole_enum(example, schema, pool)]


def for_input(body: Media, pool: Pool) -> Media:
    """A body whose examples have no read-only properties."""
    if body.schema is None or not body.examples:
        return body
    sent = (schemas.value_for_input(each, body.schema, pool) for each in body.examples)
    return replace(body, examples=tuple(sent))


def of_property(name: str, schema: Schema, example: Any, pool: Pool) -> Schema:
    """The schema of a body's property with what the body's example has for it.

    Left out where the schema tells values itself, where the example is long, does not fit the
    schema, or says nothing, such as the property's own name.
    """
    if isinstance(example, str) and _letters(example) in (_letters(name), "string"):
        return schema
    return _with_example(schema, example, pool, _LONGEST)


def of_body(schema: Schema, example: Any, pool: Pool) -> Schema:
    """The schema of a whole body with its example, under the same conditions."""
    return _with_example(schema, example, schemas.for_input(True, pool)[1], _LONGEST_BODY)


def meant(example: Any, schema: Schema | None, pool: Pool) -> Any:
    """An example of JSON, which may be written as the text that is sent."""
    types = schemas.types_of(True if schema is None else schema, pool)
    anything = schemas.types_of(True, pool)
    return spelled(example, anything - {"string"} if types == anything else types)


def _with_example(schema: Schema, example: Any, pool: Pool, longest: int) -> Schema:
    if isinstance(example, bool) or example in (None, "", [], {}) or _tells(schema, pool):
        return schema
    if len(json.dumps(example, default=str)) > longest:
        return schema
    if not _is_of(schemas.types_of(schema, pool), example, pool):
        return schema
    if Checker(pool).refused(example, schema):
        return schema
    return schemas.with_keywords(schema, {"examples": [example]})


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def _tells(schema: Schema, pool: Pool) -> bool:
    """Whether a schema, one of its properties or its items has values to go by."""
    found = schemas.resolve(schema, pool)
    if isinstance(found, bool):
        return False
    parts = [*found.get("properties", {}).values(), found.get("items", True)]
    each = [found, *(schemas.resolve(part, pool) for part in parts)]
    keywords = {"examples", "enum", "const"}
    return any(not isinstance(one, bool) and keywords & set(one) for one in each)


def _values(parameter: Parameter, pool: Pool) -> list[Any]:
    """A parameter's examples, unless they are written as they are sent: `a,b` for an array.

    The document does not say which of the two they are (OpenAPI 3.2.0, "Working with Examples");
    the types tell.
    """
    types = schemas.types_of(parameter.schema, pool)
    if "string" in types:
        types |= {"boolean", "integer", "number"}
    return [example for example in parameter.examples if _is_of(types, example, pool)]


def _is_of(types: set[str], example: Any, pool: Pool) -> bool:
    known = with_integers(types)
    return not known or bool(known & schemas.types_of({"const": example}, pool))


def _sendable(parameter: Parameter, examples: Iterable[Any]) -> list[Any]:
    """The examples that can be sent, each once: a header holds no line breaks (RFC 9110 5.5)."""
    in_header = parameter.location is In.HEADER
    shown = [
        _on_one_line(example) if in_header and isinstance(example, str) else example
        for example in examples
        if example is not None
    ]
    return list({json.dumps(example, default=str): example for example in shown}.values())


def _is_whole_enum(example: Any, schema: Schema, pool: Pool) -> bool:
    """Whether an example only repeats the `enum` of an array's items."""
    array = schemas.resolve(schema, pool)
    if not isinstance(example, list) or isinstance(array, bool):
        return False
    items = schemas.resolve(array.get("items", True), pool)
    values = () if isinstance(items, bool) else items.get("enum", ())
    return sorted(map(json.dumps, example)) == sorted(map(json.dumps, values)) != []


def _on_one_line(text: str) -> str:
    return " ".join(line.strip() for line in text.splitlines()).strip()


def _of(schema: Schema) -> list[Any]:
    return [] if isinstance(schema, bool) else list(schema.get("examples", ()))
