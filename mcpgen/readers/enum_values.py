"""Names and descriptions that a document gives to single values of an `enum`.

OpenAPI has no keyword for this. Generators and documentation tools read these extensions:
`x-enum-varnames` (openapi-generator), `x-enumNames` (NSwag), `x-enum-names` (oapi-codegen),
`x-enum-descriptions`, `x-enumDescriptions` (Redocly) and `x-ms-enum` (AutoRest).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..source.document import Node

_NAMES = ("x-enum-varnames", "x-enumNames", "x-enum-names")
_TEXTS = ("x-enum-descriptions", "x-enumDescriptions")
_EXTENSIONS = frozenset({*_NAMES, *_TEXTS, "x-ms-enum"})
_OTHER = re.compile(r"[\W_]+")


def as_written(node: Node) -> Mapping[str, Any]:
    """The schema; the `enum` of a string schema is spelled as in the document's text."""
    schema: Mapping[str, Any] = node.value
    if schema.get("type") != "string" or _EXTENSIONS.isdisjoint(schema):
        return schema
    values = node.optional("enum").elements()
    texts = [v.value if isinstance(v.value, str) else v.written or v.value for v in values]
    return {**schema, "enum": texts}


def with_value_lines(schema: Mapping[str, Any], description: str) -> str:
    """The description, with a line for each value that the document names or describes.

    A text that only repeats the value or the description is left out.
    """
    values = schema.get("enum")
    if not isinstance(values, list) or _EXTENSIONS.isdisjoint(schema):
        return description
    words = f" {_words(description)} "
    lines: list[str] = []
    adds = False
    for value, name, text in _names_and_texts(schema, values):
        parts = dict.fromkeys((name, text))
        texts = [part for part in parts if _folded(part) not in ("", _folded(value))]
        if texts:
            head = f"{_literal(value)} ({texts[0]})" if len(texts) > 1 else _literal(value)
            lines.append(f"- {head}: {texts[-1]}")
        adds = adds or any(f" {_words(part)} " not in words for part in texts)
    if not adds:
        return description
    return "\n\n".join(filter(None, (description, "\n".join(lines))))


def _names_and_texts(
    schema: Mapping[str, Any], values: list[Any]
) -> Iterator[tuple[str, str, str]]:
    """Each value as a string, with its name and its description."""
    names = [_by_value(schema.get(keyword), values) for keyword in _NAMES]
    texts = [_by_value(schema.get(keyword), values) for keyword in _TEXTS]
    azure = schema.get("x-ms-enum")
    entries = azure.get("values") if isinstance(azure, Mapping) else None
    entries = entries if isinstance(entries, list) else ()
    objects = [each for each in entries if isinstance(each, Mapping) and "value" in each]
    names.append({_spelled(each["value"]): each.get("name") for each in objects})
    texts.append({_spelled(each["value"]): each.get("description") for each in objects})
    for value in dict.fromkeys(map(_spelled, values)):
        yield value, _first(names, value), _first(texts, value)


def _by_value(extension: Any, values: list[Any]) -> dict[str, Any]:
    """The strings of an extension, keyed by `enum` value.

    A list is matched to the `enum` by position.
    """
    if isinstance(extension, Mapping):
        return dict(extension)
    if isinstance(extension, list) and len(extension) <= len(values):
        return dict(zip(map(_spelled, values), extension, strict=False))
    return {}


def _first(entries: list[dict[str, Any]], value: str) -> str:
    texts = (entry.get(value) for entry in entries)
    return next((" ".join(text.split()) for text in texts if text and isinstance(text, str)), "")


def _spelled(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _literal(value: str) -> str:
    """The value as part of a line; quoted if it starts or ends with invisible characters."""
    is_plain = value.isprintable() and value.strip() == value != ""
    return value if is_plain else json.dumps(value, ensure_ascii=False)


def _words(text: str) -> str:
    return _OTHER.sub(" ", text).strip().lower()


def _folded(text: str) -> str:
    """A string for comparison, in which `GasGiant`, `gas_giant` and `GAS GIANT` are equal."""
    return _OTHER.sub("", text).lower()
