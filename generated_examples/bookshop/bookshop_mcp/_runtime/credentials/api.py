"""The API that a generated `api.py` declares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..values.urls import ServerUrl
from .schemes import Scheme

Requirement = Mapping[str, Sequence[str]]


class Shaping(Protocol):
    """Computes the visible part of a tool's answers; `shaping.Shape` implements it."""

    def of_error(self, response: Any) -> Any:
        """The part of an error answer that agents may see."""
        ...

    def of_returned(self, value: Any) -> Any:
        """The part of a handler's result that agents may see."""
        ...


@dataclass(frozen=True)
class Api:
    """The API that the tools call."""

    env_prefix: str
    servers: Sequence[ServerUrl] = ()
    security_schemes: Mapping[str, Scheme] = field(default_factory=dict)
    security: Sequence[Requirement] = ()
    shapes: Mapping[str, Shaping] = field(default_factory=dict)
    """By tool."""
    refusals: Mapping[str, Mapping[str, Mapping[str, str | None]]] = field(default_factory=dict)
    """Names that members of free-form objects must not have, by tool and argument."""
    calls: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Settings for the calls of single tools: `timeout`, `retries`."""
    defaults: Mapping[str, Any] = field(default_factory=dict)
    """Of a further API: settings of its own that its variables replace."""
