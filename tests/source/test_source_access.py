"""What a reference must not reach, and the folders beside a document that it may."""

import os
from pathlib import Path

import pytest
from documents import load, refusal
from tables import table
from written_documents import referring, write

from mcpgen.diagnostics import Diagnostics, GenerationError, render
from mcpgen.source import fetch
from mcpgen.source.access import Access, Refused
from mcpgen.source.document import ReferenceProblem

SECRET = "TOP-SECRET-VALUE"


@table(
    "reference, code",
    ("http://127.0.0.1:9/x", "remote-reference"),
    ("HTTP://127.0.0.1:9/x", "remote-reference"),
    ("https://example.com/x.json#/a", "remote-reference"),
    ("//127.0.0.1:9/x", "remote-reference"),
    ("http://[::ffff:127.0.0.1]:9/x", "remote-reference"),
    ("http://2130706433/x", "remote-reference"),
    ("http://user:password@example.com/x", "external-reference"),
    ("http://[bad/x", "external-reference"),
    ("http://host:99999999/x", "external-reference"),
    (" http://127.0.0.1:9/x", "external-reference"),
    ("\thttp://127.0.0.1:9/x", "external-reference"),
    ("a.json ", "external-reference"),
    ("http:127.0.0.1:9/x", "external-reference"),
    ("http:///x", "external-reference"),
    ("ftp://127.0.0.1/x", "external-reference"),
    ("file:/etc/passwd", "external-reference"),
    ("FILE:///etc/passwd", "external-reference"),
    ("file://localhost/etc/passwd", "external-reference"),
    ("data:application/json,{}", "external-reference"),
    ("jar:http://127.0.0.1/x!/y", "external-reference"),
    ("python:os", "external-reference"),
    ("C:/windows/win.ini", "external-reference"),
    ("C:\\windows\\win.ini", "external-reference"),
    ("\\\\127.0.0.1\\x", "external-reference"),
    ("..\\x.json", "external-reference"),
    ("%5c%5chost%5cx", "external-reference"),
    ("a%00.json", "external-reference"),
    ("%66ile:///etc/passwd", "external-reference"),
    ("/etc/passwd", "escaping-reference"),
    ("%2fetc/passwd", "escaping-reference"),
    ("../x.json", "escaping-reference"),
    ("%2e%2e/x.json", "escaping-reference"),
    (".%2E/x.json", "escaping-reference"),
    ("../../x/y.json", "escaping-reference"),
    ("a/../../x.json", "escaping-reference"),
    ("../../../../../../../../../../etc/passwd", "escaping-reference"),
    ("../.hidden/x.json", "escaping-reference"),
    ("../near/.hidden/x.json", "escaping-reference"),
    ("../near/../x.json", "escaping-reference"),
)
def test_references_that_are_refused(tmp_path, monkeypatch, reference, code):
    path = referring(tmp_path / "docs" / "api.json", reference)
    monkeypatch.setattr(fetch.Fetcher, "__call__", None)
    found = refusal(path)
    assert found.code == code
    assert repr(reference.partition("#")[0]) in found.message
    assert found.pointer == "/components/schemas/S0/$ref"
    assert found.hint


def test_all_that_would_be_read_from_one_place_is_told_once(tmp_path):
    """What helps is the same for each of them, and a document may take all its types from there."""
    there = "https://example.com/types.json#/"
    path = referring(tmp_path / "api.json", *(f"{there}{name}" for name in "abcdefgh"))
    with pytest.raises(GenerationError) as caught:
        load(path)
    [message] = {found.message for found in caught.value.diagnostics}
    assert message == "the reference 'https://example.com/types.json' leads to another host"


def test_nothing_is_opened_while_a_reference_is_refused(tmp_path):
    write(tmp_path / "good.json", "{ not json")
    path = referring(tmp_path / "api.json", "good.json", "file:///etc/passwd")
    assert refusal(path).code == "external-reference"


def test_a_file_that_is_read_refuses_too(tmp_path):
    write(tmp_path / "sub" / "a.json", {"allOf": [{"$ref": "../../x.json"}, {"$ref": "../b.json"}]})
    write(tmp_path / "b.json", {"type": "string"})
    found = refusal(referring(tmp_path / "api.json", "sub/a.json"))
    assert (found.code, found.pointer) == ("escaping-reference", "/allOf/0/$ref")


def test_an_unreadable_file_is_reported_once_where_it_is(tmp_path):
    write(tmp_path / "a.yaml", "type: string\ntype: string\n")
    found = refusal(referring(tmp_path / "api.json", "a.yaml", "a.yaml#/x", "a.yaml"))
    assert found.code == "duplicate-key"
    assert found.location is not None
    assert found.location.file == str(tmp_path / "a.yaml")


def test_a_symbolic_link_does_not_lead_out(tmp_path):
    secret = write(tmp_path / "outside" / "secret.json", {"type": SECRET})
    folder = tmp_path / "a" / "docs"
    folder.mkdir(parents=True)
    (folder / "link.json").symlink_to(secret)
    (folder / "linked").symlink_to(secret.parent)
    (tmp_path / "a" / "near").symlink_to(secret.parent)
    (folder / "loop.json").symlink_to(folder / "loop.json")
    write(folder / "real.json", {"type": "string"})
    (folder / "inside.json").symlink_to(folder / "real.json")
    for reference in ("link.json", "linked/secret.json", "../near/secret.json"):
        found = refusal(referring(folder / "api.json", reference))
        assert found.code == "escaping-reference"
        assert SECRET not in render(found)
    assert len(load(referring(folder / "api.json", "inside.json")).files) == 2
    with pytest.raises((ReferenceProblem, GenerationError)):
        load(referring(folder / "api.json", "loop.json")).root["components"]["schemas"][
            "S0"
        ].resolve()


def test_a_document_behind_a_symbolic_link(tmp_path):
    write(tmp_path / "real" / "a.json", {"type": "string"})
    referring(tmp_path / "real" / "api.json", "a.json")
    (tmp_path / "folder").symlink_to(tmp_path / "real")
    assert len(load(tmp_path / "folder" / "api.json").files) == 2


def test_the_references_of_a_document_that_is_a_link_start_where_the_link_is(tmp_path):
    """The place that the user named (RFC 3986 5.1.3), whatever else it is on the disk."""
    write(tmp_path / "here" / "a.json", {"type": "string"})
    (tmp_path / "here" / "api.json").symlink_to(
        referring(tmp_path / "there" / "real.json", "a.json")
    )
    document = load(tmp_path / "here" / "api.json")
    assert document.root["components"]["schemas"]["S0"].resolve().value == {"type": "string"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.json")
    document = load(referring(tmp_path / "api.json", "pipe.json"))
    with pytest.raises(ReferenceProblem, match="no such file"):
        document.root["components"]["schemas"]["S0"].resolve()


def test_a_reference_that_no_file_can_be_called_is_dangling(tmp_path):
    document = load(referring(tmp_path / "api.json", "a" * 300, f"{'a' * 300}.json"))
    for name in ("S0", "S1"):
        with pytest.raises(ReferenceProblem, match="leads nowhere"):
            document.root["components"]["schemas"][name].resolve()


def test_no_folder_is_beside_that_of_who_has_no_home(tmp_path, monkeypatch):
    """As in a container whose user has no name: which folders are shared is not known."""

    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    write(tmp_path / "models" / "pet.json", {"type": "object"})
    path = referring(tmp_path / "spec" / "api.json", "../models/pet.json")
    monkeypatch.setattr(Path, "home", nowhere)
    assert refusal(path).code == "escaping-reference"


def test_a_folder_beside_the_documents_own(tmp_path):
    write(tmp_path / "models" / "pet.json", {"type": "object", "items": {"$ref": "./tag.json"}})
    write(tmp_path / "models" / "tag.json", {"enum": ["a"]})
    write(tmp_path / "spec" / "own.json", {"$ref": "../models/tag.json"})
    path = referring(tmp_path / "spec" / "api.json", "../models/pet.json", "own.json")
    found = Diagnostics()
    assert len(load(path, found).files) == 4
    assert [(item.code, item.severity) for item in found.items] == [
        ("reference-outside-folder", "note")
    ]
    assert "'models'" in found.items[0].message
    assert refusal(path, root=path.parent).code == "escaping-reference"
    assert len(load(path, root=tmp_path).files) == 4


@table(
    "place, value",
    ("callbacks", {"{$url}": {"post": {}}, "x-note": "of ours"}),
    ("callbacks", {"{$url}": "post"}),
    ("responses", {"200": {"description": "ok"}, "x-note": 1}),
    ("responses", {"200": 1}),
)
def test_maps_are_read_from_there_with_their_extensions(tmp_path, place, value):
    write(tmp_path / "near" / "x.json", value)
    held = {"$ref": "../near/x.json"}
    operation = {place: held if place == "responses" else {"ping": held}}
    document = {"openapi": "3.1.0", "paths": {"/a": {"get": operation}}}
    path = write(tmp_path / "docs" / "api.json", document)
    if "x-note" in value:
        assert len(load(path).files) == 2
    else:
        assert refusal(path).code == "escaping-reference"


@table(
    "text",
    f'{{"password": "{SECRET}"}}',
    f'["{SECRET}"]',
    SECRET,
    f"password: {SECRET}\n: [",
    f"{{{SECRET}",
    f"description: {SECRET}",
)
def test_only_an_api_description_is_read_from_there(tmp_path, text):
    write(tmp_path / "near" / "x.json", text)
    path = referring(tmp_path / "docs" / "api.json", "../near/x.json")
    found = refusal(path)
    assert found.code == "escaping-reference"
    assert SECRET not in render(found)


def test_what_is_read_from_there_may_refer_to_what_says_little(tmp_path):
    little = {"description": "Any."}
    pet = {"properties": {"a": {"$ref": "#/any"}, "b": {"$ref": "./other.json#/any"}}}
    write(tmp_path / "models" / "pets.json", {"pet": pet, "any": little})
    write(tmp_path / "models" / "other.json", {"any": little})
    path = referring(tmp_path / "spec" / "api.json", "../models/pets.json#/pet")
    found = Diagnostics()
    assert len(load(path, found).files) == 3
    assert [item.code for item in found.items] == ["reference-outside-folder"]


@pytest.mark.parametrize("shared", ["home", "above home", "temporary", "writable"])
def test_a_folder_that_all_kinds_of_things_share(tmp_path, monkeypatch, shared):
    write(tmp_path / "near" / "x.json", {"type": "string"})
    path = referring(tmp_path / "docs" / "api.json", "../near/x.json")
    if shared == "home":
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.setenv("USERPROFILE", str(tmp_path))
    elif shared == "above home":
        monkeypatch.setenv("HOME", str(tmp_path / "user" / "me"))
        monkeypatch.setenv("USERPROFILE", str(tmp_path / "user" / "me"))
    elif shared == "temporary":
        monkeypatch.setenv("TMPDIR", str(tmp_path))
    else:
        tmp_path.chmod(0o1777)
    assert refusal(path).code == "escaping-reference"


@table(
    "reference, place",
    ("models/a.yaml", "https://h.example/api/models/a.yaml"),
    ("./a.yaml", "https://h.example/api/a.yaml"),
    ("https://h.example/api/a.yaml", "https://h.example/api/a.yaml"),
    ("https://H.example:443/api/a.yaml", "https://H.example:443/api/a.yaml"),
    ("../a.yaml", "escaping-reference"),
    ("/a.yaml", "escaping-reference"),
    ("x/../../a.yaml", "escaping-reference"),
    ("x/%2e%2e/%2e%2e/a.yaml", "escaping-reference"),
    ("//other.example/api/a.yaml", "remote-reference"),
    ("http://h.example/api/a.yaml", "remote-reference"),
    ("https://h.example:8443/api/a.yaml", "remote-reference"),
    ("https://h.example@other.example/api/a.yaml", "external-reference"),
    ("file:///etc/passwd", "external-reference"),
    ("ftp://h.example/api/a.yaml", "external-reference"),
)
def test_references_of_a_document_from_a_url(reference, place):
    home = "https://h.example/api/openapi.yaml"
    access = Access(home, None, allow_remote=False)
    if place.startswith("http"):
        assert access.locate(home, reference) == place
        return
    with pytest.raises(Refused) as caught:
        access.locate(home, reference)
    assert caught.value.code == place


def test_a_remote_file_reaches_no_local_one(tmp_path):
    access = Access(tmp_path / "api.json", None, allow_remote=True)
    remote = "https://h.example/a.json"
    assert access.locate(tmp_path / "api.json", remote) == remote
    assert access.locate(remote, "b.json") == "https://h.example/b.json"
    for reference in ("file:///etc/passwd", "C:/x.json"):
        with pytest.raises(Refused):
            access.locate(remote, reference)


@pytest.mark.parametrize("keyword", ["$dynamicRef", "$recursiveRef"])
@pytest.mark.parametrize("fragment", ["#/stringData/password", "#/stringData", ""])
def test_a_dynamic_reference_takes_no_more_from_there_than_another(tmp_path, keyword, fragment):
    write(tmp_path / "near" / "x.yaml", f"stringData:\n  password: {SECRET}\n")
    schemas = {"A": {keyword: f"../near/x.yaml{fragment}"}}
    document = {"openapi": "3.1.0", "paths": {}, "components": {"schemas": schemas}}
    found = refusal(write(tmp_path / "docs" / "api.json", document))
    assert (found.code, found.pointer) == ("escaping-reference", f"/components/schemas/A/{keyword}")
    assert SECRET not in render(found)


def test_what_a_dynamic_reference_leads_to_is_scanned(tmp_path):
    write(tmp_path / "docs" / "own.json", {"items": {"$ref": "../near/x.yaml#/data"}})
    write(tmp_path / "near" / "x.yaml", f"data:\n  password: {SECRET}\n")
    schemas = {"A": {"$dynamicRef": "own.json"}}
    document = {"openapi": "3.1.0", "paths": {}, "components": {"schemas": schemas}}
    assert refusal(write(tmp_path / "docs" / "api.json", document)).code == "escaping-reference"


def test_nothing_of_a_borrowed_file_is_suggested_or_repeated(tmp_path):
    text = f"schema: {{type: string, description: {SECRET}, description: b}}\n{SECRET}: 1\n"
    write(tmp_path / "near" / "x.yaml", text)
    references = ("../near/x.yaml#/schema", f"../near/x.yaml#/{SECRET.lower()}")
    found = Diagnostics()
    document = load(referring(tmp_path / "docs" / "api.json", *references), found)
    with pytest.raises(ReferenceProblem) as caught:
        document.root["components"]["schemas"]["S1"].resolve()
    items = (*found.items, caught.value.diagnostic)
    assert "repeated-key" in [item.code for item in items]
    assert not any(SECRET in render(item) for item in items)
