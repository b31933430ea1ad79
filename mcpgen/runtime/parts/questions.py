"""Questions to the user before a tool runs, from `questions.json`.

A question asks for arguments that the call leaves out; a question without arguments asks for
consent. On the newest protocol, each question is a round trip of its own, and the answers are
sealed in the request's state. A task asks before it starts.
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
    from ..calls.calls import Serve
    from ..calls.server import ServerParts

_PLACE = re.compile(r"\{([^{}]+)\}")
_MAX_CHARACTERS = 200


class Questions:
    """The questions of all tools, by tool."""

    def __init__(self, questions: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        self._questions = questions

    def wrap(self, tool: Mapping[str, Any], serve: Serve) -> Serve:
        """A handler that asks first, then calls `serve` with the answers."""
        questions = self._questions.get(tool["name"], ())
        if not questions:
            return serve

        async def asking(context: Context, arguments: Mapping[str, Any]) -> Any:
            whole = dict(arguments)
            for number, question in enumerate(questions, 1):
                whole |= await _answers(context, question, whole, f"input-{number}")
            if whole.keys() != arguments.keys():
                from ..schemas.validation import ArgumentValidator

                whole = dict(ArgumentValidator.of(tool).check(whole))
            return await serve(context, whole)

        return asking


async def _answers(
    context: Context, question: Mapping[str, Any], arguments: Mapping[str, Any], key: str
) -> dict[str, Any]:
    schemas: Mapping[str, Any] = question.get("arguments", {})
    missing = {name: schema for name, schema in schemas.items() if name not in arguments}
    if schemas and not missing:
        return {}
    form = {"type": "object", "properties": missing, "required": list(missing)}
    message = _PLACE.sub(lambda match: _quoted(arguments.get(match[1])), question["message"])
    reply = await context.ask(message, form, key)
    if not reply.accepted:
        outcome = "declined" if reply.action == "decline" else "gave no answer"
        raise ToolError(f"The user was asked first and {outcome}: nothing was done.")
    return {name: reply.content[name] for name in missing}


def _quoted(argument: Any) -> str:
    """An argument in a message, quoted so that it cannot look like the message's own text."""
    text = json.dumps(argument, ensure_ascii=False)
    text = text if len(text) <= _MAX_CHARACTERS else f"{text[:_MAX_CHARACTERS]}…"
    return "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in text)


NEEDS = ("asking",)
NEEDS_SESSION = True


def install(parts: ServerParts) -> Questions:
    """Let tools ask their users."""
    return Questions(read_json(parts.package, "questions.json"))
