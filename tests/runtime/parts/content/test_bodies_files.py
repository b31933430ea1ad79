"""Binary arguments: base64, data: URIs, and files of one folder only."""

import base64
import os
import socket
from pathlib import Path
from typing import Any

import pytest
from tables import table

from mcpgen.runtime import ArgumentError
from mcpgen.runtime.bodies.encoding import encode_body
from mcpgen.runtime.parts.content.files import _inside, read_blob
from mcpgen.runtime.values.arguments import Limits


def content(value: Any, root: Path | None = None, limits: Limits | None = None) -> bytes:
    return encode_body("binary", value, None, None, root, limits or Limits()).content


def refusal(value: Any, root: Path | None = None, limits: Limits | None = None) -> str:
    with pytest.raises(ArgumentError) as caught:
        content(value, root, limits)
    assert caught.value.argument == "body"
    return str(caught.value)


@pytest.mark.parametrize("raw", [b"", b"a", b"ab", b"abc", b"\xff\xfe\xfb", bytes(range(256))])
def test_base64_in_every_dress(raw):
    plain = base64.b64encode(raw).decode()
    safe = base64.urlsafe_b64encode(raw).decode()
    wrapped = "\r\n".join(plain[at : at + 76] for at in range(0, len(plain), 76))
    indented = f"\n  {wrapped}\n".replace("\r\n", " \n  ")
    for text in (plain, safe, plain.rstrip("="), wrapped, indented, f"data:;base64,{plain}"):
        assert content(text) == raw
    assert content(raw) == raw


@table(
    "uri, expected",
    ("data:,hello%20world", b"hello world"),
    ("data:text/plain;charset=utf-8,h%C3%A9", "hé".encode()),
    ("data:text/plain;charset=UTF-8,hé 100%25\nå", "hé 100%\nå".encode()),
    ("data:,hé", "hé".encode()),
    ("DATA:application/octet-stream;BASE64,aGk=", b"hi"),
    ("data:x;base64,aGk%3D", b"hi"),
    ("data:,a,b;c", b"a,b;c"),
)
def test_data_uris(uri, expected):
    assert content(uri) == expected


@table(
    "uri, kind",
    ("data:,x", None),
    ("data:image/png;base64,aGk=", "image/png"),
    ("data:text/csv;charset=utf-8;name=a%20b.csv,x", "text/csv;charset=utf-8"),
    ("data:;charset=utf-8,x", "text/plain;charset=utf-8"),
    ("data:no type,x", None),
)
def test_the_type_of_a_data_uri(uri, kind):
    assert read_blob("file", uri, None, Limits()).content_type == kind


@table(
    "value",
    *["hello", "not base64!", "a b c=d", "hello world", "report", "é"],
    *["data:no comma", "data:;charset=latin1,é", "data:;base64,é", 5, {}],
)
def test_what_is_not_binary_is_refused_with_advice(value):
    text = refusal(value)
    assert "data:" in text


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "root"
    (folder / "deep").mkdir(parents=True)
    (folder / "a b.txt").write_bytes(b"inside")
    (folder / "deep" / "c.bin").write_bytes(b"deep")
    (tmp_path / "secret").write_bytes(b"secret")
    (tmp_path / "root-not").mkdir()
    (tmp_path / "root-not" / "x").write_bytes(b"secret")
    (folder / "out").symlink_to(tmp_path / "secret")
    (folder / "up").symlink_to(tmp_path)
    (folder / "in").symlink_to(folder / "deep" / "c.bin")
    return folder


def test_files_inside_the_folder(root):
    assert content((root / "a b.txt").as_uri(), root) == b"inside"
    assert content(f"file://localhost{root}/deep/../a%20b.txt", root) == b"inside"
    assert content("file:deep/c.bin", root) == b"deep"
    assert content("FILE:in", root) == b"deep"
    link = root.parent / "link"
    link.symlink_to(root)
    assert content("file:in", link) == b"deep"
    assert content((root / "in").as_uri(), link) == b"deep"


@table(
    "name",
    *["file:../secret", "file:..%2Fsecret", "file:deep/../../secret", "file:out"],
    *["file:up/secret", "file:///etc/passwd", "file:/etc/passwd", "file:../root-not/x"],
    *["file:missing", "file:a%00b", "file:deep", "file:.", "file:", "file://"],
    *["file://host/a b.txt", "file:a b.txt?x", "file:%ff"],
)
def test_everything_else_is_refused(root, name):
    assert "secret" not in refusal(name, root).replace(name, "")
    assert str(root) not in refusal(name, root)


def test_without_a_folder_no_file_is_read(root):
    for none in (None, ""):
        with pytest.raises(ArgumentError, match="reads no files"):
            encode_body("binary", (root / "a b.txt").as_uri(), file_root=none)


def test_only_regular_files_are_read(root, monkeypatch):
    os.mkfifo(root / "pipe")
    assert "regular" in refusal("file:pipe", root)
    with socket.socket(socket.AF_UNIX) as listening:
        monkeypatch.chdir(root)  # its whole path may be longer than that of a socket may be
        listening.bind("socket")
        assert "cannot be read" in refusal("file:socket", root)


def test_the_size_of_a_file_is_limited_apart_from_the_body(root):
    small = Limits(body=3, file=6)
    assert content("file:a%20b.txt", root, small) == b"inside"
    assert "more than 5 bytes" in refusal("file:a%20b.txt", root, Limits(file=5))


@pytest.mark.parametrize("part", ["deep", "deep/c.bin"])
def test_a_link_that_takes_a_parts_place_before_the_file_is_opened_is_not_followed(
    root, part, monkeypatch
):
    """Who may write into the folder could read whatever the server can."""

    def swapped(argument, uri, folder):
        found = _inside(argument, uri, folder)
        (root / part).rename(root.parent / "aside")
        (root / part).symlink_to(root.parent / "aside")
        return found

    monkeypatch.setattr("mcpgen.runtime.parts.content.files._inside", swapped)
    assert "cannot be read" in refusal("file:deep/c.bin", root)
