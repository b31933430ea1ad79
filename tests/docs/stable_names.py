"""The names that people build on, as lines of text: `stable_names.txt`, by `reference_pages.py`.

`docs/reference/stability.md` says what a new version may change of them.
"""

import dataclasses
import inspect
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from typing import Any

import json_outputs
import typer.main
from msgspec import structs

from mcpgen import lock as locks
from mcpgen import runtime
from mcpgen.bundled.contents import CONTEXT_VERSION, templates_folder, tool_file_schema
from mcpgen.catalogue import search_index
from mcpgen.cli.app import EXIT_CODES, command_line
from mcpgen.plan import environment
from mcpgen.render.contexts import classes
from mcpgen.runtime.backend.client import ApiClient
from mcpgen.settings import Settings
from mcpgen.settings.rows import settings_of
from mcpgen.settings.settings import Source
from mcpgen.settings.values import literal

FILE = Path(__file__).with_name("stable_names.txt")
_SEARCHED = Path(__file__).parents[2] / "generated_examples" / "townhall"
"""A server with the search surface, and tools of every kind."""
_CALLED = ("Context", "Reply", "Response", "Media")
"""The exported classes whose members handlers and hooks use."""
_OURS = {
    *("Context.asked", "Context.params", "Context.serves", "Context.validator"),
    *("Response.kind", "Response.tell", "Response.tells_by_status", "Response.verbatim"),
    *("ApiClient.of", "ApiClient.telling"),
}
"""Members among them that are the runtime's own affair."""
_HOOKS = ("lifespan", "authenticate", "before_request", "after_response", "may_use")


def text() -> str:
    """All of them, a list after the other."""
    lists = {
        "Settings of mcpgen.toml": settings_lines(Settings, ""),
        "Keys of tool files": tool_file_lines(),
        "Environment variables of a server called `shop`": variable_lines(),
        "Flags of mcpgen's commands": flag_lines(),
        "Exit codes of mcpgen's commands": exit_code_lines(),
        "Members of what --json prints": json_outputs.lines(),
        "Flags of servers, with all parts": server_flag_lines(),
        "Names of _runtime, for handlers and hooks": runtime_lines(),
        "Functions of hooks.py": iter(_HOOKS),
        "Tools of the search surface": calling_tool_lines(),
        "Keys of mcpgen.lock": lock_lines(),
        "What templates are given": template_lines(),
    }
    return "\n".join(f"# {title}\n\n" + "\n".join(lines) + "\n" for title, lines in lists.items())


def settings_lines(table: type, around: str) -> Iterator[str]:
    """The keys of a table with their defaults, and those of the tables in it."""
    for key, each in settings_of(table).items():
        inner = each.row.table
        name = f"{around}{key}"
        if inner is None or (inner is Source and table is Source):
            shown = f" = {literal(each.default)}" if dataclasses.is_dataclass(table) else ""
            choices = f" ({', '.join(each.row.choices)})" if each.row.choices else ""
            yield f"{name}{shown}{choices}"
        else:
            yield from settings_lines(inner, f"{name}.*." if each.row.named else f"{name}.")


def tool_file_lines() -> Iterator[str]:
    """The keys of tool files, by what they describe."""
    schema = json.loads(tool_file_schema())
    for name, each in {"": schema, **schema["$defs"]}.items():
        for key in each.get("properties", {}):
            yield f"{name}.{key}".lstrip(".")


def variable_lines() -> Iterator[str]:
    """Each setting of running servers, with its default and the part that has it."""
    for part, spec in environment.specs():
        default = environment.env_text(spec.default)
        yield f"SHOP_{spec.name.upper()}={default}" + (f" ({part})" if part else "")


def flag_lines() -> Iterator[str]:
    """Each flag with its commands, and the arguments of each command."""
    commands = dict(_commands())
    flags: dict[str, list[str]] = {}
    for name, command in commands.items():
        arguments = [name]
        for each in command.params:
            if each.param_type_name == "argument":
                arguments.append(each.metavar or each.name.upper())
            else:
                value = "" if each.is_flag else f" {each.metavar or each.name.upper()}"
                flags.setdefault(f"{', '.join(each.opts)}{value}", []).append(name)
        yield " ".join(arguments)
    for flag in sorted(flags):
        yield f"{flag}: {', '.join(flags[flag])}"


def _commands() -> Iterator[tuple[str, Any]]:
    for name, command in typer.main.get_command(command_line()).commands.items():
        for inner, each in getattr(command, "commands", {"": command}).items():
            yield f"{name} {inner}".strip(), each


def exit_code_lines() -> Iterator[str]:
    """The exit codes of each command."""
    for name, _ in _commands():
        codes = sorted({0, 2, *EXIT_CODES.get(name, {})})
        yield f"{name}: {', '.join(map(str, codes))}"


def server_flag_lines() -> Iterator[str]:
    """The flags that a server's own command takes."""
    parts = [runtime.Part(name) for name in runtime.PARTS]
    info, api = runtime.ServerInfo(name="shop"), runtime.Api("SHOP")
    app = runtime.App(package="shop", info=info, api=api, handlers={}, parts=parts)
    with redirect_stdout(StringIO()) as shown, suppress(SystemExit):
        app.main(["--help"])
    yield from re.findall(r"^  (-.*?)(?:  .*)?$", shown.getvalue(), re.MULTILINE)


def runtime_lines() -> Iterator[str]:
    """What `_runtime` exports, and the members of the objects that handlers and hooks are given."""
    for name in sorted(runtime.HOMES):
        if name in runtime.PARTS:
            yield f"{name} (a part)"
            continue
        value = getattr(runtime, name)
        yield name
        if inspect.ismodule(value):
            yield from (f"{name}.{each}" for each in _contents(value))
        elif name in _CALLED:
            yield from (f"{name}.{each}" for each in _members(value))
    yield from (f"Context.api.{each}" for each in _members(ApiClient))


def _contents(module: Any) -> Iterator[str]:
    """The functions of a module, and what it has of classes of its own."""
    for name, value in sorted(vars(module).items()):
        if inspect.isfunction(value) and value.__module__ == module.__name__ and name[0] != "_":
            yield f"{name}({', '.join(inspect.signature(value).parameters)})"
        elif type(value).__module__ == module.__name__:
            yield name


def _members(of: type) -> list[str]:
    fields = [each.name for each in dataclasses.fields(of)] if dataclasses.is_dataclass(of) else []
    names = {*fields, *(each for each in vars(of) if not each.startswith("_"))}
    return sorted(_member(of, each) for each in names if f"{of.__name__}.{each}" not in _OURS)


def _member(of: type, name: str) -> str:
    value = vars(of).get(name)
    if not inspect.isfunction(value):
        return name
    _, *parameters = inspect.signature(value).parameters
    return f"{name}({', '.join(parameters)})"


def calling_tool_lines() -> Iterator[str]:
    """The search surface's own tools, with their arguments."""
    (index,) = _SEARCHED.glob("*/search.json")
    for tool in search_index.own_tools(index.read_bytes(), "Shop", pages=True):
        yield tool["name"]
        schema = tool["inputSchema"]
        for name, each in schema["properties"].items():
            needed = " (required)" if name in schema.get("required", ()) else ""
            yield f"{tool['name']}.{name}: {_kinds(each)}{needed}"


def _kinds(schema: Mapping[str, Any]) -> str:
    """The type of a schema, and its choices."""
    kinds = schema.get("type", "any")
    names = kinds if isinstance(kinds, str) else " or ".join(kinds)
    choices = [*map(json.dumps, schema.get("enum", ()))]
    return names + (f" of {', '.join(choices)}" if choices else "")


def lock_lines() -> Iterator[str]:
    """The members of the lock, and the version of its form."""
    yield f"lock = {locks.VERSION}"
    types = {each.name: each.type for each in structs.fields(locks.Lock)}
    yield from (f"{name}: {_type(types[name])}" for name in locks.FACTS)


def _type(kind: Any) -> str:
    return kind.__name__ if isinstance(kind, type) else str(kind).replace("collections.abc.", "")


def template_lines() -> Iterator[str]:
    """The names of templates, and the members of the objects that they are given."""
    folder = templates_folder()
    yield f"context = {CONTEXT_VERSION}"
    yield from sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.jinja"))
    for name, (_, fields) in classes().items():
        yield from (f"{name}.{each.name}: {each.type}" for each in fields)
