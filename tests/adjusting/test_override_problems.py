"""What is wrong with the settings of a tool is named, where it is and with the nearest name."""

import math
from datetime import date
from pathlib import Path

from command_line import run
from tables import table

from mcpgen.settings.checks import problems

SPEC = Path(__file__).parents[2] / "specs" / "bookshop.yaml"


@table(
    "tables, message",
    ({"a": {"enable": True}}, 'unknown setting `enable` of tools."a"'),
    ({"a": {"enabled": "no"}}, "must be true or false"),
    ({"a": {"name": "two words"}}, ".name` cannot be 'two words'"),
    ({"a": {"annotations": {"readonlyHint": True}}}, "unknown setting `readonlyHint`"),
    ({"a": {"annotations": {"readOnlyHint": 1}}}, "must be true or false"),
    ({"a": {"arguments": {"b": {"env": "lower"}}}}, ".env` cannot be 'lower'"),
    ({"a": {"arguments": {"b": {"value": 1, "env": "B"}}}}, "exclude each other"),
    ({"a": {"arguments": {"b": {"value": False, "env": "B"}}}}, "`value` and `env` of"),
    ({"a": {"arguments": {"b": {"default": False, "hidden": True}}}}, "exclude each other"),
    ({"a": {"arguments": {"b": 1}}}, "must be a table"),
    ({"a": {"scopes": ["one two"]}}, "an entry of `tools.\"a\".scopes` cannot be 'one two'"),
    ({"a": {"scopes": [1]}}, 'an entry of `tools."a".scopes` must be a string'),
    ({"a": {"arguments": {"b": {"value": date(2024, 1, 1)}}}}, "holds 2024-01-01"),
    ({"a": {"arguments": {"b": {"default": [{"c": math.inf}]}}}}, "holds inf"),
    ({"a": {"poll": {"timeout": math.inf}}}, "holds inf"),
    ({"a": {"poll": {"timeout": -1.0}}}, "poll.timeout` is less than or equal to"),
    ({"a": {"poll": {"running": [1]}}}, 'an entry of `tools."a".poll.running` must be a string'),
    ({"a": {"poll": {"status": "state"}}}, "poll.status` cannot be 'state'"),
    ({"a": {"poll": {"interval": True}}}, "poll.interval` must be a number, found a boolean"),
    ({"*": {"enabled": False}}, 'unknown setting `enabled` of tools."*"'),
    ({"*": {"arguments": {"b": {"nme": 1}}}}, "unknown setting `nme`"),
    ([], "must be a table"),
)
def test_what_is_wrong_is_named(tables, message):
    (found,) = problems({"tools": tables})
    assert message in found.message


@table(
    "toml, hint",
    ('[tools.a]\nsurface = "tools"\n', "go above all tables"),
    ('[tools.a]\nname = "b"\n[tools.a]\ntitle = "B"\n', "Merge the two tables"),
)
def test_tables_that_are_easily_written_wrong(tmp_path, toml, hint):
    (tmp_path / "mcpgen.toml").write_text(toml)
    done = run("from-openapi", str(SPEC), "-o", str(tmp_path), "--force")
    assert done.exit_code == 1
    assert hint in " ".join(done.output.split())


def test_unknown_names_are_warnings_with_the_nearest(tmp_path):
    folder = tmp_path / "server"
    folder.mkdir()
    toml = '[tools.listBook]\nname = "x"\n[tools.getBook.arguments]\nbook.hidden = true\n'
    toml += '[tools.getBok]\n# name = "what --write-settings wrote of a tool that is left out"\n'
    (folder / "mcpgen.toml").write_text(toml)
    done = run("from-openapi", str(SPEC), "-o", str(folder), "--force")
    assert done.exit_code == 0, done.output
    line = (folder / "mcpgen.toml").read_text().split("\n").index("[tools.listBook]") + 1
    place = f"{folder / 'mcpgen.toml'}:{line}:8"
    assert f"there is no tool `listBook`\n  --> {place}\n" in done.output
    assert "Did you mean `listBooks`?" in done.output
    assert "there is no argument `book` of `getBook`" in done.output
    assert "getBok`" not in done.output


def test_a_value_that_does_not_fit_is_a_warning(tmp_path):
    folder = tmp_path / "server"
    folder.mkdir()
    (folder / "mcpgen.toml").write_text(
        '[tools.getBook.arguments]\nbook_id.value = "x"\n'
        "[tools.getCover.arguments]\nbook_id.value = 3\nwidth.default = 4\n"
    )
    done = run("from-openapi", str(SPEC), "-o", str(folder))
    assert done.exit_code == 0, done.output
    told = [line for line in done.stderr.splitlines() if "does not fit its schema" in line]
    assert ["the value of `book_id` of `getBook`" in told[0], len(told)] == [True, 2]
    assert "the default of `width` of `getCover`" in told[1]


@table(
    "wrong, place, told",
    ("book_id.hidden = true", "book_id", "`book_id` of `getBook` is hidden, but every call"),
    ("book_id.value = 'x'", "book_id", "`book_id` of `getBook` does not fit its schema"),
    ("bok_id.hidden = true", "bok_id", "there is no argument `bok_id` of `getBook`"),
    ("[tools.getBook]\nredact = ['$.nope']", "$.nope", "answer schema of `getBook` has `$.nope`"),
    ("[tools.getBook]\nname = 'getOrder'", "getOrder", "two tools are called `getOrder`"),
    (
        "[tools.getBook]\n[tools.'*'.arguments]\nwidth.name = 'book_id'",
        *("width", "`width` of `getCover` cannot be called `book_id`: another argument has"),
    ),
)
def test_what_is_wrong_is_told_where_it_is(tmp_path, wrong, place, told):
    """Another table before it names the same argument."""
    table = "" if wrong.startswith("[") else "[tools.getBook.arguments]\n"
    toml = tmp_path / "mcpgen.toml"
    before = "[tools.getCover]\narguments.book_id.description = 'Whose?'\n"
    toml.write_text(f"source = '{SPEC}'\nruntime = 'package'\n{before}{table}{wrong}\n")
    done = run("update", str(tmp_path))
    line = toml.read_text().splitlines()[-1]
    assert told in done.output
    located = f"{toml}:{len(toml.read_text().splitlines())}:{line.index(place) + 1}\n"
    assert located in done.output


_SIGN_IN = "sign_in = {provider = 'github', scopes = {acme = ['a']}}"


@table(
    "wrong, place, told",
    ("exclude_paths = ['/books', '/boks']", "/boks", "--exclude-path /boks matches no operation"),
    ("methods = ['get', 'fetch']", "fetch", "--methods FETCH matches no operation"),
    ("base_url = 'books.example'", "books", "`base_url`: 'books.example' names no host"),
    ("auth = {headers = {shop_key = 'X-Key'}}", "auth", "`auth` is not turned on"),
    ("resources = ['GET /*', 'GET /boks']", "GET /boks", "no GET operation matches `GET /boks`"),
    ("[auth]\nsource = 'caller'\nheaders.ky = 'X-Key'", "ky", "no security scheme `ky`"),
    ("[auth]\nsource = 'sign_in'", "source", "needs the table [sign_in]"),
    (f"{_SIGN_IN}\n[auth]\nsource = 'sign_in'", "source", "no security scheme of the document"),
    (
        f"{_SIGN_IN}\n[auth]\nsource = 'sign_in'\nschemes = ['shop_key']",
        "schemes",
        "`shop_key` accepts no access token",
    ),
    (
        f"{_SIGN_IN}\n[auth]\nsource = 'sign_in'\nschemes = ['ky']",
        "schemes",
        "no security scheme `ky`",
    ),
    (
        f"{_SIGN_IN}\n[auth]\nsource = 'sign_in'\ntoken = 'exchanged'",
        "token",
        "`github` does not exchange tokens",
    ),
    (
        "[auth]\nsource = 'caller'\nheaders = {shop_key = 'X-Key'}\ntoken = 'own'",
        "token",
        "does nothing with",
    ),
    ("[[with]]\nsource = '{spec}'\nexclude_tags = ['boks']", "boks", "--exclude-tag boks"),
)
def test_what_the_document_does_not_have_is_told_where_the_settings_name_it(
    tmp_path, wrong, place, told
):
    """Of many servers the place alone says whose settings these are."""
    toml = tmp_path / "mcpgen.toml"
    before = "# exclude_paths = ['/boks']\nexclude_tags = ['authors']\nruntime = 'package'\n"
    toml.write_text(f"source = '{SPEC}'\n{before}{wrong.replace('{spec}', str(SPEC))}\n")
    done = run("update", str(tmp_path))
    lines = toml.read_text().splitlines()
    said = done.output.split(told)[1].splitlines()
    assert said[1] == f"  --> {toml}:{len(lines)}:{lines[-1].index(place) + 1}"


@table(
    "wrong, told",
    ("instructions = 'Ask.'", "unknown setting `instructions` of [[with]]"),
    ("methods = 'get'", "`methods` of `[[with]]` must be a list"),
    ("prefix = '?'", "`prefix` of `[[with]]` cannot be '?'"),
)
def test_what_is_wrong_of_a_further_source_is_told_where_it_is(tmp_path, wrong, told):
    """The server itself has such settings too, and tools follow."""
    toml = tmp_path / "mcpgen.toml"
    own = "instructions = 'Ask.'\nprefix = 'a_'\nmethods = ['get']\n"
    further = f"[[with]]\nsource = '{SPEC}'\n{wrong}\n"
    toml.write_text(f"source = '{SPEC}'\n{own}{further}[tools.getBook]\nenabled = true\n")
    done = run("update", str(tmp_path))
    assert told in done.output
    assert f"{toml}:7:1\n" in done.output
