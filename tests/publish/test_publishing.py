"""A server that its team publishes: what is written, kept current, and refused."""

import base64
import io
import json
import os
import shlex
import shutil
import zipfile
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import anyio
import pytest
import runtime_package
from command_line import run
from mcp import StdioServerParameters
from prepared import python
from tables import table

from mcpgen.bundled import runtime_wheel

from .host import filled, titles
from .schemas import check_manifest, check_server

NAME = "io.github.acme/bookshop"
DOCUMENT = Path(__file__).parents[2] / "specs" / "bookshop.yaml"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A server in package mode beside its document."""
    place = tmp_path_factory.mktemp("made")
    (place / "api.yaml").write_bytes(DOCUMENT.read_bytes())
    given = (str(place / "api.yaml"), "-o", str(place / "server"), "--runtime", "package")
    assert run("from-openapi", *given).exit_code == 0
    return place


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """A copy of the server, and its document."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path / "server"


def publish(folder: Path, **keys: Any) -> None:
    """Write the table `[publish]`."""
    lines = (f"{key} = {json.dumps(value)}\n" for key, value in keys.items())
    with (folder / "mcpgen.toml").open("a") as file:
        file.write("\n[publish]\n" + "".join(lines))


def entry(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "server.json").read_text())
    check_server(found)
    return found


def test_nothing_is_written_for_who_does_not_publish(folder):
    assert not (folder / "server.json").exists()
    texts = [(folder / name).read_text() for name in ("README.md", "Dockerfile")]
    for word in ("mcp-name", "io.modelcontextprotocol", "install-mcp", "mcp/install"):
        assert not any(word in text for text in texts)


def test_the_registry_s_entry_is_kept_current_and_told_when_it_is_not(folder):
    publish(folder, registry_name=NAME, remotes=["https://mcp.example.com/mcp"])
    assert run("check", str(folder)).exit_code == 3
    assert run("update", str(folder)).exit_code == 0
    assert run("check", str(folder)).exit_code == 0
    found = entry(folder)
    assert (found["name"], found["version"]) == (NAME, "1.4.0")
    assert found["remotes"] == [{"type": "streamable-http", "url": "https://mcp.example.com/mcp"}]
    (key,) = (v for v in found["packages"][0]["environmentVariables"] if v.get("isRequired"))
    assert (key["name"], key["isSecret"]) == ("BOOKSHOP_SHOP_KEY", True)
    assert f"<!-- mcp-name: {NAME} -->\n" in (folder / "README.md").read_text()
    label = f'LABEL io.modelcontextprotocol.server.name="{NAME}"\n'
    assert label in (folder / "Dockerfile").read_text()
    document = folder.parent / "api.yaml"
    document.write_text(document.read_text().replace("version: 1.4.0", "version: 1.5.0"))
    assert run("check", str(folder)).exit_code == 3
    assert run("update", str(folder)).exit_code == 0
    assert entry(folder)["version"] == "1.5.0"


def test_what_is_published_no_more_is_not_there(folder):
    publish(folder, registry_name=NAME)
    assert run("update", str(folder)).exit_code == 0
    text = (folder / "mcpgen.toml").read_text()
    (folder / "mcpgen.toml").write_text(text.partition("\n[publish]")[0])
    assert run("update", str(folder)).exit_code == 0
    assert not (folder / "server.json").exists()


def test_a_long_description_is_cut_and_told(folder):
    document = folder.parent / "api.yaml"
    said = "All the books of a town and of its shops, " * 4 + "in one place."
    old = "The catalogue and the orders of a small bookshop."
    text = document.read_text()
    assert old in text
    document.write_text(text.replace(old, said))
    publish(folder, registry_name=NAME)
    done = run("update", str(folder))
    assert (done.exit_code, "was cut to 100 characters" in done.output) == (0, True)
    assert entry(folder)["description"].endswith("…")


@table(
    "key, value, reason",
    ("registry_name", "bookshop", "a reversed domain and a name"),
    ("registry_name", "io.github.acme/a/b", "cannot be 'io.github.acme/a/b'"),
    ("description", "a" * 101, "longer than 100 characters"),
    ("image", "shop:latest", "image without a tag"),
    ("remotes", ["http://example.com/mcp"], "The https URLs"),
    ("repository", "git@example.com:a/b", "The https URL of"),
    ("regstry_name", "a/b", "registry_name"),
)
def test_what_cannot_be_published_is_refused_at_its_place(folder, key, value, reason):
    publish(folder, **{key: value})
    line = len((folder / "mcpgen.toml").read_text().splitlines())
    done = run("update", str(folder))
    assert done.exit_code == 1
    assert reason in done.output
    assert f"mcpgen.toml:{line}:" in done.output
    assert not (folder / "server.json").exists()


def test_links_decode_to_what_starts_the_server_and_hold_no_secret(folder, tmp_path):
    publish(folder, pypi=False)
    assert run("update", str(folder)).exit_code == 0
    text = (folder / "README.md").read_text()
    links = [part.partition(")")[0] for part in text.split("](https://")[1:]]
    vs_code, cursor = (parse_qs(urlsplit(link).query) for link in links)
    shown = json.loads(vs_code["config"][0])
    secret = {"BOOKSHOP_SHOP_KEY": "${input:BOOKSHOP_SHOP_KEY}"}
    assert shown == {"type": "stdio", "command": "bookshop-mcp", "args": [], "env": secret}
    (asked,) = json.loads(vs_code["inputs"][0])
    expected = {"id": "BOOKSHOP_SHOP_KEY", "type": "promptString", "password": True}
    assert asked.items() >= expected.items()
    config = json.loads(base64.b64decode(cursor["config"][0]))
    assert config["env"] == {"BOOKSHOP_SHOP_KEY": "${env:BOOKSHOP_SHOP_KEY}"}
    assert config["command"] == shown["command"]
    assert vs_code["name"] == cursor["name"] == ["bookshop"]
    program = tmp_path / "bookshop-mcp"  # as installing the server would put it there
    program.write_text(f'#!/bin/sh\nexec {shlex.join(python("-m", "bookshop_mcp"))} "$@"\n')
    program.chmod(0o755)
    where = {"PYTHONPATH": f"{folder}{os.pathsep}{runtime_package.folder()}"}
    started = StdioServerParameters(
        command=str(tmp_path / shown["command"]),
        args=[*shown["args"], "--mock"],
        env={**where, "BOOKSHOP_SHOP_KEY": "k"},
    )
    assert anyio.run(titles, started) == ["The Salt Road"]
    assert '--env BOOKSHOP_SHOP_KEY="$BOOKSHOP_SHOP_KEY" -- bookshop-mcp' in text


def bundled(folder: Path) -> zipfile.ZipFile:
    target = folder.parent / "shop.mcpb"
    done = run("bundle", str(folder), "-o", str(target))
    assert done.exit_code == 0, done.output
    return zipfile.ZipFile(io.BytesIO(target.read_bytes()))


def test_a_bundle_holds_the_server_and_its_runtime_and_answers(folder, tmp_path):
    place = tmp_path / "unpacked"
    with bundled(folder) as archive:
        archive.extractall(place)
    first = (tmp_path / "shop.mcpb").read_bytes()
    bundled(folder)
    assert (tmp_path / "shop.mcpb").read_bytes() == first
    made = json.loads((place / "manifest.json").read_text())
    check_manifest(made)
    config = made["server"]["mcp_config"]
    assert (config["command"], config["args"][-1]) == ("uv", "bookshop-mcp")
    assert (place / made["server"]["entry_point"]).is_file()
    assert len(made["tools"]) == 10
    runtime = f'mcpgen-runtime = {{ path = "wheels/{runtime_wheel.FILE_NAME}" }}'
    assert runtime in (place / "pyproject.toml").read_text()
    # The runtime is installed here already, and uv is not asked for it.
    parameters = filled(place, {"BOOKSHOP_SHOP_KEY": "k"})
    command = python("-m", "bookshop_mcp", "--mock")
    where = {"PYTHONPATH": f"{place}{os.pathsep}{runtime_package.folder()}"}
    parameters.command, parameters.args = command[0], command[1:]
    parameters.env = {**(parameters.env or {}), **where}
    assert anyio.run(titles, parameters) == ["The Salt Road"]


def test_no_bundle_is_made_of_a_server_that_is_not_up_to_date_or_lacks_its_runtime(folder):
    project = folder / "pyproject.toml"
    text = project.read_text()
    project.write_text(text.replace(runtime_wheel.requirement(), "mcpgen-runtime>=7,<8"))
    done = run("bundle", str(folder), "-o", str(folder.parent / "shop.mcpb"))
    assert (done.exit_code, "Put that wheel into" in done.output) == (1, True)
    project.write_text(text)
    document = folder.parent / "api.yaml"
    document.write_text(document.read_text().replace("List", "Show"))
    done = run("bundle", str(folder), "-o", str(folder.parent / "shop.mcpb"))
    assert (done.exit_code, "mcpgen update" in done.output) == (1, True)
    assert not (folder.parent / "shop.mcpb").exists()


SECRET = "hunter2-CANARY"


@pytest.fixture
def strange(folder: Path) -> Path:
    """The server after a commit of a stranger's: links out of it, and what is hidden."""
    outside = folder.parent / "outside"
    (outside / "below").mkdir(parents=True)
    (outside / "below" / "x.txt").write_text(SECRET)
    (outside / "x.txt").write_text(SECRET)
    package = folder / "bookshop_mcp"
    (folder / "mcpgen.toml").write_text(f"skills = true\n{(folder / 'mcpgen.toml').read_text()}")
    assert run("update", str(folder)).exit_code == 0
    (package / "notes.txt").symlink_to("../../outside/x.txt")
    (package / "env.txt").symlink_to("/proc/self/environ")
    (package / "below").symlink_to("../../outside/below")
    (package / "skills" / "bookshop" / "ref.md").symlink_to(outside / "x.txt")
    (package / "skills" / "linked").symlink_to(outside / "below")
    (package / "near.txt").symlink_to("tools.json")
    (package / "gone.txt").symlink_to("nowhere")
    os.mkfifo(package / "pipe")
    (package / ".env").write_text(SECRET)
    (package / ".git").mkdir()
    (package / ".git" / "config").write_text(SECRET)
    (package / "__pycache__").mkdir(exist_ok=True)
    (package / "__pycache__" / "x.pyc").write_text(SECRET)
    (folder / "LICENSE").symlink_to("../outside/x.txt")
    (folder / "wheels").symlink_to("../outside")
    return folder


LEFT_OUT = {
    "LICENSE": "is a link: a bundle leaves",
    "wheels": "is a link: a bundle leaves",
    "bookshop_mcp/notes.txt": "is a link: a bundle leaves",
    "bookshop_mcp/env.txt": "is a link: a bundle leaves",
    "bookshop_mcp/below": "is a link: a bundle leaves",
    "bookshop_mcp/near.txt": "is a link: a bundle leaves",
    "bookshop_mcp/gone.txt": "is a link: a bundle leaves",
    "bookshop_mcp/skills/bookshop/ref.md": "is a link: a bundle and the skills leave",
    "bookshop_mcp/skills/linked": "is a link: a bundle and the skills leave",
    "bookshop_mcp/pipe": "is hidden, or not a regular file: a bundle leaves",
    "bookshop_mcp/.env": "is hidden, or not a regular file: a bundle leaves",
    "bookshop_mcp/.git": "is hidden, or not a regular file: a bundle leaves",
}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes and links")
def test_a_bundle_takes_no_link_and_nothing_hidden_and_check_tells_of_it(strange):
    held = {
        name: archive.read(name) for archive in [bundled(strange)] for name in archive.namelist()
    }
    assert not any(SECRET.encode() in data for data in held.values())
    assert not held.keys() & LEFT_OUT.keys()
    assert "bookshop_mcp/skills/bookshop/SKILL.md" in held
    assert not any(part.startswith((".", "__pycache__")) for n in held for part in n.split("/"))
    target = strange.parent / "shop.mcpb"
    for arguments in (("check",), ("check", "--full"), ("update",), ("bundle", "-o", str(target))):
        done = run(arguments[0], str(strange), *arguments[1:])
        assert done.exit_code == 0, done.output
        for path, said in LEFT_OUT.items():
            assert f"{path}: {said} it out" in done.output, (arguments, path)


@pytest.mark.parametrize("name", ["pyproject.toml", "bookshop_mcp", "bookshop_mcp/tools.json"])
def test_no_bundle_is_made_where_what_it_needs_is_a_link(folder, name):
    (folder / name).rename(folder.parent / "outside")
    (folder / name).symlink_to(folder.parent / "outside")
    done = run("bundle", str(folder), "-o", str(folder.parent / "shop.mcpb"))
    assert (done.exit_code, "is a link" in done.output) == (1, True)
    assert not (folder.parent / "shop.mcpb").exists()


def wheel(folder: Path, version: str) -> str:
    """The name of a wheel in the server's folder."""
    name = f"mcpgen_runtime-{version}-py3-none-any.whl"
    (folder / "wheels").mkdir(exist_ok=True)
    (folder / "wheels" / name).write_bytes(version.encode())
    return name


@pytest.mark.parametrize("version", ["9.9.9", "0.0.9", "7", "x"])
def test_a_runtime_must_be_what_the_server_asks_for(folder, version):
    name = wheel(folder, version)
    done = run("bundle", str(folder), "-o", str(folder.parent / "shop.mcpb"))
    assert (done.exit_code, f"{name} is not the runtime that" in done.output) == (1, True)
    assert not (folder.parent / "shop.mcpb").exists()


def test_one_runtime_is_bundled_and_two_are_refused(folder):
    fitting = f"{runtime_wheel.series()}.77"
    name = wheel(folder, fitting)
    archive = bundled(folder)
    assert archive.read(f"wheels/{name}") == fitting.encode()
    wheel(folder, f"{runtime_wheel.series()}.78")
    done = run("bundle", str(folder), "-o", str(folder.parent / "shop.mcpb"))
    assert (done.exit_code, "more than one runtime" in done.output) == (1, True)


def test_a_server_that_nobody_named_has_no_link_to_a_package_of_others(tmp_path):
    """FastAPI's own title would be the name of a package on PyPI that is somebody else's."""
    document = {"openapi": "3.1.0", "info": {"title": "FastAPI", "version": "1"}}
    get = {"get": {"responses": {"200": {"description": "done"}}}}
    (tmp_path / "api.json").write_text(json.dumps({**document, "paths": {"/doors": get}}))
    made = tmp_path / "made"
    made.mkdir()
    (made / "mcpgen.toml").write_text(f"[publish]\nregistry_name = '{NAME}'\n")
    done = run("from-openapi", str(tmp_path / "api.json"), "-o", str(made))
    assert "`name` in mcpgen.toml gives it another name" in done.output
    text = (made / "README.md").read_text()
    assert "uvx api-mcp" not in text
    assert "vscode.dev" not in text
    settings = made / "mcpgen.toml"
    settings.write_text("name = 'doors'\n" + settings.read_text())
    assert run("update", str(made)).exit_code == 0
    assert "uvx doors-mcp" in (made / "README.md").read_text()
