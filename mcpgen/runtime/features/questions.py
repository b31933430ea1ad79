"""What a tool asks its user before it runs, as `questions.json` says.

A question asks for arguments that the call leaves out; one that names none asks for consent. On the
newest protocol each question is a round trip of its own, with the answers sealed in the request's
state. A task asks before it starts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..calls.catalogue import read_json
from ..calls.context import Context
from ..values.errors import ToolError

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

    from ..calls.calls import Serve
    from ..calls.catalogue import Parts
    from ..values.settings import Settings

_PLACE = re.compile(r"\{([^{}]+)\}")
_SHOWN = 200


class Questions:
    """The questions of every tool that asks its user."""

    def __init__(self, asked: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        self._asked = asked

    def wrap(self, tool: Mapping[str, Any], serve: Serve) -> Serve:
        """Ask first, then call the handler with the answers."""
        questions = self._asked.get(tool["name"], ())
        if not questions:
            return serve

        async def asking(context: Context, arguments: Mapping[str, Any]) -> Any:
            given = dict(arguments)
            for number, question in enumerate(questions, 1):
                given |= await _answers(context, question, given, f"input-{number}")
            if given.keys() != arguments.keys():
                from ..schemas.validation import ArgumentValidator

                given = dict(ArgumentValidator.of(tool).check(given))
            return await serve(context, given)

        return asking


async def _answers(
    context: Context, question: Mapping[str, Any], given: Mapping[str, Any], key: str
) -> dict[str, Any]:
    wanted: Mapping[str, Any] = question.get("arguments", {})
    missing = {name: schema for name, schema in wanted.items() if name not in given}
    if wanted and not missing:
        return {}
    form = {"type": "object", "properties": missing, "required": list(missing)}
    reply = await context.ask(_filled(question["message"], given), form, key)
    if not reply.accepted:
        said = "declined" if reply.action == "decline" else "gave no answer"
        raise ToolError(f"The user was asked first and {said}: nothing was done.")
    return {name: reply.content[name] for name in missing}


def _filled(message: str, given: Mapping[str, Any]) -> str:
    """The message with arguments filled in, quoted so that they cannot pass for its own text."""

    def shown(found: re.Match[str]) -> str:
        text = json.dumps(given.get(found[1]), ensure_ascii=False)
        text = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
        return "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in text)

    return _PLACE.sub(shown, message)


def install(server: Server[Any], parts: Parts, settings: Settings) -> Questions:
    """Let tools ask their users."""
    return Questions(read_json(parts.package, "questions.json"))
