"""Templates of a user's own: over ours, beside ours, and within their folder."""

import hashlib
import json
from pathlib import Path

import pytest
from api_building import api, decide, tool
from click.testing import Result
from command_line import run

from mcpgen import __version__, models
from mcpgen.bundled.contents import CONTEXT_VERSION
from mcpgen.package import Package
from mcpgen.plan.planning import plan
from mcpgen.render import contexts, own_templates
from mcpgen.render import files as rendering
from mcpgen.render.templating import TemplateError
from mcpgen.settings import Settings

DOCS = Path(__file__).parents[2] / "docs" / "reference" / "templates.md"
CONTEXTS = {
    3: {
        "Package": "name distribution server env_prefix version title literals info defaults api "
        "api_imports modules entries variables tools first_tool data",
        "ToolRow": "name operation summary hints",
        "Variable": "name default description optional default_cell description_cell",
        "Entry": "tool target",
        "Module": "name docstring typing mapping runtime models handlers",
        "Handler": "tool function renames keywords returns docstring call unfilled",
        "Keyword": "name annotation default",
    }
}
"""The names that each version of the contexts has at least."""


def generate(**options: str) -> Result:
    flags = [word for name, value in options.items() for word in (f"--{name}", value)]
    return run("from-openapi", "api.json", "--runtime", "package", "-o", "server", *flags)


def own(name: str, text: str) -> Path:
    path = Path("own", name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    operation = {"operationId": "listBeds", "responses": {"204": {"description": "ok"}}}
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Garden", "version": "1"},
        "paths": {"/beds": {"get": operation}},
    }
    Path("api.json").write_text(json.dumps(document))


def test_every_template_is_explained() -> None:
    assert set(own_templates.names()) == set(own_templates.ABOUT)
    listed = run("templates", "list").stdout
    for name, about in own_templates.ABOUT.items():
        assert f"{name} " in listed
        assert about in listed


def test_an_ejected_template_is_followed() -> None:
    assert generate().exit_code == 0
    plain = Path("server/Dockerfile").read_bytes()
    name = "Dockerfile.jinja"
    assert run("templates", "eject", name, "--to", "own").exit_code == 0
    assert run("templates", "eject", name, "--to", "own").exit_code == 1
    wrong = run("templates", "eject", "Dockerfil.jinja", "--to", "own")
    assert wrong.exit_code == 1
    assert "no template Dockerfil.jinja; did you mean Dockerfile.jinja?" in wrong.output
    assert generate(templates="own").exit_code == 0
    assert Path("server/Dockerfile").read_bytes() == plain
    done = run("templates", "check", "own")
    assert (done.exit_code, done.stdout.split(":")[0]) == (0, "current")
    path = Path("own", name)
    path.write_text(path.read_text() + "# Ours\n")
    assert run("check", "server").exit_code == 3
    assert run("update", "server").exit_code == 0
    assert Path("server/Dockerfile").read_text().endswith("# Ours\n")


def test_an_override_for_an_older_version_is_named_with_what_changed_in_ours() -> None:
    name = "Dockerfile.jinja"
    assert run("templates", "eject", name, "--to", "own").exit_code == 0
    path, ejected = Path("own", name), Path("own/.ejected", name)
    old = ejected.read_text().replace("FROM ", "# Slim.\nFROM ", 1)
    ejected.write_text(old)
    digest = hashlib.sha256(old.encode()).hexdigest()[:16]
    path.write_text(f"{{#- mcpgen 0.0.1 context 0 {name} {digest} #}}\n{old}# Ours\n")
    done = run("templates", "check", "own")
    assert done.exit_code == 3
    assert f"outdated: {name} (from mcpgen 0.0.1)" in done.stdout
    assert f"+++ mcpgen {__version__}/{name}" in done.stdout
    assert "  -# Slim." in done.stdout
    assert "# Ours" not in done.stdout
    told = generate(templates="own").stderr
    assert f"note[older-templates]: made for an older mcpgen: {name}\n" in told
    assert "`mcpgen templates check own`" in told
    path.write_text(path.read_text().replace("context 0", f"context {CONTEXT_VERSION + 1}"))
    made = f"  made for version {CONTEXT_VERSION + 1} of the contexts; it is {CONTEXT_VERSION} now"
    assert made in run("templates", "check", "own").stdout
    ejected.unlink()
    assert "-# Ours" in run("templates", "check", "own").stdout


def test_a_byte_order_mark_is_no_part_of_a_template() -> None:
    mark = b"\xef\xbb\xbf"
    assert run("templates", "eject", "Dockerfile.jinja", "--to", "own").exit_code == 0
    path = Path("own/Dockerfile.jinja")
    path.write_bytes(mark + path.read_bytes())
    own("notes.jinja", "").write_bytes(mark + b"{#- path: docs/notes.md #}\nNotes\n")
    done = run("templates", "check", "own")
    assert done.stdout.startswith("current: Dockerfile.jinja")
    assert "extra: notes.jinja -> docs/notes.md" in done.stdout
    assert generate(templates="own").exit_code == 0
    assert Path("server/docs/notes.md").read_bytes() == b"Notes\n"
    assert not Path("server/Dockerfile").read_bytes().startswith(mark)


def test_there_is_nothing_to_check_where_there_is_no_folder() -> None:
    done = run("templates", "check", "own")
    assert (done.exit_code, done.stderr) == (1, "error: own is not a folder\n")


def test_an_override_may_build_on_ours() -> None:
    own("README.md.jinja", '{% include "mcpgen/README.md.jinja" %}\n{% include "support.jinja" %}')
    own("support.jinja", "Ask {{ package.server }}'s makers.\n")
    Path("own/parts.jinja").mkdir()
    assert generate(templates="own").exit_code == 0
    text = Path("server/README.md").read_text()
    assert text.startswith("# Garden")
    assert text.endswith("\nAsk garden's makers.\n")
    assert not Path("server/support").exists()
    states = run("templates", "check", "own").stdout.splitlines()
    assert "part: support.jinja" in states


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("READM.md.jinja", "", "Did you mean `README.md.jinja`?"),
        ("module.py.jinja", "", "Did you mean `package/handlers/module.py.jinja`?"),
        ("more.jinja", "{#-path:docs/more.md#}\nMore.\n", "`{#- path: docs/tools.md #}`"),
    ],
)
def test_a_template_that_makes_no_file_is_told(name: str, text: str, told: str) -> None:
    own(name, text)
    own("note.md", "{% include 'note.jinja' %}")
    own("note.jinja", "{% include ['one.jinja', 'two.jinja'] ignore missing %}")
    own("two.jinja", "{% if package.prompts %}{% include 'three.jinja' %}{% endif %}")
    own("three.jinja", "{% if %}")
    own("picture.png", "\N{SNOWMAN}")
    done = generate(templates="own")
    assert done.exit_code == 0
    assert f"note[template-unused]: `{name}` replaces no template" in done.stderr
    assert done.stderr.count("template-unused") == 1
    assert f"own/{name}:1:1" in done.stderr
    assert told in done.stderr


def test_what_a_template_includes_by_a_name_that_it_makes_is_not_guessed() -> None:
    own("README.md.jinja", "{% include package.server ~ '.jinja' %}")
    own("garden.jinja", "Beds.\n")
    own("orchard.jinja", "Trees.\n")
    done = generate(templates="own")
    assert done.exit_code == 0
    assert "template-unused" not in done.stderr


def test_a_server_is_stale_when_what_a_template_includes_changes() -> None:
    parts = ("support.jinja", "text/support.md")
    included = [f'{{% include "{each}" %}}' for each in ("mcpgen/README.md.jinja", *parts)]
    own("README.md.jinja", "\n".join(included))
    for part in parts:
        own(part, "Ask the gardeners.\n")
    assert generate(templates="own").exit_code == 0
    own(".idea/workspace.xml", "<editor/>\n")
    for part in parts:
        assert run("check", "server").exit_code == 0
        own(part, f"Ask the beekeepers of {part}.\n")
        assert run("check", "server").exit_code == 3
        assert run("update", "server").exit_code == 0
        assert f"\nAsk the beekeepers of {part}.\n" in Path("server/README.md").read_text()
    own(".idea/workspace.xml", "<editor open='true'/>\n")
    assert "nothing changed" in run("update", "server").stdout


def test_a_template_with_a_name_of_its_own_is_written_where_it_declares() -> None:
    own(
        "tools.md.jinja",
        "{#- path: docs/{{ package.server }}.md #}\n"
        "{% for entry in package.entries %}{{ entry.tool }}\n{% endfor %}",
    )
    own("extra.py.jinja", "{# path: {{ package.name }}/extra.py #}\nSERVER   = {{ 1 + 1 }}\n")
    assert generate(templates="own").exit_code == 0
    assert Path("server/docs/garden.md").read_text() == "'listBeds'\n"
    assert Path("server/garden_mcp/extra.py").read_text() == "SERVER = 2\n"
    assert run("check", "server").exit_code == 0
    assert "extra: tools.md.jinja -> docs/" in run("templates", "check", "own").stdout
    edited = Path("server/garden_mcp/extra.py")
    edited.write_text("SERVER = 2\n\nMINE = 1\n")
    Path("own/extra.py.jinja").unlink()
    Path("own/tools.md.jinja").unlink()
    assert run("update", "server").exit_code == 0
    assert not Path("server/docs").exists()
    assert "MINE = 1" in edited.read_text()


@pytest.fixture(scope="module")
def planned() -> tuple[Package, dict[str, str]]:
    """The plan of a server, and the files that mcpgen itself renders for it."""
    document = api(tool("listBeds"), title="Garden")
    names = decide(document)
    package = plan(document, names, models.generate(document, names), Settings())
    return package, rendering.render(package)


@pytest.mark.parametrize(
    "path",
    [
        "../out.md", "/tmp/out.md", "a/../../out.md", "a//b", "./a", "a\\b", "C:/a", " a", "a/",
        "{{ '..' }}/out.md", "README.md", "readme.MD", "README.md/a", "tests", "mcpgen.toml",
        "mcpgen.lock", ".mcpgen-update/a", "garden_mcp/tools.json", "tests/cases.json",
        "garden_mcp/_runtime/mine.py",
        "garden_mcp/models/mine.py", "garden_mcp/handlers/__init__.py", "garden_mcp/mock.json",
        "garden_mcp/hooks.py", "{{ package.titel }}",
        ".git/config", "a/.GIT/config", ".git./config", "git~1/config",
    ],
)  # fmt: skip
def test_an_extra_file_stays_in_the_server_and_out_of_our_way(
    path: str, planned: tuple[Package, dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    package, files = planned
    monkeypatch.setattr(rendering, "_own_files", lambda *given: {**files})
    own("extra.jinja", f"{{# path: {path} #}}\nmine\n")
    with pytest.raises(TemplateError, match=r"^template extra\.jinja"):
        rendering.render(package, Path("own"))


def test_two_extra_files_at_one_path_are_told_apart() -> None:
    own("a.jinja", "{#- path: docs/about.md #}\nA\n")
    own("b.jinja", "{#- path: docs/{{ 'about' }}.md #}\nB\n")
    done = generate(templates="own")
    assert done.exit_code == 1
    assert (
        "b.jinja, line 1: 'docs/about.md' collides with docs/about.md, which comes from a.jinja"
        in (done.stderr)
    )
    assert sorted(p.name for p in Path.cwd().iterdir()) == ["api.json", "own"]


def test_an_extra_file_follows_no_link() -> None:
    assert generate().exit_code == 0
    Path("elsewhere").mkdir()
    Path("server/docs").symlink_to("../elsewhere")
    own("extra.jinja", "{# path: docs/extra.md #}\nmine\n")
    done = generate(templates="own")
    assert done.exit_code == 1
    assert "symbolic link" in done.stderr
    assert list(Path("elsewhere").iterdir()) == []


@pytest.mark.parametrize(
    "text",
    [
        '{% include "../secret.jinja" %}',
        '{% include "linked.jinja" %}',
        '{% include "folder/secret.jinja" %}',
        '{% extends "../secret.jinja" %}',
        '{% import "linked.jinja" as it %}',
        '{% from "sub/../../secret.jinja" import it %}',
        '{% include "/" ~ "tmp/../secret.jinja" %}',
        "{{ ''.__class__.__mro__[1].__subclasses__() }}",
        "{{ package.modules.__class__.__base__ }}",
    ],
)
def test_nothing_is_read_outside_of_the_folder(text: str) -> None:
    Path("secret.jinja").write_text("the secret")
    own("README.md.jinja", f"first\n{text}\n")
    Path("own/linked.jinja").symlink_to("../secret.jinja")
    Path("own/folder").symlink_to("..")
    done = generate(templates="own")
    assert done.exit_code == 1
    assert "error: template " in done.stderr
    assert not Path("server").exists()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a\n{{ package.titel }}", ("README.md.jinja, line 2", "titel")),
        ("a\n\n{% for %}", ("README.md.jinja, line 3", "Expected an expression")),
        ('a\n{% include "part.jinja" %}', ("part.jinja, line 1", "'missing' is undefined")),
        ('{% include "nothing.jinja" %}', ("README.md.jinja, line 1", "nothing.jinja")),
        ("{{ 1 // 0 }}", ("README.md.jinja, line 1", "zero")),
        ('{% include "README.md.jinja" %}', ("README.md.jinja, line 1", "recursion")),
    ],
)
@pytest.mark.usefixtures("usual_depth")
def test_an_error_names_template_line_and_what_is_missing(text: str, told: tuple[str, ...]) -> None:
    own("README.md.jinja", text)
    own("part.jinja", "{{ missing }}")
    done = generate(templates="own")
    assert done.exit_code == 1
    for part in told:
        assert part in done.stderr


@pytest.mark.parametrize(
    ("name", "head", "path"),
    [
        ("package/server.py.jinja", "", "garden_mcp/server.py"),
        ("package/handlers/module.py.jinja", "", "garden_mcp/handlers/beds.py"),
        ("corp.jinja", "{#- path: {{ package.name }}/corp.py #}\n", "garden_mcp/corp.py"),
    ],
)
def test_a_template_that_makes_no_python_is_named(name: str, head: str, path: str) -> None:
    own(name, f'{head}PATTERN = "\\d"\nserver = ({{{{ package.name }}}} = 1\n')
    done = generate(templates="own")
    assert done.exit_code == 1
    line = f"line 2 of {path}, 'server = (garden_mcp = 1', is not valid Python"
    assert f"error: template {name}: {line}" in done.stderr
    assert not Path("server").exists()


def test_a_path_with_a_mistake_has_its_line() -> None:
    own("corp.jinja", "{#- path: {{ package.nam }}/corp.py #}\nmine\n")
    assert "error: template corp.jinja, line 1: " in generate(templates="own").stderr


def test_a_folder_that_is_not_there_is_an_error() -> None:
    done = generate(templates="owm")
    assert done.exit_code == 1
    assert "owm: this folder of templates does not exist" in done.stderr


def test_the_contexts_are_documented_as_they_are() -> None:
    assert DOCS.read_text().endswith(contexts.markdown())
    assert run("templates", "context").stdout == contexts.markdown()


def test_what_a_version_of_the_contexts_has_stays() -> None:
    """Where this fails, a name went that people's templates use: raise CONTEXT_VERSION."""
    found = {
        name: {each.name for each in fields} for name, (_, fields) in contexts.classes().items()
    }
    for name, fields in CONTEXTS[CONTEXT_VERSION].items():
        assert set(fields.split()) <= found[name]
