"""Skills as a client of the extension `io.modelcontextprotocol/skills` reads them."""

import base64
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from typing import Any

import pytest
import yaml
from command_line import run
from end_to_end.offered import error_of, use
from end_to_end.servers import SPECS, Server, generate
from end_to_end.upstream import Upstream, listening
from mcp import Client
from runtime.serving import in_thread

from .wire import META, Http, Lines, lines, request

EXTENSION = f"{META}skills"
PNG = b"\x89PNG\r\n\x00"
OWN = """---
name: refunds
description: "Refunds: when and how."
license: MIT
metadata:
  version: 1.5
  author: Ann of the shop
allowed-tools: ["placeOrder", "getOrder"]
---

See [the rules](references/the rules.md).
"""


def write(folder: Path, skill: str, text: str) -> Path:
    """A skill of the team's, in the folder `skills` of the package."""
    (package,) = [path.parent for path in folder.glob("*/server.py")]
    place = package / "skills" / skill / "SKILL.md"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(text.encode())
    return place


def skilled(folder: Path, name: str, upstream: Upstream, *settings: str) -> Server:
    """A server that has skills."""
    folder.mkdir()
    text = "\n".join(("skills = true", f'name = "{name}"', *settings))
    (folder / "mcpgen.toml").write_text(text)
    return generate(SPECS / "bookshop.yaml", folder, upstream)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the skill that is generated, and two of its team, one within the other."""
    with listening() as upstream:
        folder = tmp_path_factory.mktemp("skills") / "server"
        made = skilled(folder, "skilled", upstream, 'resources = ["GET /books"]')
        place = write(folder, "team/refunds", OWN)
        write(folder, "team/refunds/late", "---\nname: late\ndescription: Late ones.\n---\n")
        (place.parent / "references").mkdir()
        (place.parent / "references" / "the rules.md").write_bytes("Größe\r\n".encode())
        (place.parent / "seal.png").write_bytes(PNG)
        (place.parent / ".DS_Store").write_bytes(b"x")
        assert run("check", str(folder)).exit_code == 0
        yield made


@pytest.fixture(scope="module", params=["stdio", "http"])
def client(request: pytest.FixtureRequest, server: Server) -> Iterator[Lines | Http]:
    """A client over each transport."""
    if request.param == "stdio":
        with lines(server) as found:
            yield found
        return
    settings = server.module("_runtime").Settings(base_url=server.upstream.url)
    with in_thread(server.module("server").create_app(settings)) as base:
        yield Http(base)


def asked(client: Lines | Http, method: str, **params: Any) -> Any:
    """The result of a request, which is complete and says how long it may be kept."""
    result = client.ask(request(method, params))["result"]
    expected = {"resultType": "complete", "ttlMs": 300_000, "cacheScope": "public"}
    assert {key: result[key] for key in expected} == expected
    return result


def read(client: Lines | Http, uri: str) -> bytes:
    """The bytes of a skill's file."""
    (content,) = asked(client, "resources/read", uri=uri)["contents"]
    assert content["uri"] == uri
    if "blob" in content:
        return base64.b64decode(content["blob"])
    text: str = content["text"]
    return text.encode()


def test_a_client_of_the_extension_lists_and_reads_skills(client: Lines | Http) -> None:
    capabilities = client.ask(request("server/discover"))["result"]["capabilities"]
    assert capabilities["extensions"][EXTENSION] == {}
    assert "resources" in capabilities
    skills = {skill["uri"]: skill for skill in asked(client, "skills/list")["skills"]}
    team = "skill://team/refunds"
    assert [*skills] == ["skill://skilled/SKILL.md", f"{team}/SKILL.md", f"{team}/late/SKILL.md"]
    for uri, skill in skills.items():
        assert asked(client, "skills/get", uri=uri)["skill"] == skill
        data = {each["uri"]: read(client, each["uri"]) for each in skill["resources"]}
        for each in skill["resources"]:  # as hosts verify what they read
            digest = sha256(data[each["uri"]]).hexdigest()
            assert (each["size"], each["digest"]) == (len(data[each["uri"]]), f"sha256:{digest}")
        header = data[uri].decode().split("---\n")[1]
        assert yaml.safe_load(header) == skill["frontmatter"]
        assert skill["frontmatter"]["name"] == uri.split("/")[-2]
    files = [each["uri"] for each in skills[f"{team}/SKILL.md"]["resources"]]
    names = ("SKILL.md", "late/SKILL.md", "references/the%20rules.md", "seal.png")
    assert files == [f"{team}/{name}" for name in names]
    assert read(client, files[-1]) == PNG


def test_skills_are_resources_beside_the_others(client: Lines | Http) -> None:
    listed = {each["uri"]: each for each in asked(client, "resources/list")["resources"]}
    assert listed["skill://team/refunds/SKILL.md"] == {
        "uri": "skill://team/refunds/SKILL.md",
        "name": "refunds",
        "description": "Refunds: when and how.",
        "mimeType": "text/markdown",
    }
    (own,) = asked(client, "resources/templates/list")["resourceTemplates"]
    uri = own["uriTemplate"].partition("{")[0]
    error = client.ask(request("resources/read", {"uri": uri}))["error"]
    assert "SKILLED_SHOP_KEY" in error["message"]  # so its tool is called


@pytest.mark.parametrize(
    ("method", "uri"),
    [
        ("skills/get", "skill://team/SKILL.md"),
        ("skills/get", "skill://team/refunds/seal.png"),
        ("resources/read", "skill://team/refunds/.DS_Store"),
    ],
)
def test_what_is_no_skill_is_refused(client: Lines | Http, method: str, uri: str) -> None:
    assert client.ask(request(method, {"uri": uri}))["error"]["code"] == -32602


@pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
def test_a_server_without_resources_of_its_own_reads_skills_as_such(
    plain: Server, era: str
) -> None:
    async def uris(client: Client) -> list[str]:
        listed = (await client.list_resources()).resources
        assert [(await client.read_resource(each.uri)).contents for each in listed]
        return [each.uri for each in listed]

    assert use(plain, era, uris) == ["skill://plain/SKILL.md"]
    missing = error_of(plain, era, lambda client: client.read_resource("skill://a/SKILL.md"))
    assert missing.code == -32602


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the skill that is generated."""
    with listening() as upstream:
        yield skilled(tmp_path_factory.mktemp("plain") / "server", "plain", upstream)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("# Refunds\n", 1, "no header"),
        ("---\nname: bad\n", 1, "no end"),
        ("---\nname: Bad_one\ndescription: It.\n---\n", 2, "`name` must be"),
        ("---\nname: other\ndescription: It.\n---\n", 2, "in a folder `other`"),
        ("---\nname: bad\n---\n", 1, "`description` must be"),
        (f"---\nname: bad\ndescription: {'a' * 1025}\n---\n", 3, "`description` must be"),
        ("---\nname: bad\ndescription: >-\n  It.\n---\n", 3, "in double quotes"),
        ("---\nname: bad\ndescription: It\n  goes on.\n---\n", 4, "in one line"),
        ("---\nname: bad\ndescription: It: this.\n---\n", 3, "in double quotes"),
    ],
)
def test_a_bad_skill_is_told_with_its_place(
    plain: Server, text: str, line: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    place = write(plain.folder, "bad", text)
    try:
        done = run("check", str(plain.folder))
        path = place.relative_to(plain.folder)
        assert done.exit_code == 3
        assert f"broken: {path}:{line}: " in done.output
        assert said in done.output
        assert plain.module("server").APP.main(["--check"]) == 2
        told = capsys.readouterr().err
        assert f"{place}:{line}: " in told
        assert said in told
    finally:
        rmtree(place.parent)


def test_what_a_parser_of_yaml_would_read_otherwise_is_told(plain: Server) -> None:
    """Hosts compare a header, as they parse it, with what the server says of it."""
    place = write(plain.folder, "odd", "---\nname: odd\ndescription: It.\nlicense: ~\n---\n")
    try:
        done = run("check", str(plain.folder))
        assert "odd/SKILL.md:4: write `license` in double quotes" in done.output
    finally:
        rmtree(place.parent)


def test_the_first_skill_is_of_the_document_and_merged_with_edits(tmp_path: Path) -> None:
    folder = tmp_path / "server"
    document = tmp_path / "api.yaml"
    document.write_bytes((SPECS / "bookshop.yaml").read_bytes())
    folder.mkdir()
    (folder / "mcpgen.toml").write_text('skills = true\nname = "merged"\n')
    assert run("from-openapi", str(document), "-o", str(folder)).exit_code == 0
    skill = folder / "merged_mcp" / "skills" / "merged" / "SKILL.md"
    text = skill.read_text()
    for said in (
        "- orders: `placeOrder`",
        "`MERGED_SHOP_KEY`",
        "`listBooks`: pass `next` of the answer as `cursor`",
        '"name": "addBook"',
    ):
        assert said in text
    skill.write_text(text.replace("## Areas", "Ann knows the shop.\n\n## Areas"))
    old = "operationId: getAuthor"
    document.write_text(document.read_text().replace(old, "operationId: lookUpAuthor"))
    assert run("update", str(folder)).exit_code == 0
    merged = skill.read_text()
    assert "Ann knows the shop." in merged
    assert "- authors: `lookUpAuthor`" in merged
    assert run("check", str(folder)).exit_code == 0


def test_no_file_that_a_link_leads_to_is_served(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    for name in ("x.md", "SKILL.md"):
        (tmp_path / "outside" / name).write_text("---\nname: outside\ndescription: It.\n---\n")
    with listening() as upstream:
        server = skilled(tmp_path / "server", "linked", upstream)
        place = write(server.folder, "refunds", OWN)
        (place.parent / "ref.md").symlink_to(tmp_path / "outside" / "x.md")
        (place.parent / "more").symlink_to(tmp_path / "outside")
        (place.parents[1] / "outside").symlink_to(tmp_path / "outside")
        with lines(server) as client:
            listed = asked(client, "skills/list")["skills"]
            uris = [each["uri"] for skill in listed for each in skill["resources"]]
            assert sorted(uris) == ["skill://linked/SKILL.md", "skill://refunds/SKILL.md"]
            for name in ("ref.md", "more/x.md", "../outside/x.md"):
                answer = client.ask(request("resources/read", {"uri": f"skill://refunds/{name}"}))
                assert "error" in answer
