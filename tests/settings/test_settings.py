"""`mcpgen.toml`: what is written reads back, and what is wrong is named."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import app, run
from tables import table
from typer.main import get_command

from mcpgen import settings
from mcpgen.diagnostics import Diagnostic, GenerationError
from mcpgen.settings import Settings
from mcpgen.settings.reference import reference


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "mcpgen.toml"
    path.write_text(text)
    return path


def problems(path: Path) -> tuple[Diagnostic, ...]:
    """What is wrong with settings, which are refused."""
    with pytest.raises(GenerationError) as caught:
        settings.load(path)
    return tuple(caught.value.diagnostics)


def test_settings_read_back(tmp_path):
    asked = Settings(source='a "b".yaml', include_tags=("x", "y\n"), read_only=True, page_size=5)
    assert settings.load(write(tmp_path, settings.to_toml(asked))) == asked


@table(
    "given, kept",
    ("https://user:secret@x.test/a.json?b=c@d", "https://x.test/a.json?b=c@d"),
    ("https://x.test/a@b.json", "https://x.test/a@b.json"),
)
def test_a_password_in_a_url_is_not_kept(tmp_path, given, kept):
    assert settings.relative_to(Settings(source=given), tmp_path).source == kept


@table(
    "asked, examples",
    ({}, ["base_url", "include_tags", "prefix"]),
    ({"prefix": "a_"}, ["base_url", "include_tags"]),
    ({"reader": "tools"}, ["prefix"]),
)
def test_a_new_file_has_what_is_set_and_some_examples(tmp_path, asked, examples):
    """The examples hold once their marks are taken away."""
    given = Settings(source="api.yaml", **asked)
    text = settings.to_toml(given)
    told, _, shown = text.partition("# Such as:\n")
    assert "`mcpgen settings`" in told
    assert len(told.splitlines()) == 4 + len({"source": "", **asked})
    found = settings.load(write(tmp_path, text.replace(shown, shown.replace("# ", ""))))
    changed = [key for key in settings.KEYS if getattr(found, key, 0) != getattr(given, key, 0)]
    assert sorted(changed) == examples


@pytest.mark.parametrize("host", ["a", "a.example:80", "b\u00fccher.example", "::1", "[::1]:80"])
def test_hosts_are_names_or_addresses(tmp_path, host):
    found = settings.load(write(tmp_path, f"allowed_hosts = ['{host}']"))
    assert found.allowed_hosts == (host,)


@table(
    "text, message",
    ("read_onli = true", "unknown setting `read_onli`"),
    ("read_only = 1", "`read_only` must be true or false"),
    ("include_tags = 'a'", "`include_tags` must be a list, found a string"),
    ("include_tags = ['a', 1]", "an entry of `include_tags` must be a string, found a number"),
    ("output_schema = 'maybe'", "it must be one of open, strict, none"),
    ("page_size = -1", "`page_size` is less than the minimum of 0"),
    ("description_limit = 0", "`description_limit` is less than the minimum of 1"),
    ("max_source_bytes = 0", "`max_source_bytes` is less than the minimum of 1"),
    *(
        (f"allowed_hosts = ['a.example', '{host}']", "an entry of `allowed_hosts` cannot be")
        for host in ("", "https://a.example", "a.example/x", "*.example", "a b", "a:b", "[a]")
    ),
    ("prefix = 'a b'", "`prefix` cannot be 'a b'"),
    (f"package = '{'a' * 81}'", "`package` is longer than 80 characters"),
    ("with = 'a.yaml'", "`with` must be a list"),
    ("with = [1]", "a `[[with]]` must be a string or a table"),
    ("with = ['']", "`source` of `[[with]]` cannot be empty"),
    ("with = [{name = 'a'}]", "a `[[with]]` has no `source`"),
    ("tools.a.poll = {run = ['a']}", 'unknown setting `run` of tools."a".poll'),
    ("tools.a.description = ' '", '`tools."a".description` cannot be'),
    ("tools.a.title = ''", '`tools."a".title` cannot be empty'),
    ("page_size = ", "Invalid value"),
    (f"page_size = {'9' * 5000}", "limit"),
    (f"include_tags = {'[' * 100_000}", "recursion"),
)
def test_what_is_wrong_is_named(tmp_path, text, message):
    (found,) = problems(write(tmp_path, text))
    assert message in found.message


def test_text_of_another_encoding_is_told_where_it_is(tmp_path):
    path = write(tmp_path, "")
    path.write_bytes(b"source = 'a'\nname = 'caf\xe9'\n")
    (found,) = problems(path)
    assert (found.code, found.hint) == ("settings-syntax", "Save it as UTF-8.")
    assert str(found.location) == f"{path}:2:12"


@table(
    "text, hint",
    ("read_only = 'yes'", "Write true or false, without quotes."),
    ("name = 5", "Write it in quotes."),
    ("surface = 'serach'", "Did you mean `search`?"),
    ("page_size = 'many'", "The most tools on a page of tools/list; 0: all on one page."),
)
def test_a_wrong_value_comes_with_a_way_out(tmp_path, text, hint):
    assert [each.hint for each in problems(write(tmp_path, text))] == [hint]


def test_text_without_quotes_is_told_to_stand_in_them(tmp_path):
    path = write(tmp_path, "source = 'a'\nname = shop\n")
    (found,) = problems(path)
    assert "in quotes" in found.hint
    assert str(found.location) == f"{path}:2:8"


def test_the_mark_that_windows_editors_begin_with_is_no_text(tmp_path):
    assert settings.load(write(tmp_path, "\ufeffname = 'a'")) == Settings(name="a")


def test_an_unknown_key_comes_with_the_nearest_known_one(tmp_path):
    assert "include_tags" in problems(write(tmp_path, "include_tag = ['a']"))[0].hint


def test_every_wrong_key_is_told(tmp_path):
    path = write(tmp_path, "nam = 'a'\npage_size = 'b'\n[tools.one]\nnam = 'c'\n")
    places = [(found.code, found.location) for found in problems(path)]
    assert [(code, place.line) for code, place in places if place is not None] == [
        ("settings-unknown-key", 1),
        ("settings-type", 2),
        ("settings-unknown-key", 4),
    ]


@table(
    "text, place",
    ("# page_sise\nname = 'a'\npage_sise = 1\n", (3, 1)),
    ("name = 'a'\npage_size = 'b'\n", (2, 1)),
    ("name = 'a'\npage_size = ]\n", (2, 13)),
    ("name = 'a'\nmethods = [\n\n", (2, 12)),
    ("[tools.one]\ntitle = 'nam'\n[tools.two]\nnam = 'b'\n", (4, 1)),
    ('[tools."a b".arguments]\nc.env = "X"\n"d e".env = "é"\n', (3, 7)),
    ("[[with]]\nsource = 'a'\n[[with]]\nsource = 'b'\nread = 1\n", (5, 1)),
    ("source = 'a'\nwith = [1]\n", (2, 1)),
    ("source = 'a'\n# `[[with]]`: more\nwith = ['']\n", (3, 1)),
    ("[tools.one]\ntitle = 'a'\nredact = ['$.a', '']\n", (3, 1)),
    ("[tools.one]\nfields = [\n'$.a',\n'b',\n]\n", (4, 2)),
    ("source = 'a'\nwith = [{source = 'b', read = 1}]\n", (2, 24)),
)
def test_what_is_wrong_has_its_place(tmp_path, text, place):
    found = problems(write(tmp_path, text))[0].location
    assert found is not None
    assert (found.line, found.column) == place


def test_every_flag_that_settings_name_is_one():
    """And its parameter is called as the key, by which it is told from the others."""
    command = get_command(app).commands["from-openapi"]  # type: ignore[attr-defined]
    flags = {flag: each.name for each in command.params for flag in each.opts}
    named = re.findall(r"(?m)^(\w+) = .*\n.*\((--[a-z-]+)\)$", reference())
    assert [(flags[flag], flag) for _, flag in named] == named
    assert len(named) > 20


@pytest.mark.parametrize("is_further", [False, True])
def test_a_setting_that_does_nothing_to_a_tool_file_is_told(tmp_path, is_further):
    """Who writes `read_only` must not believe that the tools that write are gone."""
    tool = "{name: %s, description: d, inputSchema: {type: object}, http: DELETE /a}"
    for name in ("mine", "other"):
        (tmp_path / f"{name}.yaml").write_text(f"tools: [{tool % name}]")
    folder = tmp_path / "server"
    assert run("from-schema", f"{tmp_path}/mine.yaml", "-o", str(folder)).exit_code == 0
    before = (folder / "mcpgen.toml").read_text()
    table = "[[with]]\nsource = '../other.yaml'\n" if is_further else ""
    own = "" if is_further else "base_url = 'https://shop.example'\n"
    asked = "read_only = true\nmethods = ['get']\n"
    text = f"{before}\n{table}{asked}" if is_further else f"{own}{asked}{before}"
    (folder / "mcpgen.toml").write_text(text)
    found = run("update", str(folder))
    assert found.exit_code == 0
    told = re.findall(r"warning\[settings-no-effect\]: `(\w+)`.* (\w+)\.yaml", found.stderr)
    file = "other" if is_further else "mine"
    keys = ["methods", "read_only"] + ([] if is_further else ["base_url"])
    assert told == [(key, file) for key in keys]
    assert f"mcpgen.toml:{len(text.splitlines()) - 1 if is_further else 2}" in found.stderr


DOCUMENT = """
openapi: 3.1.0
info: {title: Shop, version: "1"}
servers: [{url: "https://shop.example"}]
paths:
  /cover:
    get:
      operationId: getCover
      responses: {"200": {description: a, content: {image/png: {}}}}
"""


@table(
    "text, said",
    ("base_url = 'shop'", "names no host"),
    ('base_url = "https://a\\nb"', "holds characters that a URL cannot hold"),
    ("templates = 'mine'", "this folder of templates does not exist"),
    ("source = ''", "no document is named"),
    ("source = 'shop.yaml'", "the document of"),
    ("reference_root = 'mine'", "this folder for references does not exist"),
    ("[tools.getCover]\nfields = ['$.a']", "is image/png, which has no fields"),
    ("[tools.getCover]\noutput_schema = 'none'", "the document gives its answer no schema"),
)
def test_what_shows_with_the_document_has_its_place_too(tmp_path, text, said):
    (tmp_path / "api.yaml").write_text(DOCUMENT)
    folder = tmp_path / "server"
    folder.mkdir()
    source = "" if text.startswith("source") else "source = '../api.yaml'"
    path = write(folder, f"{source}\n{text}\n")
    done = run("update", str(folder))
    assert (done.exit_code, [*folder.iterdir()]) == (1, [path])
    assert said in done.stderr
    assert f"{path}:{2 + text.count(chr(10))}:1" in done.stderr


def test_any_number_of_bytes_may_be_allowed(tmp_path):
    (tmp_path / "api.yaml").write_text(DOCUMENT)
    folder = tmp_path / "server"
    folder.mkdir()
    write(folder, f"source = '../api.yaml'\nmax_source_bytes = {10**20}\n")
    assert run("update", str(folder)).exit_code == 0


LOOK = """
import sys
from pathlib import Path
from mcpgen import servers
assert not servers.check(Path("server"), whole=False, stage=servers.silent).failed
print("jsonschema_rs" in sys.modules)
"""


def test_settings_that_the_lock_knows_are_not_checked_again(tmp_path, monkeypatch):
    """That would take as long as to find that nothing has changed."""
    monkeypatch.chdir(tmp_path)
    Path("api.yaml").write_text(DOCUMENT)
    assert run("from-openapi", "api.yaml", "-o", "server", "--page-size", "6").exit_code == 0
    toml = Path("server/mcpgen.toml")

    def checked() -> bool:
        command = [sys.executable, "-c", LOOK]
        return subprocess.run(command, capture_output=True, check=True).stdout == b"True\n"

    assert not checked()
    toml.write_text(toml.read_text().replace("page_size = 6", "page_size = 7"))
    assert checked()
    toml.write_text(toml.read_text().replace("page_size = 7", "page_size = '7'"))
    assert "must be a whole number" in run("check", "server").stderr
