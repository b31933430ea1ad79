"""Answers that are images, audio, other bytes, or several parts, as content blocks."""

from base64 import b64decode, b64encode, encodebytes

import pytest
from pictures import GIF, JPEG, PNG, WAV, WEBP, png
from tables import table

from mcpgen.runtime.results.blobs import Blob
from mcpgen.runtime.values.errors import ToolError

from ..mapping import LIMIT, PLAIN, result_of, texts


@pytest.mark.parametrize("content", [b"a\x00b", b"\x01\x02", b"PK\x03\x04", b"\xff"])
async def test_bytes_that_are_no_text_are_binary_where_text_was_declared(content):
    result = await result_of(content, "application/x-unknown")
    assert result["content"][0]["type"] == "resource"
    assert b64decode(result["content"][0]["resource"]["blob"]) == content


async def test_bytes_and_text_of_other_types():
    result = await result_of(b"a,b\r\n1,2", "application/x-csv", accept="text/csv")
    assert texts(result)[0] == "a,b\r\n1,2"
    declared = await result_of(b"a,b", "application/x-csv", accept="application/x-csv, text/csv")
    assert declared["content"][0]["type"] == "resource"
    result = await result_of(b"\xff\xfe\xfd\0", None)
    assert result["content"][0]["type"] == "resource"


PARTED = "multipart/mixed; boundary=b"


@pytest.mark.parametrize(("sent", "kind"), [(b"v=0", "text"), (bytes(range(128, 160)), "resource")])
async def test_a_part_is_text_where_its_type_promises_that_or_its_bytes_are(sent, kind):
    body = b"--b\r\nContent-Type: application/sdp\r\n\r\n%s\r\n--b--" % sent
    result = await result_of(body, PARTED, accept="multipart/mixed")
    assert [block["type"] for block in result["content"]] == [kind]


@pytest.mark.parametrize(("sent", "meant"), [(b"UEsD\r\nBA==", b"PK\3\4"), (b"%", b"%")])
async def test_a_part_in_base64_is_what_it_stands_for(sent, meant):
    head = b"--b\r\nContent-Type: application/zip\r\nContent-Transfer-Encoding: Base64\r\n\r\n"
    result = await result_of(head + sent + b"\r\n--b--", PARTED, accept="multipart/mixed")
    assert b64decode(result["content"][0]["resource"]["blob"]) == meant


@table(
    "count, limit, said",
    (199, LIMIT, ""),
    (201, LIMIT, "Only the first 200 of more than 200 parts are"),
    (10, 56, "Only the first 4 of 10 parts are"),
    (2, 8, "5 of 10 characters (all: about 2 tokens). Only the first 1 of 2 parts are shown"),
)
async def test_parts_beyond_the_cap_are_said_to_be_left_out(count, limit, said):
    body = b"--b\r\n\r\n0123456789\r\n" * count + b"--b--"
    *shown, note = texts(await result_of(body, PARTED, accept="multipart/mixed", limit=limit))
    if said:
        assert said in note
        assert "SHOP_MAX_RESULT_BYTES" in note
        assert sum(map(len, shown)) <= limit
    else:
        assert len(shown) + 1 == count


async def test_parts_are_read_as_answers_are():
    head = b"--b\r\nContent-Type: application/json; charset=ISO-8859-1\r\n\r\n"
    body = head + '"Ærø"'.encode() + b"\r\n--b--"
    assert texts(await result_of(body, PARTED, accept="multipart/mixed")) == ['"Ærø"']
    body = b"--b\nContent-Type: text/plain\n\none\ntwo\r\nthree\n--b\n\nplain\n--b--\n"
    result = await result_of(body, PARTED, accept="multipart/mixed")
    assert texts(result) == ["one\ntwo\r\nthree", "plain"]
    result = await result_of(b"hello", "multipart/mixed; boundary=b", accept="multipart/mixed")
    assert texts(result)[0] == "hello"
    assert "boundary" in texts(result)[1]


@table(
    "named, content, found",
    ("image/jpg", PNG, "image/png"),
    ("image/bmp", JPEG, "image/jpeg"),
    ("image/tiff", GIF, "image/gif"),
    ("image/png", WEBP, "image/webp"),
    ("audio/mp3", b"OggS", "audio/ogg"),
)
async def test_an_image_or_a_sound_is_what_its_bytes_are(named, content, found):
    """Models' APIs refuse an image of another type than it is named, in every further call."""
    tool = {**PLAIN, "outputSchema": {"type": "object"}}
    result = await result_of(content, named, tool=tool, accept="*/*")
    shown, note = result["content"]
    assert (shown["type"], shown["mimeType"]) == (found.partition("/")[0], found)
    assert b64decode(shown["data"]) == content
    assert result["structuredContent"]["mimeType"] == found
    assert f"although its bytes are {found}" in note["text"]


@table(
    "named, content, usual",
    ("image/jpg", JPEG, "image/jpeg"),
    ("image/x-png", PNG, "image/png"),
    ("image/*", GIF, "image/gif"),
    ("image/x-unknown", WEBP, "image/webp"),
    ("audio/mp3", b"ID3\x03", "audio/mpeg"),
    ("audio/mpeg", b"\xff\xf3\x40", "audio/mpeg"),
    ("audio/x-wav", WAV, "audio/wav"),
    ("audio/opus", b"OggS", "audio/ogg"),
)
async def test_another_name_of_the_same_is_the_usual_one(named, content, usual):
    (shown,) = (await result_of(content, named, accept="*/*"))["content"]
    assert (shown["mimeType"], b64decode(shown["data"])) == (usual, content)


@pytest.mark.parametrize("wrapped", [False, True])
async def test_an_image_that_is_carried_as_base64_is_the_image(wrapped):
    text = encodebytes(PNG).replace(b"\n", b"\r\n") if wrapped else b64encode(PNG)
    tool = {**PLAIN, "outputSchema": {"type": "object"}}
    result = await result_of(text, "image/png", tool=tool, accept="image/png")
    (shown,) = result["content"]
    assert b64decode(shown["data"]) == PNG
    assert result["structuredContent"] == {"mimeType": "image/png", "bytes": len(PNG)}


TIFF = b"II*\0\x08\0\0\0"
NO_MODEL = "models accept pictures that are PNG, JPEG, GIF or WebP"


@table(
    "named, content, media, said",
    ("image/tiff", TIFF, "image/tiff", NO_MODEL),
    ("image/bmp", b"BM\0\0", "image/bmp", NO_MODEL),
    ("image/x-icon", b"\0\0\1\0", "image/x-icon", NO_MODEL),
    ("image/heic", b"\0\0\0\x18ftypheic\0\xff", "image/heic", NO_MODEL),
    ("image/avif", b"\0\0\0\x18ftypavif", "image/avif", NO_MODEL),
    ("image/vnd.adobe.photoshop", b"8BPS\0\1", "image/vnd.adobe.photoshop", NO_MODEL),
    ("image/x-canon-cr2", TIFF, "image/x-canon-cr2", NO_MODEL),
    ("image/svgz", b"\x1f\x8b\0", "image/svgz", NO_MODEL),
    ("image/*", TIFF, "image/tiff", NO_MODEL),
    ("image/png", TIFF, "image/tiff", "although its bytes are image/tiff"),
    ("image/png", b"%PDF-1.7", "application/pdf", "although its bytes are application/pdf"),
    ("image/png", b"\0\1\2\xff", "application/octet-stream", "but its bytes are something else"),
    ("image/*", b"\0\1\2\xff", "application/octet-stream", "but its bytes are something else"),
    ("image/png", PNG[:20], "application/octet-stream", "but the picture is incomplete"),
    ("image/jpeg", JPEG[:20], "application/octet-stream", "but the picture is incomplete"),
    ("image/jpeg", b"\xff\xd8" + b"\xff\xfe\0\2" * 3000, "application/octet-stream", "incomplete"),
    ("image/gif", GIF[:7], "application/octet-stream", "but the picture is incomplete"),
    ("image/webp", WEBP[:16] + b"\0", "application/octet-stream", "the picture is incomplete"),
    ("image/webp", b"RIFF\0\0\0\0WEBPVP9 ", "application/octet-stream", "is incomplete"),
    ("image/png", png(8001, 1), "image/png", "it has 8,001 x 1 pixels"),
    ("image/png", png(9000, 9000), "image/png", "it has 9,000 x 9,000 pixels"),
    ("image/gif", b"GIF89a\x41\x1f\1\0", "image/gif", "it has 8,001 x 1 pixels"),
    ("image/png", png(0, 1), "image/png", "it has 0 x 1 pixels"),
    ("audio/mp4", b"\0\0\0\x18ftypM4A \0", "audio/mp4", "models accept sounds that are WAV"),
    ("audio/mpeg", b"\0\1\xff", "application/octet-stream", "but its bytes are something else"),
)
async def test_what_no_model_takes_as_a_picture_or_sound_is_a_file(named, content, media, said):
    """One picture that a model's API refuses ends the conversation."""
    block, note = (await result_of(content, named, accept="*/*"))["content"]
    assert (block["type"], block["resource"]["mimeType"]) == ("resource", media)
    assert b64decode(block["resource"]["blob"]) == content
    assert said in note["text"]


def webp(form: bytes, rest: bytes) -> bytes:
    """A WebP header."""
    return b"RIFF\0\0\0\0WEBP" + form + b"\0\0\0\0" + rest


@table(
    "content, is_shown",
    (png(8000, 8000), True),
    (GIF[:6] + b"\x40\x1f\x40\x1f", True),
    (webp(b"VP8X", b"\0\0\0\0" + b"\x3f\x1f\0" * 2), True),
    (webp(b"VP8X", b"\0\0\0\0" + b"\x40\x1f\0\0\0\0"), False),
    (webp(b"VP8L", b"\x2f" + (7999 | 7999 << 14).to_bytes(4, "little")), True),
    (webp(b"VP8L", b"\x2f" + (8000 << 14).to_bytes(4, "little")), False),
    (webp(b"VP8 ", b"\0\0\0\x9d\x01\x2a" + b"\x40\x5f" * 2), True),
    (webp(b"VP8 ", b"\0\0\0\x9d\x01\x2a" + b"\x41\x1f\1\0"), False),
    (b"\xff\xd8\xff\xe0\0\4ab\xff\xff\xc2\0\x0b\x08\x1f\x40\x1f\x40\3", True),
    (b"\xff\xd8\xff\xc4\0\2\xff\xc0\0\x0b\x08\0\1\x1f\x41\3", False),
)
def test_a_side_has_8000_pixels_at_most(content, is_shown):
    assert Blob.of(content, "image/*").is_shown is is_shown


@table(
    "named, content",
    ("image/png", b"<html>Not found</html>"),
    ("image/jpeg", b'{"error": "gone"}'),
    ("image/png", b'<?xml version="1.0"?><svg/>'),
    ("image/*", b"nothing here"),
    ("image/heic", "keine Aufnahme f\u00fcr heute".encode()),
    ("audio/mpeg", b"<html>Not found</html>"),
)
@pytest.mark.parametrize("tool", [PLAIN, {**PLAIN, "outputSchema": {"type": "object"}}])
async def test_text_under_the_type_of_a_picture_or_sound_is_text(named, content, tool):
    result = await result_of(content, named, tool=tool, accept="*/*")
    text, note = texts(result)
    assert text == content.decode()
    assert f"its Content-Type is {named} although it is text" in note
    if tool is not PLAIN:
        assert result["structuredContent"] == {"mimeType": "text/plain", "bytes": len(content)}


async def test_a_picture_that_does_not_fit_is_told_with_its_size_and_type():
    large = PNG + bytes(5 * 1024 * 1024)
    for content, limit, why in (
        (PNG + bytes(1000), 1000, "more than the 875 that this server passes on"),
        (large, 1 << 26, "more than the 5,242,880 that models accept for a picture"),
    ):
        with pytest.raises(ToolError) as refused:
            await result_of(content, "image/png", accept="*/*", limit=limit)
        assert f"{len(content):,} bytes of image/png" in refused.value.message
        assert why in refused.value.message
        assert "result_links" in refused.value.message
    (whole,) = (await result_of(large, "application/zip", accept="*/*", limit=1 << 26))["content"]
    assert whole["resource"]["mimeType"] == "application/zip"
