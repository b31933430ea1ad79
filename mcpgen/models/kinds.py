"""Types of one kind, which differ only in names and literals, so that one example shows them all.

The generator writes one example of each kind; every other type is filled in from the pattern.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Collection, Hashable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from .module_text import Definition, call
from .references import REF

LONG_KEY = 60
TYPING = frozenset({"Any", "Literal", "NotRequired", "Optional", "TypeAlias", "TypedDict", "Union"})
_AMBIGUOUS = frozenset({"I", "O", "l"})
"""Names that linters refuse in a class (E741)."""
_PLAIN_TEXT = re.compile(r'[^"\\]*\Z')
"""What a docstring holds as it is."""
_LITERAL = "Literal["


class UnexpectedSource(Exception):
    """The generator wrote a definition that does not match its schema."""


Schema = Mapping[str, Any]
Schemas = Mapping[str, dict[str, Any]]


class Like(Struct, frozen=True):
    """What the type of a property, or of an alias, depends on."""

    kind: Hashable
    fills: tuple[str, ...]
    """What the kind leaves open: the names of other types, and literals."""


class Pattern(Struct, frozen=True):
    """How the types of a kind are written."""

    text: str
    """A type with a number in braces for everything that the kind leaves open."""
    typing: frozenset[str]
    """What it needs from `typing`."""


def is_alias(schema: Schema) -> bool:
    """Whether a schema is another name for a type; else it is a class."""
    return "properties" not in schema


def likes(schema: Schema) -> dict[str, Like]:
    """What the types of a class's properties depend on; for an alias one entry without a name."""
    if is_alias(schema):
        return {"": _like("alias", {k: v for k, v in schema.items() if k != "description"})}
    required = set(schema.get("required", ()))
    return {
        name: _like("required" if name in required else "optional", part)
        for name, part in schema["properties"].items()
    }


def _like(use: str, part: Schema) -> Like:
    fills: list[str] = []
    return Like((use, _kind(part, fills)), tuple(fills))


def _kind(part: Any, fills: list[str]) -> Hashable:
    """The schema with numbers for what its kind leaves open; the values are added to `fills`."""
    if isinstance(part, list):
        return tuple(_kind(member, fills) for member in part)
    if not isinstance(part, dict):
        return type(part), part
    if "$ref" in part:
        return _number(part["$ref"].removeprefix(REF), fills)
    values = part.get("enum")
    if values and all(isinstance(value, str) for value in values):
        return "enum", _number(f"{_LITERAL}{', '.join(map(repr, values))}]", fills)
    return tuple((key, _kind(value, fills)) for key, value in part.items())


def _number(text: str, fills: list[str]) -> int:
    if text not in fills:
        fills.append(text)
    return fills.index(text)


class Written(Struct, frozen=True):
    """What the generator wrote of one example, but for its types."""

    head: str
    """A class up to its fields, or the comments before a call."""
    is_call: bool = False


class Kinds:
    """The kinds of a set of schemas."""

    def __init__(self, schemas: Schemas) -> None:
        self._schemas = schemas
        self.likes = {name: likes(schema) for name, schema in schemas.items()}
        self.examples = dict(self._examples())
        """What the generator is asked for: of each kind one, and what is like no other."""

    def _examples(self) -> Iterator[tuple[str, dict[str, Any]]]:
        kinds: set[Hashable] = set()
        for name, own in self.likes.items():
            schema = self._schemas[name]
            new = {like.kind: key for key, like in own.items() if like.kind not in kinds}
            kinds |= new.keys()
            if is_alias(schema):
                if new:
                    yield name, schema
                continue
            keys = {*new.values(), *(key for key in own if not is_name(key))}
            if keys or _head(name, schema) is None:
                yield name, _with(schema, keys or set(list(own)[:1]))

    def definitions(
        self, written: Mapping[str, Written], patterns: Mapping[Hashable, Pattern]
    ) -> Iterator[Definition]:
        """All types, in the order of their schemas.

        Raises UnexpectedSource for a type whose kind the generator did not write.
        """
        for name, schema in self._schemas.items():
            if name in self.examples and name not in written:
                raise UnexpectedSource(name)
            try:
                yield _definition(name, schema, self.likes[name], written.get(name), patterns)
            except KeyError:
                raise UnexpectedSource(name) from None


def _with(schema: dict[str, Any], keys: Collection[str]) -> dict[str, Any]:
    properties = {key: part for key, part in schema["properties"].items() if key in keys}
    required = [key for key in schema.get("required", ()) if key in keys]
    return {**schema, "properties": properties, "required": required}


def _head(name: str, schema: Schema) -> str | None:
    """The lines of a class up to its fields; None if only the generator can write them."""
    description = schema.get("description", "")
    if not schema["properties"] or not _PLAIN_TEXT.match(description):
        return None
    lines = description.split("\n") if description else []
    docstring = ['"""', *lines, '"""'] if len(lines) > 1 else [f'"""{line}"""' for line in lines]
    return "\n".join([f"class {name}(TypedDict):", *(f"    {line}" for line in docstring)])


def _definition(
    name: str,
    schema: Schema,
    own: Mapping[str, Like],
    written: Written | None,
    patterns: Mapping[Hashable, Pattern],
) -> Definition:
    own_patterns = {key: patterns[like.kind] for key, like in own.items()}
    types = {key: own_patterns[key].text.format(*like.fills) for key, like in own.items()}
    fills = {fill for like in own.values() for fill in like.fills}
    uses = frozenset(fill for fill in fills if not fill.startswith(_LITERAL))
    typing = frozenset().union(*(pattern.typing for pattern in own_patterns.values()))
    if is_alias(schema):
        text = f"{name}: TypeAlias = {types['']}"
        return Definition(name, text, typing | {"TypeAlias"}, uses, uses)
    typing |= {"TypedDict"}
    if written is not None and written.is_call:
        text = written.head + call(name, types)
        return Definition(name, text, typing, uses, uses, frozenset(_noqa(types)))
    head = (written.head if written is not None else _head(name, schema)) or ""
    body = [f"    {key}: {type_}" for key, type_ in types.items()]
    if not body and not head.endswith('"'):
        body = ["    pass"]
    return Definition(name, "\n".join([head, *body]), typing, uses, frozenset())


def _noqa(keys: Collection[str]) -> Iterator[str]:
    """The lint rules that a TypedDict call breaks."""
    if any(len(key) > LONG_KEY for key in keys):
        yield "E501"
    if all(key.isidentifier() and not keyword.iskeyword(key) for key in keys):
        yield "UP013"


def is_name(key: str) -> bool:
    """Whether a class body can hold a property under its own name."""
    return key.isidentifier() and not keyword.iskeyword(key) and is_written_as_is(key)


def is_written_as_is(key: str) -> bool:
    """Whether a property needs no placeholder (see `type_patterns.placeholders`)."""
    harmless = key.isascii() and key.isprintable() and len(key) <= LONG_KEY
    return harmless and not key.startswith("__") and key not in TYPING | _AMBIGUOUS
