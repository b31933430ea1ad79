"""Flags of `mcpgen update` and the settings that people wrote: each is written where it stands."""

from pathlib import Path

import pytest
from command_line import run
from tables import table

from .beds import edit

pytestmark = pytest.mark.usefixtures("beds")


def test_settings_decide_and_flags_are_kept():
    edit("# Such as:", "page_size = 7", "server/mcpgen.toml")
    assert run("check", "server").exit_code == 3
    assert run("update", "server").exit_code == 0
    assert "page_size=7" in Path("server/garden_mcp/server.py").read_text()
    assert run("from-openapi", "api.json", "-o", "server", "--page-size", "9").exit_code == 0
    assert "\npage_size = 9\n" in Path("server/mcpgen.toml").read_text()
    assert run("check", "server").exit_code == 0


@pytest.mark.parametrize("inside", ['"weeds"', '"]"'])
def test_flags_change_lists_over_several_lines(inside):
    settings = Path("server/mcpgen.toml")
    settings.write_text(
        f'{settings.read_text()}\ninclude_tags = [\n  {inside},\n  "beds",\n]  # all\n'
    )
    assert run("from-openapi", "api.json", "-o", "server", "--include-tag", "beds").exit_code == 0
    assert settings.read_text().endswith('\ninclude_tags = ["beds"]  # all\n')


@table(
    "before",
    "include_tags = ['pens']",
    'include_tags = [\n    "pens",\n    "tubs#",\n]',
    "include_tags=[]",
    "# include_tags = []",
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_flags_leave_the_comment_behind_a_value(before, end):
    assert run("from-openapi", "api.json", "-o", "server").exit_code == 0
    said = 'name = "garden"   # "ours" = [ours]\nmax_tools = 9# many\npage_size = 8\n'
    text = f"source = '../api.json'\n{before}  # why\n{said}"
    Path("server/mcpgen.toml").write_bytes(text.replace("\n", end).encode())
    flags = ("--include-tag", "beds", "--name", "garden", "--max-tools", "7")
    flags += ("--page-size", "6")
    assert run("from-openapi", "api.json", "-o", "server", *flags).exit_code == 0
    said = 'name = "garden"   # "ours" = [ours]\nmax_tools = 7# many\npage_size = 6\n'
    why = "" if before.startswith("#") else "  # why"
    equals = "=" if before.startswith("include_tags=") else " = "
    kept = f"source = '../api.json'\ninclude_tags{equals}[\"beds\"]{why}\n{said}"
    assert Path("server/mcpgen.toml").read_bytes().decode() == kept.replace("\n", end)


def test_flags_keep_the_line_ends_and_the_paths_that_people_wrote():
    Path("more.json").write_text(Path("api.json").read_text().replace("Garden", "Orchard"))
    assert run("from-openapi", "api.json", "-o", "server").exit_code == 0
    start = f"source = './../api.json'\nname = 'garden'\ntemplates = '{Path().absolute()}/own'"
    further = f"\n[[with]]\nsource = '{Path('more.json').absolute()}'\n"
    Path("own").mkdir()
    settings = Path("server/mcpgen.toml")
    settings.write_bytes(f"{start}\n{further}".replace("\n", "\r\n").encode())
    done = run("from-openapi", "api.json", "-o", "server", "--page-size", "6")
    assert done.exit_code == 0, done.output
    kept = f"{start}\npage_size = 6\n{further}".replace("\n", "\r\n")
    assert settings.read_bytes().decode() == kept
    Path("weeds.json").write_text(Path("api.json").read_text().replace("Garden", "Weeds"))
    done = run("from-openapi", "api.json", "-o", "server", "--with", "weeds.json")
    assert done.exit_code == 0, done.output
    kept += '\r\n[[with]]\r\nsource = "../weeds.json"\r\n'
    assert settings.read_bytes().decode() == kept
    sources = ("--with", "weeds.json", "--with", "more.json")
    done = run("from-openapi", "api.json", "-o", "server", *sources)
    assert (done.exit_code, settings.read_bytes().decode()) == (0, kept), done.output


def test_the_mark_that_windows_editors_begin_with_stays():
    assert run("from-openapi", "api.json", "-o", "server").exit_code == 0
    settings = Path("server/mcpgen.toml")
    settings.write_bytes("\ufeffsource = '../api.json'\r\n# page_size = 0\r\n".encode())
    assert run("from-openapi", "api.json", "-o", "server", "--page-size", "6").exit_code == 0
    kept = "\ufeffsource = '../api.json'\r\npage_size = 6\r\n"
    assert settings.read_bytes().decode() == kept


def test_a_flag_that_cannot_be_written_is_left_to_the_user():
    settings = Path("server/mcpgen.toml")
    Path("own.json").write_text(Path("api.json").read_text().replace("Garden", "Own"))
    settings.write_text(f"with = [{{source = '../own.json'}}]\n{settings.read_text()}")
    before = settings.read_text()
    Path("weeds.json").write_text(Path("api.json").read_text().replace("Garden", "Weeds"))
    done = run("from-openapi", "api.json", "-o", "server", "--with", "weeds.json")
    assert done.exit_code == 1, done.output
    assert "Change the settings in mcpgen.toml by hand" in done.stderr
    assert settings.read_text() == before
