"""The group of each tool: from the settings, else from its tag, else from a part of its path."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from msgspec.structs import replace

from ..api import Api, Group, Tool
from ..diagnostics import Diagnostics, did_you_mean
from ..hashes import fingerprint
from ..operations.matching import shape
from ..runtime.parts.search.index import static
from ..text import literals
from ..text.words import bounded, split, unique

ALL = "all"
"""What stands for every group where switches name some; no group is called so."""
_JOINT = "-"
_BESIDE = ("prompts", "skills")
"""What can be in a group beside tools."""
_MAX_TOOLS_OF_A_TAG = 20
"""With more tools than this, one tag for all of them tells nothing."""


def apply(
    api: Api,
    tables: Mapping[str, Mapping[str, Any]],
    kept_names: Mapping[str, str],
    diagnostics: Diagnostics,
) -> Api:
    """The API with a group set on each tool.

    `kept_names` maps titles to slugs that must not change. A tool is in the first group whose
    `tools` list it. A table that has only the title of a tag describes that tag's group.
    """
    titles = _titles(api.tools)
    _check(api, tables, titles, diagnostics)
    chosen = [
        next((title for title, table in tables.items() if _has(tool, table)), own)
        for tool, own in zip(api.tools, titles, strict=True)
    ]
    others = [title for title, table in tables.items() if table.keys() & _BESIDE]
    pairs = [*zip(api.tools, chosen, strict=True)]
    told = [title for tool, title in pairs if tool.written is None or title in tables]
    slugs = unique(
        {title: _slug(title) for title in (*told, *others)},
        in_use=(ALL,),
        kept_names=kept_names,
        fold=True,
        joint=_JOINT,
    )
    groups = {title: _group(slug, title, tables.get(title, {})) for title, slug in slugs.items()}
    headings = {title: Group("", title) for title in chosen}
    every = {**headings, **groups}
    tools = tuple(replace(tool, group=every[title]) for tool, title in pairs)
    return replace(api, tools=tools, groups=tuple(groups.values()))


def _group(slug: str, title: str, table: Mapping[str, Any]) -> Group:
    beside = (tuple(table.get(kind, ())) for kind in _BESIDE)
    return Group(slug, title, table.get("description", ""), *beside)


def _slug(title: str) -> str:
    """The slug of a title: 1 to 64 characters of a-z, 0-9 and single hyphens."""
    words = "_".join(word.lower() for word in split(title)) or f"group_{fingerprint(title)}"
    return bounded(words, title).replace("_", _JOINT)


def _has(tool: Tool, table: Mapping[str, Any]) -> bool:
    return any(_fits(tool, glob) for glob in table.get("tools", ()))


def _fits(tool: Tool, glob: str) -> bool:
    """Whether a glob matches a tool's name, or its method and path."""
    return any(fnmatchcase(each, shape(glob)) for each in (tool.name, shape(operation(tool))))


def operation(tool: Tool) -> str:
    """The method and path of a tool (`GET /users`); empty for a tool without a request."""
    return "" if tool.http is None else f"{tool.http.method} {tool.http.path}"


def _check(
    api: Api,
    tables: Mapping[str, Mapping[str, Any]],
    titles: Collection[str],
    diagnostics: Diagnostics,
) -> None:
    """Warn of names in a group that match nothing."""
    prompts = {prompt.key for prompt in api.prompts}
    names = sorted({*(tool.name for tool in api.tools), *map(operation, api.tools)} - {""})
    for title, table in tables.items():
        problems = [
            (f"no tool matches `{glob}` of the group `{title}`", glob, names)
            for glob in table.get("tools", ())
            if not any(_fits(tool, glob) for tool in api.tools)
        ]
        problems += [
            (
                f"the group `{title}` names a prompt `{name}`, which does not exist",
                name,
                sorted(prompts),
            )
            for name in table.get("prompts", ())
            if name not in prompts
        ]
        if not (table.keys() & {"tools", *_BESIDE} or title in titles):
            message = (
                f"the group `{title}` is empty: its table names nothing, and no tool has that tag"
            )
            problems.append((message, title, sorted({*titles})))
        for message, name, there in problems:
            hint = did_you_mean(name, there, "`mcpgen inspect` lists what there is.")
            diagnostics.warning("group-unused", message, hint=hint, setting=("groups", title))


def _titles(tools: Sequence[Tool]) -> list[str]:
    """A title for each tool: its tag, or the first part of its path that differs between tools."""
    if len(tools) <= _MAX_TOOLS_OF_A_TAG or len({tool.tag for tool in tools}) > 1:
        return [literals.one_line(tool.tag) for tool in tools]
    paths = [static(tool.http.path) if tool.http is not None else [] for tool in tools]
    depth = 0
    while len({path[depth : depth + 1] for path in map(tuple, paths)}) == 1 and any(paths):
        if all(len(path) <= depth for path in paths):
            return [tool.tag for tool in tools]
        depth += 1
    pairs = zip(paths, tools, strict=True)
    return [path[depth] if len(path) > depth else tool.tag for path, tool in pairs]
