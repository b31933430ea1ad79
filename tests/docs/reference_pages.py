"""The parts of `docs/reference/` that the code knows: tables of settings, commands and variables.

They stand in the pages between `<!-- from the code: NAME -->` and `<!-- end -->`; people write the
rest. `python tests/docs/reference_pages.py` fills them in anew, and writes `stable_names.txt`.
"""

import json
import re
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import stable_names
import typer.main
import yaml

from mcpgen import python_names, settings, source
from mcpgen.bundled.contents import tool_file_schema
from mcpgen.bundled.parts import HTTP, about
from mcpgen.cli.app import EXIT_CODES, command_line
from mcpgen.diagnostics import Diagnostics
from mcpgen.plan import environment, parts
from mcpgen.readers.openapi import read
from mcpgen.runtime import PARTS
from mcpgen.runtime.values.settings import Closing, Group
from mcpgen.settings.reference import reference

PAGES = Path(__file__).parents[2] / "docs" / "reference"
PART = re.compile(r"(<!-- from the code: ([^>]*) -->\n)(.*?)(?=<!-- end -->)", re.DOTALL)
SHARED = tuple(
    each.field for each in settings.KEYS.values() if "diff" in each.row.commands and each.row.flag
)
"""The flags of all commands that read documents."""
_SIGN_IN = ("caller_", "exchange_")
_OF_CALLERS = ("audit_values", "trace_upstream")
_CODES = {0: "done", 2: "wrong usage"}


def filled(page: str) -> str:
    """A page with the parts that the code knows as they are now."""

    def part(found: re.Match[str]) -> str:
        what, _, which = found[2].partition(" ")
        return found[1] + "\n" + "\n".join(_PARTS[what](which, page)) + "\n"

    return PART.sub(part, page)


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    """A table and an empty line, without the columns in which nothing stands."""
    body = list(rows)
    kept = [number for number in range(len(head)) if any(cells[number] for cells in body)]
    lines = [head, ("---",) * len(head), *body]
    return [f"| {' | '.join(cells[n] for n in kept)} |" for cells in lines] + [""] if body else []


def code(text: str) -> str:
    """Text as code; nothing where there is none."""
    return f"`{text}`" if text else ""


def of_settings(which: str, page: str) -> Iterator[str]:
    """What `mcpgen settings` prints, as tables: those of single tools, or the others."""
    for block in reference().rstrip("\n").split("\n\n"):
        first, _, rest = block.partition("\n")
        if first.startswith("#"):
            continue
        if first.startswith("[tools") != (which == "tools"):
            continue
        is_table = first.startswith("[")
        title = code(first.partition(" (")[0]) if is_table else "The server"
        entries = re.split(r"\n(?!    )", rest if is_table else block)
        yield from (f"## {title}", "")
        yield from table(("key", "default", "flag", "meaning"), map(_setting, entries))


def _setting(entry: str) -> tuple[str, ...]:
    """The cells of an entry: `key = default`, and a line about it."""
    name, _, about = entry.partition("\n    ")
    key, _, default = name.partition(" = ")
    about, _, flag = about.partition(" (--")
    return code(key), code(default), code(f"--{flag[:-1]}" if flag else ""), about


def of_parts(which: str, page: str) -> list[str]:
    """The parts that a `server.py` may name."""
    return table(("part", "what it is"), ((code(name), about(name)) for name in PARTS))


def _commands() -> dict[str, Any]:
    """All commands by their names, those of groups too."""
    found: dict[str, Any] = {}
    for name, command in typer.main.get_command(command_line()).commands.items():
        for inner, each in getattr(command, "commands", {"": command}).items():
            found[f"{name} {inner}".strip()] = each
    return found


def of_commands(which: str, page: str) -> Iterator[str]:
    """What each command is for, and what its exit codes mean."""
    rows = []
    for name, command in _commands().items():
        codes = {**_CODES, **EXIT_CODES.get(name, {})}
        about = command.help.partition("\n\n")[0]
        rows.append((code(f"mcpgen {name}"), " ".join(about.split()), *map(codes.get, (1, 3))))
    yield from table(("command", "what it does", "exit code 1", "3"), _texts(rows))


def _texts(rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[str, ...]]:
    return (tuple(cell or "" for cell in cells) for cells in rows)


def of_command(name: str, page: str) -> Iterator[str]:
    """The arguments and flags of a command."""
    command = _commands()[name]
    shared = [each for each in command.params if _is_shared(each)]
    own = [each for each in command.params if not _is_shared(each)]
    yield from table(("argument or flag", "meaning"), map(_parameter, own))
    if shared:
        names = ", ".join(code(each.opts[0]) for each in shared)
        yield from (f"[Flags of documents](commands.md#flags-of-documents): {names}.", "")


def _is_shared(parameter: Any) -> bool:
    return parameter.name in SHARED and parameter.param_type_name == "option"


def of_flags(which: str, page: str) -> list[str]:
    """The flags that all commands share which read documents."""
    params = {each.name: each for each in _commands()["diff"].params}
    return table(("flag", "meaning"), (_parameter(params[name]) for name in SHARED))


def _parameter(parameter: Any) -> tuple[str, ...]:
    """An argument or a flag, and what it means."""
    if parameter.param_type_name == "argument":
        name = code(parameter.metavar or parameter.name.upper())
    else:
        value = "" if parameter.is_flag else f" {parameter.metavar or parameter.name.upper()}"
        name = ", ".join(code(f"{each}{value}") for each in parameter.opts)
    default = parameter.default
    shown = f" Default: `{default}`." if default and not isinstance(default, bool) else ""
    return name, parameter.help + shown


def of_environment(which: str, page: str) -> list[str]:
    """The variables of a group, for a server called `shop`."""
    about = environment.descriptions()
    per_api = environment.named(Group.OWN, Group.API)
    rows: dict[str, list[tuple[str, ...]]] = {}
    for part, spec in environment.specs():
        group = "server"
        if spec.name.startswith(_SIGN_IN):
            group = "credentials"
        elif isinstance(spec.metadata["group"], Closing) or spec.name in _OF_CALLERS:
            group = "callers"
        elif spec.name in per_api:
            group = "api"
        text = about[spec.name]
        if part not in ("", HTTP):
            text += f" Only in servers with the part {code(part)}."
        name = code(f"SHOP_{spec.name.upper()}")
        default = code(environment.env_text(spec.default))
        rows.setdefault(group, []).append((name, default, text))
    return table(("variable", "default", "meaning"), rows[which])


def of_schemes(which: str, page: str) -> list[str]:
    """The variables of the security schemes that the page shows as YAML."""
    shown = re.search(r"```yaml\n(.*?)```", page, re.DOTALL)
    assert shown is not None
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Shop", "version": "1"},
        "servers": [{"url": "https://shop.example"}],
        "paths": {"/": {"get": {"responses": {"204": {"description": ""}}}}},
        **yaml.safe_load(shown[1]),
    }
    document["security"] = [{name: []} for name in document["components"]["securitySchemes"]]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "api.json")
        path.write_text(json.dumps(document))
        found = Diagnostics()
        api = read(source.load(str(path), diagnostics=found), settings.Settings(), found)
    names = python_names.decide(api)
    plain = settings.Settings()
    every = environment.environment(api, names, plain, parts.of(api, plain))
    rows = ((code(each.name), each.description_cell) for each in every if each.signs_in)
    return table(("variable", "value"), rows)


def of_tool_file(which: str, page: str) -> Iterator[str]:
    """The keys of a tool file, by what they describe."""
    schema = json.loads(tool_file_schema())
    for name, title in _OBJECTS.items():
        keys = schema["$defs"][name]["properties"] if name else schema["properties"]
        rows = ((code(key), _meaning(each, schema)) for key, each in keys.items())
        yield from (f"## {title}", "", *table(("key", "meaning"), rows))


def _meaning(entry: dict[str, Any], schema: dict[str, Any]) -> str:
    """What a key means, in its own words or those of what it refers to."""
    referred = schema["$defs"].get(entry.get("$ref", "").removeprefix("#/$defs/"), {})
    return str(entry.get("description") or referred.get("description") or "")


_OBJECTS = {
    "": "The file",
    "server": "`server`",
    "tool": "A tool",
    "http": "`http`",
    "place": "An entry of `arguments`",
    "body": "`body`",
    "poll": "`poll`",
    "resource": "A resource",
    "resourceTemplate": "A resource template",
    "prompt": "A prompt",
}
_PARTS = {
    "settings": of_settings,
    "commands": of_commands,
    "command": of_command,
    "flags": of_flags,
    "environment": of_environment,
    "schemes": of_schemes,
    "tool-file": of_tool_file,
    "parts": of_parts,
}

if __name__ == "__main__":
    for path in PAGES.glob("*.md"):
        text = path.read_text(encoding="utf-8")
        path.write_text(filled(text), encoding="utf-8")
    stable_names.FILE.write_text(stable_names.text(), encoding="utf-8")
