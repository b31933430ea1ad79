"""Plans resources and prompts: their functions, and their rows in the README."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..api import Api, Offer, Tool
from ..package import Function, FunctionModule, Keyword, OfferRow
from ..python_names import RESERVED_ARGUMENTS, Names, completion
from ..text import literals
from ..text.import_order import import_order
from ..text.literals import py
from ..text.words import snake, unique
from . import calls

_MARKS = {"resources": "resource", "prompts": "prompt"}
_ABOUT = {
    "resources": "Functions that read the resources. Updates keep your code.",
    "prompts": "Functions that make the prompts. Updates keep your code.",
}


def modules(api: Api, names: Names) -> tuple[FunctionModule, ...]:
    """The modules `resources` and `prompts`, if they have functions."""
    offers_by_module = {"resources": api.resources, "prompts": api.prompts}
    candidates = (_module(name, offers, names) for name, offers in offers_by_module.items())
    return tuple(module for module in candidates if module.functions)


def rows(offers: Sequence[Offer], module: str) -> tuple[OfferRow, ...]:
    """A README row for each resource or prompt: its name, its origin and its description."""
    table = []
    for offer in offers:
        about = offer.written.get("description") or offer.written.get("title") or offer.name
        summary = literals.markdown(literals.sentence(about, 120))
        source = literals.code_span(_source(offer, module))
        table.append(OfferRow(literals.code_span(offer.key), source, summary))
    return tuple(table)


def _source(offer: Offer, module: str) -> str:
    if "file" in offer.served:
        return f"files/{offer.served['file']}"
    if "tool" in offer.served:
        return str(offer.served["tool"])
    if offer.function is None:
        return "resources.json" if module == "resources.py" else "prompts.json"
    http = offer.function.http
    return f"{http.method} {http.path}" if http is not None else module


def _module(name: str, offers: Sequence[Offer], names: Names) -> FunctionModule:
    functions = names.offers[name]
    definitions: list[Function] = []
    for offer in offers:
        if offer.function is not None:
            definitions.append(_function(name, offer, offer.function, functions[offer.key], names))
        definitions += _completions(name, offer, functions, names)
    return FunctionModule(
        name=name,
        docstring=literals.docstring(_ABOUT[name]),
        imports=_imports(name, definitions),
        functions=tuple(definitions),
    )


def _function(module: str, offer: Offer, tool: Tool, name: str, names: Names) -> Function:
    words = unique(
        {a.name: snake(a.name, fallback="arg", avoid=RESERVED_ARGUMENTS) for a in tool.arguments}
    )
    ordered = sorted(tool.arguments, key=lambda a: not a.required)
    renames = [f"{words[a.name]}={py(a.name)}" for a in ordered if words[a.name] != a.name]
    summary = literals.sentence(tool.summary or tool.name, 90).rstrip(".\u3002")
    request = f": {tool.http.method} {literals.one_line(tool.http.path)}" if tool.http else ""
    return Function(
        mark=f"{_MARKS[module]}({', '.join([py(offer.key), *renames])})",
        name=name,
        keywords=tuple(_keyword(words[a.name], a.required) for a in ordered),
        returns="Any" if tool.http is None else "Response[Any]",
        docstring=literals.docstring(literals.ended(f"{summary}{request}")),
        call=_call(tool, words, names),
        client=calls.client(tool),
        unfilled="" if tool.http else _unfilled(_MARKS[module], names, module, name),
    )


def _call(tool: Tool, words: Mapping[str, str], names: Names) -> tuple[str, ...]:
    if tool.http is None:
        return ()
    return calls.send_arguments(tool, words, None, names.apis[tool.api].variables)


def _keyword(name: str, required: bool) -> Keyword:
    return Keyword(name, "str") if required else Keyword(name, "str | Unset", "UNSET")


def _unfilled(what: str, names: Names, module: str, function: str) -> str:
    file = f"{names.package}/{module}.py"
    return py(f"This {what} is not written yet: fill in {function}() in {file}.")


def _completions(
    module: str, offer: Offer, functions: Mapping[str, str], names: Names
) -> Iterator[Function]:
    for argument, values in offer.completions.items():
        if values is not None:
            continue
        name = functions[completion(offer.key, argument)]
        about = f"Values of `{literals.one_line(argument)}` of {literals.one_line(offer.name)}"
        yield Function(
            mark=f"completes({py(offer.key)}, {py(argument)})",
            name=name,
            keywords=(Keyword("value", "str"), Keyword("given", "Mapping[str, str]")),
            returns="Sequence[str]",
            docstring=literals.docstring(f"{about} that fit `value`, the text typed so far."),
            call=(),
            unfilled=_unfilled("completion", names, module, name),
        )


def _imports(module: str, functions: Sequence[Function]) -> tuple[str, ...]:
    marks = {f.mark.split("(")[0] for f in functions}
    called = calls.runtime_names(each for f in functions for each in f.call)
    runtime = {"Context", *called, *marks}
    if any(f.unfilled for f in functions):
        runtime.add("ToolError")
    if any(f.call for f in functions):
        runtime.add("Response")
    if any(keyword.default for f in functions for keyword in f.keywords):
        runtime |= {"UNSET", "Unset"}
    statements = {
        "from collections.abc import Mapping, Sequence": "completes" in marks,
        "from typing import Any": any("Any" in f.returns for f in functions),
        "": True,
        f"from ._runtime import {', '.join(sorted(runtime, key=import_order))}": True,
    }
    return tuple(statement for statement, is_needed in statements.items() if is_needed)
