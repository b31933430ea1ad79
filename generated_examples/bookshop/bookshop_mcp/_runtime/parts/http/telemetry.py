"""OpenTelemetry: spans of requests to the API, a histogram of durations, and trace propagation.

The MCP SDK makes a span of every message. Spans are exported only if `OTEL_...` variables, or
`opentelemetry-instrument`, configure an exporter.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import anyio
import anyio.to_thread
from opentelemetry import metrics, trace

from ...backend.observing import Observed, Request
from ...values.settings import ConfigurationError

logger = logging.getLogger(__name__)

_EXPORT_SECONDS = 5.0
"""Seconds for the last export."""


def start(name: str, version: str) -> None:
    """Export over OTLP unless the environment switches it off or the process already exports.

    The packages are those of the extra `otel`.

    Raises:
        ConfigurationError: the exporters cannot use one of their variables.
    """
    if not isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.metrics import MeterProvider
        from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
        from opentelemetry.sdk.resources import OTELResourceDetector, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        own = Resource({"service.name": name, "service.version": version})
        resource = Resource.create().merge(own).merge(OTELResourceDetector().detect())
        if _is_asked_for("OTEL_TRACES_EXPORTER"):
            provider = TracerProvider(resource=resource)
            provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
            trace.set_tracer_provider(provider)
        if _is_asked_for("OTEL_METRICS_EXPORTER"):
            reader = PeriodicExportingMetricReader(OTLPMetricExporter())
            metrics.set_meter_provider(MeterProvider(metric_readers=[reader], resource=resource))
    except ImportError:
        logger.warning("OTEL_... is set, but no exporter is installed: install the extra `otel`")
    except ValueError as problem:
        why = " ".join(str(problem).split())
        raise ConfigurationError(f"an OTEL_... variable cannot be used: {why}") from None


def _is_asked_for(variable: str) -> bool:
    """Whether a variable selects OTLP, which is also its default."""
    exporters = {name.strip().lower() for name in (os.environ.get(variable) or "otlp").split(",")}
    if not exporters & {"otlp", "none"}:
        logger.warning("%s names an unknown exporter; known ones are `otlp` and `none`", variable)
    return "otlp" in exporters


async def flush() -> None:
    """Export the spans and durations that are still in memory, within the time limit."""
    with anyio.move_on_after(_EXPORT_SECONDS):
        await anyio.to_thread.run_sync(_flush, abandon_on_cancel=True)


def _flush() -> None:
    for provider in (trace.get_tracer_provider(), metrics.get_meter_provider()):
        if export := getattr(provider, "force_flush", None):
            export()


class Traced(Observed):
    """A call whose requests to the API are recorded as spans.

    A span has the URL template, never the URL.
    """

    @contextmanager
    def request(self, method: str, template: str, host: str) -> Iterator[Request]:
        """Record a request to the API, and make a span for it."""
        attributes = {
            "http.request.method": method,
            "url.template": template,
            "server.address": host,
        }
        tracer = trace.get_tracer(__name__)
        with tracer.start_as_current_span(
            f"{method} {template}",
            kind=trace.SpanKind.CLIENT,
            attributes=attributes,
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                with super().request(method, template, host) as noted:
                    yield noted
            except Exception as problem:
                span.set_attribute("error.type", type(problem).__name__)
                span.set_status(trace.StatusCode.ERROR)
                raise
            finally:
                status = noted.status
                if status is not None:
                    span.set_attribute("http.response.status_code", status)


def measure(method: str, tool: str, outcome: str, seconds: float) -> None:
    """Add a call to the histogram of durations."""
    attributes = {"mcp.method.name": method}
    if tool:
        attributes["gen_ai.tool.name"] = tool
    if outcome != "ok":
        attributes["error.type"] = outcome
    _durations().record(seconds, attributes)


@cache
def _durations() -> Any:
    meter = metrics.get_meter(__name__)
    return meter.create_histogram(
        "mcp.server.operation.duration", unit="s", description="Duration of a tool call."
    )
