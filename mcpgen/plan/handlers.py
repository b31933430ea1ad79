"""Plans the handler modules: each tool's function, its types and its call of the API."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..api import Argument, Tool
from ..models import Models
from ..models.annotations import Annotation
from ..package import Handler, Keyword, Module
from ..python_names import Names
from ..runtime.values.media import MediaType, essence, is_json
from ..text import literals
from ..text.import_order import import_order
from ..text.literals import py
from . import calls

_UNSET = "UNSET"
_SCALARS = {str: "str", int: "int", float: "float", bool: "bool", type(None): "None"}
_BARE = {"204", "205"}
"""Statuses of answers without a body. Of other answers to GET a document may say nothing."""
_LINE_LENGTH = 90
"""A line of 100 without the indentation and quotes of a handler's docstring."""


def module(tag: str, tools: list[Tool], names: Names, models: Models) -> Module:
    """The module with the tools of a tag."""
    annotations: list[Annotation] = []
    handlers = tuple(_handler(t, names, models, annotations) for t in tools)
    # A module may need both: an edited handler stays in its module when its tool changes sort.
    runtime = calls.runtime_names(each for h in handlers for each in h.call)
    runtime |= {"Context", "tool", *("ToolError" if t.http is None else "Response" for t in tools)}
    if any(k.default == _UNSET for h in handlers for k in h.keywords):
        runtime |= {"UNSET", "Unset"}
    extras = any(t.name in names.extras for t in tools)
    models_used = {c for a in annotations for c in a.classes}
    typing: set[str] = set()
    if extras or any(a.any for a in annotations):
        typing.add("Any")
    if any(a.literal for a in annotations):
        typing.add("Literal")
    if models_used:
        typing.add("TYPE_CHECKING")
    return Module(
        name=names.modules[tag],
        docstring=literals.docstring(_about_module(tag, tools)),
        typing=tuple(sorted(typing, key=import_order)),
        mapping=extras,
        runtime=tuple(sorted(runtime, key=import_order)),
        models=tuple(sorted(models_used, key=import_order)),
        handlers=handlers,
    )


def _about_module(tag: str, tools: list[Tool]) -> str:
    if any(tool.http is None for tool in tools):
        return "Tools that you write in Python. Updates keep your code."
    api = tools[0].api
    whose = f" of {api}" if api else ""
    if tools[0].written is not None:
        return f"Tools that call the API{whose}."
    # Not by the API's key: an edited module keeps the tag that it had under an earlier key.
    name = tag.partition("/")[2] if api else tag
    own = literals.one_line(name or tag)
    if any(tool.tagged for tool in tools):
        return f"Tools tagged `{own}`{whose}."
    return f"Tools without a tag{whose}." if own == "default" else f"Tools for `{own}`{whose}."


def _handler(tool: Tool, names: Names, models: Models, used: list[Annotation]) -> Handler:
    keywords = names.keywords[tool.name]
    extra = names.extras.get(tool.name)
    ordered = sorted(tool.arguments, key=lambda a: not a.required)
    result = _result_annotation(tool, models)
    used.append(result)
    parameters = []
    for argument in ordered:
        annotation = models.annotate(argument.schema, tool.name, argument.name)
        used.append(annotation)
        default = "" if argument.required else _UNSET
        if default and (tool.http is None or argument.sends_default):
            default = _default(argument, annotation)
        text = f"{annotation.text} | Unset" if default == _UNSET else annotation.text
        parameters.append(Keyword(keywords[argument.name], text, default))
    if extra:
        required = sum(argument.required for argument in ordered)
        parameters.insert(required, Keyword(extra, "Mapping[str, Any]"))
    renames = [
        f"{keywords[a.name]}={py(_mark(a.name))}" for a in ordered if keywords[a.name] != a.name
    ]
    if extra:
        renames.append(f'{extra}="*"')
    call: tuple[str, ...] = ()
    if tool.http is not None:
        own = {k.name for k in parameters if k.default not in ("", _UNSET)}
        variables = names.apis[tool.api].variables
        call = calls.send_arguments(tool, keywords, extra, variables, own)
    return Handler(
        tool=py(tool.name),
        function=names.functions[tool.name],
        renames=tuple(renames),
        keywords=tuple(parameters),
        returns=result.text if tool.http is None else f"Response[{result.text}]",
        docstring=literals.docstring(_doc(tool)),
        call=call,
        client=calls.client(tool),
        unfilled=py(_unfilled(tool, names)) if tool.http is None else "",
    )


def _mark(name: str) -> str:
    """An argument's name in the decorator, where `*` means all other arguments.

    A name that consists only of stars gets one more star, so that it is not taken for `*`.
    """
    return f"{name}*" if name and not name.strip("*") else name


def _unfilled(tool: Tool, names: Names) -> str:
    """The error message of a tool whose handler is not written yet."""
    file = f"{names.package}/handlers/{names.modules[tool.tag]}.py"
    return f"This tool is not written yet: fill in {names.functions[tool.name]}() in {file}."


def _default(argument: Argument, annotation: Annotation) -> str:
    """The schema's default, if it is a scalar of the annotated type; else `UNSET`."""
    if not isinstance(argument.schema, Mapping) or "default" not in argument.schema:
        return _UNSET
    value = argument.schema["default"]
    kind = _SCALARS.get(type(value), "")
    kinds = annotation.text.split(" | ")
    fits = kind in kinds or (kind == "int" and "float" in kinds)
    fits = fits or bool(kind and (annotation.literal or annotation.classes))
    return py(value) if fits else _UNSET


def _result_annotation(tool: Tool, models: Models) -> Annotation:
    if tool.result is not None:
        return models.annotate(tool.result, tool.name, "result")
    if tool.http is None:
        return Annotation("Any", any=True)
    kind = essence(tool.result_media_type or "")
    if not kind:
        is_empty = tool.call.method != "GET" or not _BARE.isdisjoint(tool.call.statuses)
        return Annotation("None") if is_empty else Annotation("Any", any=True)
    if tool.call.read_as == "text" or MediaType.read(kind).is_text:
        return Annotation("str")
    return Annotation("Any", any=True) if is_json(kind) or "*" in kind else Annotation("bytes")


def _doc(tool: Tool) -> str:
    """A handler's docstring: the tool's summary and operation, in two paragraphs if they are long.

    A summary that adds nothing to the operation is left out.
    """
    summary = literals.sentence(tool.summary, 90).rstrip(".\u3002")
    if tool.http is None:
        return literals.ended(summary or literals.one_line(tool.name))
    operation = f"{tool.http.method} {literals.one_line(tool.http.path)}"
    if _words(summary) in ([], _words(operation)):
        return f"{operation}."
    line = f"{summary}: {operation}."
    if len(line) <= _LINE_LENGTH:
        return line
    return f"{literals.ended(summary)}\n\n{operation}\n"


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.lower())
