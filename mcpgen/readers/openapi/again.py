"""Reading a document again of which an earlier run has read most already.

What is read of an operation depends on its path item, on everything around the paths, and on the
options. Where these are as they were, the tool is the same, and what was said about it too.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pydantic_core import PydanticSerializationError, to_json

from ... import pointer as pointers

if TYPE_CHECKING:
    from ...api import Api, Schema, Tool
    from ...diagnostics import Diagnostic
    from ...source.document import Document
    from .options import ReadOptions
    from .parts import Operation


_REFERENCE = re.compile(rb'"(#/[^"]*)"')


@dataclass(frozen=True)
class Prints:
    """The hashes of what reading depends on."""

    options: ReadOptions
    """But for the names that are known: tools have theirs from all operations together."""
    around: bytes
    """Of the document without its paths."""
    items: Mapping[str, bytes]
    """Of each path item."""
    references: Mapping[str, frozenset[bytes]]
    """What each path item refers to in this document."""


@dataclass(frozen=True)
class Before:
    """What an earlier run read."""

    prints: Prints
    tools: Mapping[str, Tool]
    """By `METHOD path`."""
    schemas: Mapping[str, Schema]
    said: tuple[Diagnostic, ...]
    """About single operations and the schemas that they reach."""


@dataclass(frozen=True)
class Kept:
    """What of it need not be read again."""

    tools: Mapping[str, Tool]
    """By `METHOD path`."""
    schemas: Mapping[str, Schema]
    said: tuple[Diagnostic, ...]


NOTHING = Kept({}, {}, ())


def prints(document: Document, options: ReadOptions) -> Prints | None:
    """The hashes of a document; None for one that is read as a whole: of many files, odd values."""
    root = document.root.value
    items = root.get("paths")
    if len(document.files) > 1 or not isinstance(items, dict):
        return None
    try:
        around = _bytes({key: value for key, value in root.items() if key != "paths"})
        texts = {path: _bytes(item) for path, item in items.items()}
    except PydanticSerializationError:
        return None
    return Prints(
        options=replace(options, known_tools={}),
        around=_hash(around),
        items={path: _hash(text) for path, text in texts.items()},
        references={path: frozenset(_REFERENCE.findall(text)) for path, text in texts.items()},
    )


def kept(
    before: Before | None,
    now: Prints | None,
    document: Document,
    operations: Iterable[Operation],
    named: Mapping[str, str],
) -> Kept:
    """What is as it was: path items of which each operation is the tool that it was.

    `named` has the names that the tools have now.
    """
    if before is None or now is None:
        return NOTHING
    old = before.prints
    if (old.options, old.around) != (now.options, now.around):
        return NOTHING
    same = {path for path, print_ in now.items.items() if old.items.get(path) == print_}
    for operation in operations:
        tool = before.tools.get(operation.key)
        if tool is None or tool.name != named[operation.key]:
            same.discard(operation.path)
    tools = {o.key: before.tools[o.key] for o in operations if o.path in same}
    if not _reaches_as_much(old, now, same) and not all(map(_is_of_paths, before.said)):
        return NOTHING
    said = tuple(_again(each, document) for each in before.said if _is_of(each, same))
    return Kept(tools, before.schemas, said)


def agree(before: Mapping[str, Schema], now: Mapping[str, Schema]) -> bool:
    """Whether what was read anew is as it was: how a loop is broken depends on where it starts."""
    return all(schema == before.get(key, schema) for key, schema in now.items())


def remembered(
    now: Prints | None, document: Document, api: Api, said: Iterable[Diagnostic]
) -> Before | None:
    """What a later run may take over of `api`; None where path items depend on each other."""
    said = tuple(said)
    if now is None or any(node.pointer.startswith("/paths/") for node in document.followed):
        return None
    if any(each != _again(each, document) for each in said):
        return None
    return Before(now, {tool.operation: tool for tool in api.tools}, api.schemas, said)


def _reaches_as_much(old: Prints, now: Prints, same: set[str]) -> bool:
    """Whether the path items that changed, or went, leave nothing behind that none refers to."""
    left = (found for path, found in old.references.items() if path not in same)
    return frozenset().union(*left) <= frozenset().union(*now.references.values())


def _is_of_paths(item: Diagnostic) -> bool:
    return item.pointer.startswith("/paths/")


def _is_of(item: Diagnostic, paths: set[str]) -> bool:
    """Whether what was said is about one of the path items, or about none."""
    return not _is_of_paths(item) or pointers.split(item.pointer)[1] in paths


def _again(item: Diagnostic, document: Document) -> Diagnostic:
    """What was said, at the place where it is now."""
    if item.location is None:
        return item
    return replace(item, location=document.node(document.root.file, item.pointer).location)


def _bytes(value: Any) -> bytes:
    return to_json(value, inf_nan_mode="constants")


def _hash(text: bytes) -> bytes:
    return hashlib.sha256(text).digest()
