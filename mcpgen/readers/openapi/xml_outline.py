"""An outline of the XML for a schema, since JSON Schema cannot describe XML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from ...source.document import ReferenceProblem

if TYPE_CHECKING:
    from ...source.document import Node

_NAME = re.compile(r"[^\s<>\"'&=/]{1,100}")
_NAMESPACE = re.compile(r"[^\s<>\"&]{1,300}")
_MAX_DEPTH = 6
_MAX_ELEMENTS = 60
"""The most elements and attributes that are drawn; all others are left out."""
_DEFINITION = re.compile(r".*/(?:schemas|definitions)/([^/]+)")


def outline(schema: Node) -> str:
    """An element such as `<Shelf nr="integer"><Book>string</Book></Shelf>` (OpenAPI, XML Object).

    Empty if the schema is neither an object nor an array, or the root has no name.
    """
    try:
        name = _DEFINITION.fullmatch(str(schema.value.get("$ref", "")))
        drawing = _Drawing()
        if drawing.kind(schema) not in ("object", "array"):
            return ""
        return drawing.member(schema, name[1] if name else "", 0)
    except (ReferenceProblem, AttributeError):
        return ""


class _Drawing:
    """Writes elements until a limit is reached."""

    def __init__(self) -> None:
        self._left = _MAX_ELEMENTS

    def member(self, node: Node, name: str, depth: int) -> str:
        """The element of a property, or of an array's items; in a wrapper if the array is
        `wrapped`.
        """
        if depth > _MAX_DEPTH:
            return ""
        if self.kind(node) != "array":
            return self._element(node, name, depth)
        xml, items = _xml(node), _first(node, "items")
        is_wrapped = xml.get("wrapped") is True or xml.get("nodeType") == "element" or depth == 0
        inner = _element_name(xml, name) if is_wrapped else name
        item = "" if items is None else self._element(items, inner, depth + 1)
        return self._tagged(xml, name, "", item) if is_wrapped else item

    def _element(self, node: Node, name: str, depth: int) -> str:
        self._left -= 1
        kind = self.kind(node)
        if kind == "array" and depth:
            return self.member(node, name, depth + 1)
        if kind != "object":
            return self._tagged(_xml(node), name, "", kind)
        attributes, children = "", ""
        for key, inner in _properties(node) if depth < _MAX_DEPTH else ():
            xml = _xml(inner)
            if self._left <= 0:
                break
            if xml.get("attribute") is True or xml.get("nodeType") == "attribute":
                self._left -= 1
                attributes += f' {_qualified(xml, key)}="{self.kind(inner)}"'
            elif xml.get("nodeType") in ("text", "cdata"):
                children += self.kind(inner)
            else:
                children += self.member(inner, key, depth + 1)
        return self._tagged(_xml(node), name, attributes, children)

    def _tagged(self, xml: Mapping[str, Any], name: str, attributes: str, content: str) -> str:
        tag = _qualified(xml, name)
        namespace, prefix = xml.get("namespace"), xml.get("prefix")
        if isinstance(namespace, str) and _NAMESPACE.fullmatch(namespace):
            colon = f":{prefix}" if prefix and tag.startswith(f"{prefix}:") else ""
            attributes = f' xmlns{colon}="{namespace}"{attributes}'
        return f"<{tag}{attributes}>{content}</{tag}>" if tag else ""

    def kind(self, node: Node) -> str:
        """The JSON Schema type of a schema; the first one if it has several."""
        for part in _parts(node):
            declared = part.value.get("type")
            types = declared if isinstance(declared, list) else [declared]
            name = next((each for each in types if isinstance(each, str) and each != "null"), "")
            if name:
                return name
            if "properties" in part.value:
                return "object"
        return "string"


def _parts(node: Node) -> Iterator[Node]:
    """The schema at a node and, recursively, the schemas in its `allOf`, up to a limit."""
    queue = [node]
    for each in queue:
        part = each.resolve()
        if isinstance(part.value, Mapping):
            yield part
            queue += islice(part.optional("allOf").elements(), max(_MAX_ELEMENTS - len(queue), 0))


def _first(node: Node, key: str) -> Node | None:
    return next((part[key] for part in _parts(node) if part.get(key) is not None), None)


def _properties(node: Node) -> Iterator[tuple[str, Node]]:
    for part in _parts(node):
        yield from part.optional("properties").items()


def _xml(node: Node) -> Mapping[str, Any]:
    """The XML Object of a schema."""
    objects = (part.value.get("xml") for part in _parts(node))
    return next((xml for xml in objects if isinstance(xml, Mapping)), {})


def _element_name(xml: Mapping[str, Any], name: str) -> str:
    own = xml.get("name")
    chosen = own if isinstance(own, str) and own else name
    return chosen if _NAME.fullmatch(chosen) else ""


def _qualified(xml: Mapping[str, Any], name: str) -> str:
    """The element name, with its XML prefix."""
    prefix, own = xml.get("prefix"), _element_name(xml, name)
    is_good = isinstance(prefix, str) and _NAME.fullmatch(prefix)
    return f"{prefix}:{own}" if own and is_good else own
