"""Answers that are images, audio, other bytes, or several parts, as content blocks."""

from __future__ import annotations

from base64 import b64decode
from typing import Any

import pytest

from mcpgen.runtime.values.seams import LOADERS, READERS

from ..mapping import DESCRIBED, LIMIT, PLAIN, result_of, texts

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("tool", [PLAIN, DESCRIBED])
@pytest.mark.parametrize(
    ("content_type", "kind"),
    [("image/png", "image"), ("audio/wav; x=1", "audio")],
)
async def test_images_and_audio_are_blocks(
    content_type: str, kind: str, tool: dict[str, Any]
) -> None:
    result = await result_of(b"\x89PNG\0", content_type, tool=tool, accept="image/*, audio/*")
    block = result["content"][0]
    assert (block["type"], block["mimeType"]) == (kind, content_type.partition(";")[0])
    assert b64decode(block["data"]) == b"\x89PNG\0"
    assert len(result["content"]) == 1


@pytest.mark.parametrize(
    "content_type", ["application/pdf", "video/mp4", "application/octet-stream"]
)
async def test_other_binary_is_an_embedded_resource(content_type: str) -> None:
    result = await result_of(bytes(range(256)), content_type, accept="*/*")
    resource = result["content"][0]["resource"]
    assert resource["mimeType"] == content_type
    assert resource["uri"].startswith("resource://t/")
    assert b64decode(resource["blob"]) == bytes(range(256))


async def test_text_of_another_type_is_text_where_text_was_declared() -> None:
    result = await result_of(b"a,b\r\n1,2", "application/x-csv", accept="text/csv")
    assert texts(result)[0] == "a,b\r\n1,2"
    declared = await result_of(b"a,b", "application/x-csv", accept="application/x-csv, text/csv")
    assert declared["content"][0]["type"] == "resource"


@pytest.mark.parametrize("content", [b"a\x00b", b"\x01\x02", b"PK\x03\x04", b"\xff"])
async def test_bytes_that_are_no_text_are_binary_where_text_was_declared(content: bytes) -> None:
    result = await result_of(content, "application/x-unknown")
    assert result["content"][0]["type"] == "resource"
    assert b64decode(result["content"][0]["resource"]["blob"]) == content


async def test_bytes_without_a_type_are_binary() -> None:
    result = await result_of(b"\xff\xfe\xfd\0", None)
    assert result["content"][0]["type"] == "resource"


MULTIPART = (
    b"preamble\r\n--b\r\nContent-Type: application/json\r\n\r\n{}\r\n"
    b"--b\r\nX: y\r\ncontent-type: image/png\r\n\r\n\x89\r\n\r\n--x\0\r\n"
    b"--b\r\n\r\nplain\r\n--b--\r\nend"
)


@pytest.mark.parametrize("tool", [PLAIN, DESCRIBED])
async def test_multipart_is_a_block_a_part(tool: dict[str, Any]) -> None:
    accept = "multipart/mixed"
    result = await result_of(MULTIPART, 'multipart/mixed; boundary="b"', accept=accept, tool=tool)
    first, second, third = result["content"]
    assert first == {"type": "text", "text": "{}"}
    assert b64decode(second["data"]) == b"\x89\r\n\r\n--x\0"
    assert third == {"type": "text", "text": "plain"}


PARTED = "multipart/mixed; boundary=b"


@pytest.mark.parametrize(("sent", "kind"), [(b"v=0", "text"), (bytes(range(128, 160)), "resource")])
async def test_a_part_is_text_where_its_type_promises_that_or_its_bytes_are(
    sent: bytes, kind: str
) -> None:
    body = b"--b\r\nContent-Type: application/sdp\r\n\r\n%s\r\n--b--" % sent
    result = await result_of(body, PARTED, accept="multipart/mixed")
    assert [block["type"] for block in result["content"]] == [kind]


async def test_a_part_that_is_json_is_read_as_an_answer_that_is_json() -> None:
    head = b"--b\r\nContent-Type: application/json; charset=ISO-8859-1\r\n\r\n"
    body = head + '"Ærø"'.encode() + b"\r\n--b--"
    assert texts(await result_of(body, PARTED, accept="multipart/mixed")) == ['"Ærø"']


async def test_multipart_that_no_document_declares_is_passed_on_as_bytes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(READERS, "multipart", raising=False)
    monkeypatch.delitem(LOADERS, "multipart_answers")
    block = (await result_of(MULTIPART, PARTED, accept="multipart/mixed"))["content"][0]["resource"]
    assert b64decode(block["blob"]) == MULTIPART
    assert block["mimeType"] == "multipart/mixed"


async def test_multipart_whose_lines_end_otherwise_is_not_changed() -> None:
    body = b"--b\nContent-Type: text/plain\n\none\ntwo\r\nthree\n--b\n\nplain\n--b--\n"
    result = await result_of(body, PARTED, accept="multipart/mixed")
    assert texts(result) == ["one\ntwo\r\nthree", "plain"]


@pytest.mark.parametrize(("sent", "meant"), [(b"iVBO\r\nRw==", b"\x89PNG"), (b"%", b"%")])
async def test_a_part_in_base64_is_what_it_stands_for(sent: bytes, meant: bytes) -> None:
    head = b"--b\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: Base64\r\n\r\n"
    result = await result_of(head + sent + b"\r\n--b--", PARTED, accept="multipart/mixed")
    assert b64decode(result["content"][0]["data"]) == meant


@pytest.mark.parametrize(
    ("count", "limit", "said"),
    [
        (199, LIMIT, ""),
        (201, LIMIT, "all but the first 200 of more than 200 parts"),
        (10, 45, "all but the first 4 of 10 parts"),
        (
            2,
            5,
            "5 of 10 characters (all: about 2 tokens). Left out: all but the first 1 of 2 parts",
        ),
    ],
)
async def test_parts_beyond_the_cap_are_said_to_be_left_out(
    count: int, limit: int, said: str
) -> None:
    body = b"--b\r\n\r\n0123456789\r\n" * count + b"--b--"
    *shown, note = texts(await result_of(body, PARTED, accept="multipart/mixed", limit=limit))
    if said:
        assert said in note
        assert "SHOP_MAX_RESULT_BYTES" in note
        assert sum(map(len, shown)) <= limit
    else:
        assert len(shown) + 1 == count


async def test_multipart_that_is_none_is_text() -> None:
    result = await result_of(b"hello", "multipart/mixed; boundary=b", accept="multipart/mixed")
    assert texts(result)[0] == "hello"
    assert "boundary" in texts(result)[1]


@pytest.mark.parametrize(
    ("named", "content", "block", "found"),
    [
        ("image/jpg", b"\x89PNG\r\n\x1a\n", "image", "image/png"),
        ("image/jpeg", b"\x89PNG\r\n\x1a\n", "image", "image/png"),
        ("audio/mp3", b"OggS", "audio", "audio/ogg"),
    ],
)
async def test_an_image_or_a_sound_is_what_its_bytes_are(
    named: str, content: bytes, block: str, found: str
) -> None:
    """Models' APIs refuse an image of another type than it is named, in every further call."""
    tool = {**PLAIN, "outputSchema": {"type": "object"}}
    result = await result_of(content, named, tool=tool, accept="*/*")
    shown, note = result["content"]
    assert (shown["type"], shown["mimeType"], b64decode(shown["data"])) == (block, found, content)
    assert result["structuredContent"]["mimeType"] == found
    assert f"its Content-Type is {named} although its bytes are {found}" in note["text"]


@pytest.mark.parametrize(
    ("named", "content", "usual"),
    [
        ("image/jpg", b"\xff\xd8\xff\xe0", "image/jpeg"),
        ("audio/mp3", b"ID3\x03", "audio/mpeg"),
        ("audio/x-wav", b"RIFF\0\0\0\0WAVE", "audio/wav"),
    ],
)
async def test_another_name_of_the_same_is_the_usual_one(
    named: str, content: bytes, usual: str
) -> None:
    (shown,) = (await result_of(content, named, accept="*/*"))["content"]
    assert (shown["mimeType"], b64decode(shown["data"])) == (usual, content)


@pytest.mark.parametrize("text", [b"iVBORw0KGgo=", b"iVBO\r\nRw0K\r\nGgo=\r\n"])
async def test_an_image_that_is_carried_as_base64_is_the_image(text: bytes) -> None:
    tool = {**PLAIN, "outputSchema": {"type": "object"}}
    result = await result_of(text, "image/png", tool=tool, accept="image/png")
    (shown,) = result["content"]
    assert b64decode(shown["data"]) == b"\x89PNG\r\n\x1a\n"
    assert result["structuredContent"] == {"mimeType": "image/png", "bytes": 8}


@pytest.mark.parametrize(
    ("named", "content"),
    [
        ("image/png", b"aGVsbG8="),
        ("image/png", b"iVBO!Rw0KGgo="),
        ("image/x-icon", b"\0\0\1\0"),
        ("image/png", b"II*\0"[:2]),
        ("image/svgz", b"\x1f\x8b"),
        ("image/x-canon-cr2", b"II*\0"),
        ("audio/opus", b"OggS"),
    ],
)
async def test_bytes_that_say_nothing_of_an_image_keep_its_name(named: str, content: bytes) -> None:
    (shown,) = (await result_of(content, named, accept="*/*"))["content"]
    assert shown["mimeType"] == named
