"""The schemas of settings take what mcpgen takes, and refuse what it refuses."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from command_line import run
from tables import table

from mcpgen import settings
from mcpgen.diagnostics import GenerationError

ROOT = Path(__file__).parents[2]
FOLDERS = ("docs", "tests", "generated_examples")
BEYOND = ("SPDX", "is not a valid version", "the name `", " twice", "names no host")
"""Messages about what no schema says: a list of licenses, or two tables that are the same."""


def texts() -> Iterator[str]:
    """The texts of examples, docs and tests that name settings."""
    for path in (each for folder in FOLDERS for each in (ROOT / folder).rglob("*")):
        if path.name == "mcpgen.toml":
            yield path.read_text("utf-8")
        elif path.suffix == ".md":
            yield from re.findall(r"```toml\n(.*?)```", path.read_text("utf-8"), re.DOTALL)
        elif path.suffix == ".py":
            for node in ast.walk(ast.parse(path.read_bytes())):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield node.value


def named(text: str) -> bool:
    """Whether a text is TOML that sets something known."""
    try:
        return bool(tomllib.loads(text).keys() & settings.KEYS.keys())
    except (tomllib.TOMLDecodeError, ValueError, RecursionError):
        return False


def refusal(text: str) -> str:
    """What mcpgen says of settings that it refuses."""
    try:
        settings.parse(text, Path("mcpgen.toml"))
    except GenerationError as error:
        return "; ".join(each.message for each in error.diagnostics)
    return ""


def refused(folder: Path, kind: str, files: dict[str, str]) -> set[str]:
    """The files that check-jsonschema refuses."""
    schema = folder / "schema.json"
    assert run("schema", kind, "-o", str(schema)).exit_code == 0
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    command = [sys.executable, "-m", "check_jsonschema", "-o", "json", "--schemafile", schema.name]
    done = subprocess.run([*command, *files], cwd=folder, capture_output=True, check=False)
    told = json.loads(done.stdout)
    assert not told.get("parse_errors")
    return {each["filename"] for each in told.get("errors", ())}


def test_it_is_as_strict_as_mcpgen(tmp_path):
    every = sorted({text for text in texts() if named(text)})
    files = {f"{number}.toml": text for number, text in enumerate(every)}
    said = {name: refusal(text) for name, text in files.items()}
    assert len([name for name in said if not said[name]]) > 50
    assert len([name for name in said if said[name]]) > 30
    found = refused(tmp_path, "settings", files)
    differing = {name for name in files if bool(said[name]) != (name in found)}
    assert [files[n] for n in differing if not any(word in said[n] for word in BEYOND)] == []


MEMBERS = 'members = ["servers/*"]\n'


def test_a_workspace_has_a_schema_too(tmp_path):
    good = [MEMBERS, f'{MEMBERS}runtime = "package"\n[tools."*"]\nscopes = ["read"]\n']
    bad = [
        'runtime = "package"\n',
        "members = []\n",
        'members = ["../*"]\n',
        *(f"{MEMBERS}{more}" for more in ("source = 'a'\n", "runtme = 'package'\n", "tools = 1\n")),
        *(f"{MEMBERS}{more}" for more in ("[tools.a]\n", "[publish]\nimage = 'a.io/a'\n")),
        f"{MEMBERS}header_env = ['A=B']\n",
    ]
    files = {f"{number}.toml": text for number, text in enumerate((*good, *bad))}
    assert refused(tmp_path, "workspace", files) == {*list(files)[len(good) :]}


@table(
    "arguments, code, said",
    (["nothing"], 2, "tools, settings or workspace"),
    (["settings", "-o", "none/schema.json"], 1, "none/schema.json: No such file"),
)
def test_what_cannot_be_written_is_told(arguments, code, said):
    done = run("schema", *arguments)
    assert done.exit_code == code
    assert said in done.stderr
