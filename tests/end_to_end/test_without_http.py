"""Servers that speak stdio alone: `http = false`, and bundles."""

import io
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from command_line import run
from examples import ROOT
from tables import table

PACKAGE = Path("server/bookshop_mcp")
SERVER = PACKAGE / "server.py"
RUNTIME = PACKAGE / "_runtime"
FILES = ("README.md", "DEPLOY.md", "Dockerfile", ".env.example", "pyproject.toml")


@pytest.fixture(autouse=True)
def bookshop(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("api.yaml").write_bytes((ROOT / "specs" / "bookshop.yaml").read_bytes())
    assert run("from-openapi", "api.yaml", "-o", "server").exit_code == 0


def setting(text: str) -> None:
    path = Path("server/mcpgen.toml")
    path.write_text(f"{text}\n{path.read_text('utf-8')}", "utf-8")


def update() -> str:
    done = run("update", "server")
    assert done.exit_code == 0, done.output
    assert run("check", "server", "--full").exit_code == 0
    return done.output


def started(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bookshop_mcp", *arguments]
    path = {"PYTHONPATH": str(Path("server").absolute()), "BOOKSHOP_SHOP_KEY": "k" * 9}
    return subprocess.run(command, capture_output=True, text=True, env=path | environ)


def test_nothing_of_http_is_left_and_it_comes_back():
    there = {path: path.read_bytes() for path in RUNTIME.rglob("*.py")}
    setting("http = false")
    update()
    assert not (RUNTIME / "parts").exists()
    texts = "".join(Path("server", name).read_text("utf-8") for name in FILES)
    assert re.findall(r"--http|over HTTP|HTTP_|starlette|uvicorn|healthz", texts, re.I) == []
    assert "Starlette" not in SERVER.read_text("utf-8")
    assert "parts=" not in SERVER.read_text("utf-8")
    path = Path("server/mcpgen.toml")
    path.write_text(path.read_text("utf-8").replace("http = false\n", ""), "utf-8")
    update()
    assert {path: path.read_bytes() for path in RUNTIME.rglob("*.py")} == there


def test_it_says_how_to_have_it():
    setting("http = false")
    update()
    done = started("--http")
    assert (done.returncode, "generate it with `http = true`" in done.stderr) == (2, True)
    assert "--http" not in started("--help").stdout
    called = started("--mock", "--call", "listBooks")
    assert (called.returncode, called.stderr) == (0, "")


@pytest.mark.parametrize("name", ["HTTP_TOKEN", "AUDIT", "CALLS_PER_MINUTE", "CALLER_AUTH"])
def test_what_limits_or_records_is_not_set_in_vain(name):
    setting("http = false")
    update()
    done = started("--check", **{f"BOOKSHOP_{name}": "stderr"})
    assert done.returncode == 2
    assert f"BOOKSHOP_{name}: this server cannot do that: generate it with `http" in done.stderr


def bundled() -> tuple[dict[str, str], str]:
    done = run("bundle", "server", "-o", "shop.mcpb")
    assert done.exit_code == 0, done.output
    with zipfile.ZipFile(io.BytesIO(Path("shop.mcpb").read_bytes())) as archive:
        names = archive.namelist()
        return {name: archive.read(name).decode() for name in names}, done.output


def test_a_bundle_has_what_a_server_without_http_has():
    files, _ = bundled()
    setting("http = false")
    update()
    for name in (SERVER, *RUNTIME.rglob("*.py")):
        assert files[name.relative_to("server").as_posix()] == name.read_text("utf-8"), name
    runtime = {name for name in files if "/_runtime/" in name and name.endswith(".py")}
    assert runtime == {p.relative_to("server").as_posix() for p in RUNTIME.rglob("*.py")}


def test_a_bundle_keeps_edits_and_tells_of_http_that_one_names():
    text = SERVER.read_text("utf-8")
    SERVER.write_text(text.replace("    hooks=hooks,\n", "    hooks=hooks,  # mine\n"), "utf-8")
    files, told = bundled()
    assert "hooks=hooks,  # mine" in files["bookshop_mcp/server.py"]
    assert not re.search(r"\bhttp\b", files["bookshop_mcp/server.py"])
    assert "the bundle contains that part too" not in told
    hooks = PACKAGE / "hooks.py"
    hooks.write_text(f"from ._runtime import HttpSettings\n{hooks.read_text('utf-8')}", "utf-8")
    update()
    files, told = bundled()
    assert "bookshop_mcp/_runtime/parts/http/asgi.py" in files
    assert "the bundle contains that part too" in told


def test_the_list_of_parts_is_merged_as_a_set():
    """What a person added stays, what is needed comes, and what only a setting asked for goes."""
    text = SERVER.read_text("utf-8")
    assert "    parts=[http],\n" in text
    added = "tasks, listening, asking, branches"
    text = text.replace("parts=[http]", f"parts=[http, {added}]")
    SERVER.write_text(text.replace("Settings, http\n", f"Settings, http, {added}\n"), "utf-8")
    handlers = PACKAGE / "handlers" / "books.py"
    code = handlers.read_text("utf-8")
    handlers.write_text(code.replace("    return await", "    style.part()\n    return await", 1))
    update()
    assert named() == ["asking", "http", "branches", "forms", "listening", "tasks"]
    assert (RUNTIME / "parts/tasks/store.py").is_file()
    setting("http = false")
    update()
    assert named() == ["asking", "branches", "forms", "listening", "tasks"]
    assert not (RUNTIME / "parts/http").exists()
    handlers.write_text(code, "utf-8")
    update()
    assert named() == ["asking", "branches", "listening", "tasks"]
    assert json.loads(Path("server/mcpgen.lock").read_text("utf-8"))["parts"] == []


def named() -> list[str]:
    found = re.search(r"parts=\[([^\]]*)\]", SERVER.read_text("utf-8"))
    return re.findall(r"\w+", found[1]) if found else []


@table(
    "parts, told",
    ("http, links", "the part `links` needs `resources`: add `resources` to `parts`"),
    ("http, Poll", "`Poll` is not a"),
)
def test_a_part_that_cannot_be_is_told_where_it_is_named(parts, told):
    text = SERVER.read_text("utf-8").replace("parts=[http]", f"parts=[{parts}]")
    SERVER.write_text(text, "utf-8")
    line = text[: text.index("    parts=")].count("\n") + 1
    done = run("update", "server")
    assert done.exit_code == 1
    assert f"bookshop_mcp/server.py:{line}: {told}" in done.output
