"""Multipart bodies of every kind, as the server receives them."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tables import table

from mcpgen.runtime.bodies.encoding import encode_body
from mcpgen.runtime.values import style

from ...body_values import JPEG, PNG, base64_of, quick, refusal
from ...wire_reading import parts_of


def multipart(
    value: dict[str, Any], **encoding: style.Part
) -> list[tuple[str, dict[str, str], bytes]]:
    body = encode_body("multipart", value, None, encoding)
    assert body.content_type is not None
    return parts_of(body.content_type, body.content)


def test_parts_are_written_as_their_schemas_say():
    found = multipart({"l": [{"a": 1}, [2]]})
    assert [content for _, _, content in found] == [b'{"a":1}', b"[2]"]
    assert {headers["Content-Type"] for _, headers, _ in found} == {"application/json"}
    # OpenAPI 3.2.0, "Multipart Form with Encoding Objects".
    found = multipart(
        {"t": "é", "l": "é", "o": {"k": 1}},
        t=style.part(content_type="text/plain; charset=utf-8"),
        l=style.part(content_type="text/html, text/plain;charset=iso-8859-1"),
        o=style.part(content_type="application/json; profile=x"),
    )
    assert [(headers["Content-Type"], content) for _, headers, content in found] == [
        ("text/plain; charset=utf-8", "é".encode()),
        ("text/plain;charset=iso-8859-1", b"\xe9"),
        ("application/json; profile=x", b'{"k":1}'),
    ]
    latin = {"l": style.part(content_type="text/plain;charset=iso-8859-1")}
    assert "iso-8859-1" in str(refusal("multipart", {"l": "漢"}, None, latin))
    found = multipart(
        {"c": ["a b", "é"], "d": {"k": "a&b"}, "s": ["x", "y"]},
        c=style.part(explode=False),
        d=style.part(style="deepObject"),
        s=style.part(style="spaceDelimited"),
    )
    assert [(name, content) for name, _, content in found] == [
        ("c", "a b,é".encode()),
        ("d[k]", b"a&b"),
        ("s", b"x y"),
    ]
    assert "comma" in str(
        refusal("multipart", {"c": ["a,b"]}, None, {"c": style.part(explode=False)})
    )


@table(
    "value, listed, content_type, filename",
    (base64_of(PNG), None, "application/octet-stream", "f"),
    (base64_of(PNG), "image/png, image/jpeg", "image/png", "f.png"),
    (base64_of(JPEG), "image/png, image/jpeg", "image/jpeg", "f.jpg"),
    (base64_of(JPEG), "image/*", "image/jpeg", "f.jpg"),
    (base64_of(b"?"), "image/png, image/jpeg", "image/png", "f.png"),
    (base64_of(b"?"), "image/*", "application/octet-stream", "f"),
    (f"data:image/gif;base64,{base64_of(JPEG)}", "image/*", "image/gif", "f.gif"),
    (f"data:text/html;base64,{base64_of(PNG)}", "image/png, image/gif", "image/png", "f.png"),
    ("data:text/csv;name=a%20b.csv,x,y", None, "text/csv", "a b.csv"),
    ("data:,x", None, "application/octet-stream", "f"),
    ("file:a.pdf", None, "application/pdf", "a.pdf"),
    (base64_of(PNG), "no type\r\nX: y", "image/png", "f.png"),
)
def test_multipart_files(tmp_path, value, listed, content_type, filename):
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1")
    part = style.part(binary=True, content_type=listed)
    body = encode_body("multipart", {"f": value}, None, {"f": part}, tmp_path)
    ((_, headers, _),) = parts_of(body.content_type or "", body.content)
    assert headers == {
        "Content-Disposition": f'form-data; name="f"; filename="{filename}"',
        "Content-Type": content_type,
    }


@table(
    "media_type, value, expected",
    ("multipart/related", {"a": {"b": 1}, "c": "d"}, '; type="application/json"; boundary='),
    ("Multipart/Related", ["é", {}], '; type="text/plain"; boundary='),
    ("multipart/related; boundary=x", {"a": "d"}, '; type="text/plain"; boundary='),
    ('multipart/related; Type="a/b"', {"a": {}}, '; Type="a/b"; boundary='),
    ("multipart/related", {}, "; boundary="),
    ("multipart/mixed", {"a": {}}, "; boundary="),
)
def test_related_parts_name_the_type_of_the_first(media_type, value, expected):
    """RFC 2387 3.1: "The type parameter must be specified"."""
    found = encode_body("multipart", value, media_type).content_type or ""
    assert found.rpartition("=")[0] + "=" == media_type.partition(";")[0] + expected


def test_names_and_boundaries_cannot_break_out():
    body = encode_body("multipart", {'a"\r\nX: y': "v"}).content
    assert b'name="a%22%0D%0AX: y"\r\n' in body
    body = encode_body("multipart", {"a\\": "v"}).content
    assert b'name="a%5C"\r\n' in body  # some would read `\"` as a quotation mark inside
    value = "data:text/plain;name=a%22%0Ab,x"
    body = encode_body("multipart", {"f": value}, None, {"f": style.part(binary=True)}).content
    assert b'filename="a%22%0Ab"\r\n' in body
    first = encode_body("multipart", {"a": "x"})
    assert encode_body("multipart", {"a": "x"}) == first
    boundary = (first.content_type or "").partition("boundary=")[2]
    second = encode_body("multipart", {"a": f"--{boundary}--"})
    assert boundary not in (second.content_type or "")
    assert parts_of(second.content_type or "", second.content)[0][2] == f"--{boundary}--".encode()


@quick
@given(st.dictionaries(st.text('abcé "\n', min_size=1), st.binary(), max_size=4))
def test_multipart_carries_any_bytes(value):
    encoded = {name: base64_of(content) for name, content in value.items()}
    found = multipart(encoded, **dict.fromkeys(value, style.part(binary=True)))
    assert [content for _, _, content in found] == list(value.values())
