"""Forms of which the document does not say all: what it leaves open may be a file."""

import email
from typing import Any

import pytest

from .servers import Server, packaged, read

FILE = "data:text/csv;name=a.csv;base64,YSxi"


@pytest.fixture(scope="module", params=["3.0.3", "3.1.0"])
def forms(request, upstream, tmp_path_factory):
    title = "New forms" if request.param == "3.1.0" else "Forms"
    info = {"title": title, "version": "1"}
    document = {**read("free-forms"), "info": info, "openapi": request.param}
    return packaged(document, tmp_path_factory.mktemp("forms"), upstream)


def parts(server: Server, tool: str, arguments: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Name, file name, Content-Type and content of each part."""
    request = server.call(tool, arguments).request
    head = f"Content-Type: {request.header('Content-Type')}\r\n\r\n".encode()
    message = email.message_from_bytes(head + request.body)
    return [
        (
            part.get_param("name", header="content-disposition"),
            part.get_filename(),
            part.get("Content-Type"),
            part.get_payload(decode=True),
        )
        for part in message.get_payload()
    ]


@pytest.mark.parametrize("tool", ["nothing", "empty", "object_", "mixed"])
def test_any_field_may_be_a_file(forms, tool):
    file, note = parts(forms, tool, {"body": {"file": FILE, "note": "n"}})
    assert file == ("file", "a.csv", "text/csv", b"a,b")
    assert (note[0], note[1], note[3]) == ("note", None, b"n")
    body = forms.arguments(tool)["body"]
    assert "A data: URI or a file:// URI is sent as a file" in str(body)
    assert "object" in body["type"]


def test_parts_and_further_fields(forms):
    untyped = parts(forms, "untyped", {"file": FILE})
    is_new = forms.package == "new_forms_mcp"  # 3.0.3 has bytes only as `format: binary`
    file = ("file", "a.csv", "text/csv", b"a,b") if is_new else ("file", None, None, FILE.encode())
    assert untyped == [file]
    sent = {each[0]: each for each in parts(forms, "rest", {"a": FILE, "b": FILE, "c": "x"})}
    assert sent["b"] == ("b", "a.csv", "text/csv", b"a,b")
    assert (sent["a"][1], sent["a"][3]) == (None, FILE.encode())
    assert (sent["c"][1], sent["c"][3]) == (None, b"x")
    assert "A data: URI or a file:// URI is sent as a file" in (
        forms.tools["rest"].description or ""
    )
    (sent,) = parts(forms, "typed", {"body": {"a": FILE}})
    assert (sent[1], sent[3]) == (None, FILE.encode())
    file, note = parts(forms, "mixed", {"body": [FILE, "n"]})
    assert file[2:] == ("text/csv", b"a,b")
    assert note[3] == b"n"
    # 3.1.0, Encoding Object: the default of a string with `contentEncoding`.
    a, b = parts(forms, "encoded", {"a": "YQ==", "b": "x"})
    is_new = forms.package == "new_forms_mcp"
    assert a[3] == b"YQ=="
    assert (a[2] == "application/octet-stream") is is_new
    assert b[2] != "application/octet-stream"
    [told] = [each for each in forms.summary["diagnostics"] if each["code"] == "style"]
    assert told["message"].startswith("style `pipedelimited` is not for fields of a form")
    assert told["hint"] == "Did you mean `pipeDelimited`?"
    assert forms.call("styled", {"a": ["x", "y"]}).request.form == [("a", "x,y")]


def test_an_array_of_files_is_a_field_in_2_0(upstream, tmp_path_factory):
    server = packaged("free-forms-2.0", tmp_path_factory.mktemp("old_forms"), upstream)
    assert server.tools["files"].input_schema["required"] == ["uploads"]
    first, second = parts(server, "files", {"uploads": [FILE, "YQ=="]})
    assert first == ("uploads", "a.csv", "text/csv", b"a,b")
    assert (second[0], second[3]) == ("uploads", b"a")
