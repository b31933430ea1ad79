"""Parameters of the small documents that the reader's tests read."""

from __future__ import annotations

from typing import Any

TEXT = {"type": "string"}


def param(place: str, name: str, **rest: Any) -> dict[str, Any]:
    """A parameter, required where it is in the path."""
    return {"name": name, "in": place, **({"required": True} if place == "path" else {}), **rest}
