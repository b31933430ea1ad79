"""Typed access to a document whose values may have wrong types."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...source.document import ReferenceProblem
from ...text.kinds import json_type

if TYPE_CHECKING:
    from ...diagnostics import Diagnostics
    from ...source.document import Node


def is_number(value: Any) -> bool:
    """Whether a value is a number in JSON; Python's booleans are not numbers."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def member(node: Node, key: str) -> Node | None:
    """A member of an object; None if it is missing or null."""
    if not isinstance(node.value, dict):
        return None
    child = node.get(key)
    return None if child is None or child.value is None else child


def referred(node: Node, key: str, diagnostics: Diagnostics | None) -> Node | None:
    """A member, or the target of its reference; None if it is missing or null.

    OpenAPI allows references in few places only. But tools that assemble documents resolve them
    everywhere, so real documents have them everywhere.
    """
    child = member(node, key)
    if child is None or not child.is_ref:
        return child
    try:
        target = child.resolve()
    except ReferenceProblem as problem:
        if diagnostics is not None:
            diagnostics.add(problem.diagnostic)
        return None
    return None if target.value is None else target


def resolved(node: Node, diagnostics: Diagnostics) -> Node:
    """The target of a node's reference, or the node itself; a dangling reference is reported."""
    try:
        return node.resolve()
    except ReferenceProblem as problem:
        diagnostics.add(problem.diagnostic)
        return node


def own_fields(node: Node) -> dict[str, Node]:
    """The fields of an object and of its `$ref`'s target; the object's own take precedence.

    Raises ReferenceProblem if the reference dangles.
    """
    own = dict(node.resolve().items())
    chain: list[Node] = []
    while node.is_ref:
        chain.append(node)
        node = node.target()
    for reference in reversed(chain):
        own |= {key: child for key, child in reference.items() if key != "$ref"}
    return own


def string(node: Node, key: str, diagnostics: Diagnostics | None = None) -> str:
    """A string member; empty if it is absent, null or not a string."""
    child = referred(node, key, diagnostics)
    if child is None:
        return ""
    if isinstance(child.value, str):
        return child.value
    if diagnostics is not None:
        wrong_type(child, key, "a string", diagnostics)
    return ""


def text(node: Node) -> str | None:
    """A string, or a number as the document writes it (`1.10`); None for any other value."""
    if is_number(node.value):
        return node.written or str(node.value)
    return node.value if isinstance(node.value, str) else None


def texts(node: Node, key: str, diagnostics: Diagnostics) -> tuple[str, ...]:
    """The strings and numbers of the array under `key`, as strings."""
    values = (text(each) for each in elements(node, key, diagnostics))
    return tuple(each for each in values if each is not None)


def flag(node: Node, key: str) -> bool:
    """Whether a member is exactly `true`."""
    return isinstance(node.value, dict) and node.value.get(key) is True


def boolean(node: Node, key: str) -> bool | None:
    """A boolean member; None if there is none."""
    value = node.value.get(key) if isinstance(node.value, dict) else None
    return value if isinstance(value, bool) else None


def object_at(node: Node, key: str, diagnostics: Diagnostics) -> Node | None:
    """A member that must be an object; None, with a warning, if it has another type."""
    child = referred(node, key, diagnostics)
    if child is None:
        return None
    if isinstance(child.value, dict):
        return child
    wrong_type(child, key, "an object", diagnostics)
    return None


def members(node: Node, key: str, diagnostics: Diagnostics) -> Iterator[tuple[str, Node]]:
    """Name and value of each member of the object under `key`, without extensions.

    A member is an extension if its name begins with `x-` and its value is not an object.
    """
    holder = object_at(node, key, diagnostics)
    if holder is not None:
        for name, child in holder.items():
            if isinstance(child.value, dict) or not name.startswith("x-"):
                yield name, child


def elements(node: Node, key: str, diagnostics: Diagnostics) -> Iterator[Node]:
    """The elements of the array under `key`; empty, with a warning, if it is not an array."""
    child = referred(node, key, diagnostics)
    if child is None:
        return
    if isinstance(child.value, list):
        yield from child.elements()
    else:
        wrong_type(child, key, "an array", diagnostics)


def strings(node: Node, key: str, diagnostics: Diagnostics) -> tuple[str, ...]:
    """The strings of the array under `key`."""
    return tuple(e.value for e in elements(node, key, diagnostics) if isinstance(e.value, str))


def wrong_type(node: Node, key: str, expected: str, diagnostics: Diagnostics) -> None:
    """Warn that a value has the wrong type and is ignored."""
    diagnostics.warning(
        "wrong-type", f"`{key}` must be {expected}, found {json_type(node.value)}; left out", node
    )
