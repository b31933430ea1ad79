"""The environment variables that a README lists are those that the runtime reads."""

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import examples
import pytest
from command_line import run
from tables import table

from mcpgen.plan.environment import descriptions, specs
from mcpgen.runtime.values.settings import Settings

CODE = {"tokenUrl": "https://sign.example/token", "authorizationUrl": "https://sign.example/a"}
SCHEMES: dict[str, Any] = {
    "person": {"type": "oauth2", "flows": {"authorizationCode": {**CODE, "scopes": {}}}},
    "machine": {
        "type": "oauth2",
        "description": "For machines. Not for people.",
        "flows": {"clientCredentials": {"tokenUrl": CODE["tokenUrl"], "scopes": {}}},
    },
}


def test_every_setting_of_the_runtime_is_described():
    described = descriptions()
    assert list(described) == [field.name for _, field in specs()]
    assert {field.name for field in fields(Settings)} < set(described)
    assert [name for name, text in described.items() if not text] == []


@pytest.mark.parametrize("name", ["README.md", "DEPLOY.md", ".env.example"])
def test_a_server_without_an_api_says_nothing_of_one(name):
    text = (examples.FOLDER / "chandler" / name).read_text("utf-8")
    of_one = r"\bAPI\b|CHANDLER_(BASE_URL|TIMEOUT|CALLER_AUTH)|document|credentials?\b(?!, and not)"
    assert re.findall(of_one, text) == []
    assert "|---|---|---|\n\n" not in text


def test_a_server_without_credentials_does_not_say_where_they_are():
    folder = examples.FOLDER / "nightbus"
    text = "".join((folder / name).read_text("utf-8") for name in ("README.md", "DEPLOY.md"))
    assert "whoever reaches it\ncalls the API.\n" in text
    assert not re.search("credential can|credentials it lacks|_CALLER_AUTH|_EXCHANGE", text)


@table("server, needed", ("bookshop", ["BOOKSHOP_SHOP_KEY"]), ("nightbus", []), ("chandler", []))
def test_each_client_is_given_what_the_server_needs(server, needed):
    text = (examples.FOLDER / server / "README.md").read_text("utf-8")
    blocks = [json.loads(found) for found in re.findall(r"```json\n(.*?)```", text, re.DOTALL)]
    (most,) = blocks[0]["mcpServers"].values()
    (code,) = blocks[1]["servers"].values()
    assert list(most.get("env", {})) == needed
    assert ("envFile" in code) is bool(needed)
    passed = "".join(f' --env {name}="${name}"' for name in needed)
    assert re.search(rf"claude mcp add [\w-]+{re.escape(passed)} -- [\w-]+\n", text)


def variables(folder: Path, **fields: Any) -> dict[str, str]:
    """What the server's pages say of each variable, in Markdown."""
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Harbour", "version": "1"},
        "paths": {"/ships": {"get": {"operationId": "listShips"}}},
        **fields,
    }
    (folder / "api.json").write_text(json.dumps(document))
    given = (str(folder / "api.json"), "--runtime", "package", "-o", str(folder / "server"))
    done = run("from-openapi", *given)
    assert done.exit_code == 0, done.output
    pages = ((folder / "server" / name).read_text() for name in ("README.md", "DEPLOY.md"))
    row = r"(?m)^\| `(?:HARBOUR_)?([A-Z_]+)` \|(?: .*? \|)? (.*) \|$"
    return dict(re.findall(row, "".join(pages)))


def test_a_page_tells_what_is_typed_from_the_words_around_it(tmp_path):
    found = variables(tmp_path)
    assert found["CALLS_PER_MINUTE_BY_TOOL"].endswith(
        "such as `search: 30, *: 60`; `*` is each tool that is not named."
    )


@table(
    "servers, said",
    ([{"url": "/v1/"}], "a whole URL such as `https://api.example.com/v1`."),
    ([], "a whole URL such as `https://api.example.com`."),
    ([{"url": "https://harbour.example"}], "Replaces every server of the document."),
)
def test_where_the_api_is_has_to_be_said_where_the_document_does_not(tmp_path, servers, said):
    assert variables(tmp_path, servers=servers)["BASE_URL"].endswith(said)


def test_where_the_api_is_is_known_where_each_operation_says_it(tmp_path):
    own = {"servers": [{"url": "https://harbour.example"}], "get": {"operationId": "listShips"}}
    said = variables(tmp_path, paths={"/ships": own})["BASE_URL"]
    assert said == "Replaces every server of the document."
    said = variables(tmp_path, paths={"/ships": own, "/": {"get": {}}})["BASE_URL"]
    assert said.startswith("The API's address, which its document does not give")


def test_what_a_credential_is_used_for_is_said_once(tmp_path):
    asked = {"security": [{"person": []}, {"machine": []}]}
    about = variables(tmp_path, **asked, components={"securitySchemes": SCHEMES})
    assert dict(list(about.items())[:6]) == {
        "PERSON_TOKEN": "OAuth 2.0 access token (person)",
        "PERSON_REFRESH_TOKEN": (
            "OAuth 2.0 refresh token, used where the access token is empty (person)"
        ),
        "PERSON_CLIENT_ID": "OAuth 2.0 client id, sent with the refresh token (person)",
        "PERSON_CLIENT_SECRET": "OAuth 2.0 client secret, if the client has one (person)",
        "MACHINE_TOKEN": "OAuth 2.0 access token (machine): For machines.",
        "MACHINE_CLIENT_ID": "OAuth 2.0 client id, used where the tokens are empty (machine)",
    }


def test_how_a_credential_is_written_is_said_whole(tmp_path):
    how = (
        f"Keys are sent {'in the header that is named here ' * 4}as `Key your-key`<br>More: x.test"
    )
    keyed = {"type": "apiKey", "in": "header", "name": "Authorization", "description": how}
    schemes = {"components": {"securitySchemes": {"key": keyed}}}
    about = variables(tmp_path, security=[{"key": []}], **schemes)
    assert about["KEY"].endswith(" as Key your-key")


def test_a_key_that_is_a_whole_header_is_given_with_its_prefix(tmp_path):
    said = "Keys of the harbour. Prefix yours with 'Key '."
    keys = {
        name: {"type": "apiKey", "in": "header", "name": header, "description": said}
        for name, header in {"gate": "authorization", "pier": "X-Pier"}.items()
    }
    schemes = {"components": {"securitySchemes": keys}}
    about = variables(tmp_path, security=[{"gate": [], "pier": []}], **schemes)
    prefixed = "API key (gate), with Bearer or another word before it where the API wants one"
    assert about["GATE_KEY"] == f"{prefixed}: {said}"
    assert about["PIER_KEY"] == f"API key (pier): {said}"


def test_a_variable_that_every_tool_sends_is_counted(tmp_path):
    header = {"name": "tenant", "in": "header", "schema": {"type": "string"}}
    paths = {f"/{n}": {"get": {"operationId": f"op{n}", "parameters": [header]}} for n in range(4)}
    (tmp_path / "server").mkdir()
    (tmp_path / "server" / "mcpgen.toml").write_text(
        '[tools."*".arguments]\ntenant.env = "TENANT"\n'
    )
    found = variables(tmp_path, paths=paths)
    assert found["TENANT"] == "Sent as tenant of 4 tools"


@pytest.mark.parametrize(("asked", "needed"), [([{"person": []}], False), ([], True)])
def test_clients_are_given_no_credential_that_nothing_asks_for(tmp_path, asked, needed):
    schemes = {"person": SCHEMES["person"], "old": {"type": "http", "scheme": "bearer"}}
    variables(tmp_path, components={"securitySchemes": schemes}, security=asked)
    text = (tmp_path / "server/README.md").read_text()
    assert ('"HARBOUR_OLD_TOKEN": ""' in text) is needed
    page = text if needed else (tmp_path / "server/DEPLOY.md").read_text()
    assert "| `HARBOUR_OLD_TOKEN` |" in page
    assert ("\nHARBOUR_OLD_TOKEN=" in (tmp_path / "server/.env.example").read_text()) is needed


def test_a_default_is_the_one_that_the_server_starts_from(tmp_path):
    (tmp_path / "server").mkdir()
    (tmp_path / "server" / "mcpgen.toml").write_text('result_text = "summary"\npage_size = 7\n')
    variables(tmp_path)
    page = (tmp_path / "server" / "DEPLOY.md").read_text()
    assert "| `HARBOUR_RESULT_TEXT` | `summary` |" in page
    assert "| `HARBOUR_PAGE_SIZE` | `7` |" in page


def test_what_is_said_of_a_further_api_is_one_sentence(tmp_path):
    first, second = (str(examples.ROOT / "specs" / f"{name}.yaml") for name in ("wire", "bookshop"))
    given = (first, "--with", second, "--runtime", "package", "-o", str(tmp_path))
    assert run("from-openapi", *given).exit_code == 0
    text = (tmp_path / "DEPLOY.md").read_text("utf-8")
    assert "| For `bookshop`: replaces every server of the document. |\n" in text
    assert not re.search("For `bookshop`: [A-Z]", text)
