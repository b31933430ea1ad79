"""Parts of a multipart body without names: the examples of OpenAPI 3.2.0, "Encoding Object"."""

import email
from base64 import b64encode
from email.message import Message
from typing import Any

from .servers import Server, of_document

PNG = b"\x89PNG\r\n\x1a\n\xff"
BYTES = b64encode(PNG).decode()
GIVEN = "Bytes: base64, a data: URI or a file:// URI."
TEXT: dict[str, Any] = {"type": "string"}
AUTHOR = {"type": "object", "properties": {"author": TEXT}}
gazette = of_document("gazette")


def parts(server: Server, tool: str, body: list[Any]) -> list[Message]:
    """The parts that reach the API; there are no names in them."""
    request = server.call(tool, {"body": body}).request
    head = f"Content-Type: {request.header('content-type')}\r\n\r\n".encode()
    found = email.message_from_bytes(head + request.body)
    assert found.get_content_type() == "multipart/" + ("related" if tool == "page" else "mixed")
    return _within(found)


def _within(message: Message) -> list[Message]:
    inner = message.get_payload()
    assert isinstance(inner, list)
    assert all(part.keys() == ["Content-Type"] for part in inner)
    return inner


def shown(found: list[Message]) -> list[tuple[str, Any]]:
    """Content-Type and content of each."""
    return [(part["Content-Type"], part.get_payload(decode=True)) for part in found]


def test_parts_by_position(gazette):
    body = gazette.arguments("illustrated")["body"]
    image = {"type": "string", "contentEncoding": "base64", "description": GIVEN}
    assert body["prefixItems"] == [AUTHOR, image]
    jpeg = f"data:image/jpeg;base64,{BYTES}"
    for given, kind in ((BYTES, "image/png"), (jpeg, "image/jpeg")):
        found = parts(gazette, "illustrated", [{"author": "é"}, given])
        assert shown(found) == [("application/json", '{"author":"é"}'.encode()), (kind, PNG)]
    # Fewer parts than encodings are no mistake ("Encoding By Position")
    assert shown(parts(gazette, "illustrated", [{}])) == [("application/json", b"{}")]
    script = "data:text/javascript,f()"
    image = f"data:image/png;base64,{BYTES}"
    found = parts(gazette, "page", ["<p>é</p>", "p{}", script, image])
    assert shown(found) == [
        ("text/html; charset=utf-8", "<p>é</p>".encode()),
        ("text/css", b"p{}"),
        ("text/javascript", b"f()"),
        ("image/png", PNG),
    ]
    request = gazette.call("page", {"body": ["<p>"]}).request
    assert 'multipart/related; type="text/html"; boundary=' in (
        request.header("content-type") or ""
    )
    assert gazette.arguments("pictures")["body"]["items"]["contentEncoding"] == "base64"
    assert shown(parts(gazette, "pictures", [BYTES] * 3)) == [("image/jpg", PNG)] * 3
    first, second = parts(gazette, "nested", [[1, [2]], ["<a/>", "é", BYTES]])
    assert shown([first]) == [("application/json", b"[1,[2]]")]
    assert second.get_content_type() == "multipart/mixed"
    assert shown(_within(second)) == [
        ("application/xml", b"<a/>"),
        ("text/plain; charset=utf-8", "é".encode()),
        ("image/png", PNG),
    ]
    refused = gazette.call("nested", {"body": [[], ["<a/>", "", "no base64!"]]}).refused
    assert "body[1][2]" in refused
    found = parts(gazette, "several", ["a", BYTES, "b,c", "d"])
    assert shown(found) == [
        ("text/plain", b"a"),
        ("image/png", PNG),
        ("text/csv", b"b,c"),
        ("text/plain", b"d"),
    ]
    body = gazette.arguments("several")["body"]
    assert [item.get("contentEncoding") for item in body["prefixItems"]] == [None, "base64", None]
    assert body["items"] == TEXT
    found = parts(gazette, "plain", ["a", 1, None, [1], {"b": 2}, f"data:image/png;base64,{BYTES}"])
    assert shown(found) == [
        ("text/plain", b"a"),
        ("text/plain", b"1"),
        ("text/plain", b""),
        ("application/json", b"[1]"),
        ("application/json", b'{"b":2}'),
        ("image/png", PNG),
    ]


def test_multiparts_within_a_form(gazette):
    """Of an array each item is one ("Encoding By Name"); an object's parts have names."""
    arguments = {"scans": [["a,b", BYTES], ["c"]], "cover": {"front": BYTES, "about": {"a": 1}}}
    call = gazette.call("form", arguments)
    sent = [(part.name, part.content_type, part.content) for part in call.request.parts]
    assert [name for name, _, _ in sent] == ["scans", "scans", "cover"]
    first, second, cover = (
        email.message_from_bytes(f"Content-Type: {kind}\r\n\r\n".encode() + content)
        for _, kind, content in sent
    )
    assert shown(_within(first)) == [("text/csv", b"a,b"), ("image/png", PNG)]
    assert shown(_within(second)) == [("text/csv", b"c")]
    inner = cover.get_payload()
    assert cover.get_content_type() == "multipart/related"
    assert cover.get_param("type") == "image/png"
    assert isinstance(inner, list)
    assert shown(inner) == [("image/png", PNG), ("application/json", b'{"a":1}')]
    assert [part.get_param("name", header="content-disposition") for part in inner] == [
        "front",
        "about",
    ]
    scans = gazette.arguments("form")["scans"]
    assert scans["items"]["prefixItems"][1]["contentEncoding"] == "base64"
    assert "prefixItems" not in scans
