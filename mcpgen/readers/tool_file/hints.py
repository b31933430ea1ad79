"""A tool's annotations, and whether its HTTP method contradicts them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...api import HINTS, Annotations
from ...methods import METHODS, OTHER

if TYPE_CHECKING:
    from ...diagnostics import Diagnostics
    from ...source.document import Node

_OF_METHOD = ("readOnlyHint", "destructiveHint", "idempotentHint")


def read_annotations(node: Node | None, method: str | None) -> Annotations:
    """The four hints of MCP's ToolAnnotations.

    A hint that the file omits follows from the HTTP method or from `readOnlyHint`; `openWorldHint`
    is true unless the file has it.
    """
    written: Mapping[str, Any] = node.value if node is not None and node.value else {}
    promise = METHODS.get(method or "", OTHER)
    reads = bool(written.get("readOnlyHint", promise.is_safe))
    title = written.get("title")
    return Annotations(
        read_only=reads,
        destructive=bool(written.get("destructiveHint", not reads)),
        idempotent=bool(written.get("idempotentHint", reads or promise.is_idempotent)),
        open_world=bool(written.get("openWorldHint", True)),
        title=title if isinstance(title, str) else None,
    )


def advertised_hints(written: Mapping[str, Any], hints: Annotations) -> dict[str, Any]:
    """The annotations of an HTTP tool: those in the file, completed by those of its method."""
    of_method = {hint: getattr(hints, HINTS[hint]) for hint in _OF_METHOD}
    return {**of_method, **written}


def check_annotations(node: Node | None, method: str | None, diagnostics: Diagnostics) -> None:
    """Report hints that contradict the method or another hint."""
    if node is None or not isinstance(node.value, dict):
        return
    promise = METHODS.get(method or "", OTHER)
    for hint, value in promise.never:
        if node.value.get(hint) is value:
            message = f"`{hint}: {str(value).lower()}` contradicts the method {method}"
            help_ = "Clients ask before such a call; leave the hint out, or use another method."
            diagnostics.error("annotation", message, node[hint], help_)
    for hint, value in promise.odd:
        if node.value.get(hint) is value:
            message = f"`{hint}: {str(value).lower()}` is not what the method {method} means"
            help_ = "Leave the hint out, or use another method."
            diagnostics.warning("annotation", message, node[hint], help_)
    if node.value.get("readOnlyHint") is True and node.value.get("destructiveHint") is True:
        message = "a tool that only reads cannot be destructive"
        hint = "Leave one of the two hints out."
        diagnostics.warning("annotation", message, node["destructiveHint"], hint)
