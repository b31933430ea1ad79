"""Replaces a schema's references to itself through `$id` or `$anchor` by JSON Pointers."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterable
from typing import Any

from ..source.identifiers import Identifiers
from ..source.refscan import Scanner
from ..text import pointer as pointers

_NAMING = re.compile(r'"\$(?:id|anchor|dynamicAnchor|recursiveRef)":|"\$ref": "#[^"]*%')


def by_pointer(schema: Any) -> Any:
    """The schema with plain pointers in references that use `$id`, `$anchor` or escaped names."""
    if not _NAMING.search(json.dumps(schema)):
        return schema
    names = Identifiers()
    names.add_value("", "", schema)
    result = copy.deepcopy(schema)
    for site in Scanner().scan("", "schema", schema):
        if site.kind not in ("schema", "dynamic"):
            continue
        path = pointers.split(site.pointer)
        keyword = path[-1] if site.kind == "dynamic" else "$ref"
        holder = _at(result, path[:-1] if site.kind == "dynamic" else path)
        target = _target(names, site.pointer, site.reference)
        if target is not None and (keyword == "$ref" or "$ref" not in holder):
            del holder[keyword]
            holder["$ref"] = f"#{target}"
    return result


def _target(names: Identifiers, at: str, reference: str) -> str | None:
    """The pointer to the target of a reference; None if it lies outside the schema."""
    uri, _, fragment = reference.partition("#")
    resource = names.find("", at, uri)
    if resource is None:
        return None
    place = pointers.from_fragment(fragment)
    if place and not place.startswith("/"):
        return names.anchor("", resource[1], place)
    return resource[1] + place


def _at(schema: Any, path: Iterable[str]) -> Any:
    for token in path:
        schema = schema[int(token)] if isinstance(schema, list) else schema[token]
    return schema
