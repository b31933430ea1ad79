"""Spans of requests to the API."""

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode
from tables import table

from mcpgen.runtime import ApiError
from mcpgen.runtime.parts.http import telemetry


@pytest.fixture
def spans(monkeypatch):
    """What has been exported."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(telemetry.trace, "get_tracer", provider.get_tracer)
    return exporter


def test_requests_at_a_time_have_each_their_own_status(spans):
    call = telemetry.Traced()
    with call.request("GET", "/a", "h") as first:
        with call.request("GET", "/b", "h") as second:
            second.status = 204
        first.status = 200
    found = {span.name: dict(span.attributes or {}) for span in spans.get_finished_spans()}
    assert {name: each["http.response.status_code"] for name, each in found.items()} == {
        "GET /a": 200,
        "GET /b": 204,
    }


@table("problem, status", (ApiError(404, "secret"), 404), (ValueError("secret"), None))
def test_a_failure_is_told_by_its_kind_and_status_alone(spans, problem, status):
    with pytest.raises(type(problem)), telemetry.Traced().request("GET", "/a/{b}", "h"):
        raise problem
    (span,) = spans.get_finished_spans()
    assert span.status.status_code is StatusCode.ERROR
    assert dict(span.attributes or {}) == {
        "http.request.method": "GET",
        "url.template": "/a/{b}",
        "server.address": "h",
        "error.type": type(problem).__name__,
        **({} if status is None else {"http.response.status_code": status}),
    }
    assert "secret" not in span.to_json()


def test_an_exporter_that_is_not_there_is_named(monkeypatch, caplog):
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "Zipkin, console")
    assert not telemetry._is_asked_for("OTEL_TRACES_EXPORTER")
    assert "OTEL_TRACES_EXPORTER names no exporter that is there" in caplog.text
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", " none,OTLP")
    assert telemetry._is_asked_for("OTEL_TRACES_EXPORTER")
