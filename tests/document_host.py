"""A host of documents, whose answers a test sets."""

import json
import ssl
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

DOCUMENT = json.dumps({"openapi": "3.1.0", "info": {"title": "t", "version": "1"}})


class Api:
    """A server whose routes a test sets."""

    def __init__(self) -> None:
        self.routes: dict[str, Callable[[BaseHTTPRequestHandler], None]] = {}
        self.seen: list[tuple[str, dict[str, str]]] = []
        api = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                api.seen.append((self.path, {k.lower(): v for k, v in self.headers.items()}))
                route = api.routes.get(self.path.partition("?")[0])
                try:
                    route(self) if route else self.send_error(404)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            def log_message(self, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def encrypt(self, context: ssl.SSLContext) -> None:
        """Speak TLS from now on."""
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.url = self.url.replace("http:", "https:")

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, path: str, body: Any, status: int = 200, **headers: str) -> None:
        data = body if isinstance(body, bytes) else _text(body).encode()

        def send(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(status)
            for name, value in headers.items():
                handler.send_header(name.replace("_", "-"), value)
            handler.send_header("Content-Length", str(len(data)))
            handler.end_headers()
            handler.wfile.write(data)

        self.routes[path] = send

    def redirect(self, path: str, location: str) -> None:
        self.answer(path, "", status=302, Location=location)


def _text(body: Any) -> str:
    return body if isinstance(body, str) else json.dumps(body)


def serving(monkeypatch: pytest.MonkeyPatch) -> Iterator[Api]:
    """The host of a test, which no proxy stands before."""
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    server = Api()
    yield server
    server.close()
