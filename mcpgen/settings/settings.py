"""What the user asked for: flags over `mcpgen.toml` over defaults, frozen."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from ..diagnostics import Diagnostic, GenerationError, Severity, did_you_mean
from ..paths import WORKSPACE, seen_from
from ..text import literals
from . import auth, headers, identity, publish, security_schemes
from . import further_sources as settings_sources
from . import tool_tables as settings_tools
from .further_sources import PREFIX_HINT, Source, described
from .locations import SettingsText
from .tool_tables import SettingProblem

FILE_NAME = "mcpgen.toml"
_PASSWORD = re.compile(r"(?<=://)[^/?#]*@")
MIB = 1024 * 1024
_IPV6 = "[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*"
_HOST = re.compile(rf"([^\s/@?#*:\\\[\]]+|\[{_IPV6}\])(:[0-9]+)?|{_IPV6}")
"""A name or an address, and perhaps a port; an IPv6 address without one may lack its brackets."""
_PACKAGE_LENGTH = 80
"""Characters: it names a folder, for which systems allow some 255 bytes."""


@dataclass(frozen=True)
class Settings:
    """Everything that decides what a server looks like; each field is a key of `mcpgen.toml`."""

    source: str = described("", "The document: a file (relative to this one), a URL, or `-`.")
    overlays: tuple[str, ...] = described(
        (), "OpenAPI Overlays that change the document, in order: files, or URLs."
    )
    reader: str = described("openapi", "What the document is: openapi, or tools for a tool file.")
    name: str = described("", "The server's name; empty: made from the document's title.")
    package: str = described("", "The Python package; empty: made from the name.")
    runtime: str = described(
        "vendored", "The runtime: vendored into the server, or package (`mcpgen-runtime`)."
    )
    prefix: str = described("", "Put before the name of each tool.")
    base_url: str = described("", "The API's address, in place of the document's servers.")
    version: str = described("", "The server's version; empty: the document's.")
    title: str = described("", "The name that people see; empty: the document's title.")
    description: str = described("", "One sentence about it; empty: the document's.")
    website: str = described("", "The URL of its web page; empty: the document's.")
    icons: tuple[str, ...] = described((), "URLs of its icons; none: the document's.")
    license: str = described("", "The package's license, as SPDX has it: MIT, Apache-2.0.")
    authors: tuple[str, ...] = described((), "The package's authors: `Ann <ann@example.com>`.")
    instructions: str = described(
        "", "What agents are told about the server; empty: the document's."
    )
    include_tags: tuple[str, ...] = described((), "Only operations with one of these tags.")
    exclude_tags: tuple[str, ...] = described((), "No operation with one of these tags.")
    include_paths: tuple[str, ...] = described((), "Only paths that match one of these globs.")
    exclude_paths: tuple[str, ...] = described((), "No path that matches one of these globs.")
    include_operations: tuple[str, ...] = described((), "Only these operationIds.")
    exclude_operations: tuple[str, ...] = described((), "None of these operationIds.")
    methods: tuple[str, ...] = described((), "Only these HTTP methods.")
    read_only: bool = described(False, "Only operations that read: GET, HEAD, OPTIONS and QUERY.")
    input_schema_bytes: int = described(
        0,
        "A longer inputSchema is cut, from the deepest level up; only the API checks what is cut. "
        "0: no limit, as long as all together have less than 48 MiB.",
    )
    output_schema: str = described("open", "What outputSchema promises: open, strict or none.")
    output_schema_bytes: int = described(
        512, "A longer outputSchema loses its texts, then its deepest levels."
    )
    closed_objects: str = described(
        "written", "Closed parts of an allOf: written (as they are), or whole (closed as a whole)."
    )
    description_limit: int = described(8000, "At most so many characters of a tool's description.")
    result_text: str = described(
        "full", "The text beside structured content: full, or summary (one line)."
    )
    surface: str = described(
        "auto", "How tools are shown: tools (each), search (found by search), or auto, by size."
    )
    page_size: int = described(0, "Tools on a page of tools/list; 0: all on one.")
    list_changed: bool = described(
        False, "Tools may change while the server runs; clients are told."
    )
    http_tokens: bool = described(
        False, "Callers over HTTP can have tokens with names, scopes and an end, in a file."
    )
    metrics: bool = described(False, "Prometheus can be answered, on an address of its own.")
    max_tools: int = described(0, "More tools are an error; 0: no limit.")
    max_tokens: int = described(0, "More tokens of tools/list are an error; 0: no limit.")
    resources: tuple[str, ...] = described((), "GET operations that are resources too: `GET /a/*`.")
    result_links: bool = described(False, "Large and binary answers are kept and given as links.")
    skills: bool = described(False, "The folder `skills` of the package is served to agents.")
    templates: str = described("", "A folder whose templates replace those of mcpgen.")
    reference_root: str = described("", "References may lead to any file below this folder.")
    allow_remote_refs: bool = described(False, "Follow references to other hosts.")
    allowed_hosts: tuple[str, ...] = described((), "Private hosts that references may name.")
    header_env: tuple[str, ...] = described(
        (), "Headers to fetch the document with: `Authorization=VARIABLE`, for its host alone."
    )
    max_source_bytes: int = described(64 * MIB, "At most so many bytes in all files of a document.")
    max_source_values: int = described(
        1_500_000, "At most so many values in all files of a document."
    )
    repeated_keys: str = described(
        "refuse",
        "If an object has a key twice (texts for people apart): refuse it, or the last counts.",
    )
    strict: bool = described(False, "Treat warnings as errors.")
    security_schemes: Mapping[str, Any] = field(
        default_factory=dict,
        metadata={"description": "How to sign in to the API, where the document does not say."},
    )
    auth: Mapping[str, Any] = field(
        default_factory=dict, metadata={"description": "Credentials that callers bring along."}
    )
    search: Mapping[str, Any] = field(
        default_factory=dict, metadata={"description": "The search surface's own tools."}
    )
    publish: Mapping[str, Any] = field(
        default_factory=dict, metadata={"description": "Where and as what it is published."}
    )
    with_: tuple[Source, ...] = described((), "Further sources of tools, a table for each.")
    tools: Mapping[str, Mapping[str, Any]] = field(
        default_factory=dict, metadata={"description": "Tables for single tools."}
    )


KEYS = {f.name.rstrip("_"): f for f in fields(Settings)}
TABLES = ("security_schemes", "auth", "search", "publish", "with", "tools")
"""Keys whose values are tables, which come after all others."""
_CHOICES = {
    "closed_objects": ("written", "whole"),
    "output_schema": settings_tools.PROMISES,
    "reader": ("openapi", "tools"),
    "runtime": ("vendored", "package"),
    "repeated_keys": ("refuse", "last"),
    "result_text": ("full", "summary"),
    "surface": ("auto", "tools", "search"),
}
_CHECKED: Mapping[str, Callable[[Any], Any]] = {
    "security_schemes": security_schemes.check,
    "auth": auth.check,
    "search": settings_tools.check_search,
    "publish": publish.check,
    "tools": settings_tools.check,
}
"""Tables, each with what checks it."""
_POSITIVE = ("description_limit", "max_source_bytes", "max_source_values")
"""Numbers for which 0 does not mean that there is no limit."""
_FLAGS = {
    "include_tags": "include_tag",
    "exclude_tags": "exclude_tag",
    "include_paths": "include_path",
    "exclude_paths": "exclude_path",
    "include_operations": "include_operation",
    "exclude_operations": "exclude_operation",
    "allowed_hosts": "allow_host",
    "overlays": "overlay",
}
"""Flags that are not called as their keys."""
_WITHOUT_FLAG = (
    *("source", "reader", "version", "title", "description", "website", "icons", "license"),
    *("authors", "instructions", "resources", "result_links", "result_text"),
    *("http_tokens", "metrics", "skills"),
)


def override(
    base: Settings, values: Mapping[str, Any], *, origin: SettingsText | None = None
) -> Settings:
    """`base` with `values` over it, each checked.

    Raises GenerationError for unknown keys and values of a wrong type, with the first error of each
    table and all that are in none.
    """
    checked: dict[str, Any] = {}
    wrong: list[Diagnostic] = []
    for key, value in values.items():
        try:
            checked[key] = _checked(key, value, base)
        except SettingProblem as problem:
            place = origin.of_key(problem.message) if origin else None
            facts = (problem.code, Severity.ERROR, problem.message)
            wrong.append(Diagnostic(*facts, location=place, hint=problem.hint))
    if wrong:
        raise GenerationError(wrong)
    new_settings = replace(base, **{KEYS[key].name: value for key, value in checked.items()})
    if not new_settings.header_env or not new_settings.source:
        return new_settings
    try:
        return replace(
            new_settings, header_env=headers.bound(new_settings.header_env, [new_settings.source])
        )
    except SettingProblem as problem:
        place = origin.of_key(problem.message) if origin else None
        raise GenerationError.of(
            problem.code, problem.message, hint=problem.hint, location=place
        ) from None


def _checked(key: str, value: Any, base: Settings) -> Any:
    """The value of a key as settings hold it; raises SettingProblem."""
    if key not in KEYS:
        hint = did_you_mean(key, list(KEYS), f"Known keys: {', '.join(KEYS)}.")
        raise SettingProblem("settings-unknown-key", f"unknown setting `{key}`", hint)
    if key == "with":
        return settings_sources.check(value, base.with_)
    if key in _CHECKED:
        return _CHECKED[key](value)
    typed_value = settings_tools.typed(f"`{key}`", value, settings_tools.types_of(Settings)[key])
    if key == "prefix" and not settings_sources.PREFIX.fullmatch(typed_value):
        raise SettingProblem("settings-value", "`prefix` cannot begin a tool's name", PREFIX_HINT)
    if key == "package" and len(typed_value) > _PACKAGE_LENGTH:
        message = f"`package` is longer than {_PACKAGE_LENGTH} characters"
        raise SettingProblem("settings-value", message)
    if key == "allowed_hosts" and not all(map(_HOST.fullmatch, typed_value)):
        message = "`allowed_hosts` must be names or addresses of hosts, perhaps with a port"
        hint = "Such as files.example.com, or localhost:8080: no URL, and no pattern."
        raise SettingProblem("settings-value", message, hint)
    if key == "overlays":
        settings_sources.refuse_input(typed_value)
    identity.check(key, typed_value)
    if key == "header_env":
        return tuple(str(headers.read(each)) for each in typed_value)
    if isinstance(typed_value, int) and typed_value < 0:
        raise SettingProblem("settings-value", f"`{key}` must not be negative")
    if typed_value == 0 and key in _POSITIVE:
        raise SettingProblem("settings-value", f"`{key}` must be at least 1")
    if typed_value not in _CHOICES.get(key, (typed_value,)):
        choices = ", ".join(_CHOICES[key])
        raise SettingProblem("settings-value", f"`{key}` must be one of {choices}")
    return typed_value


def relative_to(settings: Settings, folder: Path) -> Settings:
    """The settings as `folder` keeps them: paths as seen from there, URLs without a password."""

    def move(path: str) -> str:
        if path in ("", "-"):
            return path
        if "://" in path:
            return _PASSWORD.sub("", path)
        return seen_from(folder, path)

    return _with_paths(settings, move)


def seen_from_here(settings: Settings, folder: Path) -> Settings:
    """The settings of the server in `folder` with their paths as the working directory has them."""

    def move(path: str) -> str:
        if path in ("", "-") or "://" in path or os.path.isabs(path):
            return path
        return seen_from(os.curdir, folder / path)

    return _with_paths(settings, move)


def _with_paths(settings: Settings, move: Callable[[str], str]) -> Settings:
    """The settings with every path in them as `move` has it."""
    return replace(
        settings,
        source=move(settings.source),
        templates=move(settings.templates),
        reference_root=move(settings.reference_root),
        overlays=tuple(map(move, settings.overlays)),
        with_=tuple(
            replace(each, source=move(each.source), overlays=tuple(map(move, each.overlays)))
            for each in settings.with_
        ),
    )


def of_source(settings: Settings, each: Source) -> Settings:
    """The settings by which a further source is read; its kind is seen once it is loaded."""
    own: dict[str, Any] = {"name": each.name, "prefix": each.prefix, "with_": ()}
    own |= {"reader": "", "package": "", "base_url": "", "overlays": each.overlays}
    own |= {"auth": each.auth, "security_schemes": {}}
    return replace(settings, source=each.source, **own, **each.filters)


_FURTHER = """
# Tables may follow: [tools."<name>"] for a single tool, [tools."*".arguments] for arguments of all
# tools, [security_schemes.<name>] for how to sign in where the document does not say, [auth] for
# the credentials of callers, [search] for the search surface, [publish] for the MCP registry and
# install links, [[with]] for further sources. `mcpgen settings` has their keys.
"""


def to_toml(settings: Settings, shared: Settings | None = None) -> str:
    """The text of a `mcpgen.toml`: what is at its default, or `shared`, is there as a comment."""
    defaults = Settings()
    shared = shared or defaults
    lines = [
        "# The settings this server was generated with. The file is yours: change it and run",
        "# `mcpgen update` in this folder.",
        *(
            [f"# It shares others, of {WORKSPACE} above it: they hold if not set here."]
            if shared != defaults
            else []
        ),
        "",
    ]
    for name, spec in KEYS.items():
        if name in TABLES:
            continue
        value = getattr(settings, name)
        line = f"# {name} = {literal(getattr(defaults, name))}"
        if value != getattr(shared, name):
            line = f"{name} = {literal(value)}"
        lines += [f"# {spec.metadata['description']}", line, ""]
    return "\n".join(lines) + _FURTHER + "".join(source_table(each) for each in settings.with_)


def source_table(each: Source) -> str:
    """A further source as a table of a `mcpgen.toml`."""
    lines = (f"{key} = {literal(value)}\n" for key, value in each.given.items())
    return "\n[[with]]\n" + "".join(lines)


def reference() -> str:
    """Every key, what it means and its default, and the keys of tables for single tools."""
    defaults = Settings()
    lines = []
    for name, spec in KEYS.items():
        if name not in TABLES:
            called = _FLAGS.get(name, name).replace("_", "-")
            flag = f" (--{called})" if name not in _WITHOUT_FLAG else ""
            default = literal(getattr(defaults, name))
            lines += [f"{name} = {default}", f"    {spec.metadata['description']}{flag}"]
    lines += _keys("[security_schemes.<name>]", security_schemes.KEYS)
    lines += _keys("[auth]", auth.AUTH_KEYS)
    lines += _keys("[publish]", publish.PUBLISH_KEYS)
    lines += _keys("[search]", settings_tools.SEARCH_KEYS)
    lines += ["", "[[with]] (--with)"]
    for name, spec in settings_sources.KEYS.items():
        about = spec.metadata["description"]
        default = literal(getattr(settings_sources.Source(), name))
        lines += [f"{name} = {default}", *([f"    {about}"] if about else [])]
    lines += _keys('[tools."<name>"]', settings_tools.TOOL_KEYS)
    lines += _keys('[tools."<name>".poll]', settings_tools.POLL_KEYS)
    lines += _keys('[tools."<name>".pages]', settings_tools.PAGES_KEYS)
    arguments = '[tools."<name>".arguments."<argument>"] ("*" for <name>: in every tool)'
    lines += _keys(arguments, settings_tools.ARGUMENT_KEYS)
    return "\n".join(lines) + "\n"


def _keys(table: str, keys: Mapping[str, tuple[Any, str]]) -> list[str]:
    """The lines that explain the keys of a table."""
    return ["", table, *(f"{key}\n    {about}" for key, (_, about) in keys.items())]


def literal(value: Any) -> str:
    """A setting's value as TOML."""
    if isinstance(value, tuple):
        return "[" + ", ".join(literals.toml(v) for v in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        members = (f"{literals.toml(key)} = {literal(each)}" for key, each in value.items())
        return f"{{{', '.join(members)}}}"
    return literals.toml(value) if isinstance(value, str) else str(value)
