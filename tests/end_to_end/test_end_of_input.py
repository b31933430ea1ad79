"""Calls in flight when stdin ends: they are answered, as people and CI who pipe lines expect."""

import json
import os
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from prepared import python
from protocol.wire import CURRENT, INITIALIZED, OLDER, call, initialize

from .servers import generate_from, openapi

PATHS = {"/slow": {"get": {"operationId": "getSlow", "responses": {"200": {"description": ""}}}}}


class Gate:
    """An API that answers once it is told to."""

    def __init__(self) -> None:
        self.arrived, self.opened = threading.Event(), threading.Event()
        gate = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                gate.arrived.set()
                gate.opened.wait(60)
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                self.wfile.write(b'{"late": true}')

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture
def gate():
    made = Gate()
    thread = threading.Thread(target=made.server.serve_forever)
    thread.start()
    yield made
    made.opened.set()
    made.server.shutdown()
    thread.join(20)
    made.server.server_close()


@pytest.fixture(scope="module")
def slow(upstream, tmp_path_factory):
    return generate_from(
        openapi("Slow input", PATHS),
        tmp_path_factory.mktemp("ending"),
        upstream,
        "--package",
        "slow_input",
    )


def piped(folder: Path, package: str, **environ: str) -> subprocess.Popen[bytes]:
    """The server, whose input is a pipe."""
    pipe = subprocess.PIPE
    environ = {**os.environ, **environ}
    command = python("-m", package)
    return subprocess.Popen(command, cwd=folder, env=environ, stdin=pipe, stdout=pipe, stderr=pipe)


def sent(process: subprocess.Popen[bytes], *messages: Any) -> None:
    """Write lines, and end the input."""
    process.stdin.write(b"".join(json.dumps(each).encode() + b"\n" for each in messages))
    process.stdin.close()


@pytest.mark.parametrize("revision", [CURRENT, OLDER[-1]])
def test_a_call_in_flight_is_answered_and_the_server_ends_with_0(slow, gate, revision):
    opening = [] if revision == CURRENT else [initialize(revision), INITIALIZED]
    prefix = slow.api.env_prefix
    with piped(slow.folder, slow.package, **{f"{prefix}_BASE_URL": gate.url}) as process:
        asked = call("getSlow", revision)
        sent(process, *opening, asked)
        assert gate.arrived.wait(30)
        gate.opened.set()
        assert process.stdout is not None
        lines = [json.loads(line) for line in process.stdout]
        assert process.wait(30) == 0
    answer = next(line for line in lines if line.get("id") == asked["id"])
    assert answer["result"]["structuredContent"] == {"late": True}


def test_it_is_waited_for_no_longer_than_the_settings_say(slow, gate):
    """The API never answers; without the limit the test would not end."""
    prefix = slow.api.env_prefix
    environ = {f"{prefix}_BASE_URL": gate.url, f"{prefix}_SHUTDOWN_TIMEOUT": "0.01"}
    with piped(slow.folder, slow.package, **environ) as process:
        sent(process, call("getSlow"))
        assert process.wait(60) == 0
        assert not gate.opened.is_set()
