"""What may be read: files and standard input, within limits."""

import io
import os
import sys
import time
from pathlib import Path

import pytest
from documents import load, refusal
from tables import table
from written_documents import referring, write

from mcpgen import source
from mcpgen.diagnostics import Diagnostics, render
from mcpgen.source.limits import Limits


@table(
    "data, code, line",
    (b"", "empty-document", 1),
    (b"# nothing\n# here\n", "empty-document", 1),
    (b"\n- a\n", "not-an-object", 2),
    (b"just a text", "not-an-object", 1),
    (b"[1]", "not-an-object", 1),
    (b"42", "not-an-object", 1),
    (b"true", "not-an-object", 1),
    (b"a: 1\nb: \xff\n", "encoding", 2),
    (b"# c\n<html>", "not-a-document", 2),
    (b"a: 1\nb: 2\na: 3\n", "duplicate-key", 3),
    (b"a: [1,\nb: {", "yaml-syntax", 2),
    (b"a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> other\n", "conflict-marks", 2),
    (b'{"a": 1,\n<<<<<<< HEAD\n"b": 2\n=======\n"b": 3\n>>>>>>> o\n}', "conflict-marks", 2),
    (b"a: 1\n--- \nb: 1", "yaml-documents", 2),
)
def test_what_is_no_document(tmp_path, data, code, line):
    path = tmp_path / "api.yaml"
    path.write_bytes(data)
    found = refusal(path)
    assert found.code == code
    assert found.location is not None
    assert (found.location.file, found.location.line) == (str(path), line)
    assert f"{path}:{line}:" in render(found)


def test_marks_that_nothing_ends_are_passed_over_in_a_moment(tmp_path):
    start = time.process_time()
    path = write(tmp_path / "api.yaml", "a: [\n" + "<<<<<<< x\n" * 10_000)
    assert refusal(path).code == "yaml-syntax"
    assert time.process_time() - start < 3


def test_a_duplicate_key_names_both_lines(tmp_path):
    found = refusal(write(tmp_path / "api.yaml", "a: 1\nb: 2\na: 3\n"))
    assert "first in line 1" in found.message


@table(
    "name, code",
    ("missing.yaml", "not-found"),
    (".", "not-a-file"),
    ("", "not-found"),
    ("a\0b", "not-found"),
    ("a" * 300, "unreadable"),
    ("ftp://x.test/api.yaml", "not-a-document"),
)
def test_what_cannot_be_opened(tmp_path, monkeypatch, name, code):
    monkeypatch.chdir(tmp_path)
    found = refusal(name)
    assert (found.code, found.message[:11]) == (code, "cannot read")


def test_the_budget_of_bytes(tmp_path):
    path = write(tmp_path / "api.yaml", "a: 1\n" + "#" * 1000)
    assert load(path, max_bytes=1005)
    found = refusal(path, max_bytes=1004)
    assert found.code == "too-large"
    assert "--max-source-bytes" in found.hint
    referring(tmp_path / "two.json", "api.yaml")
    size = (tmp_path / "two.json").stat().st_size
    assert load(tmp_path / "two.json", max_bytes=size + 1005)
    found = refusal(tmp_path / "two.json", max_bytes=size + 1004)
    assert (found.code, found.pointer) == ("too-large", "/components/schemas/S0/$ref")


def test_the_number_of_files(tmp_path):
    for name in "abc":
        write(tmp_path / f"{name}.json", {})
    path = referring(tmp_path / "api.json", "a.json", "b.json", "c.json")
    assert load(path, max_files=4)
    assert refusal(path, max_files=3).code == "too-many-files"


def test_a_file_a_second_is_told_of(tmp_path):
    """A document of a thousand files would bury what is said of it below as many lines."""
    names = [f"{i}.json" for i in range(50)]
    for name in names:
        write(tmp_path / name, {})
    path = referring(tmp_path / "api.json", *names)
    told: list[str] = []
    source.load(str(path), diagnostics=Diagnostics(), progress=told.append)
    assert 3 <= len(told) <= 5
    assert Path(told[2]).name == "0.json"


def test_limits_hold_for_every_file(tmp_path):
    write(tmp_path / "a.json", [[[["a"]]]])
    path = referring(tmp_path / "api.json", "a.json", "a.json#/0")
    assert load(path, limits=Limits(max_values=13))
    assert refusal(path, limits=Limits(max_values=12)).code == "too-many-values"
    assert refusal(path, limits=Limits(max_values=4)).code == "too-many-values"
    assert load(path, limits=Limits(max_depth=4))
    write(tmp_path / "a.json", [[[[["a"]]]]])
    found = refusal(path, limits=Limits(max_depth=4))
    assert found.location is not None
    assert (found.code, Path(found.location.file).name) == ("too-deep", "a.json")


def test_standard_input(monkeypatch):
    stdin = io.TextIOWrapper(io.BytesIO(b"openapi: 3.1.0\n"))
    monkeypatch.setattr(sys, "stdin", stdin)
    document = load("-")
    assert document.root.value == {"openapi": "3.1.0"}
    assert document.root.location.file == "-"


def test_standard_input_with_nothing_in_it_is_named(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    found = refusal("-")
    assert (found.code, "standard input" in found.hint) == ("empty-document", True)


def test_standard_input_has_no_folder(tmp_path, monkeypatch):
    write(tmp_path / "a.json", {"type": "string"})
    text = referring(tmp_path / "api.json", "a.json").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert refusal("-").code == "escaping-reference"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    document = load("-", root=tmp_path)
    assert list(document.hashes) == ["-", "a.json"]  # the same on every machine


def test_what_standard_input_names_and_is_not_there_is_known(tmp_path, monkeypatch):
    text = referring(tmp_path / "api.json", "b/lost.json").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert load("-", root=tmp_path).hashes["b/lost.json"] == ""


def test_standard_input_of_more_than_the_budget(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"openapi: 3.1.0\n")))
    assert refusal("-", max_bytes=14).code == "too-large"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs a file without an end")
def test_a_file_that_does_not_say_how_large_it_is():
    assert refusal("/dev/zero", max_bytes=14).code == "too-large"


def test_names_are_relative_as_the_user_gave_them(tmp_path, monkeypatch):
    write(tmp_path / "docs" / "a" / "s.json", {"type": "string"})
    referring(tmp_path / "docs" / "api.json", "a/s.json", "./a/../a/s.json")
    monkeypatch.chdir(tmp_path)
    document = load("docs/api.json")
    assert list(document.files) == ["docs/api.json", os.path.join("docs", "a", "s.json")]
