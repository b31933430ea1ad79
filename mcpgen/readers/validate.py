"""A document against OpenAPI's own schema: what it breaks becomes located warnings.

Nothing is fetched or resolved. The document is checked piece by piece, each path item and component
by itself, so that the work is bounded and a piece that is too deep or too large is left out alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from ..background import Background
from ..pointer import escape

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

    from ..diagnostics import Diagnostics
    from ..source.document import Document, Node

MAX_NODES = 10_000
"""JSON values that are checked: less than a second."""

_MAX_FINDINGS = 50
_MAX_KEPT = 2000
_WORTH_A_PROCESS = 3000
_BATCH = 20
_MAX_DEPTH = 60
_MESSAGE = 200
_SCHEMAS = {"2.0": "v2", "3.0": "v30", "3.1": "v31", "3.2": "v32"}
_MAPS = ("paths", "webhooks", "definitions", "parameters", "responses", "securityDefinitions")
_LARGE = (*_MAPS, "components")


Finding = tuple[tuple[str, ...], str]


class Validation:
    """A check against the schema of an OpenAPI version (`3.1`), running from now on."""

    def __init__(self, document: Document, version: str) -> None:
        self._root = document.root
        name = _SCHEMAS[version]
        size = _size(self._root.value, _WORTH_A_PROCESS)
        large = size is None or size > _WORTH_A_PROCESS
        self._found = Background(lambda: _findings(name, self._root.value), worth_it=large)

    def report(self, diagnostics: Diagnostics) -> None:
        """Warn of what was found, up to a number.

        What is already reported, at a place or around it, is not reported again.
        """
        findings, complete = self._found.result()
        known = {item.pointer for item in diagnostics.items if item.pointer}
        fresh = (f for f in findings if not _is_known(f[0], known))
        for pointer, message in islice(fresh, _MAX_FINDINGS):
            diagnostics.warning("specification", message, _nearest(self._root, pointer))
        if next(fresh, None) is not None:
            message = (
                f"more than {_MAX_FINDINGS} places break the specification; the rest is not listed"
            )
            diagnostics.note("specification", message)
        elif not complete:
            message = f"only the first {MAX_NODES:,} values are checked against the specification"
            diagnostics.note("specification", message)


@lru_cache(maxsize=4)
def _validator(name: str) -> Any:
    from jsonschema.validators import validator_for
    from openapi_spec_validator import schemas  # a quarter of a second, paid when it is used

    schema = _static(dict(getattr(schemas, f"schema_{name}")))
    return validator_for(schema)(schema)


def _static(value: Any) -> Any:
    """Replace the one `$dynamicRef`, to Schema Objects: each costs jsonschema 10 ms."""
    if isinstance(value, list):
        return [_static(item) for item in value]
    if not isinstance(value, dict):
        return value
    renamed = {"$ref" if k == "$dynamicRef" else k: _static(v) for k, v in value.items()}
    return {**renamed, "$ref": "#/$defs/schema"} if "$dynamicRef" in value else renamed


def _findings(version: str, root: dict[str, Any]) -> tuple[list[Finding], bool]:
    """What is found, and whether all of the document was looked at."""
    validator = _validator(version)
    found: list[Finding] = []
    left = MAX_NODES
    for piece in _pieces(root):
        size = _size(piece, left)
        if size is None:
            continue
        if size > left or len(found) > _MAX_KEPT:
            return found, False
        left -= size
        for error in validator.iter_errors(piece):
            deepest = _deepest(error)
            path = tuple(str(token) for token in deepest.absolute_path)
            found.append((path, _message(deepest)))
    return found, True


def _pieces(root: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Documents that are valid where the whole is: its frame, then members of each map."""
    yield {k: {} if k in _LARGE and isinstance(v, dict) else v for k, v in root.items()}
    key = "openapi" if "openapi" in root else "swagger"
    small = {key: root[key], "info": {"title": "", "version": ""}, "paths": {}}
    for key in _MAPS:
        for members in _batches(root.get(key)):
            yield {**small, key: members}
    components = root.get("components")
    for section, values in components.items() if isinstance(components, dict) else ():
        if not isinstance(values, dict):
            yield {**small, "components": {section: values}}
        for members in _batches(values):
            yield {**small, "components": {section: members}}


def _batches(value: Any) -> Iterator[dict[str, Any]]:
    members = iter(value.items() if isinstance(value, dict) else ())
    while batch := dict(islice(members, _BATCH)):
        yield batch


def _size(value: Any, limit: int) -> int | None:
    """How many values a value holds, up to a limit; None where it nests too deep to check."""
    count = 0
    stack = [(value, 0)]
    while stack and count <= limit:
        current, depth = stack.pop()
        count += 1
        if depth > _MAX_DEPTH:
            return None
        inner = current.values() if isinstance(current, dict) else current
        if isinstance(current, (dict, list)):
            stack.extend((child, depth + 1) for child in inner)
    return count


def _deepest(error: ValidationError) -> ValidationError:
    """The most telling error below one that only says that no alternative fits."""
    while error.context:
        error = max(error.context, key=lambda e: (len(e.absolute_path), e.validator != "required"))
    return error


def _message(error: ValidationError) -> str:
    if error.validator == "type":
        expected = error.validator_value
        names = expected if isinstance(expected, list) else [expected]
        return f"this must be of type {' or '.join(map(str, names))}"
    text = error.message
    return text if len(text) <= _MESSAGE else f"{text[:_MESSAGE]}…"


def _is_known(path: tuple[str, ...], known: set[str]) -> bool:
    pointer = ""
    for token in path:
        pointer += f"/{escape(token)}"
        if pointer in known:
            return True
    return any(other.startswith(pointer + "/") for other in known)


def _nearest(root: Node, path: tuple[str, ...]) -> Node:
    node = root
    for token in path:
        child = node.get(token)
        if child is None:
            break
        node = child
    return node
