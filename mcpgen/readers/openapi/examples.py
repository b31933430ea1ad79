"""The examples of parameters and bodies, as the JSON values that agents give."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from ... import schemas
from ...api import In, Schema
from ...diagnostics import GenerationError
from ...samples.checks import Checker
from ...schemas.types import with_integers
from ...source.document import ReferenceProblem
from .. import typed_values
from ..spelled_examples import spelled
from .operation_parts import Media, Parameter

if TYPE_CHECKING:
    from ...source.document import Node
    from .reader_state import Reading

Pool = Mapping[str, Schema]

_MAX_PROPERTY_CHARACTERS = 400
_MAX_BODY_CHARACTERS = 2000
"""The most characters of JSON in an advertised example: of a property, and of a whole body."""


def as_it_is(example: Any) -> list[Any]:
    """The default `read_json` of `written`: a list with the unchanged example."""
    return [example]


def written(
    node: Node,
    schema: Schema | None = None,
    reading: Reading | None = None,
    *,
    as_text: bool = False,
    directed: bool = False,
    read_json: Callable[[Any], list[Any]] = as_it_is,
) -> tuple[Any, ...]:
    """The values of `example` and `examples`, in that order; external examples are not fetched.

    With `reading`, `read` converts each value to the schema's type. `as_text`: prefer the
    serialized form, if there is one. `read_json` parses an example that may be serialized (OpenAPI
    3.1.1, "Fixed Fields for use with `schema`"); a `dataValue` is never serialized, so it is not
    parsed.
    """
    examples: list[Any] = []
    for at in _nodes(node, as_text=as_text):
        if at.has_odd_numbers:
            continue
        values = [at.value] if at.key == "dataValue" else read_json(at.value)
        for each in map(at.with_value, values):
            examples += read(each, schema, reading, directed=directed) if reading else [each.value]
    return tuple(examples)


def _nodes(node: Node, *, as_text: bool) -> Iterator[Node]:
    keys = ("serializedValue", "value", "dataValue") if as_text else ("value", "dataValue")
    if "example" in node:
        yield node.child("example")
    for _, entry in node.optional("examples").items():
        try:
            target = entry.resolve()
        except (ReferenceProblem, GenerationError):
            continue
        if (key := next((key for key in keys if key in target), None)) is not None:
            yield target.child(key)


def read(at: Node, schema: Schema | None, reading: Reading, *, directed: bool = False) -> list[Any]:
    """The value of an example, converted to the type of its schema; empty if it is not valid.

    A string where the schema has an array or object may be the serialized form and is not checked.
    `directed` examples, which may lack readOnly or writeOnly properties, are not checked either.
    """
    if schema is None or schema is True or at.value is None:
        return [at.value]
    pool = reading.pool.schemas
    values = typed_values.read([at], schema, pool, keep=directed)
    if values.refused and isinstance(at.value, str) and not _may_be_text(schema, pool):
        return [at.value]
    if values.respelled:
        message = typed_values.RESPELLED.format("example")
        reading.diagnostics.warning("example", message, at, typed_values.QUOTES)
    if values.refused and not directed:
        reading.diagnostics.warning("example", typed_values.REFUSED.format("example"), at)
    return values.values


def _may_be_text(schema: Schema, pool: Pool) -> bool:
    return "string" in schemas.types_of(schema, pool)


def sent(parameter: Parameter, pool: Pool) -> list[Any]:
    """The parameter's own examples that can be sent."""
    return _sendable(parameter, _values(parameter, pool))


def of_parameter(parameter: Parameter, schema: Schema, pool: Pool) -> list[Any]:
    """The examples of a parameter, or if it has none, those of its schema.

    OpenAPI 3.1.1, Parameter Object: `example` overrides the example of the schema.
    """
    sendable = _sendable(parameter, _values(parameter, pool) or _of(schema))
    return [example for example in sendable if not _is_whole_enum(example, schema, pool)]


def for_input(body: Media, pool: Pool) -> Media:
    """The body, with the read-only properties removed from its examples."""
    if body.schema is None or not body.examples:
        return body
    sent = (schemas.value_for_input(each, body.schema, pool) for each in body.examples)
    return replace(body, examples=tuple(sent))


def of_property(name: str, schema: Schema, example: Any, pool: Pool) -> Schema:
    """The schema of a body's property, with an example from the example of the body.

    No example is added if the schema already has examples or an `enum`, or if the value is long,
    does not fit the schema, or says nothing, such as the property's own name.
    """
    if isinstance(example, str) and _letters(example) in (_letters(name), "string"):
        return schema
    return _with_example(schema, example, pool, _MAX_PROPERTY_CHARACTERS)


def of_body(schema: Schema, example: Any, pool: Pool) -> Schema:
    """The schema of a body that is one argument, with the example of the body.

    No example is added if the schema already has examples or an `enum`, or if the value is long or
    does not fit the schema.
    """
    return _with_example(schema, example, schemas.for_input(True, pool)[1], _MAX_BODY_CHARACTERS)


def deserialized(example: Any, schema: Schema | None, pool: Pool) -> Any:
    """An example for JSON content; parsed if it is a string where the schema allows no string."""
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
    """Whether a schema, one of its properties or its items already has examples or an enum."""
    target = schemas.resolve(schema, pool)
    if isinstance(target, bool):
        return False
    parts = [*target.get("properties", {}).values(), target.get("items", True)]
    each = [target, *(schemas.resolve(part, pool) for part in parts)]
    keywords = {"examples", "enum", "const"}
    return any(not isinstance(one, bool) and keywords & set(one) for one in each)


def _values(parameter: Parameter, pool: Pool) -> list[Any]:
    """A parameter's examples, except serialized ones, such as `a,b` for an array.

    The document does not say whether an example is serialized (OpenAPI 3.2.0, "Working with
    Examples"), so its type decides.
    """
    types = schemas.types_of(parameter.schema, pool)
    if "string" in types:
        types |= {"boolean", "integer", "number"}
    return [example for example in parameter.examples if _is_of(types, example, pool)]


def _is_of(types: set[str], example: Any, pool: Pool) -> bool:
    kinds = with_integers(types)
    return not kinds or bool(kinds & schemas.types_of({"const": example}, pool))


def _sendable(parameter: Parameter, examples: Iterable[Any]) -> list[Any]:
    """The examples without duplicates; for a header, each on one line (RFC 9110 5.5)."""
    in_header = parameter.location is In.HEADER
    values = [
        _on_one_line(example) if in_header and isinstance(example, str) else example
        for example in examples
        if example is not None
    ]
    return list({json.dumps(example, default=str): example for example in values}.values())


def _is_whole_enum(example: Any, schema: Schema, pool: Pool) -> bool:
    """Whether an example is an array of all values in the `enum` of its items."""
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
