"""The media types in requests' Accept headers, chosen by the settings or by the agent."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from ..api import Api, Argument, Fixed, In, Representation, Tool
from ..diagnostics import Diagnostics, did_you_mean
from ..runtime.values.media import essence
from ..schemas import output_schema
from ..settings.settings import Settings
from ..text.prose import with_ours

KEY = "accept"
_HEADER = "Accept"


def apply(api: Api, settings: Settings, diagnostics: Diagnostics) -> Api:
    """A copy of the API, with the `accept` settings of its tools applied."""
    tables = {table.get("name", name): table for name, table in settings.tools.items()}
    tools = []
    for tool in api.tools:
        table = tables.get(tool.name, {})
        asked = table.get(KEY, False)
        chosen = _chosen(tool, asked)
        if asked is False:
            pass
        elif not (chosen or (asked is True and tool.representations)):
            _report(tool, asked, diagnostics)
        elif chosen is None:
            tool = _with_argument(tool)
        else:
            promised = table.get("output_schema", settings.output_schema)
            size = table.get("output_schema_bytes", settings.output_schema_bytes)
            described = output_schema(chosen.result, api.schemas, promised, size)
            tool = _asking(replace(tool, output_schema=described), chosen)
            if "description" not in table:
                told = with_ours(tool.description, f"The answer is {chosen.media_type}.")
                tool = replace(tool, description=told)
        tools.append(tool)
    return replace(api, tools=tuple(tools))


def _chosen(tool: Tool, asked: Any) -> Representation | None:
    """The representation with the media type `asked`, which may omit parameters; else None."""
    if not isinstance(asked, str):
        return None
    words = asked.lower().strip()
    named = {each.media_type.lower(): each for each in reversed(tool.representations)}
    essences = {essence(each.media_type): each for each in reversed(tool.representations)}
    return named.get(words) or essences.get(words)


def _report(tool: Tool, asked: Any, diagnostics: Diagnostics) -> None:
    kinds = [each.media_type for each in tool.representations]
    listed = ", ".join(f"`{kind}`" for kind in kinds)
    if tool.written is not None:
        why, hint = "its request is written by hand", "Set `accept` in the tool file."
    elif not kinds:
        why, hint = (
            "the document does not declare several media types for its answer",
            "Take it out.",
        )
    else:
        why = "the document declares no answer of that media type"
        hint = did_you_mean(str(asked), kinds, f"It declares {listed}.")
    name = "accept" if asked is True else f"accept = {asked}"
    message = f"mcpgen.toml: `{name}` of `{tool.name}` does nothing: {why}"
    setting = ("tools", tool.name, KEY)
    diagnostics.error("settings-accept", message, hint=hint, setting=setting)


def _argument(tool: Tool) -> Argument:
    """The Accept header as an argument, which chooses one of the declared media types."""
    name, names = KEY, {argument.name for argument in tool.arguments}
    while name in names:
        name += "_"
    kinds = [each.media_type for each in tool.representations]
    default = " or ".join(tool.call.accept)
    about = f"Media type of the answer; without it: {default}."
    schema = {"type": "string", "enum": kinds, "description": about}
    return Argument(name, schema, In.HEADER, _HEADER, required=False, description=about)


def _with_argument(tool: Tool) -> Tool:
    argument = _argument(tool)
    properties = {**tool.input_schema.get("properties", {}), argument.name: argument.schema}
    return replace(
        tool,
        arguments=(*tool.arguments, argument),
        input_schema={**tool.input_schema, "properties": properties},
    )


def _asking(tool: Tool, chosen: Representation) -> Tool:
    """The tool with only the chosen media type in its Accept header.

    Some APIs ignore the weights in that header. The other types stay declared, since an answer with
    a further status may use one of them.
    """
    call = tool.call
    kinds = dict.fromkeys((*call.accept, *call.declared))
    others = tuple(kind for kind in kinds if kind != chosen.media_type)
    return replace(
        tool,
        http=replace(call, accept=(chosen.media_type,), declared=others, read_as=chosen.read_as),
        fixed=(*tool.fixed, Fixed(_argument(tool), value=chosen.media_type)),
        result=chosen.result,
        result_media_type=chosen.media_type,
        examples=chosen.examples,
    )
