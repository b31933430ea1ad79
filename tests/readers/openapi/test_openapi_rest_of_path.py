"""The end of a path that is left to the caller, in the words of routers that name it nowhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openapi_reading import one, read_document

from mcpgen.cases.requests import Requests

TEXT = {"type": "string"}


def declare(name: str) -> dict[str, Any]:
    """A text in the path."""
    return {"name": name, "in": "path", "required": True, "schema": TEXT}


def sent(tmp_path: Path, path: str, given: dict[str, Any], *parameters: Any) -> tuple[str, Any]:
    """Where a call goes, and the warnings about its path; `given` is by the API's names."""
    read = read_document(one({"parameters": list(parameters)}, path=path), tmp_path)
    given = {a.name: given[a.wire_name] for a in read.tool.arguments if a.wire_name in given}
    url = Requests(read.api, {}).expected(read.tool, given)["url"]
    told = [d.message for d in read.diagnostics.items if d.code == "path-parameter"]
    return url.partition("/base")[2], told


@pytest.mark.parametrize(
    ("path", "declared"),
    [
        ("/files/*", "*"),
        ("/files/{*}", "*"),
        ("/files/**", "**"),
        ("/files/**", "file-path"),
        ("/files/{*name}", "name"),
        ("/files/{*name}", "*name"),
        ("/files/{+name}", "+name"),
        ("/files/{name*2}", "name"),
        ("/files/{name}{.+}", "name"),
        ("/files/{name}{.*}", "name"),
    ],
)
def test_a_declared_rest_of_a_path_keeps_its_slashes(
    tmp_path: Path, path: str, declared: str
) -> None:
    parameter = declare(declared)
    at = sent(tmp_path, path, {declared: "a/b c"}, parameter)
    assert at == ("/files/a/b%20c", [])


@pytest.mark.parametrize("star", ["*", "**", "{*}"])
def test_an_undeclared_rest_of_a_path_is_an_argument(tmp_path: Path, star: str) -> None:
    at = sent(tmp_path, f"/files/{star}", {"path": "a/b c"})
    told = f"what `{star.strip('{}')}` at the end of the path stands for is not declared"
    assert at == ("/files/a/b%20c", [f"{told}; it is the argument `path`, a string"])


@pytest.mark.parametrize("star", ["*", "**", "{*}"])
def test_a_rest_beside_another_path_has_a_name_that_clients_take(tmp_path: Path, star: str) -> None:
    """APIs of models refuse an argument `*`."""
    url, _ = sent(tmp_path, f"/{{path}}/{star}", {"path": "a", "path_": "b/c"}, declare("path"))
    assert url == "/a/b/c"


def test_a_declared_path_is_the_rest_beside_names_that_are_not_declared(tmp_path: Path) -> None:
    at = sent(tmp_path, "/x/{zone}/*", {"zone": "1/2", "path": "a/b"}, declare("path"))
    assert at[0] == "/x/1%2F2/a/b"
    read = read_document(one({"parameters": [declare("path")]}, path="/x/{zone}/*"), tmp_path)
    assert sorted(a.name for a in read.tool.arguments) == ["path", "zone"]


@pytest.mark.parametrize("path", ["/*/x", "/x*", "/*:y"])
def test_any_other_star_is_sent_as_it_is(tmp_path: Path, path: str) -> None:
    assert sent(tmp_path, path, {}) == (path, [])


def test_a_pattern_behind_a_name_is_no_name(tmp_path: Path) -> None:
    parameter = declare("id")
    at = sent(tmp_path, "/x/{id}{[0-9]+}/y", {"id": "1/2"}, parameter)
    assert at == ("/x/1%2F2/y", [])


@pytest.mark.parametrize("template", ["+rest", ".rest*", "rest*"])
def test_an_expression_behind_a_name_is_no_pattern(tmp_path: Path, template: str) -> None:
    path = f"/x/{{id}}{{{template}}}"
    read = read_document(one({"parameters": [declare("id"), declare("rest")]}, path=path), tmp_path)
    url = Requests(read.api, {}).expected(read.tool, {"id": "a", "rest": "b"})["url"]
    assert (url.rpartition("/")[2], read.codes) == ("ab", [])


def test_a_second_name_behind_a_name_is_one(tmp_path: Path) -> None:
    parameter = declare("id")
    url, _ = sent(tmp_path, "/x/{id}{format}", {"id": "a", "format": "b"}, parameter)
    assert url == "/x/ab"
