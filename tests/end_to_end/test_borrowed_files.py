"""Files beside a document's folder: no command shows a line of them."""

import json
from typing import Any

import pytest
from command_line import run
from tables import table
from written_documents import write

SECRET = "hunter2-CANARY"


def document(reference: dict[str, Any], title: str = "Shop") -> dict[str, Any]:
    parameter = {"name": "q", "in": "query", "schema": reference}
    operation = {"operationId": "list", "parameters": [parameter], "responses": {"200": {}}}
    operation["responses"] = {"200": {"description": "Good."}}
    return {
        "openapi": "3.1.0",
        "info": {"title": title, "version": "1"},
        "servers": [{"url": "https://api.example.com"}],
        "paths": {"/l": {"get": operation}},
    }


ONE_LINE = json.dumps({"type": "service_account", "private_key": SECRET})
ABOVE = f"apiVersion: v1\npassword: {SECRET}\ntype: Opaque\n"
PLACES = [
    ("$ref", ONE_LINE, ""),
    ("$ref", ABOVE, ""),
    ("$dynamicRef", ONE_LINE, ""),
    ("$recursiveRef", ABOVE, ""),
    ("$dynamicRef", f"data:\n  password: {SECRET}\n", "#/data/password"),
    ("$recursiveRef", f"data:\n  password: {SECRET}\n", "#/data/password"),
]


@pytest.fixture(params=PLACES, ids=lambda place: f"{place[0]}{place[2]}-{len(place[1])}")
def place(request, tmp_path):
    """A folder with a file that is no part of an API, and a schema that refers to it."""
    keyword, text, fragment = request.param
    write(tmp_path / "deploy" / "x.yaml", text)
    return tmp_path, {keyword: f"../deploy/x.yaml{fragment}"}


def test_when_a_server_is_made_of_one_source_or_two(place):
    folder, reference = place
    api = write(folder / "specs" / "api.json", document(reference))
    other = write(folder / "specs" / "other.json", document({"type": "string"}, "Other"))
    given = ("from-openapi", str(api), "-o", str(folder / "server"))
    for done in (run(*given), run(*given, "--with", str(other))):
        assert SECRET not in done.output
    for more in ((), ("--json",)):
        assert SECRET not in run("inspect", str(api), *more).output


def test_when_a_server_is_kept_current(place):
    folder, reference = place
    api = write(folder / "specs" / "api.json", document({"type": "string"}))
    old = write(folder / "specs" / "old.json", document({"type": "string"}))
    server = str(folder / "server")
    assert run("from-openapi", str(api), "-o", server).exit_code == 0
    write(api, document(reference))
    told = []
    for arguments in (
        ("check", server),
        ("check", server, "--format", "github"),
        ("diff", str(old), str(api)),
        ("update", server),
        ("bundle", server, "-o", str(folder / "x.mcpb")),
    ):
        done = run(*arguments)
        assert SECRET not in done.output, arguments
        told.append(done.output)
    assert "deploy" in "".join(told)


def set_at(value: Any, pointer: str, member: Any) -> None:
    *path, last = (int(k) if k.isdigit() else k for k in pointer.split("."))
    for key in path:
        value = value[key]
    value[last] = member


@pytest.mark.parametrize("reference", ["#/secret/text", "#/secret/texts"])
@table(
    "place",
    *["info.title", "info.description", "info.version", "externalDocs", "externalDocs.url"],
    *["tags.0", "tags.0.name", "servers.0.url", "servers.0.variables.v.default"],
    *["servers.0.variables.v.enum", "paths./l.get.operationId", "paths./l.get.summary"],
    *["paths./l.get.tags", "paths./l.get.parameters.0.description"],
    *["paths./l.get.parameters.0.name", "paths./l.get.parameters.0.schema.enum"],
    "paths./l.get.parameters.0.schema.description",
)
def test_no_text_comes_from_there(tmp_path, place, reference):
    whole = document({"type": "string", "enum": ["a"]})
    whole["externalDocs"] = {"url": "https://docs.example.com"}
    whole["tags"] = [{"name": "shop"}]
    whole["paths"]["/l"]["get"] |= {"tags": ["shop"], "summary": "List all."}
    whole["servers"][0] = {"url": "https://a/{v}", "variables": {"v": {"default": "b"}}}
    secret = {"text": SECRET, "texts": [SECRET], "url": f"https://{SECRET}", "name": SECRET}
    write(tmp_path / "deploy" / "x.json", {"secret": secret})
    write(tmp_path / "near" / "x.json", {"via": {"$ref": f"../deploy/x.json{reference}"}})
    for each in (f"../deploy/x.json{reference}", "../deploy/x.json#/secret", "../near/x.json#/via"):
        set_at(whole, place, {"$ref": each})
        api = write(tmp_path / "specs" / "api.json", whole)
        server = tmp_path / "server"
        done = run("from-openapi", str(api), "-o", str(server), "--force")
        texts = [each.read_text() for each in server.rglob("*") if each.is_file()]
        assert not any(SECRET in text for text in (done.output, *texts))
