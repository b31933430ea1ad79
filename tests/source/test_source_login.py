"""Documents behind a login, fetched with a header whose value is in the environment."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler

import pytest
from command_line import run
from document_host import DOCUMENT, Api, serving
from documents import referring
from tables import table


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[Api]:
    yield from serving(monkeypatch)


SECRET = {"API_DOCS_TOKEN": "Bearer sentinel-docs"}


@pytest.fixture
def login(api: Api, monkeypatch: pytest.MonkeyPatch) -> Api:
    """A host that gives its document to those with the header, and asks them on the way."""
    get = {"operationId": "a", "responses": {}}
    document = json.dumps({**json.loads(DOCUMENT), "paths": {"/a": {"get": get}}})
    api.answer("/there/api.json", document)
    given = api.routes["/there/api.json"]

    def checked(handler: BaseHTTPRequestHandler) -> None:
        is_signed = handler.headers.get("Authorization") == SECRET["API_DOCS_TOKEN"]
        given(handler) if is_signed else handler.send_error(401)

    api.routes["/there/api.json"] = checked
    api.redirect("/api.json", "/there/api.json")
    monkeypatch.setenv("API_DOCS_TOKEN", SECRET["API_DOCS_TOKEN"])
    return api


def test_a_document_behind_a_login(login, tmp_path):
    """The nightly job could not run: the file had to be downloaded by somebody first."""
    url, folder = f"{login.url}/api.json", tmp_path / "server"
    refused = run("inspect", url)
    assert refused.exit_code == 1
    assert "--header-env Authorization=VARIABLE" in refused.output
    header = ("--header-env", "Authorization=API_DOCS_TOKEN")
    texts = [run("from-openapi", url, "-o", str(folder), *header).output]
    toml = (folder / "mcpgen.toml").read_text()
    assert f'header_env = ["{login.url} Authorization=API_DOCS_TOKEN"]' in toml
    for command in (["check", "--full"], ["check"], ["update", "--force"]):
        done = run(*command, str(folder))
        assert done.exit_code == 0, done.output
        texts.append(done.output)
    for command in (["inspect", url], ["diff", url, str(folder)], ["diff", url, url]):
        done = run(*command, *header)
        assert done.exit_code == 0, done.output
        texts.append(done.output)
    texts += [path.read_text() for path in folder.rglob("*") if path.is_file()]
    assert "sentinel-docs" not in "".join(texts)


def test_a_header_goes_to_the_host_that_it_is_for_alone(login, monkeypatch, tmp_path):
    other = Api()
    try:
        other.answer("/api.json", DOCUMENT)
        login.redirect("/away.json", f"{other.url}/api.json")
        header = ("--header-env", "Authorization=API_DOCS_TOKEN")
        run("inspect", f"{login.url}/away.json", *header)
        run("diff", f"{login.url}/api.json", f"{other.url}/api.json", *header)
        bound = f"{login.url} Authorization=API_DOCS_TOKEN"
        done = run("diff", f"{login.url}/api.json", f"{other.url}/api.json", "--header-env", bound)
        assert done.exit_code == 1  # the other document has no operations
        assert [path for path, _ in other.seen] == ["/api.json"] * 2
        assert not any("authorization" in headers for _, headers in other.seen)
        away = f"{other.url}/api.json"
        toml = f'source = "{away}"\nheader_env = ["{bound}"]\n'
        (tmp_path / "mcpgen.toml").write_text(toml)
        run("from-openapi", away, "-o", str(tmp_path))
        assert len(other.seen) == 3
        assert "authorization" not in other.seen[-1][1]
    finally:
        other.close()


@table(
    "header, value, said",
    ("Authorization=API_DOCS_TOKEN", "", "the environment variable API_DOCS_TOKEN is not set"),
    ("Authorization=API_DOCS_TOKEN", "sentinel\nX: 1", "API_DOCS_TOKEN has characters that"),
    ("Authorization: sentinel", "x", "must name a header and the environment variable"),
    ("Host=API_DOCS_TOKEN", "x", "must name a header and the environment variable"),
    ("https://u:p@docs.example A=B", "x", "must name a header and the environment variable"),
)
def test_a_header_that_cannot_be_sent(login, monkeypatch, header, value, said):
    monkeypatch.setenv("API_DOCS_TOKEN", value)
    done = run("inspect", f"{login.url}/api.json", "--header-env", header)
    assert done.exit_code == 1
    assert said in done.output
    assert "sentinel" not in done.output


def test_a_header_for_a_document_that_is_a_file_names_its_host(tmp_path):
    path = tmp_path / "api.json"
    path.write_text(json.dumps(referring()))
    done = run("from-openapi", str(path), "-o", str(tmp_path / "s"), "--header-env", "A=B")
    assert done.exit_code == 1
    assert "`header_env` names no host" in done.output
    toml = f'source = "{path.name}"\nheader_env = ["A=B"]\n'
    (tmp_path / "mcpgen.toml").write_text(toml)
    done = run("update", str(tmp_path), "--force")
    assert "mcpgen.toml:2:1" in done.output
