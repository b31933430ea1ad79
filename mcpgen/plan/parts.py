"""The parts of the runtime that a server needs, which its `server.py` names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..adjusting import refusals
from ..api import Api, Argument, In, Tool
from ..bundled.parts import asks, switches, with_needs
from ..catalogue.tools_json import completes, takes_fields
from ..runtime.values.media import essence, is_json_lines
from ..runtime.values.seams import ASKING, DIALECTS, KEYWORDS, READERS, WRITERS
from ..settings import Settings
from ..text import literals
from .calls import FORM, body_kind

_WRITTEN = (ASKING, "branches", "dialects", "forms", "multipart_answers")
"""What people who write handlers may need, whatever the document says."""


def of(api: Api, settings: Settings) -> tuple[str, ...]:
    """The parts of a server, in the order of installation."""
    return with_needs(
        (*_of_settings(settings), *_of_offers(api), *_of_calls(api), *_of_schemas(api))
    )


def _of_settings(settings: Settings) -> Iterator[str]:
    asked = switches()
    yield from (part for part, (key, value) in asked.items() if asks(getattr(settings, key), value))
    if any(asks(each.auth, asked["delegation"][1]) for each in settings.with_):
        yield "delegation"
    if settings.publish and settings.http:
        yield "cards"


def _of_offers(api: Api) -> Iterator[str]:
    """The parts that the tools, resources and prompts of a tool file need."""
    functions = [each.function for each in (*api.resources, *api.prompts) if each.function]
    own = any(tool.http is None for tool in (*api.tools, *functions))
    chosen = {
        "changes": api.list_changed,
        "resources": bool(api.resources),
        "updates": any(offer.changes for offer in api.resources),
        "prompts": bool(api.prompts),
        "completion": completes(api),
        "loglevels": own,
        "tasks": any(tool.task for tool in api.tools),
        "questions": any(tool.questions for tool in api.tools),
        "fields": any(takes_fields(tool) for tool in api.tools),
        "refusals": any(refusals.of(tool, api) for tool in api.tools),
    }
    yield from (name for name, is_chosen in chosen.items() if is_chosen)
    if own or api.prompts:
        yield from _WRITTEN


def _of_calls(api: Api) -> Iterator[str]:
    """The parts that the requests and answers of the API need."""
    functions = [each.function for each in (*api.resources, *api.prompts) if each.function]
    served = (*api.tools, *functions)
    arguments = [argument for each in served for argument in each.arguments]
    arguments += [fixed.argument for each in served for fixed in each.fixed]
    if any(map(_is_written_as_form, arguments)) or any(_sends_others(each) for each in served):
        yield WRITERS.parts["form"]
    calls = [each.http for each in served if each.http is not None]
    declared = [kind for call in calls for kind in (*call.accept, *call.declared)]
    yield from (part for kind, part in READERS.parts.items() if _begins(declared, kind))


def _of_schemas(api: Api) -> Iterator[str]:
    """The parts that the server needs to check values against its schemas."""
    schemas = literals.json_bytes(
        [(each.input_schema, _checked(each.output_schema), each.written) for each in api.tools]
    )
    parts = KEYWORDS.parts.items()
    yield from (part for keyword, part in parts if f'"{keyword}":'.encode() in schemas)
    if b'"$schema":' in schemas:
        yield from set(DIALECTS.parts.values())


def _begins(media_types: Iterable[str], kind: str) -> bool:
    return any(each.startswith(f"{kind}/") for each in media_types)


def _is_written_as_form(argument: Argument) -> bool:
    """Whether an argument is written as a form: a cookie, a whole query string, or form content."""
    if argument.location in (In.COOKIE, In.QUERYSTRING):
        return True
    return essence(argument.media_type or "") == FORM


def _sends_others(tool: Tool) -> bool:
    """Whether a tool sends a body that is not a single JSON value."""
    body = tool.http.body if tool.http is not None else None
    if body is None:
        return False
    return body_kind(body)[0] != "json" or bool(body.offered) or is_json_lines(body.media_type)


def _checked(schema: Mapping[str, Any] | None) -> Any:
    """The schema to check answers against, without the alternative that allows any object."""
    branches = (schema or {}).get("anyOf", ())
    if schema is None or {"type": "object"} not in branches:
        return schema
    return branches[0], schema.get("$defs")
