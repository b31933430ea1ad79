"""Refuses members of free-form objects that would replace other arguments.

A free-form object is sent beside other arguments in the same place. So a member of it could be sent
under the name of a fixed argument, of a hidden one, or of a credential.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote

from ..values.errors import ArgumentError

if TYPE_CHECKING:
    from ..calls.calls import Serve
    from ..calls.context import Context
    from ..calls.server import ServerParts

Names = Mapping[str, str | None]
"""Names that a member must not have. The value is the argument to give instead, or None."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_UNDERSCORES = str.maketrans(" +.[", "____")
_PART = re.compile(r"[^\[\]()]+")
_STEP = re.compile(r"[^\[\]().]+")
_QUOTES = str.maketrans("", "", "'\"")

UNDECLARED = "*"
"""Stands for the arguments that the tool does not declare."""


def install(parts: ServerParts) -> Refusals:
    """Let a server check each call before its handler runs, by the names in `Api.refusals`."""
    return Refusals(parts.api.refusals)


class Refusals:
    """The names that members of a call's free-form objects must not have, by tool and argument."""

    def __init__(self, tools: Mapping[str, Mapping[str, Names]]) -> None:
        self._tools = tools

    def admit(self, _: Any, tool: Mapping[str, Any], arguments: Mapping[str, Any]) -> None:
        """Check the arguments of a call that one handler makes to another tool."""
        declared = tool["inputSchema"].get("properties", ())
        refuse(self._tools.get(tool["name"], {}), arguments, declared)

    def wrap(self, tool: Mapping[str, Any], handler: Serve) -> Serve:
        """A handler that first checks its arguments, then calls `handler`."""
        rules = self._tools.get(tool["name"])
        if not rules:
            return handler

        async def serve(context: Context, arguments: Mapping[str, Any]) -> Any:
            refuse(rules, arguments, tool["inputSchema"].get("properties", ()))
            return await handler(context, arguments)

        return serve


def replaces(member: str, name: str) -> bool:
    """Whether an API may read a member as the argument `name`, or as an object that contains it."""
    pairs = zip(_readings(unquote(member)), _readings(name), strict=True)
    return any(all(a == b for a, b in zip(*pair, strict=False)) for pair in pairs)


def _readings(name: str) -> Iterable[list[str]]:
    """The ways in which servers may read a name: whole, in PHP's spelling, and split into keys.

    PHP turns blanks, dots and an open `[` into `_`. PHP, Rails and qs read `name[]`, `[name]`,
    `name]` and `name[x]y` as `name`, and Rails also `name(1i)`. Go and ASP.NET ignore case; ASP.NET
    reads `a.b` as `a[b]`. Spring reads `!name` as the default of `name`, and accepts `a['b']`.
    """
    plain = name.translate(_QUOTES).strip().removeprefix("!").casefold()
    parts = [part.strip().translate(_UNDERSCORES) for part in _PART.findall(plain)]
    steps = [step.strip() for step in _STEP.findall(plain)]
    return [plain.translate(_UNDERSCORES)], parts or [plain], steps or [plain]


def refuse(
    rules: Mapping[str, Names], arguments: Mapping[str, Any], declared: Iterable[str]
) -> None:
    """Check the members of free-form objects; `rules` has the forbidden names for each object.

    Raises:
        ArgumentError: a member would replace another argument.
    """
    own = frozenset(declared)
    for argument, names in rules.items():
        if argument == UNDECLARED:
            _refuse("", (name for name in arguments if name not in own), names)
        elif argument in arguments:
            _refuse(f"{argument}.", _members(arguments[argument]), names)


def _members(value: Any) -> Iterable[str]:
    """The names in an object, or in a text that is a whole query string."""
    if isinstance(value, str):
        return [name for name, _ in parse_qsl(value, keep_blank_values=True)]
    return value if isinstance(value, Mapping) else ()


def _refuse(place: str, members: Iterable[str], names: Names) -> None:
    for member in members:
        if _CONTROL.search(unquote(member)):
            raise ArgumentError(f"{place}{member}", "has a control character in its name.")
        for name, argument in names.items():
            if argument is None and replaces(member, name):
                raise ArgumentError(f"{place}{member}", "cannot be given here: leave it out.")
            if argument is not None and _PART.findall(member) == _PART.findall(name):
                raise ArgumentError(
                    f"{place}{member}", f"is an argument of its own: give it as `{argument}`."
                )
