"""`mcpgen.workspace.toml`: commands over all its servers, and the settings that these share."""

import json
import shutil
import tomllib
from pathlib import Path

import pytest
from command_line import run
from tables import table

from mcpgen import lock

FILE = Path("mcpgen.workspace.toml")
MEMBERS = 'members = ["servers/*"]\n'
ANSWERS = {"responses": {"204": {"description": ""}}}


def document(title: str, **more: object) -> str:
    """A document of one operation to write and one to read."""
    return json.dumps({
        "openapi": "3.1.0",
        "info": {"title": title, "version": "1"},
        "servers": [{"url": f"https://{title.lower()}.example"}],
        "paths": {"/items": {"post": ANSWERS, "get": ANSWERS}},
        **more,
    })  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two servers and their documents, in a workspace that shares nothing."""
    folder = tmp_path_factory.mktemp("repository")
    (folder / "specs").mkdir()
    (folder / FILE).write_text(MEMBERS)
    for name in ("garden", "shop"):
        source = folder / f"specs/{name}.json"
        source.write_text(document(name.title()))
        done = run("from-openapi", str(source), "-o", str(folder / "servers" / name))
        assert done.exit_code == 0, done.output
    return folder


@pytest.fixture
def repository(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy of it, in which commands run."""
    shutil.copytree(made, tmp_path / "copy")
    monkeypatch.chdir(tmp_path / "copy")


def states(output: str) -> list[list[str]]:
    """Server and state of each row of the table at the end."""
    _, table = output.rsplit("change\n", 1)
    return [[row.split()[0], " ".join(row.split()[2:-1])] for row in table.splitlines()]


def test_commands_do_all_servers_from_wherever_they_run(repository, monkeypatch):
    Path("specs/shop.json").write_text(document("Shop", servers=[{"url": "https://new.example"}]))
    for here in (".", "specs", "../servers/shop/shop_mcp"):
        monkeypatch.chdir(here)
        done = run("check")
        assert done.exit_code == 3, here
        assert [state for _, state in states(done.stdout)] == ["up to date", "stale"]
        assert "garden: up to date" not in done.stdout, "the table says it"
    assert run("update").exit_code == 0
    assert [state for _, state in states(run("check").stdout)] == ["up to date", "up to date"]


def test_in_the_folder_of_a_server_they_do_that_one(repository, monkeypatch):
    monkeypatch.chdir("servers/shop")
    assert run("check").stdout == ".: up to date\n"


def test_diff_tells_what_updates_would_change(repository):
    Path("specs/shop.json").write_text(document("Shop", paths={"/items": {"get": ANSWERS}}))
    done = run("diff", "--fail-on", "breaking")
    assert done.exit_code == 3
    what, _, *table = done.stdout.splitlines()[3:]
    assert what == "  post_items: tool-removed"
    assert [row.split() for row in table[1:]] == [
        ["servers/garden", "0", "0", "0"], ["servers/shop", "1", "0", "0"]
    ]  # fmt: skip
    markdown = run("diff", "--format", "markdown").stdout
    assert markdown.startswith("### servers/shop: 1 breaking\n\n#### 🔴 Breaking (1)\n")
    assert "garden" not in markdown
    told = json.loads(run("diff", "--json").stdout)["servers"]
    assert [(each["server"], each["breaking"]) for each in told] == [
        ("servers/garden", 0), ("servers/shop", 1)
    ]  # fmt: skip
    Path("specs/garden.json").write_text("{}")
    done = run("diff")
    assert done.exit_code == 1, "one that cannot be generated"
    assert "specs/garden.json:1:1" in done.stderr
    assert "servers/shop: 1 breaking" in done.stdout
    assert run("diff", "specs/shop.json").exit_code == 2
    assert run("diff", "--overlay", "x.yaml").exit_code == 2


def test_inspect_shows_all_servers(repository):
    done = run("inspect", "--top", "1")
    assert done.exit_code == 0
    assert [row.split()[0] for row in done.stdout.splitlines()[-2:]] == [
        "servers/garden", "servers/shop"
    ]  # fmt: skip


def test_a_shared_setting_is_in_each_server_and_a_server_s_own_wins(repository):
    own = Path("servers/shop/mcpgen.toml")
    own.write_text(f'{own.read_text()}\nlicense = "MIT"\n[tools."*".annotations.post]\n')
    with own.open("a") as file:
        file.write("idempotentHint = true\n")
    before = {path.name: lock.read(path) for path in Path("servers").iterdir()}
    FILE.write_text(f"""{MEMBERS}runtime = "package"
license = "Apache-2.0"
templates = "house"
[tools."*".annotations.post]
destructiveHint = false
""")
    Path("house").mkdir()
    Path("house/notice.jinja").write_text("{#- path: NOTICE #}Ours.\n")
    done = run("check")
    assert done.exit_code == 3
    assert [state for _, state in states(done.stdout)] == ["stale", "stale"]
    assert run("update").exit_code == 0
    for name, license_, again in (("garden", "Apache-2.0", False), ("shop", "MIT", True)):
        server = Path("servers", name)
        now, then = lock.read(server), before[name]
        assert now is not None
        assert then is not None
        assert now.settings_sha256 != then.settings_sha256
        assert (
            tomllib.loads((server / "pyproject.toml").read_text())["project"]["license"] == license_
        )
        assert (server / "NOTICE").read_text() == "Ours.\n"
        assert not (server / f"{name}_mcp/_runtime/app").exists()
        listed = json.loads((server / f"{name}_mcp/tools.json").read_text())["tools"]
        hints = {tool["name"]: tool["annotations"] for tool in listed}["post_items"]
        assert (hints["destructiveHint"], hints["idempotentHint"]) == (False, again)
    assert run("check", "--full").exit_code == 0


def test_a_flag_that_a_server_alone_has_is_written_to_its_own_file(repository):
    """Also where it says what would hold without a workspace."""
    FILE.write_text(f'{MEMBERS}runtime = "package"\n')
    assert run("update").exit_code == 0
    assert run("update", "servers/shop", "--runtime", "vendored").exit_code == 0
    text = Path("servers/shop/mcpgen.toml").read_text()
    assert [line for line in text.splitlines() if line and line[0] != "#"] == [
        'source = "../../specs/shop.json"', 'runtime = "vendored"'
    ]  # fmt: skip
    assert run("check").exit_code == 0


def test_a_new_server_leaves_to_the_workspace_what_that_says(repository):
    FILE.write_text(f"{MEMBERS}read_only = true\n")
    for folder in ("servers/new", "elsewhere"):
        assert run("from-openapi", "specs/shop.json", "-o", folder).exit_code == 0
    text = Path("servers/new/mcpgen.toml").read_text()
    assert "read_only" not in text
    assert FILE.name in text.splitlines()[2]
    for folder, tools in (("servers/new", 1), ("elsewhere", 2)):
        listed = json.loads(Path(folder, "shop_mcp/tools.json").read_text())["tools"]
        assert len(listed) == tools
        assert run("check", folder).exit_code == 0


def test_init_makes_a_workspace_and_a_server_of_each_document(tmp_path, monkeypatch):
    """What fails is told, and the others are there."""
    monkeypatch.chdir(tmp_path)
    tools = {
        "tools": [{"name": "count", "description": "Count.", "inputSchema": {"type": "object"}}]
    }
    for place, text in {
        "specs/shop.json": document("Shop"),
        "specs/own tools.json": json.dumps(tools),
        "specs/broken.json": '{"openapi": "3.1.0"',
        "specs/garden/openapi.json": document("Garden"),
        "specs/openapi.json": document("Lampposts"),
        "more/shop.json": document("Other"),
    }.items():
        Path(place).parent.mkdir(parents=True, exist_ok=True)
        Path(place).write_text(text)
    documents = ("specs/*.json", "specs/garden/openapi.json", "more/shop.json")
    done = run("init", "servers/", *documents)
    assert done.exit_code == 1
    assert "specs/broken.json:1:20" in done.stderr
    assert "servers/shop: another document's server is there" in done.stderr
    rows = [row.split() for row in done.stdout.splitlines()[1:]]
    assert [(row[0], row[-5]) for row in rows] == [
        ("servers/broken", "failed"),
        ("servers/lampposts", "generated"),
        ("servers/own-tools", "generated"),
        ("servers/shop", "generated"),
        ("servers/garden", "generated"),
        ("servers/shop", "failed"),
    ]
    assert not Path("servers/broken").exists()
    assert tomllib.loads(FILE.read_text()) == {"members": ["servers/*"]}
    Path("specs/broken.json").write_text(document("Broken"))
    Path("servers/shop/mcpgen.toml").write_text(
        'source = "../../specs/shop.json"\nread_only = true\n'
    )
    FILE.write_text(f'{FILE.read_text()}runtime = "package"\n')
    done = run("init", "servers/", *documents[:2])
    assert done.exit_code == 0
    rows = [row.split() for row in done.stdout.splitlines()[1:]]
    assert [row[-5] for row in rows] == ["generated", *["already"] * 4]
    assert not Path("servers/broken/broken_mcp/_runtime/app").exists(), "it shares the settings"
    assert "read_only" in Path("servers/shop/mcpgen.toml").read_text()


def test_init_says_what_clients_list(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    items = {f"/item{n}": {"get": ANSWERS} for n in range(90)}
    Path("many.json").write_text(document("Many", paths=items))
    _, row = run("init", "servers", "many.json").stdout.splitlines()
    *_, tools, listed, tokens, _ = row.split()
    shown = json.loads(run("inspect", "servers/many", "--json").stdout)
    assert (tools, listed) == ("90", "3")
    assert tokens == f"{shown['tokens']:,}"


def test_init_writes_nothing_that_the_workspace_would_not_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("shop.json").write_text(document("Shop"))
    done = run("init", "../elsewhere", "shop.json")
    assert done.exit_code == 1
    assert "is not below this one" in done.stderr
    FILE.write_text(MEMBERS)
    done = run("init", "others", "shop.json")
    assert done.exit_code == 1
    assert f"{FILE} does not name them" in done.stderr
    assert {path.name for path in Path().iterdir()} == {FILE.name, "shop.json"}


@table(
    "text, place, said",
    ('members = ["servers/*", "servers/nix"]', "1:25", "there is no server at `servers/nix`"),
    ('members = ["servers/x*"]', "1:12", "there is no server at `servers/x*`"),
    ('members = ["servers/*", "servers/shop"]', "1:25", "both name `servers/shop`"),
    ('members = ["servers/shop", "servers/shop"]', "1:12", "is named twice"),
    ('members = ["../*"]', "1:13", "an entry of `members` cannot be '../*'"),
    ("members = []", "1:1", "`members` has less than 1 item"),
    ('member = ["servers/*"]', "1:1", "Did you mean `members`?"),
    (f'{MEMBERS}runtme = "package"', "2:1", "Did you mean `runtime`?"),
    (f"{MEMBERS}runtime = package", "2:11", "Put strings in quotes"),
    (f"{MEMBERS}runtime = 1", "2:1", "`runtime` is"),
    (f"{MEMBERS}tools = 1", "2:1", "`tools` must be a table"),
    (f'{MEMBERS}source = "a.yaml"', "2:1", "`source` cannot be shared"),
    (f'{MEMBERS}[publish]\nimage = "a.io/a"', "3:1", "`publish.image` cannot be shared"),
    (f'{MEMBERS}[tools.a]\ntitle = "A"', "2:8", '`tools."a"` cannot be shared'),
    (f'{MEMBERS}header_env = ["A=B"]', "2:16", "With its host"),
    (f'{MEMBERS}reference_root = "nix"', "2:1", "this folder for references does not exist"),
)
def test_a_workspace_that_is_wrong(text, place, said, made, tmp_path, monkeypatch):
    """It is told with its place, and nothing is written."""
    shutil.copytree(made, tmp_path / "copy", ignore=shutil.ignore_patterns("_runtime"))
    monkeypatch.chdir(tmp_path / "copy")
    for name in ("garden", "shop"):
        Path(f"specs/{name}.json").write_text(document(name.title(), servers=[]))
    FILE.write_text(text)
    before = {path: path.read_bytes() for path in Path("servers").rglob("*.*") if path.is_file()}
    done = run("update")
    assert done.exit_code == 1
    assert f"{FILE}:{place}\n" in done.stderr
    assert said in done.stderr
    assert before == {path: path.read_bytes() for path in before}
