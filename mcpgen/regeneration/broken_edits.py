"""Problems in people's code, which every update and check reports until they are fixed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping

from ..format import undefined_names
from ..lock import Lock
from ..merge.names_used import variables_in
from ..merge.snapshot import HANDLER, snapshot
from ..text.literals import toml
from . import further_requests
from .lost_imports import Modules
from .names_used_elsewhere import taken
from .notes import Note
from .ownership import is_handlers
from .server_folder import ServerFolder
from .textfile import code_of

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_TYPES = {"int": "integer", "float": "number", "bool": "boolean"}
_ARGUMENT = "argument "


def of_folder(folder: ServerFolder, lock: Lock) -> list[Note]:
    """The notes on a server whose generated files match its lock."""

    def text(path: str) -> str | None:
        content = folder.content(path)
        return None if content is None else code_of(content.data)

    modules = Modules(lock.files, (), text)
    paths = [path for path in {*folder.modules(lock.files)} if path not in lock.files]
    edited = sorted({*paths, *lock.merged})
    requests = further_requests.notes(modules, lock.gone, lock, edited)
    return [*notes(modules, lock, edited), *(note for _, note in requests)]


def notes(modules: Modules, lock: Lock, edited: Iterable[str]) -> Iterator[Note]:
    """Notes on the `edited` modules of a server that was generated as `lock` says.

    They report names that the modules import but that are gone, handlers that do not fit their
    tools, and undefined names.
    """
    python = (path for path in edited if path.endswith(".py"))
    texts = {path: text for path in python if (text := modules.text(path)) is not None}
    classes = set(lock.classes.values())
    for path, text in texts.items():
        for message, each in modules.lost(taken(path, text), classes).items():
            yield Note(path, message, each.line, each.imported and not each.typed)
    for path, text in texts.items():
        if is_handlers(path) and path in lock.definitions:
            for line, message, breaks in _handlers(path, text, lock):
                yield Note(path, message, line, breaks)
    merged = {path: text for path, text in texts.items() if path in lock.merged}
    for path, line, message in undefined_names(merged):
        yield Note(path, message, line, True)


def _handlers(path: str, text: str, lock: Lock) -> Iterator[tuple[int, str, bool]]:
    """For each misfit of a handler and its tool: line, message, and whether calls will fail."""
    try:
        tree, there = ast.parse(text), snapshot(text)
    except (SyntaxError, ValueError, RecursionError):
        return  # which is told where it is merged
    generated = {key: parts for each in lock.definitions.values() for key, parts in each.items()}
    for function in tree.body:
        if not isinstance(function, _Function):
            continue
        tool, renames = _tool(function, path, lock), _renames(function)
        key = f"{HANDLER}{tool}"
        parts, own = generated.get(key), there.get(key, {})
        if parts is None or own.get("whole") == parts["whole"]:
            continue
        words = {word: name for name, word in lock.keywords.get(tool, {}).items()}
        ours = [k.removeprefix(_ARGUMENT) for k in parts if k.startswith(_ARGUMENT)][1:]
        offered = {words.get(word, word): word for word in ours}
        is_edited = "call" in parts and own.get("body") != parts["body"]
        for message, breaks in _misfits(function, tool, offered, renames, is_edited=is_edited):
            yield function.lineno, f"{key}: {message}", breaks


def _tool(function: _Function, path: str, lock: Lock) -> str:
    """The tool that a function handles, by its decorator or else its name; empty if it has none."""
    tools = [tool for tool, name in lock.functions.items() if name == function.name]
    marks = [each.args[0] for each in _calls(function) if each.args]
    marked = {each.value for each in marks if isinstance(each, ast.Constant)}
    here = (tool for tool in tools if f"{HANDLER}{tool}" in lock.definitions[path])
    return next((tool for tool in tools if tool in marked), "" if marked else next(here, ""))


def _renames(function: _Function) -> dict[str, str]:
    """The arguments that a function's decorator renames, by keyword."""
    values = {k.arg: k.value for call in _calls(function) for k in call.keywords if k.arg}
    texts = {k: v.value for k, v in values.items() if isinstance(v, ast.Constant)}
    return {k: v for k, v in texts.items() if isinstance(v, str)}


def _calls(function: _Function) -> list[ast.Call]:
    return [each for each in function.decorator_list if isinstance(each, ast.Call)]


def _misfits(
    function: _Function,
    tool: str,
    offered: Mapping[str, str],
    renames: Mapping[str, str],
    *,
    is_edited: bool,
) -> Iterator[tuple[str, bool]]:
    """The problems of a handler, each with whether it makes calls fail.

    `offered` has the tool's arguments with the keywords that mcpgen gave them.
    """
    args = function.args
    listed = [*args.posonlyargs, *args.args]
    needed = {a.arg for a in listed[: len(listed) - len(args.defaults)]}
    pairs = zip(args.kwonlyargs, args.kw_defaults, strict=True)
    needed |= {a.arg for a, default in pairs if default is None}
    own = [a.arg for a in (*listed, *args.kwonlyargs)][1:]  # the first is the context
    taken = {_argument(renames.get(word, word)): word for word in own}
    rest = [word for word in own if renames.get(word) == "*"]
    if not rest and args.kwarg is None:
        for name in sorted(offered.keys() - taken.keys()):
            yield f"it has no parameter for the argument `{offered[name]}`", True
    is_plain = len(function.decorator_list) == 1  # another decorator may give what is missing
    used = variables_in("\n".join(map(ast.unparse, function.body)))
    for name, word in taken.items():
        if name not in offered and word in needed and word not in rest:
            yield (
                f"it requires `{word}`, which the tool does not have{_way_out(tool, word, args)}",
                is_plain,
            )
        elif name not in offered and word not in rest:
            yield f"no agent can give `{word}`{_way_out(tool, word, args)}", is_plain
        elif name in offered and is_edited and word not in used:
            yield f"its edited body does not use `{word}`", False


def _way_out(tool: str, word: str, args: ast.arguments) -> str:
    """Advice on a handler's unknown argument: how to add it to the tool, or to remove it."""
    table = f"tools.{toml(tool)}.arguments.{toml(word)}"
    listed = (*args.posonlyargs, *args.args, *args.kwonlyargs)
    written = next(
        (ast.unparse(a.annotation) for a in listed if a.arg == word and a.annotation), ""
    )
    kind = next((_TYPES[each] for each in re.findall(r"\w+", written) if each in _TYPES), "string")
    return (
        f': write `{table} = {{ new = true, type = "{kind}" }}` into mcpgen.toml, remove it, or '
        "use the tool's argument that replaces it"
    )


def _argument(name: str) -> str:
    """The argument that a name in a decorator means: `**` means an argument named `*`."""
    return name[:-1] if len(name) > 1 and not name.strip("*") else name
