"""The hire desk over HTTP, in a thread of this process, its state at hand for checks."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from bench.agent.operations import OPERATIONS, Answer, Call
from bench.agent.store import Refusal, Store, filled

_VARIABLE = re.compile(r"\{(\w+)\}")
_ROUTES = [
    (each, re.compile(_VARIABLE.sub(r"(?P<\1>[^/]+)", each.path))) for each in OPERATIONS.values()
]


class Api:
    """The state of the hire desk, and how often it was asked."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget what was done."""
        self.store: Store = filled()
        self.requests = 0
        self.last: Any = None
        """What was answered last."""

    def answer(
        self, method: str, target: str, headers: dict[str, str], body: bytes
    ) -> tuple[int, bytes, str]:
        """Status, body and entity tag of the answer to a request."""
        self.requests += 1
        url = urlsplit(target)
        # A fixed path goes before one with a variable in its place, as in the specification.
        fitting = [
            (operation, match)
            for operation, pattern in _ROUTES
            if operation.method == method and (match := pattern.fullmatch(url.path))
        ]
        operation, match = min(fitting, key=lambda pair: len(pair[1].groups()))
        call = Call(
            self.store,
            {name: unquote(text) for name, text in match.groupdict().items()},
            dict(parse_qsl(url.query)),
            json.loads(body) if body else {},
            headers,
        )
        try:
            done, status = operation.run(call), operation.status
        except Refusal as refusal:
            problem = {**refusal.body, "request_id": f"req_{self.requests:06}"}
            done, status = Answer(problem), refusal.status
        self.last = done.data
        return status, b"" if done.data is None else json.dumps(done.data).encode(), done.tag


@contextmanager
def served() -> Iterator[tuple[Api, str]]:
    """The API, and the URL that it is served at."""
    api = Api()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_one_request(self) -> None:
            self.raw_requestline = self.rfile.readline()
            if not self.raw_requestline or not self.parse_request():
                self.close_connection = True
                return
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name.lower(): text for name, text in self.headers.items()}
            status, data, tag = api.answer(self.command, self.path, headers, body)
            self.send_response(status)
            if tag:
                self.send_header("ETag", tag)
            if status != 204:
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield api, f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
