"""IR 1 + names + models -> IR 2: every decision about the files that will be written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import structs

from .. import __version__
from ..api import DEFAULT_STYLE, Api, In, Tool
from ..bundled import runtime_wheel
from ..bundled.settings import OF_CORE
from ..catalogue import tools_json
from ..methods import is_safe
from ..models import Models
from ..operations import paging
from ..operations.effects import own_tools
from ..package import (
    CallerScheme,
    Entry,
    FurtherApi,
    InstallLinks,
    Module,
    Package,
    ToolRow,
    Variable,
)
from ..publish.install_links import install_links
from ..python_names import ApiNames, Names
from ..python_names.server_name import NAMELESS
from ..settings import Settings
from ..settings.settings import EMAIL, PERSON
from ..settings.values import callers_defaults, server_defaults
from ..text import literals
from ..text.literals import py
from . import api_module, calls, handlers, offers, parts, sign_in
from .environment import environment
from .tool_scopes import scopes_file

_AUTHOR = re.compile(rf"(?P<name>{PERSON})?\s*(?:<(?P<email>{EMAIL})>)?")
_OUTSIDE = (*DEFAULT_STYLE, In.OWN)
_PEP_440 = re.compile(r"v?(\d+(?:\.\d+)*)((?:a|b|rc)\d+)?")


def _modules(api: Api, names: Names, models: Models) -> Iterator[Module]:
    """The handler modules."""
    tagged: dict[str, list[Tool]] = {tag: [] for tag in names.modules}
    for tool in api.tools:
        tagged[tool.tag].append(tool)
    return (handlers.module(tag, tools, names, models) for tag, tools in tagged.items())


def plan(api: Api, names: Names, models: Models, settings: Settings) -> Package:
    """Plan a whole server package."""
    scopes = scopes_file(api, settings.tools)
    chosen = parts.of(api, settings)
    version = settings.version or _package_version(api.version)
    variables = environment(api, names, settings, chosen)
    defaults = server_defaults(settings)
    return Package(
        name=names.package,
        distribution=names.distribution,
        server=names.server,
        env_prefix=names.env_prefix,
        version=version,
        title=literals.one_line(api.title) or names.server,
        literals=_literals(api, names, settings),
        info=_info(api, names),
        defaults=tuple(f"{name}={value!r}" for name, value in defaults.items()),
        api=api_module.arguments(api, "", names.apis[""]),
        apis=tuple(_further(api, key, names.apis[key]) for key in api.further),
        api_imports=api_module.imports(api),
        modules=tuple(_modules(api, names, models)),
        entries=tuple(_entry(t, names) for t in api.tools),
        callers=_callers(api, settings),
        variables=variables,
        tools=tuple(_row(tool, names) for tool in api.tools),
        listed=_list_length(api, chosen),
        scoped=bool(scopes),
        calls_api=api.is_called,
        http_tools=any(tool.http is not None for tool in api.tools),
        python_tools=any(tool.http is None for tool in api.tools),
        signs_in=any(part.security_schemes for part in api.parts.values()),
        signs_in_itself=_signs_in_itself(api, settings),
        sign_in=sign_in.sentence(api),
        first_tool=_first_tool(api.tools),
        mcpgen=__version__,
        runtime=runtime_wheel.requirement() if settings.runtime == "package" else "",
        runtime_series=runtime_wheel.series(),
        search_prefix=settings.search.get("prefix", ""),
        parts=chosen,
        settings="Settings" if defaults.keys() <= OF_CORE else "dict",
        registry_name=settings.publish.get("registry_name", ""),
        install_links=_install_links(names, version, variables, settings),
        functions=offers.modules(api, names),
        resources=offers.rows(api.resources, "resources.py"),
        prompts=offers.rows(api.prompts, "prompts.py"),
        data={
            **tools_json.offers_json(api, chosen),
            **_optional(api),
            **_pages(api, chosen),
            **scopes,
        },
    )


def _install_links(
    names: Names, version: str, variables: Sequence[Variable], settings: Settings
) -> InstallLinks | None:
    if not settings.publish or names.server == NAMELESS:  # a package of that name is another's
        return None
    return install_links(names.server, names.distribution, version, variables, settings.publish)


def _further(api: Api, key: str, names: ApiNames) -> FurtherApi:
    return FurtherApi(py(key), names.env_prefix, api_module.arguments(api, key, names))


def _optional(api: Api) -> dict[str, str]:
    """The data files of optional features."""
    asked = {tool.name: list(map(structs.asdict, tool.questions)) for tool in api.tools}
    files = {
        "parameters.json": {tool.name: names for tool in api.tools if (names := _omissible(tool))},
        "effects.json": {tool.name: effect for tool in api.tools if (effect := _effect(tool))},
        "groups.json": {kind: names for kind, names in _grouped(api).items() if names},
        "tasks.json": {tool.name: tool.task for tool in api.tools if tool.task},
        "questions.json": {name: questions for name, questions in asked.items() if questions},
    }
    return {name: literals.json_text(data) for name, data in files.items() if data}


def _effect(tool: Tool) -> dict[str, str]:
    """The operation and its effect, `read` or `write`, if the method suggests the opposite.

    Empty if the method suggests the same effect.
    """
    if tool.http is None or tool.annotations.read_only == is_safe(tool.http.method):
        return {}
    operation = f"{tool.http.method} {calls.template(tool.http)}"
    return {operation: "read" if tool.annotations.read_only else "write"}


def _grouped(api: Api) -> dict[str, dict[str, list[str]]]:
    """For each prompt and skill that is in a group, the slugs of its groups."""
    grouped: dict[str, dict[str, list[str]]] = {"prompts": {}, "skills": {}}
    for group in api.groups:
        for kind, names in (("prompts", group.prompts), ("skills", group.skills)):
            for name in names:
                grouped[kind].setdefault(name, []).append(group.slug)
    return grouped


def _omissible(tool: Tool) -> list[str]:
    """The optional parameters of a tool that writes; in them null means that the value is
    absent.
    """
    outside = (a for a in tool.arguments if a.location in _OUTSIDE and not a.required)
    return [] if tool.annotations.read_only or tool.http is None else [a.name for a in outside]


def _pages(api: Api, chosen: Sequence[str]) -> dict[str, str]:
    """The file `pages.json` about the pagination of tools; only the search surface needs it."""
    pages = paging.pages_json(api) if "search" in chosen else {}
    return {"pages.json": literals.json_text(pages)} if pages else {}


def _entry(tool: Tool, names: Names) -> Entry:
    target = f"{names.modules[tool.tag]}:{names.functions[tool.name]}"
    return Entry(py(tool.name), py(target))


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
        group=tool.group.slug if tool.group is not None else "",
    )


def _hints(tool: Tool) -> Iterator[str]:
    hints = tool.annotations
    yield "reads" if hints.read_only else "writes"
    if hints.destructive and not hints.read_only:
        yield "destructive"
    if tool.deprecated:
        yield "deprecated"


def _first_tool(tools: tuple[Tool, ...]) -> str:
    """The tool for a newcomer's first call: it reads, and needs the fewest arguments."""
    return min(
        tools,
        key=lambda t: (not t.annotations.read_only, sum(a.required for a in t.arguments)),
    ).name


def _literals(api: Api, names: Names, settings: Settings) -> dict[str, str]:
    title = literals.one_line(api.title) or names.server
    return {
        "doc_title": literals.docstring(f"{title}: an MCP server."),
        "toml_description": literals.toml(
            literals.one_line(settings.description) or f"MCP server for {title}"
        ),
        "toml_license": literals.toml(settings.license) if settings.license else "",
        "toml_authors": _toml_authors(settings),
        "toml_website": literals.toml(settings.website) if settings.website else "",
        "md_title": literals.markdown(title),
        "md_about": literals.markdown(_about(api)),
    }


def _toml_authors(settings: Settings) -> str:
    """The authors in the format of `pyproject.toml`: `name`, `email`, or both."""
    matches = filter(None, (_AUTHOR.fullmatch(each.strip()) for each in settings.authors))
    tables = (
        ", ".join(
            f"{key} = {literals.toml(text)}" for key, text in each.groupdict().items() if text
        )
        for each in matches
    )
    listed = ", ".join(f"{{ {table} }}" for table in tables)
    return f"[{listed}]" if listed else ""


def _about(api: Api) -> str:
    """The API in a sentence; empty if the title says the same."""
    about = literals.sentence(api.description, 300)
    words, title = (text.rstrip(".").casefold() for text in (about, literals.one_line(api.title)))
    return "" if words == title else about


def _info(api: Api, names: Names) -> tuple[str, ...]:
    fields: dict[str, Any] = {
        "name": names.server,
        "version": api.version,
        "title": api.title,
        "description": _about(api),
        "instructions": api.instructions,
        "website_url": api.website_url,
        "icons": [tools_json.wire_icon(i) for i in api.icons],
    }
    entries = {k: v for k, v in fields.items() if v or k in ("name", "version")}
    return tuple(f"{key}={literals.py_lines(value)}" for key, value in entries.items())


def _list_length(api: Api, chosen: Sequence[str]) -> int:
    """The number of tools in the list that clients see."""
    if "search" not in chosen:
        return len(api.tools)
    return len(own_tools(api.tools))


def _signs_in_itself(api: Api, settings: Settings) -> bool:
    """Whether some API takes a credential that does not come from callers."""
    of_callers = {
        key: {name for _, name, _ in _brought(table)}.union(
            callers_defaults(table).get("delegated_schemes", ())
        )
        for key, table in _caller_tables(api, settings).items()
    }
    return any(
        scheme.key not in of_callers[key]
        for key, part in api.parts.items()
        for scheme in part.security_schemes
    )


def _caller_tables(api: Api, settings: Settings) -> dict[str, Mapping[str, Any]]:
    """For each API, the table of credentials that callers bring, from the settings."""
    return {"": settings.auth, **{key: each.callers for key, each in api.further.items()}}


def _brought(table: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """For each credential that callers bring: the setting's name, the scheme and the header."""
    defaults = callers_defaults(table)
    for way in ("caller_auth", "caller_exchange"):
        for scheme, header in defaults.get(way, ()):
            yield way, scheme, header


def _callers(api: Api, settings: Settings) -> tuple[CallerScheme, ...]:
    return tuple(
        CallerScheme(
            literals.code_span(scheme) + (f" of {literals.code_span(key)}" if key else ""),
            literals.code_span(header),
            way != "caller_auth",
        )
        for key, table in _caller_tables(api, settings).items()
        for way, scheme, header in _brought(table)
    )


def _package_version(version: str) -> str:
    """The document's version if it is a valid Python package version (PEP 440)."""
    match = _PEP_440.fullmatch(version.strip())
    return match[1] + (match[2] or "") if match else "0.1.0"
