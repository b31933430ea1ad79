"""Every command that the documentation shows is run by a test, or the page says why none does."""

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import chdir
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import command_line
import examples
import pytest
from git_there import needs_git
from markdown_it import MarkdownIt
from markdown_it.token import Token
from prepared import python
from tables import table

ROOT = Path(__file__).parents[2]
SHELL = ("console", "sh", "bash", "shell")
OTHER_LANGUAGES = (
    "haproxy",
    *("python", "yaml", "toml", "json", "jinja", "javascript", "nginx", "caddyfile", "markdown"),
    "text",
)
PROGRAMS = ("mcpgen", "bookshop-mcp", "pip", "pytest", "python", "uvx", "docker", "openssl")
"""What begins a command in a line of text or an indented block."""

SERVER, DEPLOY = "a server's README", "a server's DEPLOY.md"
ELSEWHERE = {
    ("README.md", "mcpgen"): "docs/test_commands.py",
    ("docs/callers.md", "Give each caller a token"): "end_to_end/test_callers.py",
    ("docs/callers.md", "Take a token away"): "end_to_end/test_callers.py",
    ("docs/callers.md", "Let people sign in"): "end_to_end/test_authorization_server.py",
    ("docs/callers.md", "Watch it with Prometheus"): "end_to_end/test_callers.py",
    ("docs/providers.md", "Switch it on"): "end_to_end/test_sign_in.py",
    ("docs/enterprise.md", "Switch it on"): "end_to_end/test_identity_assertions.py",
    ("docs/start.md", "1. Install mcpgen"): "docs/test_commands.py",
    ("docs/start.md", "2. Generate a server"): "docs/test_commands.py",
    ("docs/start.md", "3. Make a call"): "docs/test_commands.py",
    ("docs/start.md", "4. Call your real API"): "docs/test_commands.py",
    ("docs/update.md", "A server over the years"): "docs/test_commands.py",
    ("docs/serve.md", "Serve over HTTP"): "end_to_end/test_readme.py",
    ("docs/serve.md", "Where it runs"): "end_to_end/test_readme.py",
    ("docs/fastapi.md", "2. The server"): "end_to_end/test_fastapi.py",
    ("docs/fastapi.md", "3. Both in one process"): "end_to_end/test_fastapi.py",
    ("docs/fastapi.md", "The app changes"): "end_to_end/test_fastapi.py",
    ("docs/many-apis.md", "A server for each API"): "end_to_end/test_many_apis.py",
    ("docs/many-apis.md", "One server for several APIs"): "end_to_end/test_many_apis.py",
    ("docs/many-apis.md", "Several servers in one process"): "end_to_end/test_many_apis.py",
    ("docs/connect.md", "Over HTTP"): "end_to_end/test_readme.py",
    ("docs/handlers.md", "The tests"): "docs/test_handlers_guide.py",
    ("docs/ci.md", "Before each commit"): "docs/test_ci_docs.py",
    ("docs/publish.md", "On GitHub"): "docs/test_ci_docs.py",
    (DEPLOY, "Serve it over HTTP"): "end_to_end/test_readme.py",
    (DEPLOY, "In several processes"): "end_to_end/test_readme.py",
    (SERVER, "Change it"): "test_examples.py",
}
"""The parts of pages whose commands are run, all of them, by tests of their own."""

_LOCKED = "pip compile pyproject.toml --universal --python-version 3.13 --generate-hashes"
NOT_RUN = {
    ".venv/bin/mcpgen serve specs/bookshop.yaml --mock": "Ctrl+C",
    "mcpgen serve api.yaml --mock": "Ctrl+C",
    "mcpgen serve specs/bookshop.yaml --mock": "Ctrl+C",
    ".venv/bin/python -m pytest -n auto": "own tests",
    "bookshop-mcp --call listBooks": "real API",
    "command -v bookshop-mcp": "environment",
    "uvx --from . bookshop-mcp": "with uv",
    "docker build -t bookshop-mcp .": "with Docker",
    "docker run -i --rm --env-file .env bookshop-mcp": "with Docker",
    "docker run --rm -p 127.0.0.1:8000:8000 --env-file .env -e BOOKSHOP_PUBLIC_HOSTS=localhost "
    "bookshop-mcp --http 0.0.0.0:8000": "with Docker",
    "pip install --no-deps wheels/mcpgen_runtime-0.1.0-py3-none-any.whl": "not on PyPI yet",
    "pip install --no-deps wheels/mcpgen_runtime-*.whl": "not on PyPI yet",
    "pip wheel --no-deps --wheel-dir ../your-servers/wheels .": "unpacked source distribution",
    f"uv {_LOCKED} -o requirements.lock": "the newest packages",
    f"uv {_LOCKED} --find-links wheels -o requirements.lock": "the newest packages",
    "kubectl create secret generic bookshop-mcp --from-env-file=.env": "your cluster",
    "mcpgen inspect server --questions server/tests/questions.toml": "prints the questions",
    "python tests/docs/reference_pages.py": "At the end",
    "python -m bench.retrieval FOLDER": "measures",
    "python -m bench.agent.github DOCUMENT": "does these jobs",
    "python -m bench.mutants generated_examples/{bookshop,marina,wire} --limit 2": "figure",
}
"""Commands that no test runs as they are, for they take what their page says beside them."""

OF_CLIENTS = {"claude": "Claude Code", "codex": "Codex"}
"""Programs that no test runs: the clients that a server is added to."""

INSTEAD = {"https://api.example.com/openapi.json": "next.yaml"}
"""What stands for what only a network has."""

EXIT = {"mcpgen templates eject": 2, "mcpgen curate server": 1}
"""The exit codes of commands that are shown without what they need."""


OF_THE_SHELL = {*">|$`"}
"""What only a shell understands; a command without them is run in this process."""


class Command(NamedTuple):
    """A command and where it is shown."""

    page: str
    heading: str
    text: str


def pages() -> Iterator[tuple[str, str]]:
    """The name and the text of each page; servers' are all called the same."""
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))):
        yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
    for name, page in (("README.md", SERVER), ("DEPLOY.md", DEPLOY)):
        for path in sorted(examples.FOLDER.glob(f"*/{name}")):
            yield page, as_of_the_bookshop(path)


def as_of_the_bookshop(path: Path) -> str:
    """A page of a server with the bookshop's names in place of its own."""
    text = path.read_text(encoding="utf-8")
    (package,) = [found.parent.name for found in path.parent.glob("*/server.py")]
    name = package.removesuffix("_mcp")
    deploy = (path.parent / "DEPLOY.md").read_text(encoding="utf-8")
    prefix = re.search(r"`([A-Z0-9_]+)_HTTP_STATELESS`", deploy)
    assert prefix is not None
    for own, known in (
        (package, "bookshop_mcp"),
        (package.replace("_", "-"), "bookshop-mcp"),
        (f"mcp add {name.replace('_', '-')} ", "mcp add bookshop "),
        (f"{prefix[1]}_", "BOOKSHOP_"),
    ):
        text = text.replace(own, known)
    return re.sub(r' --env \w+="\$\w+"', "", text)


PAGES = list(pages())
BLOCKS = MarkdownIt().enable("table").disable("inline")
INLINE = MarkdownIt()
"""What is in a line is looked at only where it may be a command: each worker reads all pages."""


def commands() -> list[Command]:
    """All commands of all pages, each once."""
    found = {}
    for page, text in PAGES:
        heading = ""
        for before, token in pairwise(BLOCKS.parse(text)):
            if before.type == "heading_open":
                heading = token.content
            for line in lines(token):
                for part in re.split(r" (?:&&|\|\|) ", line):
                    for text in alternatives(part.strip()):
                        found[Command(page, heading, text)] = None
    return list(found)


def alternatives(text: str) -> list[str]:
    """The commands that `a|b` in one stands for."""
    found = re.search(r"\w+(?:\|\w+)+", text)
    return [text.replace(found[0], word) for word in found[0].split("|")] if found else [text]


def is_run_elsewhere(command: Command) -> bool:
    """Whether another test runs it, or none for a reason."""
    return (
        (command.page, command.heading) in ELSEWHERE
        or command.text in NOT_RUN
        or command.text.split()[0] in OF_CLIENTS
    )


def lines(token: Token) -> Iterator[str]:
    """The lines of a piece of Markdown that are commands."""
    if token.type == "fence" and token.info in SHELL:
        yield from token.content.splitlines()
    elif token.type == "code_block":
        for line in token.content.splitlines():
            text = re.split(r"\s{2,}", line)[0]
            yield from [text] if begins(text, of_its_own=True) else []
    elif token.type == "inline" and any(f"`{name} " in token.content for name in PROGRAMS):
        (line,) = INLINE.parseInline(token.content)
        for child in line.children or ():
            if child.type == "code_inline" and begins(child.content):
                yield child.content


def begins(text: str, of_its_own: bool = False) -> bool:
    """Whether a piece of code is a command; within a text, not only a command's name."""
    words = text.split()
    if not words or words[0] not in PROGRAMS:
        return False
    return of_its_own or len(words) > (2 if words[0] == "mcpgen" else 1)


COMMANDS = commands()
RUN = {(c.page == SERVER, c.text): c for c in COMMANDS if not is_run_elsewhere(c)}.values()
"""Each command once, though several pages show it."""


def first_yaml(page: str) -> str:
    """The first file in YAML that a page shows."""
    return (ROOT / "docs" / page).read_text("utf-8").partition("```yaml\n")[2].partition("```")[0]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which somebody follows the documentation: a repository with a server."""
    folder = tmp_path_factory.mktemp("world")
    write_programs(folder / "bin")
    specs = ROOT / "specs"
    for name in ("api.yaml", "bookshop.yaml", "OLD", "NEW"):
        shutil.copy(specs / "bookshop.yaml", folder / name)
    shutil.copy(specs / "next.yaml", folder)
    shutil.copy(specs / "tools-http.yaml", folder / "tools.yaml")
    (folder / "fix.yaml").write_text(first_yaml("overlays.md"))
    (folder / "sign-in.yaml").write_text(first_yaml("sign-in.md"))
    (folder / "templates").mkdir()
    shutil.copy(ROOT / "templates" / "Dockerfile.jinja", folder / "templates")
    shutil.copytree(folder / "templates", folder / "DIR")
    setup = """
        git init -q -b main; git add api.yaml; git commit -qm 1
        mcpgen from-openapi api.yaml -o server
        mkdir servers; cp -r server servers/bookshop; cp api.yaml servers
        cp -r server bookshop-server
        git add .; git commit -qm 2
    """
    done = follow(setup, folder)
    assert done.returncode == 0, done.stderr
    return folder


def write_programs(folder: Path) -> None:
    """The programs as they would be installed; what installs checks that there is a project."""
    served = shlex.join(python("-m", "bookshop_mcp"))
    programs = {
        "mcpgen": f'exec {shlex.join(python("-m", "mcpgen"))} "$@"',
        "bookshop-mcp": f'PYTHONPATH=bookshop-server exec {served} "$@"',
        "pip": 'for last; do :; done; test -f "${last%%\\[*}/pyproject.toml"',
        "python3": f'test "$*" = "-m venv .venv" && mkdir .venv && ln -s {folder} .venv/bin',
    }
    folder.mkdir()
    for name, line in programs.items():
        (folder / name).write_text(f"#!/bin/sh\n{line}\n")
        (folder / name).chmod(0o755)
    (folder / "activate").touch()


def follow(commands: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Type commands into a shell."""
    who = {
        f"GIT_{each}_{what}": "a@b.example"
        for each in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    programs = next(p / "bin" for p in (folder, folder.parent) if (p / "bin").exists())
    return subprocess.run(
        ["bash", "-euc", commands],
        cwd=folder,
        env={**os.environ, **who, "PATH": f"{programs}:{os.environ['PATH']}"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


@needs_git
@pytest.mark.parametrize("shown", RUN, ids=lambda shown: f"{shown.page}-{shown.text}")
def test_a_command_works(world, shown):
    page, _, command = shown
    program = command.split()[0]
    known = program == "export" or (world / "bin" / program).exists() or shutil.which(program)
    if not known:
        pytest.skip(f"{program} is not installed here")
    assert follow("git reset -q --hard; git clean -qfdx", world).returncode == 0
    for online, offline in INSTEAD.items():
        command = command.replace(online, offline)
    folder = world / "server" if page in (SERVER, DEPLOY) else world
    if program == "mcpgen" and not set(command) & OF_THE_SHELL:
        with chdir(folder):
            told = command_line.run(*shlex.split(command)[1:])
        assert told.exit_code == EXIT.get(command, 0), told.output
    else:
        done = follow(command, folder)
        assert done.returncode == EXIT.get(command, 0), done.stdout + done.stderr


@table("page, answer", ("README.md", '"title"'), ("docs/start.md", '"The Salt Road"'))
def test_a_page_leads_to_a_server_that_answers(tmp_path, page, answer):
    """From its first command on: what is shown before is followed in its order."""
    write_programs(tmp_path / "bin")
    for name in ("specs", "pyproject.toml"):
        (tmp_path / name).symlink_to(ROOT / name)
    parts = {part for part, test in ELSEWHERE.items() if test == "docs/test_commands.py"}
    shown = [c.text for c in COMMANDS if c.page == page and (c.page, c.heading) in parts]
    done = follow("\n".join(text for text in shown if text not in NOT_RUN), tmp_path)
    assert done.returncode == 0, done.stderr
    assert answer in done.stdout


@needs_git
def test_a_server_over_the_years(tmp_path):
    """The guide of docs/update.md, followed to the letter."""
    write_programs(tmp_path / "bin")
    text = (ROOT / "docs" / "update.md").read_text()
    guide = re.split(r"\n##+ ", text.partition("## A server over the years")[2])[0]
    commands = "".join(re.findall(r"```console\n(.*?)```", guide, re.DOTALL))
    (tmp_path / "api.yaml").write_bytes((ROOT / "specs" / "bookshop.yaml").read_bytes())
    done = follow(f"git init -q\n{commands}", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    books = (tmp_path / "server/bookshop_mcp/handlers/books.py").read_text()
    assert "# Old books are found too." in books
    assert '"kind": kind' in books
    assert "argument-renamed `genre`" in done.stdout
    orders = (tmp_path / "server/bookshop_mcp/handlers/orders.py").read_text()
    assert "Reserve books: POST" in orders
    assert "docstring was changed on both sides" in done.stdout
    assert done.stdout.rstrip().endswith("server: up to date")


def test_code_of_a_page_says_what_it_is_written_in():
    """So that no shell command is overlooked."""
    for page, text in PAGES:
        kinds = {token.info for token in BLOCKS.parse(text) if token.type == "fence"}
        assert kinds <= {*SHELL, *OTHER_LANGUAGES}, page


@pytest.mark.parametrize(("command", "reason"), NOT_RUN.items())
def test_a_page_says_why_a_command_is_not_run(command, reason):
    shown = {c.page for c in COMMANDS if c.text == command}
    assert shown
    for page in shown:
        assert any(reason in " ".join(text.split()) for name, text in PAGES if name == page)


def test_the_tests_that_run_the_others_are_there():
    for part, test in ELSEWHERE.items():
        assert (ROOT / "tests" / test).exists()
        assert any(part == (c.page, c.heading) for c in COMMANDS)
