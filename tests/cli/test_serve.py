"""`mcpgen serve`: a server in a temporary place, run as a process and called."""

import json
import os
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2
import plain_api
import pytest
from command_line import run
from examples import FOLDER
from fastapi import FastAPI
from prepared import python
from runtime.serving import INITIALIZE, asked, in_thread

from mcpgen.cli import serving

SPECS = FOLDER.parent / "specs"
KEEPING = re.compile(r"^  (mcpgen from-\w+ .* -o server)$", re.MULTILINE)


class Tried:
    """A process of `mcpgen serve` whose introduction was read."""

    def __init__(self, popen: subprocess.Popen[str], said: str) -> None:
        self.popen = popen
        self.said = said
        found = re.search(r"browser: +(http://\S+)", said)
        assert found, said
        self.url = found[1]

    def names(self) -> list[str]:
        """The names of its tools."""
        result = asked(self.url, "any", "tools/list")["result"]
        return [tool["name"] for tool in result["tools"]]

    def folder(self, source: str) -> Path:
        """Where it is generated, from a document of that name."""
        for path in Path("/proc").glob("[0-9]*/environ"):
            with suppress(OSError):
                for variable in path.read_bytes().split(b"\0"):
                    name, _, value = variable.decode(errors="replace").partition("=")
                    settings = Path(value.partition(os.pathsep)[0]) / "mcpgen.toml"
                    if name == "PYTHONPATH" and source in settings.read_text():
                        return settings.parent
        raise AssertionError("there is no such process")


@contextmanager
def tried(folder: Path, *arguments: str) -> Iterator[Tried]:
    popen = subprocess.Popen(
        python("-m", "mcpgen", "serve", *arguments, "--http", "0"),
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert popen.stdout is not None
    said = ""
    for line in popen.stdout:
        said += line
        if KEEPING.match(line):
            break
    try:
        yield Tried(popen, said)
    finally:
        popen.terminate()
        popen.wait(30)
        popen.stdout.close()


def test_a_document_is_served_until_it_is_stopped(tmp_path):
    source = tmp_path / f"shop-{os.getpid()}.yaml"
    source.write_text((SPECS / "bookshop.yaml").read_text())
    with tried(tmp_path, source.name, "--mock", "--methods", "get", "--prefix", "x_") as it:
        assert "bookshop: 5 tools, about " in it.said
        assert f"claude mcp add --transport http bookshop {it.url}" in it.said
        page = httpx2.get(it.url, headers={"Accept": "text/html"})
        assert page.headers["content-type"].startswith("text/html")
        answer = asked(it.url, "any", "tools/call", name="x_getBook", arguments={"book_id": 17})
        assert answer["result"]["structuredContent"]["title"] == "The Salt Road"
        folder = it.folder(source.name)
        assert not (folder / "tests/cases.json").exists()
        assert "class " not in (folder / "bookshop_mcp/models.py").read_text()
        it.popen.send_signal(signal.SIGINT)
        rest = it.popen.communicate(timeout=30)[0]
        assert it.popen.returncode == 130
    assert not folder.exists()
    kept = KEEPING.search(rest)
    assert kept
    assert kept[1] == f"mcpgen from-openapi {source.name} --prefix x_ --methods get -o server"
    with pytest.raises(httpx2.ConnectError):
        httpx2.get(it.url)


def test_a_tool_file_is_known_and_names_what_is_not_set(tmp_path, monkeypatch):
    for name in ("MARINA_KEY", "MARINA_MASTER_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    with tried(tmp_path, str(SPECS / "tools-http.yaml")) as it:
        assert f"mcpgen from-schema {SPECS / 'tools-http.yaml'} -o server" in it.said
        assert "No credential is set:   MARINA_KEY or MARINA_MASTER_TOKEN" in it.said
        assert "get_berth" in it.names()


def test_an_app_is_served_by_the_url_of_its_document(tmp_path):
    app = FastAPI(title="Shop")

    @app.get("/items/{item}")
    def read_item(item: int) -> dict[str, int]:
        return {"item": item}

    with in_thread(app) as base, tried(tmp_path, f"{base}/openapi.json") as it:
        assert "No credential is set" not in it.said
        answer = asked(it.url, "any", "tools/call", name="read_item", arguments={"item": 3})
        assert answer["result"]["structuredContent"] == {"item": 3}
        assert "which is this machine" in it.said
        for page in ("", "/docs"):
            assert "/openapi.json" in run("serve", base + page).output
        bare = f"{base.removeprefix('http://')}/openapi.json"
        assert f"write http://{bare}" in run("serve", bare).output
        assert "a URL is not watched" in run("serve", f"{base}/openapi.json", "--reload").output


def test_a_hint_names_a_flag_where_there_are_no_settings(tmp_path):
    responses = {"200": {"description": "ok"}, "401": {"description": "no"}}
    paths = {"/a": {"get": {"operationId": "a", "responses": responses}}}
    document = {"openapi": "3.1.0", "info": {"title": "No host", "version": "1"}, "paths": paths}
    (tmp_path / "api.json").write_text(json.dumps(document))
    with tried(tmp_path, "api.json") as it:
        assert "help: Give `--base-url https://api.example.com`, with its address." in it.said
        assert "into mcpgen.toml of the server that you keep." in it.said


def test_many_tools_come_in_pages_and_many_warnings_in_lines(tmp_path):
    api = plain_api.document(tuple(f"things{number}" for number in range(24)))
    for number in range(4):
        _, limit = api["paths"][f"/things{number}"]["get"]["parameters"]
        limit["schema"] = {"type": "string", "pattern": "*" * number + "*"}
    (tmp_path / "many.json").write_text(json.dumps(api))
    command = "mcpgen from-openapi many.json{} --surface tools -o server\n"
    for flags, count in (((), 100), (("--page-size", "7"), 7)):
        with tried(tmp_path, "many.json", "--mock", "--surface", "tools", *flags) as it:
            assert len(it.names()) == count
            assert "nextCursor" in asked(it.url, "any", "tools/list")["result"]
            assert command.format("".join(f" {each}" for each in flags)) in it.said
            assert "help: mcpgen inspect many.json --all shows each" in it.said


def test_over_stdio_there_is_nothing_but_the_protocol(tmp_path):
    done = subprocess.run(
        python("-m", "mcpgen", "serve", str(SPECS / "bookshop.yaml"), "--stdio", "--mock"),
        input=json.dumps(INITIALIZE) + "\n",
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (line,) = done.stdout.splitlines()
    assert json.loads(line)["result"]["serverInfo"]["name"] == "bookshop"
    assert KEEPING.search(done.stderr)


def test_a_change_starts_it_anew_and_one_that_is_wrong_does_not(tmp_path):
    api = plain_api.document()
    source = tmp_path / "api.json"
    source.write_text(json.dumps({**api, "paths": {"/orders": {"$ref": "orders.json"}}}))
    orders: dict[str, Any] = api["paths"]["/orders"]
    other = tmp_path / "orders.json"
    other.write_text(json.dumps({"get": {**orders["get"], "operationId": "first"}}))
    with tried(tmp_path, "api.json", "--reload", "--mock") as it:
        assert it.popen.stdout is not None
        assert it.names() == ["first"]
        other.write_text("{")
        for line in it.popen.stdout:
            if "The previous server keeps running" in line:
                break
        assert it.names() == ["first"]
        other.write_text(json.dumps({"get": {**orders["get"], "operationId": "second"}}))
        for line in it.popen.stdout:
            if f"at {it.url}" in line:
                break
        assert it.names() == ["second"]


def test_what_cannot_be_served_is_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    bookshop = str(SPECS / "bookshop.yaml")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        monkeypatch.setattr(serving, "_ADDRESS_UNLESS_TAKEN", taken.getsockname())
        assert serving._free_address() == "0"
        done = subprocess.run(
            python("-m", "mcpgen", "serve", bookshop, "--http", port),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 1
    assert f"cannot listen on 127.0.0.1:{port}" in done.stderr
    assert "--http HOST:PORT" in done.stderr
    assert "keeps it" not in done.stderr
    assert "there is no such file" in run("serve", "none.yaml").output
    assert run("serve", "-").exit_code == 2
    for flags in (("--stdio", "--reload"), ("--page",), ("--runtime", "package")):
        assert run("serve", bookshop, *flags).exit_code == 2
    monkeypatch.setattr(serving, "find_spec", lambda name: None if name == "mcp" else name)
    missing = run("serve", bookshop)
    assert missing.exit_code == 1
    assert "serve needs mcp; to install them: pip install 'mcpgen[serve]'" in missing.output
    assert list(tmp_path.iterdir()) == []
