"""The templates and queries of path keys, and the parameters that they are made to agree with."""

from __future__ import annotations

from pathlib import Path

import pytest
from openapi_parameters import TEXT, param
from openapi_reading import OK, argument, one, read_document

from mcpgen.cases.requests import Requests
from mcpgen.diagnostics import GenerationError


def test_a_path_parameter_of_the_servers_url(tmp_path: Path) -> None:
    own = {"parameters": [param("path", "version", schema=TEXT)], "responses": OK}
    servers = [{"url": "https://api.example/{version}"}]
    read = read_document({"paths": {"/x": {"get": own}}, "servers": servers}, tmp_path)
    assert read.tool.arguments == ()
    [warning] = read.diagnostics.warnings
    assert "that of the server's URL" in warning.message


def test_path_and_parameters_are_made_to_agree(tmp_path: Path) -> None:
    parameters = [
        param("path", "gone", schema=TEXT),
        param("path", "a", schema={"type": "integer"}),
    ]
    read = read_document(one({"parameters": parameters}, path="/x/{a}.{b}"), tmp_path)
    assert [(a.name, a.required) for a in read.tool.arguments] == [("a", True), ("b", True)]
    assert argument(read.tool, "b").schema == {"type": "string"}
    assert read.codes.count("path-parameter") == 2


@pytest.mark.parametrize("declared", ["petId", "PETID", "pet-id"])
def test_a_path_parameter_that_is_spelled_otherwise(tmp_path: Path, declared: str) -> None:
    parameters = [param("path", declared, schema={"type": "integer"}), param("path", "Petid")]
    read = read_document(one({"parameters": parameters}, path="/x/{pet_id}"), tmp_path)
    [found] = read.tool.arguments
    assert (found.name, found.wire_name, found.schema) == ("pet_id", "pet_id", {"type": "integer"})
    assert [d.message for d in read.diagnostics.items if d.code == "path-parameter"] == [
        f"the path has no `{{{declared}}}`; this path parameter is taken for `{{pet_id}}`",
        "the path has no `{Petid}`; this path parameter is left out",
    ]


@pytest.mark.parametrize(
    ("path", "names", "taken"),
    [
        ("/x/{petId}", ["id"], "petId"),
        ("/x/{id}", ["pet_id"], "id"),
        ("/x/{a}/{petId}", ["a", "id"], "petId"),
        ("/x/{petId}", ["version"], None),
        ("/x/{petId}", ["-"], None),
        ("/x/{petId}/{boxId}", ["id"], None),
        ("/x/{petId}", ["id", "Id_"], None),
    ],
)
def test_a_path_parameter_whose_name_is_shorter_than_in_its_path(
    tmp_path: Path, path: str, names: list[str], taken: str | None
) -> None:
    number = {"type": "integer"}
    parameters = [param("path", name, schema=number) for name in names]
    tool = read_document(one({"parameters": parameters}, path=path), tmp_path).tool
    given = [a.name for a in tool.arguments if a.schema == number and a.name not in names]
    assert given == ([taken] if taken else [])


@pytest.mark.parametrize("path", ["/x/{p", "/x/p}", "/x/{{{p}}}", "/x/{}", "/x/{?p}", "/x/{#p}"])
def test_braces_that_are_no_template(tmp_path: Path, path: str) -> None:
    paths = {path: {"get": {"responses": OK}}, "/fine": {"get": {"responses": OK}}}
    read = read_document({"paths": paths}, tmp_path)
    assert [s.path for s in read.api.skipped] == [path]


@pytest.mark.parametrize("name", ["+p", "p*", ";p", "p:.*", " p "])
def test_other_template_languages_are_plain_names(tmp_path: Path, name: str) -> None:
    read = read_document(one({}, path=f"/x/{{{name}}}"), tmp_path)
    assert [(a.wire_name, a.schema) for a in read.tool.arguments] == [(name, {"type": "string"})]


@pytest.mark.parametrize(
    "template", ["+p", ".p", ";p", "p*", ";p*", "p+", "*p", "**p", "p:.*", "p=x/*"]
)
def test_a_declared_name_in_another_template_language(tmp_path: Path, template: str) -> None:
    for declared in ("p", template):
        parameters = [param("path", declared, schema={"type": "integer"})]
        read = read_document(one({"parameters": parameters}, path=f"/x/{{{template}}}:y"), tmp_path)
        assert (read.tool.http.path, read.codes) == (f"/x/{{{declared}}}:y", [])
        assert [(a.wire_name, a.schema) for a in read.tool.arguments] == [
            (declared, {"type": "integer"})
        ]


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


def test_a_style_wins_over_a_template_of_several_segments(tmp_path: Path) -> None:
    parameters = [param("path", "p", schema=TEXT, style="label")]
    read = read_document(one({"parameters": parameters}, path="/x/{+p}"), tmp_path)
    assert argument(read.tool, "p").style == "label"


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


def test_double_braces_are_a_template_too(tmp_path: Path) -> None:
    parameters = [param("path", "id", schema=TEXT)]
    read = read_document(one({"parameters": parameters}, path="/x/{{id}}"), tmp_path)
    assert (read.tool.http.path, [a.name for a in read.tool.arguments]) == ("/x/{id}", ["id"])


def test_a_colon_before_a_declared_name_is_a_template_too(tmp_path: Path) -> None:
    parameters = [
        param("path", "id", schema={"type": "integer"}),
        param("query", "search", schema=TEXT),
    ]
    path = "/x/:id/:other/y:id/:search"
    read = read_document(one({"parameters": parameters}, path=path), tmp_path)
    assert read.tool.http.path == "/x/{id}/:other/y:id/:search"
    assert [(d.code, d.message) for d in read.diagnostics.warnings] == [
        ("placeholder", f"`:{name}` is sent as it is: no path parameter `{name}` is declared")
        for name in ("other", "search")
    ]
    assert [(a.name, a.schema) for a in read.tool.arguments] == [
        ("id", {"type": "integer"}),
        ("search", TEXT),
    ]


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


def test_a_query_and_a_fragment_in_a_path_key(tmp_path: Path) -> None:
    parameters = [
        param("path", "kind", schema={"enum": ["a", "b"]}),
        param("query", "action", schema=TEXT),
        param("query", "free", schema=TEXT),
    ]
    path = "/x?action=list&kind={kind}&plain&empty=&other={undeclared}#second"
    read = read_document(one({"parameters": parameters}, path=path), tmp_path)
    http = read.tool.http
    carried = (("action", "list"), ("plain", None), ("empty", ""))
    assert (http.path, http.fixed_query) == ("/x", carried)
    assert [(a.wire_name, a.location.value, a.required) for a in read.tool.arguments] == [
        ("kind", "query", True),
        ("free", "query", False),
        ("other", "query", True),
    ]


@pytest.mark.parametrize("template", ["limit", "some"])
@pytest.mark.parametrize("declared", [["some", "limit"], ["limit", "some"], ["limit"]])
def test_a_query_in_a_path_key_whose_own_name_is_declared(
    tmp_path: Path, template: str, declared: list[str]
) -> None:
    parameters = [param("query", name, schema={"type": "integer"}) for name in declared]
    path = f"/x?limit={{{template}}}"
    read = read_document(one({"parameters": parameters}, path=path), tmp_path)
    found = [a for a in read.tool.arguments if a.wire_name == "limit"]
    assert [(a.schema, a.required) for a in found] == [({"type": "integer"}, True)]
    assert "path-parameter" not in read.codes


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


def test_a_query_in_a_path_key_that_is_more_than_a_name(tmp_path: Path) -> None:
    paths = {"/x?between={a}-{b}": {"get": {"responses": OK}}, "/x": {"get": {"responses": OK}}}
    read = read_document({"paths": paths}, tmp_path)
    [skipped] = read.api.skipped
    assert skipped.reason == "the query `between={a}-{b}` in its path is more than a value"
    assert read.pointers("skipped") == ["/paths/~1x?between={a}-{b}/get"]


def test_paths_that_differ_in_their_fragment_are_two_tools(tmp_path: Path) -> None:
    paths = {f"/x#{name}": {"post": {"responses": OK}} for name in ("one", "two")}
    read = read_document({"paths": paths}, tmp_path)
    assert [t.name for t in read.api.tools] == ["post_x_one", "post_x_two"]
    assert {t.http.path for t in read.api.tools} == {"/x"}


def test_invisible_characters_of_a_path_are_not_sent(tmp_path: Path) -> None:
    paths = {f"/x/{{a\u200b}}{end}": {"get": {"responses": OK}} for end in ("", "\u200e", "\u2800")}
    read = read_document({"paths": paths}, tmp_path)
    assert [t.http.path for t in read.api.tools] == ["/x/{a\u200b}"] * 3
    assert len({t.name for t in read.api.tools}) == 3
    told = [d.message for d in read.diagnostics.warnings if d.code == "hidden-characters"]
    assert [message for message in told if "not sent" in message] == [
        "this path holds invisible characters, which are not sent"
    ] * 2


@pytest.mark.parametrize("key", ["//leading/{id}", "///three", "//{id}/a.b", "//word"])
def test_a_slash_too_many_leaves_out_one_path_alone(tmp_path: Path, key: str) -> None:
    operation = {"get": {"responses": OK}}
    read = read_document({"paths": {"/good": operation, key: operation}}, tmp_path)
    assert read.tool.call.path == "/good"
    assert read.codes == ["path-key"]


@pytest.mark.parametrize("key", ["//evil.test/a", "//user@host/a", "//host:80/a", "/\\evil.test"])
def test_a_path_that_may_name_another_host_stops(tmp_path: Path, key: str) -> None:
    operation = {"get": {"responses": OK}}
    with pytest.raises(GenerationError, match="would name another host"):
        read_document({"paths": {"/good": operation, key: operation}}, tmp_path)
