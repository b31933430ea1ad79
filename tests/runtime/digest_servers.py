"""An API on 127.0.0.1 that Flask-HTTPAuth guards with HTTP Digest."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Thread
from typing import Any

from flask import Flask, Response, jsonify, request
from flask_httpauth import HTTPDigestAuth
from werkzeug.serving import make_server

REALM = 'the shop, at \\"sea\\"'


@dataclass
class FlaskApi:
    """Where it is, and the statuses that it answered."""

    url: str = ""
    statuses: list[int] = field(default_factory=list)


@contextmanager
def flask_api(kind: str, user: str, password: str) -> Iterator[FlaskApi]:
    """Serve `POST /greet` to one user; `kind` is an algorithm, `no qop`, or `stateless`."""
    app, found = Flask("shop"), FlaskApi()
    app.secret_key = "for sessions"
    options: dict[str, Any] = {"qop": None} if kind == "no qop" else {}
    if kind.startswith("MD5"):
        options = {"algorithm": kind}
    auth = HTTPDigestAuth(realm="the shop", **options)
    auth.get_password({user: password}.get)
    if kind == "stateless":
        auth.generate_nonce(lambda: "a nonce")
        auth.verify_nonce(lambda nonce: nonce == "a nonce")
        auth.generate_opaque(lambda: "opaque")
        auth.verify_opaque(lambda opaque: opaque == "opaque")

    @app.post("/greet")
    @auth.login_required
    def greet() -> Response:
        return jsonify(user=auth.current_user(), body=request.json)

    @app.after_request
    def note(response: Response) -> Response:
        found.statuses.append(response.status_code)
        return response

    server = make_server("127.0.0.1", 0, app)
    found.url = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
