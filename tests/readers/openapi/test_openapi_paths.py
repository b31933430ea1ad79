"""The templates and queries of path keys, and the parameters that they are made to agree with."""

from __future__ import annotations

from pathlib import Path

import pytest
from openapi_parameters import TEXT, param
from openapi_reading import argument, one, read_document

from mcpgen.cases.requests import Requests


def test_path_and_parameters_are_made_to_agree(tmp_path: Path) -> None:
    parameters = [
        param("path", "gone", schema=TEXT),
        param("path", "a", schema={"type": "integer"}),
    ]
    read = read_document(one({"parameters": parameters}, path="/x/{a}.{b}"), tmp_path)
    assert [(a.name, a.required) for a in read.tool.arguments] == [("a", True), ("b", True)]
    assert argument(read.tool, "b").schema == {"type": "string"}
    assert read.codes.count("path-parameter") == 2


@pytest.mark.parametrize(
    "template", ["+p", "p+", "**p", "p:.*", "p:.+", "p=a/*", "p=**", "p=a/*/b/**"]
)
def test_a_template_of_several_segments_keeps_the_slashes(tmp_path: Path, template: str) -> None:
    parameters = [param("path", "p", schema=TEXT)]
    read = read_document(one({"parameters": parameters}, path=f"/x/{{{template}}}:y"), tmp_path)
    url = Requests(read.api, {}).expected(read.tool, {"p": "a/b c:d?e%2F"})["url"]
    assert url.endswith("/x/a/b%20c%3Ad%3Fe%252F:y")


@pytest.mark.parametrize("template", ["p", "p*", "p=*", "p:[^/]+", "p:[0-9]+", ".p", "+q"])
def test_any_other_template_is_one_segment(tmp_path: Path, template: str) -> None:
    parameters = [param("path", "p", schema=TEXT)]
    read = read_document(one({"parameters": parameters}, path=f"/{{p}}/{{{template}}}"), tmp_path)
    given = {a.name: "a/b" for a in read.tool.arguments}
    url = Requests(read.api, {}).expected(read.tool, given)["url"]
    assert url.endswith("/a%2Fb/a%2Fb")


@pytest.mark.parametrize("version", [{"swagger": "2.0"}, {"openapi": "3.0.3"}])
def test_what_azure_says_is_encoded_already(tmp_path: Path, version: dict[str, str]) -> None:
    plain = TEXT if "swagger" in version else {"schema": TEXT}
    said = {**plain, "x-ms-skip-url-encoding": True}
    parameters = [param("path", "scope", **said), param("query", "filter", **said)]
    document = one({"parameters": parameters}, path="/{scope}/x", **version)
    read = read_document(document, tmp_path)
    url = Requests(read.api, {}).expected(
        read.tool, {"scope": "groups/a b/c%2Fd", "filter": "a/b,c&d"}
    )["url"]
    assert url.endswith("/groups/a%20b/c%2Fd/x?filter=a/b,c%26d")
    assert argument(read.tool, "filter").style is None


@pytest.mark.parametrize(
    ("path", "sent", "said"),
    [
        ("/pets/:id", "/pets/{id}", "taken for `{id}`"),
        ("/pets/:pet_id/:id", "/pets/{pet_id}/:id", "taken for `{pet_id}`"),
        ("/pets/:search", "/pets/:search", "left out"),
    ],
)
def test_a_colon_before_a_declared_name_that_is_spelled_otherwise(
    tmp_path: Path, path: str, sent: str, said: str
) -> None:
    parameters = [param("path", "petId", schema=TEXT)]
    read = read_document(one({"parameters": parameters}, path=path), tmp_path)
    assert read.tool.http.path == sent
    assert [d.message for d in read.diagnostics.items if d.code == "path-parameter"] == [
        f"the path has no `{{petId}}`; this path parameter is {said}"
    ]


@pytest.mark.parametrize("where", ["query", "path"])
@pytest.mark.parametrize("path", ["/x{?q,page*}", "/x?fixed=1{&q,page:3}", "/x{?q}{&page}"])
def test_a_query_expansion_of_declared_names(tmp_path: Path, path: str, where: str) -> None:
    """RFC 6570, 3.2.8 and 3.2.9."""
    parameters = [param(where, "q", schema=TEXT), param("query", "page", schema=TEXT)]
    read = read_document(one({"parameters": parameters}, path=path), tmp_path)
    url = Requests(read.api, {}).expected(read.tool, {"q": "a b", "page": "2"})["url"]
    fixed = "fixed=1&" if "fixed" in path else ""
    assert url.endswith(f"/x?{fixed}q=a%20b&page=2")
    assert (read.tool.http.path, "path-parameter" in read.codes) == ("/x", False)


@pytest.mark.parametrize("query", ["{q}=1&{page}=2", "{q}&{page}", "{q}=1&page={page}"])
@pytest.mark.parametrize("where", ["query", "path"])
def test_a_query_in_a_path_key_that_has_braces_around_a_name(
    tmp_path: Path, query: str, where: str
) -> None:
    parameters = [param(where, name, schema=TEXT) for name in ("q", "page")]
    read = read_document(one({"parameters": parameters}, path=f"/x?{query}"), tmp_path)
    url = Requests(read.api, {}).expected(read.tool, {"q": "a b", "page": "2"})["url"]
    assert url.endswith("/x?q=a%20b&page=2")
    assert "path-parameter" not in read.codes
