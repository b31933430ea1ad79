"""W3C trace context for the API."""

from __future__ import annotations

from collections.abc import Mapping

from opentelemetry.propagate import extract, inject

_TRACE = ("traceparent", "tracestate")


def trace_headers(caller: Mapping[str, str] | None) -> list[tuple[str, str]]:
    """W3C trace context for the API: the current span's, else what the caller's request had."""
    carrier: dict[str, str] = {}
    inject(carrier)
    if "traceparent" not in carrier and caller is not None:
        inject(carrier, context=extract({name: caller.get(name, "") for name in _TRACE}))
    return [(name, carrier[name]) for name in _TRACE if name in carrier]
