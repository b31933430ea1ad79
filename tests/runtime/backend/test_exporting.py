"""What is told of calls elsewhere: traces to the API, spans and metrics to a collector."""

import os
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from prepared import python
from tables import table

from mcpgen.runtime.parts.http.exporting import is_exported
from mcpgen.runtime.parts.http.settings import HttpSettings

from .. import sample
from ..serving import current, in_thread, process

PACKAGE = "shop_mcp"
CANARY = "canary-of-the-server"
TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@pytest.fixture
def shop(folder, monkeypatch):
    """The sample package's `server` module, and its credential."""
    monkeypatch.setenv("SHOP_KEY", CANARY)
    with sample.imported(folder, PACKAGE) as found:
        yield found


async def test_a_trace_goes_on_to_the_api_only_where_asked(shop):
    seen = []

    def answer(request):
        seen.append(request.headers.get("traceparent"))
        return httpx2.Response(200, json={})

    for asked in (False, True):
        settings = HttpSettings(trace_upstream=asked)
        server = shop.create_server(settings, transport=httpx2.MockTransport(answer))
        async with Client(server) as client:
            meta = {"traceparent": TRACE, "baggage": "canary=1"}
            await client.call_tool("getPet", {"petId": 7}, meta=meta)
            await client.call_tool("getPet", {"petId": 7})
    assert seen[:2] == [None, None]
    assert seen[2].split("-")[1] == TRACE.split("-")[1]
    assert seen[3] is None
    app = shop.create_app(settings, transport=httpx2.MockTransport(answer))
    message, headers = current("getPet", {"petId": 7})
    with in_thread(app) as base:
        httpx2.post(f"{base}/mcp", json=message, headers=headers | {"traceparent": TRACE})
    assert seen[4].split("-")[1] == TRACE.split("-")[1]


class Collector(HTTPServer):
    """Takes what is exported over OTLP, and answers as the API."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Exported)
        self.bodies: list[tuple[str, bytes]] = []
        self.url = f"http://127.0.0.1:{self.server_port}"


class Exported(BaseHTTPRequestHandler):
    """One request to the collector."""

    server: Collector

    def do_GET(self) -> None:
        self._say(b'{"name": "Rex"}')

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.bodies.append((self.path, body))
        self._say(b"")

    def _say(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


@table(
    "environ, exported",
    ({"OTEL_SERVICE_NAME": "shop"}, False),
    ({"OTEL_EXPORTER_OTLP_ENDPOINT": ""}, False),
    ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://a"}, True),
    ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://a", "OTEL_SDK_DISABLED": "True"}, False),
    ({"OTEL_TRACES_EXPORTER": "none", "OTEL_METRICS_EXPORTER": ""}, False),
    ({"OTEL_TRACES_EXPORTER": "none", "OTEL_METRICS_EXPORTER": "otlp"}, True),
)
def test_what_turns_telemetry_on(environ, exported):
    assert is_exported(environ) is exported


OWN = (PACKAGE, "--http", "127.0.0.1:0")
UVICORN = ("uvicorn", f"{PACKAGE}.server:create_app", "--factory", "--port", "0")


def collected(folder: Path, *command: str, **environ: str) -> tuple[bytes, bytes]:
    """The traces and metrics of a call."""
    collector = Collector()
    thread = threading.Thread(target=collector.serve_forever)
    thread.start()
    environ |= {
        "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
        "OTEL_EXPORTER_OTLP_COMPRESSION": "none",
        "SHOP_BASE_URL": collector.url,
        "SHOP_KEY": CANARY,
    }
    message, headers = current("getPet", {"petId": 7, "dryRun": True})
    try:
        with process(folder, *command, **environ) as served:
            assert httpx2.post(served.url, json=message, headers=headers).status_code == 200
            served.stop()
            served.wait()
    finally:
        collector.shutdown()
        thread.join()
        collector.server_close()
    traces = b"".join(body for path, body in collector.bodies if path == "/v1/traces")
    return traces, b"".join(body for path, body in collector.bodies if path == "/v1/metrics")


@table(
    "command, environ, is_traced, is_measured",
    (UVICORN, {}, True, True),
    (OWN, {"OTEL_METRICS_EXPORTER": "none"}, True, False),
    (OWN, {"OTEL_TRACES_EXPORTER": "None", "OTEL_METRICS_EXPORTER": "otlp"}, False, True),
)
def test_spans_and_metrics_are_exported_as_asked_without_credentials(
    folder, command, environ, is_traced, is_measured
):
    traces, metrics = collected(folder, *command, **environ)
    assert (bool(traces), bool(metrics)) == (is_traced, is_measured)
    if is_traced:
        spans = (b"GET /pets/{petId}", b"tools/call getPet", b"http.response.status_code", b"shop")
        assert all(said in traces for said in spans)
    if is_measured:
        assert b"mcp.server.operation.duration" in metrics
        assert b"getPet" in metrics
    assert b"canary" not in traces + metrics
    assert b"dryRun" not in traces + metrics


CREATE = f"from {PACKAGE}.server import create_app; create_app()"


@pytest.mark.parametrize(
    ("variable", "arguments", "code"),
    [
        ("OTEL_METRIC_EXPORT_INTERVAL", ("-m", PACKAGE, "--check"), 2),
        ("OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT", ("-c", CREATE), 3),
    ],
    ids=["check", "asgi"],
)
def test_an_exporter_that_cannot_be_made_is_told_in_a_line(folder, variable, arguments, code):
    environ = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1", variable: "-5"}
    ended = subprocess.run(
        python(*arguments),
        cwd=folder,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(folder), **environ},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == code, ended.stderr
    assert "OTEL_... variable cannot be used: " in ended.stderr
    assert "Traceback" not in ended.stderr
