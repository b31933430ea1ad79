"""The first skill of a server: how an agent uses the server, as far as the document says."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress

from ..api import Api, Tool
from ..cases.arguments import Arguments
from ..operations import paging
from ..operations.effects import own_tools
from ..package import Package
from ..runtime.parts.skills.files import FILE_NAME, FOLDER
from ..samples.scalars import NoSample
from ..text import literals

_MAX_TOOLS_OF_AN_AREA = 8
"""The most tools of an area that are named."""
_MAX_TOOLS = 30
"""The most tools in a list; the others are only counted."""
_MAX_CALLS = 3


def files(package: Package, api: Api) -> dict[str, str]:
    """The file of the skill, keyed by its path; the skill has the server's name."""
    path = f"{package.name}/{FOLDER}/{package.server}/{FILE_NAME}"
    return {path: "\n".join(_lines(package, api))}


def _lines(package: Package, api: Api) -> Iterator[str]:
    about = literals.sentence(api.description, 300).rstrip(".")
    sentences = (
        f"How to use the tools of {package.title[:200]}",
        about,
        "Read it before a first call",
    )
    text = " ".join(literals.ended(each) for each in sentences if each)
    described = json.dumps(text, ensure_ascii=False)
    yield from ("---", f"name: {package.server}", f"description: {described}", "---", "")
    yield from (f"# {package.literals['md_title']}", "")
    if package.literals["md_about"]:
        yield from (package.literals["md_about"], "")
    yield from ("## Areas", "", *_areas(api), "")
    yield from ("## Find a tool", "", *_finding(package, api), "")
    yield from ("## Sign in", "", *_signing_in(package), "")
    if pages := paging.pages_json(api):
        yield from ("## Pages", "", *_paged(pages), "")
    yield from ("## What changes data", "", *_changing(api), "")
    if calls := [*_calls(api)]:
        yield from ("## Calls", "", *calls)


def _areas(api: Api) -> Iterator[str]:
    tools: dict[str, list[str]] = {}
    for tool in api.tools:
        tools.setdefault(tool.group.title if tool.group else "", []).append(tool.name)
    for area, names in tools.items():
        yield f"- {literals.markdown(area)}: {_names_in_words(names, _MAX_TOOLS_OF_AN_AREA)}"


def _names_in_words(names: Sequence[str], most: int = _MAX_TOOLS) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(map(literals.code_span, names[:most])) + more


def _finding(package: Package, api: Api) -> Iterator[str]:
    if "search" not in package.parts:
        yield "Every tool is listed. Choose by area and title, and read its description first."
        return
    own = own_tools(api.tools, package.search_prefix)
    find, describe, *calls = (literals.code_span(name) for name in own)
    yield f"{find} finds tools by a few words of the API, {describe} says how they are called,"
    yield f"and {' and '.join(calls)} call{'s' * (len(calls) == 1)} them."


def _signing_in(package: Package) -> Iterator[str]:
    names = [f"`{each.name}`" for each in package.variables if each.is_asked and each.signs_in]
    if not names:
        yield "Nothing: the tools need no credentials of yours."
        return
    yield f"The server signs in by itself, with what its environment holds: {', '.join(names)}."
    yield "Never ask the user for a credential: if a call fails for one, say which variable it is."


def _paged(pages: dict[str, paging.Rule]) -> Iterator[str]:
    """Each way to get the next page, with the tools that use it."""
    tools: dict[str, list[str]] = {}
    for tool, rule in pages.items():
        way = paging.way(rule)
        place = literals.code_span(".".join(map(str, rule.get("at", ()))))
        if way == "url":
            advice = f"{place} of the answer is the URL of the next page: pass its query on"
        elif way == "cursor":
            advice = f"pass {place} of the answer as {literals.code_span(rule[way])}"
        else:
            advice = f"{literals.code_span(rule[way])} chooses the page"
        tools.setdefault(advice, []).append(tool)
    for advice, names in tools.items():
        yield f"- {_names_in_words(names)}: {advice}"


def _changing(api: Api) -> Iterator[str]:
    writing = [tool for tool in api.tools if not tool.annotations.read_only]
    if not writing:
        yield "Nothing: all tools read."
        return
    yield "Call these only where the user asked for the change; all other tools read."
    yield ""
    for what, destroys in (("May destroy", True), ("Add", False)):
        names = [tool.name for tool in writing if tool.annotations.destructive is destroys]
        if names:
            yield f"- {what}: {_names_in_words(names)}"


def _calls(api: Api) -> Iterator[str]:
    """Sample calls, first one of each kind of tool: reading or changing, with arguments or
    without.
    """
    firsts = {_kind(tool): tool for tool in reversed(api.tools)}
    chosen = [firsts[kind] for kind in sorted(firsts)]
    count = 0
    for tool in (*chosen, *(each for each in api.tools if each not in chosen)):
        with suppress(NoSample):
            call = {"name": tool.name, "arguments": Arguments(tool).required()}
            yield from (
                literals.markdown(literals.ended((tool.summary or tool.title).rstrip("."))),
                "",
            )
            yield from ("```json", literals.json_text(call).rstrip(), "```", "")
            count += 1
        if count == _MAX_CALLS:
            return


def _kind(tool: Tool) -> tuple[bool, bool]:
    return not tool.annotations.read_only, bool(tool.input_schema.get("required"))
