"""The four hints in a tool's annotations: from its HTTP method, or from the document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...api import Annotations
from ...methods import METHODS, OTHER

if TYPE_CHECKING:
    from ...diagnostics import Diagnostics
    from .extensions import Extension


def hints_of(
    method: str, is_safe: bool, extension: Extension, diagnostics: Diagnostics
) -> Annotations:
    """The four hints for the method, with the extension's values where the method allows them.

    `is_safe`: a call only reads.
    """
    promise = METHODS.get(method, OTHER)
    hints = {
        "readOnlyHint": is_safe,
        "destructiveHint": not is_safe,
        "idempotentHint": is_safe or promise.is_idempotent,
        "openWorldHint": True,
    }
    for hint, value in extension.hints.items():
        if (hint, value) in promise.never:
            message = f"an extension cannot set {hint}: {str(value).lower()} for {method}; ignored"
            diagnostics.warning("annotation", message, extension.node)
        else:
            hints[hint] = value
    if hints["readOnlyHint"] and "destructiveHint" not in extension.hints:
        hints["destructiveHint"] = False
    return Annotations(
        read_only=hints["readOnlyHint"],
        destructive=hints["destructiveHint"],
        idempotent=hints["idempotentHint"],
        open_world=hints["openWorldHint"],
    )
