"""The summary at the end of a run: lines for people, JSON for programs."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from ..catalogue.tools_json import tokens_in, tokens_of
from ..diagnostics import Severity
from ..publish.install_links import claude_code
from ..python_names.server_name import NAMELESS
from ..servers import Result
from ..servers.reports import conflicts, remarks

if TYPE_CHECKING:
    from ..generate import Generated

_MANY_TOKENS = 25_000
"""Tokens of tools/list from which it is said what makes them less: an eighth of 200,000."""
_MAX_NAME_LENGTH = 64
"""Characters of a tool's name with its server's before it, as models' APIs take it."""
_MANY_TOKENS_OF_INSTRUCTIONS = 1_000
"""Tokens of the server's instructions from which the same is said of them."""


def as_json(result: Result, generated: Generated) -> dict[str, Any]:
    """The summary as one JSON object."""
    report = result.report
    return {
        "output": result.folder,
        "package": generated.names.package,
        "tools": [t.name for t in generated.api.tools],
        "tokens": tokens_of(generated.tools_json),
        "skipped": [
            {"method": s.method, "path": s.path, "reason": s.reason, "pointer": s.pointer}
            for s in generated.api.skipped
        ],
        "written": list(report.written),
        "removed": list(report.removed),
        "kept": [str(note) for note in report.kept],
        "notes": [str(note) for note in report.notes],
        "conflicts": [{"file": c.path, "line": c.line, "what": c.what} for c in report.conflicts],
        "diagnostics": [d.to_json() for d in result.diagnostics],
    }


def as_text(result: Result, generated: Generated) -> list[str]:
    """The summary as lines; the last lines are commands to copy."""
    report, api = result.report, generated.api
    cost, *advice = cost_of(result, generated)
    lines = [f"{result.folder}: {_count(len(api.tools), 'tool')}, {cost}", *advice]
    size = tokens_in(api.instructions)
    if size > _MANY_TOKENS_OF_INSTRUCTIONS:
        lines.append(
            f"  and about {size:,} tokens of instructions, which `instructions` in mcpgen.toml "
            "replaces"
        )
    if report.written or report.removed:
        removed = f", {len(report.removed)} removed" if report.removed else ""
        lines.append(f"  {_count(len(report.written), 'file')} written{removed}")
    else:
        lines.append("  nothing changed")
    reasons = Counter(s.reason for s in api.skipped)
    if reasons:
        lines.append(f"  {_count(sum(reasons.values()), 'operation')} skipped:")
        lines += [f"    {n} x {reason}" for reason, n in reasons.most_common(12)]
    kinds = Counter(d.code for d in result.diagnostics if d.severity is Severity.WARNING)
    if kinds:
        codes = ", ".join(f"{code} x {n}" for code, n in kinds.most_common(12))
        lines.append(f"  {_count(sum(kinds.values()), 'warning')}: {codes}")
    lines += [*conflicts(result), *remarks(result)]
    lines += [f"  {line}" for line in _hard_to_see(generated)] if report.written else []
    return [*lines, "", *_next_steps(generated, Path(result.folder))]


def _hard_to_see(generated: Generated) -> Iterator[str]:
    """One line for each fact about a generation that is easily missed but matters later."""
    api = generated.api
    if any(tool.http for tool in api.tools) and not any(
        part.security_schemes for part in api.parts.values()
    ):
        yield (
            "the document asks for no credentials; if the API does, mcpgen.toml can say so: "
            '[security_schemes.token] with `type = "http"` and `scheme = "bearer"`'
        )
    if generated.names.server == NAMELESS:
        yield (
            f"the document has no title: the package is called {generated.names.distribution}; "
            "`name` in mcpgen.toml gives it another name"
        )
    called = [f"mcp__{generated.names.server}__{tool.name}" for tool in api.tools]
    is_listed = generated.lock.surface != "search"
    if is_listed and (long := [name for name in called if len(name) > _MAX_NAME_LENGTH]):
        more = f" and {len(long) - 1} more" if len(long) > 1 else ""
        yield (
            f"names of more than the {_MAX_NAME_LENGTH} characters that clients accept: {long[0]}"
            f"{more}; a shorter `name` in mcpgen.toml helps"
        )
    if generated.lock.source == "-":
        yield "a document from stdin cannot be updated: `source` in mcpgen.toml can name its file"


def cost_of(result: Result, generated: Generated) -> list[str]:
    """The tokens of the list of tools, and ways to shorten a long list."""
    tokens = tokens_of(generated.tools_json)
    if generated.lock.surface == "search":
        return [f"which agents find by search: a list of all would have about {tokens:,} tokens"]
    cost = f"about {tokens:,} tokens of tools/list"
    if tokens <= _MANY_TOKENS:
        return [cost]
    inspected = shlex.quote(Path(result.folder).as_posix())
    return [
        cost,
        f"  agents read all of it; `mcpgen inspect {inspected}` says what costs most:",
        "  leave those tools out, or shorten their schemas (of an API: --input-schema-bytes)",
    ]


def _next_steps(generated: Generated, folder: Path) -> list[str]:
    """Lines to copy: install the server, list its tools, try one, add it to a client."""
    names, package = generated.names, generated.package
    command = names.distribution
    tried = _call(generated)
    wheel = "  pip install --no-deps wheels/mcpgen_runtime-*.whl"
    return [
        *(["  mcpgen runtime-wheel -o wheels", wheel] if package.runtime else []),
        f"  pip install {shlex.quote(_path(folder))}",
        f"  {command} --list",
        *([f"  {command} --mock{tried}"] if tried else []),
        f"  {claude_code(names.server, [command], package.variables)}",
        *([] if package.runtime else _without_installing(folder, command)),
    ]


def _without_installing(folder: Path, command: str) -> list[str]:
    alternative = f"uvx --from {shlex.quote(_path(folder.resolve()))} {command}"
    return ["", f"To run it without installing it, use `{alternative}` instead of `{command}`."]


def _path(folder: PurePath) -> str:
    """The folder in a form that pip and uv recognize: a mere name would mean a package on PyPI.

    It has `/` on Windows too: shells take a backslash as a sign of quoting.
    """
    bare = folder.parts and folder.parts[0] != ".." and not folder.is_absolute()
    return f"./{folder.as_posix()}" if bare else folder.as_posix()


def _call(generated: Generated) -> str:
    """The flags that call the tool which a newcomer should try first."""
    if generated.first_call is None:
        return ""
    tool, arguments = generated.first_call
    option = f" --arguments {shlex.quote(json.dumps(arguments))}" if arguments else ""
    return f" --call {shlex.quote(tool)}{option}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
