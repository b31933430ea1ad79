"""The API behind the tools of `tools.yaml`: `python upstream.py PORT`."""

import base64
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJg"
    "gg=="
)
SILENCE = (
    b"RIFF\x26\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x40\x1f\0\0\1\0\x08\0"
    b"data\2\0\0\0\x80\x80"
)
TEXT = "text/plain; charset=utf-8"
JSON = "application/json"
MIXED = [
    (TEXT, b"Multiple content types test:"),
    ("image/png", PIXEL),
    ("application/octet-stream", b'{"test": "data", "value": 123}'),
]
ANSWERS = {
    "/text": (200, TEXT, b"This is a simple text response for testing."),
    "/image": (200, "image/png", PIXEL),
    "/audio": (200, "audio/wav", SILENCE),
    "/file": (200, "application/pdf", b"%PDF-1.4 nothing"),
    "/error": (500, JSON, b'{"message": "This tool intentionally returns an error for testing"}'),
}


def mixed() -> bytes:
    """A body of parts (RFC 2046 5.1)."""
    parts = [f"--cut\r\nContent-Type: {t}\r\n\r\n".encode() + b + b"\r\n" for t, b in MIXED]
    return b"".join(parts) + b"--cut--\r\n"


class Handler(BaseHTTPRequestHandler):
    """Answers by path."""

    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def answer(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        if url.path == "/mixed":
            self.answer(200, "multipart/mixed; boundary=cut", mixed())
        elif url.path == "/region":
            region = parse_qs(url.query).get("region", [""])[0]
            self.answer(200, JSON, json.dumps({"region": region}).encode())
        else:
            missing = (404, JSON, b'{"message": "not found"}')
            self.answer(*ANSWERS.get(url.path, missing))

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.answer(200, JSON, body or b"{}")


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
