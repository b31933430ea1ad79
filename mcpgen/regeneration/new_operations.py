"""Reports the new operations of a document that no `include_` setting selects."""

from __future__ import annotations

from collections.abc import Iterable

from ..api import Skipped
from ..diagnostics import Diagnostics
from ..lock import Lock

CODE = "new-operations"
_NOT_WANTED = "not chosen by --include-"
_MAX_NAMES = 5


def left_out(skipped: Iterable[Skipped]) -> dict[str, str]:
    """The operations that the `include_` settings leave out, for the lock."""
    return {
        f"{each.method} {each.path}": each.reason
        for each in skipped
        if each.reason.startswith(_NOT_WANTED)
    }


def tell(skipped: Iterable[Skipped], lock: Lock, diagnostics: Diagnostics) -> None:
    """Note skipped operations that the lock does not list yet.

    Nothing is noted if the lock has no list of skipped operations.
    """
    earlier = {*lock.left_out, *lock.tools}
    new = [each for each in left_out(skipped) if each not in earlier] if lock.left_out else []
    if new:
        more = f" and {len(new) - _MAX_NAMES} more" if len(new) > _MAX_NAMES else ""
        message = f"new in the document, but not included: {', '.join(new[:_MAX_NAMES])}"
        hint = "Add those that you want to the `include_` settings; this note appears once."
        diagnostics.note(CODE, message + more, hint=hint)
