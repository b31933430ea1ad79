"""IR 1 + names + models -> IR 2: every decision about what will be written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct, structs

from .. import contract, literals
from ..api import DEFAULT_STYLE, Api, Tool
from ..literals import py
from ..models import Models
from ..naming import ApiNames, Names
from ..package import CallerScheme, Entry, FurtherApi, Module, Package, ToolRow
from ..sameness import identical
from ..settings import Settings, access
from . import api_module, features, handlers, offers, sign_in
from .environment import environment
from .tool_scopes import scopes_file

_PEP_440 = re.compile(r"v?(\d+(?:\.\d+)*)((?:a|b|rc)\d+)?")


class Planned(Struct, frozen=True):
    """The API and names of a run, and what was planned from them."""

    api: Api
    names: Names
    package: Package

    def same(self, names: Names) -> Mapping[str, tuple[list[Tool], Module]]:
        """The tools and the module of each tag, where types and names are those of `names`."""
        old = self.names
        same = (old.package, old.classes, old.apis) == (names.package, names.classes, names.apis)
        if not same or old.lifted.schemas is not names.lifted.schemas:
            return {}
        tagged = _tagged(self.api, old)
        pairs = zip(tagged.items(), self.package.modules, strict=True)
        return {
            tag: (tools, module)
            for (tag, tools), module in pairs
            if old.modules[tag] == names.modules.get(tag)
            and all(_names_of(tool, old) == _names_of(tool, names) for tool in tools)
        }


def _names_of(tool: Tool, names: Names) -> tuple[object, ...]:
    return tuple(part.get(tool.name) for part in (names.functions, names.keywords, names.extras))


def _tagged(api: Api, names: Names) -> dict[str, list[Tool]]:
    tagged: dict[str, list[Tool]] = {tag: [] for tag in names.modules}
    for tool in api.tools:
        tagged[tool.tag].append(tool)
    return tagged


def _modules(api: Api, names: Names, models: Models, before: Planned | None) -> Iterator[Module]:
    """The handler modules; one whose tools are unchanged is reused."""
    there = before.same(names) if before is not None else {}
    for tag, tools in _tagged(api, names).items():
        old, module = there.get(tag, ([], None))
        if module is None or not identical(old, tools):
            module = handlers.module(tag, tools, names, models)
        yield module


def plan(
    api: Api, names: Names, models: Models, settings: Settings, before: Planned | None = None
) -> Package:
    """Plan a whole server package; `before` holds the plan of an earlier run, to be reused."""
    modules = tuple(_modules(api, names, models, before))
    scopes = scopes_file(api, settings.tools)
    chosen = features.of(api, settings)
    package = Package(
        name=names.package,
        distribution=names.distribution,
        server=names.server,
        env_prefix=names.env_prefix,
        version=_package_version(api.version),
        title=literals.one_line(api.title) or names.server,
        literals=_literals(api, names),
        info=_info(api, names),
        defaults=_defaults(settings),
        api=api_module.arguments(api, names.apis[""]),
        apis=tuple(_further(key, further, names.apis[key]) for key, further in api.further.items()),
        api_imports=api_module.imports(api),
        modules=modules,
        entries=tuple(_entry(t, names) for t in api.tools),
        callers=_callers(settings),
        variables=environment(api, names, settings),
        tools=tuple(_rows(api, names, before)),
        scoped=bool(scopes),
        calls_api=api.is_called,
        http_tools=any(tool.http is not None for tool in api.tools),
        python_tools=any(tool.http is None for tool in api.tools),
        signs_in=any(part.security_schemes for part in api.parts.values()),
        sign_in=sign_in.sentence(api),
        first_tool=_first_tool(api.tools),
        features=chosen,
        installed=tuple(name for name in chosen if name not in features.IMPORTED),
        functions=offers.modules(api, names),
        resources=offers.rows(api.resources, "resources.py"),
        prompts=offers.rows(api.prompts, "prompts.py"),
        data={**contract.offers_json(api, chosen), **_optional(api), **scopes},
    )
    return _with_earlier(package, before.package) if before is not None else package


def _with_earlier(package: Package, old: Package) -> Package:
    """The package with the earlier object for each part that has not changed.

    So it is cached once, for both.
    """
    parts = ((name, getattr(old, name)) for name in package.__struct_fields__)
    same = {name: part for name, part in parts if part == getattr(package, name)}
    return structs.replace(package, **same)


def _further(key: str, api: Api, names: ApiNames) -> FurtherApi:
    return FurtherApi(py(key), names.env_prefix, api_module.arguments(api, names))


def _optional(api: Api) -> dict[str, str]:
    """The data of optional features."""
    asked = {tool.name: list(map(structs.asdict, tool.questions)) for tool in api.tools}
    files = {
        "parameters.json": {tool.name: names for tool in api.tools if (names := _omissible(tool))},
        "tasks.json": {tool.name: tool.task for tool in api.tools if tool.task},
        "questions.json": {name: questions for name, questions in asked.items() if questions},
    }
    return {name: literals.json_text(data) for name, data in files.items() if data}


def _omissible(tool: Tool) -> list[str]:
    """Optional parameters of a tool that writes: null means there that none is given."""
    outside = (a for a in tool.arguments if a.location in DEFAULT_STYLE and not a.required)
    return [] if tool.annotations.read_only or tool.http is None else [a.name for a in outside]


def _entry(tool: Tool, names: Names) -> Entry:
    target = f"{names.modules[tool.tag]}:{names.functions[tool.name]}"
    return Entry(py(tool.name), py(target))


def _rows(api: Api, names: Names, before: Planned | None) -> Iterator[ToolRow]:
    """The README rows of the tools; the row of an unchanged tool is reused."""
    there: dict[str, tuple[Tool, ToolRow]] = {}
    if before is not None and before.names.modules == names.modules:
        pairs = zip(before.api.tools, before.package.tools, strict=True)
        there = {tool.name: (tool, row) for tool, row in pairs}
    for tool in api.tools:
        old, row = there.get(tool.name, (None, None))
        yield row if row is not None and identical(tool, old) else _row(tool, names)


def _row(tool: Tool, names: Names) -> ToolRow:
    module = names.modules[tool.tag]
    served = f"handlers/{module}.py"
    if tool.http is not None:
        served = f"{tool.http.method} {tool.http.path}"
    whose = f" of {literals.markdown(tool.api)}" if tool.api else ""
    return ToolRow(
        name=literals.code_span(tool.name),
        operation=literals.code_span(served) + whose,
        summary=literals.markdown(literals.sentence(tool.summary or tool.title, 120)),
        hints=", ".join(_hints(tool)),
        module=module,
    )


def _hints(tool: Tool) -> Iterator[str]:
    hints = tool.annotations
    yield "reads" if hints.read_only else "writes"
    if hints.destructive and not hints.read_only:
        yield "destructive"
    if tool.deprecated:
        yield "deprecated"


def _first_tool(tools: tuple[Tool, ...]) -> str:
    """The tool a newcomer tries first: one that reads, and needs the fewest arguments."""
    return min(
        tools,
        key=lambda t: (not t.annotations.read_only, sum(a.required for a in t.arguments)),
    ).name


def _literals(api: Api, names: Names) -> dict[str, str]:
    title = literals.one_line(api.title) or names.server
    return {
        "doc_title": literals.docstring(f"{title}: an MCP server."),
        "toml_description": literals.toml(f"MCP server for {title}"),
        "md_title": literals.markdown(title),
        "md_about": literals.markdown(_about(api)),
    }


def _about(api: Api) -> str:
    """What the API is, in a sentence; empty if that says no more than its title."""
    about = literals.sentence(api.description, 300)
    said, title = (text.rstrip(".").casefold() for text in (about, literals.one_line(api.title)))
    return "" if said == title else about


def _info(api: Api, names: Names) -> tuple[str, ...]:
    fields: dict[str, Any] = {
        "name": names.server,
        "version": api.version,
        "title": api.title,
        "description": _about(api),
        "instructions": api.instructions,
        "website_url": api.website_url,
        "icons": [contract.wire_icon(i) for i in api.icons],
    }
    kept = {k: v for k, v in fields.items() if v or k in ("name", "version")}
    return tuple(f"{key}={literals.py_lines(value)}" for key, value in kept.items())


def _defaults(settings: Settings) -> tuple[str, ...]:
    given = {"page_size": settings.page_size} if settings.page_size else {}
    given |= access.server_defaults(settings.auth)
    return tuple(f"{name}={value!r}" for name, value in given.items())


def _callers(settings: Settings) -> tuple[CallerScheme, ...]:
    given = access.server_defaults(settings.auth)
    return tuple(
        CallerScheme(literals.code_span(scheme), literals.code_span(header), name != "caller_auth")
        for name in ("caller_auth", "caller_exchange")
        for scheme, header in given.get(name, ())
    )


def _package_version(version: str) -> str:
    """The document's version if it is a valid Python package version (PEP 440)."""
    match = _PEP_440.fullmatch(version.strip())
    return match[1] + (match[2] or "") if match else "0.1.0"
