"""Reads path items and operations: everything under `paths` that can be called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ...api import Skipped
from ...methods import METHODS
from ...runtime.values.media import is_token
from ...source.document import ReferenceProblem
from ...text.kinds import json_type
from . import fields, paths
from .agent_text import report_hidden
from .extensions import Extension, inherit, read_extension
from .filters import path_left_out
from .operation_parts import Operation
from .versions import Version

if TYPE_CHECKING:
    from ...diagnostics import Diagnostics
    from ...source.document import Node
    from .reader_state import Reading

_MAX_NAME_LENGTH = 1_000
"""The most characters of an operationId or a tag; names made from these have at most 64."""
_METHODS = frozenset(map(str.lower, METHODS))
_NEVER = {
    "TRACE": "TRACE is never called: it echoes the request with its credentials",
    "CONNECT": "CONNECT is never called: it opens a tunnel",
}
_SWAGGER_METHODS = _METHODS - {"query", "trace"}


def read_operations(reading: Reading) -> Iterator[Operation | Skipped]:
    """Yield every operation in document order, as `Skipped` if it cannot be read.

    Reports an error if the structure is so broken that no operations can be found.
    """
    root = reading.document.root
    _note_further_paths(root, reading)
    paths_node = fields.member(root, "paths")
    if paths_node is None:
        return
    if not isinstance(paths_node.value, dict):
        reading.diagnostics.error(
            "paths",
            f"`paths` must be an object, found {json_type(paths_node.value)}",
            paths_node,
        )
        return
    try:
        items = fields.own_fields(paths_node)
    except ReferenceProblem as problem:
        reading.diagnostics.add(problem.diagnostic)
        return
    outer = read_extension(dict(root.items()), reading.diagnostics)
    for key, node in items.items():
        if not key.startswith("x-"):
            yield from _path_item(key, node, outer, reading)


def _note_further_paths(root: Node, reading: Reading) -> None:
    """Report that `x-ms-paths` (AutoRest) is not read; its paths differ only in their query."""
    node = fields.member(root, "x-ms-paths")
    if node is None or not isinstance(node.value, dict) or not node.value:
        return
    count = len(node.value)
    what = f"{count} path is" if count == 1 else f"{count} paths are"
    message = f"`x-ms-paths` is not read: {what} left out"
    hint = "Move what is in it to `paths`: a path there may have a query, as `/blobs?comp=tags`."
    reading.diagnostics.note("further-paths", message, node, hint)


def _path_item(
    path: str, node: Node, outer: Extension, reading: Reading
) -> Iterator[Operation | Skipped]:
    diagnostics = reading.diagnostics
    if problem := paths.problem_of(path):
        if reason := path_left_out(path, reading.settings):
            yield Skipped("*", path, reason, node.pointer)
        elif paths.is_harmless(path):
            hint = "Write it as a path below the API's address, such as /pets."
            diagnostics.warning("path-key", f"{problem}: {path!r} is left out", node, hint)
            yield Skipped("*", path, problem, node.pointer)
        else:
            hint = (
                "Write it as a path below the API's address, such as /pets, or leave it out with "
                "--exclude-path."
            )
            diagnostics.error("path-key", f"{problem}: {path!r}", node, hint)
        return
    if node.value is None:
        diagnostics.warning("path-item", "a path item must be an object; null is read as {}", node)
        return
    if not isinstance(node.value, dict):
        kind = json_type(node.value)
        diagnostics.error("path-item", f"a path item must be an object, found {kind}", node)
        return
    try:
        item = fields.own_fields(node)
    except ReferenceProblem as problem_found:
        message = problem_found.diagnostic.message
        diagnostics.warning("skipped", f"all operations of {path} are left out: {message}", node)
        yield Skipped("*", path, message, node.pointer)
        return
    extension = inherit(outer, read_extension(item, diagnostics))
    for method, child in _methods(item, reading):
        yield from _operation(method, path, child, item, extension, reading)


def _methods(item: Mapping[str, Node], reading: Reading) -> Iterator[tuple[str, Node]]:
    methods = _SWAGGER_METHODS if reading.version is Version.V20 else _METHODS
    for name, child in item.items():
        if name in methods:
            yield name.upper(), child
        elif name == "additionalOperations" and reading.version >= Version.V32:
            yield from _additional(child, item, reading)
        elif name.lower() in _METHODS:
            message = f"`{name}` is not a method of a path item here"
            hint = f"Write `{name.lower()}`." if name.lower() in methods else ""
            reading.diagnostics.warning("method", message, child, hint)


def _additional(
    node: Node, item: Mapping[str, Node], reading: Reading
) -> Iterator[tuple[str, Node]]:
    if not isinstance(node.value, dict):
        fields.wrong_type(node, "additionalOperations", "an object", reading.diagnostics)
        return
    try:
        own = fields.own_fields(node)
    except ReferenceProblem as problem:
        reading.diagnostics.add(problem.diagnostic)
        return
    for method, child in own.items():
        if not is_token(method) or method.lower() in item:
            reading.diagnostics.warning(
                "method", f"{method!r} cannot be an additional method of this path; left out", child
            )
        else:
            yield method, child


def _refused(method: str, node: Node, reading: Reading) -> str:
    """Why an operation with this method is left out; empty if it is kept."""
    if method == "QUERY" and reading.version < Version.V32:
        reason = "the method `query` exists since OpenAPI 3.2"
        reading.diagnostics.warning("method", reason, node)
        return reason
    return _NEVER.get(method.upper(), "")


def _operation(
    method: str,
    path: str,
    node: Node,
    item: Mapping[str, Node],
    outer: Extension,
    reading: Reading,
) -> Iterator[Operation | Skipped]:
    diagnostics = reading.diagnostics
    if node.value is None:
        return
    if not isinstance(node.value, dict):
        kind = json_type(node.value)
        diagnostics.error("operation", f"an operation must be an object, found {kind}", node)
        return
    try:
        operation, own, node = node, fields.own_fields(node), node.resolve()
    except ReferenceProblem as problem:
        message = problem.diagnostic.message
        diagnostics.warning("skipped", f"{method} {path} is left out: {message}", node)
        yield Skipped(method, path, message, node.pointer)
        return
    if reason := _refused(method, node, reading):
        yield Skipped(method, path, reason, node.pointer)
        return
    holder = operation if "operationId" in operation.value else node
    operation_id = _operation_id(holder, diagnostics)
    tags = _tags(operation if "tags" in operation.value else node, diagnostics)
    if paths.visible(path) != path:
        message = "this path holds invisible characters, which are not sent"
        diagnostics.warning("hidden-characters", message, node, "Remove them from the document.")
    report_hidden([*paths.template_names(path), operation_id, *tags], node, diagnostics)
    yield Operation(
        method=method,
        path=path,
        node=node,
        fields=own,
        item=item,
        operation_id=operation_id,
        tags=tags,
        extension=inherit(outer, read_extension(own, diagnostics)),
    )


def _operation_id(node: Node, diagnostics: Diagnostics) -> str:
    """The operationId; empty, with a warning, if it is too long."""
    operation_id = fields.string(node, "operationId", diagnostics)
    if len(operation_id) <= _MAX_NAME_LENGTH:
        return operation_id
    message = (
        f"an operationId of {len(operation_id):,} characters is too long for a name; "
        "method and path are used"
    )
    diagnostics.warning("long-name", message, node)
    return ""


def _tags(node: Node, diagnostics: Diagnostics) -> tuple[str, ...]:
    """The tags, without those that are too long."""
    tags = fields.strings(node, "tags", diagnostics)
    if all(len(tag) <= _MAX_NAME_LENGTH for tag in tags):
        return tags
    message = (
        f"a tag of more than {_MAX_NAME_LENGTH:,} characters is too long for a name; it is left out"
    )
    diagnostics.warning("long-name", message, node)
    return tuple(tag for tag in tags if len(tag) <= _MAX_NAME_LENGTH)
