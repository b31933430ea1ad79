"""OpenTelemetry: whether an exporter is configured, and trace headers for the API."""

from __future__ import annotations

from collections.abc import Mapping

_TRACE = ("traceparent", "tracestate")


def is_exported(environ: Mapping[str, str]) -> bool:
    """Whether the environment configures an OpenTelemetry exporter."""
    if environ.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return False
    exporters = ("OTEL_TRACES_EXPORTER", "OTEL_METRICS_EXPORTER")
    return any(
        value
        and (name.startswith("OTEL_EXPORTER_OTLP_") or (name in exporters and value != "none"))
        for name, value in environ.items()
    )


def trace_headers(caller: Mapping[str, str] | None) -> list[tuple[str, str]]:
    """W3C trace headers for the API: from the current span, or else from the caller's request."""
    from opentelemetry.propagate import extract, inject  # only where it is asked for

    carrier: dict[str, str] = {}
    inject(carrier)
    if "traceparent" not in carrier and caller is not None:
        inject(carrier, context=extract({name: caller.get(name, "") for name in _TRACE}))
    return [(name, carrier[name]) for name in _TRACE if name in carrier]
