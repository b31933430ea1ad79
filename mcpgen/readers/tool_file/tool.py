"""Reads one entry of `tools`, checks it, and turns it into a tool of IR 1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ... import schemas
from ...api import Argument, HttpCall, In, Schema, Tool
from ...diagnostics import did_you_mean
from ...operations.argument_names import NAME
from ...runtime.schemas.forms import all_forms, allowed
from ...schemas.definitions import Definitions
from ...text.suspicious import found_in
from ..mcp_headers import check_headers
from ..openapi.agent_text import first_line, report_signs
from ..openapi.fields import member
from .advertised import advertised
from .calls import Input, method_of, read_call
from .hints import advertised_hints, check_annotations, read_annotations
from .pool import Pool, Resource
from .questions import read_questions

if TYPE_CHECKING:
    from ...diagnostics import Diagnostics
    from ...source.document import Node
    from .info import Home

PYTHON = "tools"
HTTP = "http"
"""The groups of handlers: a person's own, and the ones that call the API."""

_MAX_NAME_LENGTH = 64
_SERVING = ("http", "input", "task")
"""Members that say how the tool is implemented; they are not advertised."""
_JOINS = frozenset(
    {
        "$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "dependentSchemas",
        "patternProperties",
    }
)  # fmt: skip
"""Keywords at the root with which a schema may describe properties that it does not list."""


class Entry(Struct, frozen=True):
    """A valid entry of `tools`, whose schemas are in the pool but not converted yet."""

    node: Node
    name: str
    written: Mapping[str, Any]
    input: Resource
    output: Resource | None


def read_entry(
    node: Node, shared: Node | None, pool: Pool, diagnostics: Diagnostics
) -> Entry | None:
    """Check one entry of `tools`; returns None if one of its schemas is invalid."""
    name: str = node["name"].value
    if len(name) > _MAX_NAME_LENGTH:
        message = f"this name has {len(name)} characters; some clients refuse more than 64"
        diagnostics.warning("tool-name", message, node["name"])
    if not str(node.value.get("description") or "").strip():
        message = f"the tool `{name}` has no description: agents choose tools by it"
        diagnostics.warning("description", message, node)
    _report_suspicious(node, diagnostics)
    check_annotations(node.get("annotations"), method_of(node.get("http")), diagnostics)
    check_headers(node["inputSchema"], diagnostics)
    input_schema = advertised(node["inputSchema"], shared, diagnostics)
    output_node = member(node, "outputSchema")
    answer = None if output_node is None else advertised(output_node, shared, diagnostics)
    if input_schema is None or (output_node is not None and answer is None):
        return None
    return Entry(
        node=node,
        name=name,
        written=_written(node, input_schema, answer),
        input=pool.add(name, input_schema),
        output=None if answer is None else pool.add(f"{name}_result", answer),
    )


def _report_suspicious(node: Node, diagnostics: Diagnostics) -> None:
    """Report text for agents that reads like instructions to a model."""
    stack = [node]
    while stack:
        part = stack.pop()
        if isinstance(part.value, str):
            report_signs(found_in(part.value), part, diagnostics)
        stack += part.elements()
        stack += (inner for key, inner in part.items() if part is not node or key != "http")


def _written(node: Node, input_schema: Node, answer: Node | None) -> dict[str, Any]:
    """The tool as `tools/list` shows it: without its implementation and without nulls."""
    out = _without_nulls({k: v for k, v in node.value.items() if k not in _SERVING})
    out["inputSchema"] = input_schema.value
    if answer is not None:
        out["outputSchema"] = answer.value
    if isinstance(out.get("annotations"), dict):
        out["annotations"] = _without_nulls(out["annotations"])
    if isinstance(out.get("icons"), list):
        out["icons"] = list(map(_without_nulls, out["icons"]))
    return out


def _without_nulls(members: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in members.items() if value is not None}


def make_tool(entry: Entry, pool: Pool, home: Home, diagnostics: Diagnostics) -> Tool:
    """The tool for an entry; every problem with its request is reported."""
    node, definitions = entry.node, pool.definitions
    root = _object(pool.convert(entry.input))
    output = None if entry.output is None else pool.convert(entry.output)
    questions = read_questions(member(node, "input"), root.get("properties", {}), diagnostics)
    tool_input = Input(
        properties=root.get("properties", {}),
        required=root.get("required", ()),
        open=_is_open(root),
        pool=definitions,
        asked=frozenset(name for question in questions for name in question.arguments),
    )
    _check_required(tool_input, node["inputSchema"], diagnostics)
    _check_names(tool_input, node["inputSchema"], diagnostics)
    http, arguments = _served(node, tool_input, home, output is not None, diagnostics)
    input_schema = _complete(root, definitions)
    if http is not None:
        _check_extra(http, input_schema, node["inputSchema"], diagnostics)
    written = entry.written
    hints = read_annotations(member(node, "annotations"), http.method if http else None)
    if http is not None:
        annotations = advertised_hints(written.get("annotations", {}), hints)
        written = {**written, "annotations": annotations}
    described = str(written.get("description", ""))
    titles = (written.get("title"), written.get("annotations", {}).get("title"), entry.name)
    return Tool(
        name=entry.name,
        title=next(str(title) for title in titles if title),
        description=described,
        summary=first_line(described),
        arguments=arguments,
        input_schema=input_schema,
        output_schema=None if output is None else _complete(_object(output), definitions),
        result=output,
        result_media_type=http.accept[0] if http is not None else None,
        annotations=hints,
        http=http,
        tag=PYTHON if http is None else HTTP,
        sample_arguments=_example(root),
        pointer=node.pointer,
        written=written,
        said=written,
        open_arguments=tool_input.open,
        questions=questions,
        task=_task(member(node, "task"), http),
    )


def _served(
    node: Node, tool_input: Input, home: Home, answers: bool, diagnostics: Diagnostics
) -> tuple[HttpCall | None, tuple[Argument, ...]]:
    """The request of a tool (None for a Python handler), and the tool's arguments."""
    http_node = member(node, "http")
    if http_node is None:
        return None, _arguments(tool_input, node)
    return read_call(http_node, tool_input, home, answers, diagnostics)


def _task(node: Node | None, http: HttpCall | None) -> str:
    """Whether the tool can run as a task: `node` decides; without it, whether the request polls."""
    if node is None:
        return "optional" if http is not None and http.poll is not None else ""
    return "" if node.value == "forbidden" else str(node.value)


def _object(schema: Schema) -> Mapping[str, Any]:
    return schema if isinstance(schema, Mapping) else {}


def _is_open(root: Mapping[str, Any]) -> bool:
    """Whether undeclared arguments are allowed and passed on."""
    extra = root.get("additionalProperties")
    if extra is not None:
        return extra is not False or "patternProperties" in root
    if root.get("unevaluatedProperties", False) is not False or _JOINS & root.keys():
        return True
    return "properties" not in root and "unevaluatedProperties" not in root


def _check_required(tool_input: Input, node: Node, diagnostics: Diagnostics) -> None:
    """Report required arguments that no call can give, or that `input` asks the user for."""
    for name in node.optional("required").elements():
        if name.value in tool_input.asked:
            message = f"the user is never asked for `{name.value}`: every call must have it"
            hint = "Leave it out of `required`, or out of the `arguments` of `input`."
            diagnostics.warning("input", message, name, hint)
        elif name.value not in tool_input.properties and not tool_input.open:
            message = f"`{name.value}` is required but not an argument: every call is refused"
            hint = did_you_mean(
                name.value, list(tool_input.properties), "Declare it in `properties`."
            )
            diagnostics.warning("argument", message, name, hint)


def _check_extra(
    http: HttpCall, root: Mapping[str, Any], node: Node, diagnostics: Diagnostics
) -> None:
    """Report undeclared arguments that the schema allows but the request has no place for."""
    if http.body is not None and http.body.extra:
        return
    for keyword in ("additionalProperties", "patternProperties", "unevaluatedProperties"):
        extra = member(node, keyword)
        if extra is not None and extra.value is not False:
            message = (
                f"`{keyword}` allows arguments that this request has no place for: they are refused"
            )
            hint = "List the arguments in `properties`."
            diagnostics.warning("argument", message, extra, hint)
    joined, _ = allowed(all_forms(root, root))
    for name in joined:
        if name in root.get("properties", {}):
            continue
        message = f"`{name}` is not in `properties` itself: this request has no place for it"
        hint = "List it there too: `true` is enough of a schema."
        diagnostics.warning("argument", message, node, hint)


def _check_names(tool_input: Input, node: Node, diagnostics: Diagnostics) -> None:
    """Report argument names that make models' APIs refuse the whole list of tools."""
    for name in tool_input.properties:
        if not NAME.fullmatch(name):
            message = (
                f"models' APIs refuse an argument called `{name}`, and all other tools with it"
            )
            hint = (
                "They accept 1 to 64 characters: A-Z, a-z, 0-9, `_`, `-` and `.`. "
                "Write the API's name for it as its `name` under `http.arguments`."
            )
            at = node.nearest(("properties", name))
            diagnostics.warning("argument-name", message, at, hint)


def _arguments(tool_input: Input, node: Node) -> tuple[Argument, ...]:
    """The arguments of a tool with a Python handler; they have no location in a request."""
    return tuple(
        Argument(
            name=name,
            schema=schema,
            location=In.PROPERTY,
            wire_name=name,
            required=name in tool_input.required,
            pointer=node.pointer,
        )
        for name, schema in tool_input.properties.items()
    )


def _complete(root: Mapping[str, Any], pool: Definitions) -> dict[str, Any]:
    reached = schemas.reachable([root], pool)
    return {**root, **({"$defs": reached} if reached else {})}


def _example(root: Mapping[str, Any]) -> dict[str, Any]:
    """The first example in the inputSchema's `examples`; empty if there is none."""
    example = next((e for e in root.get("examples", ()) if isinstance(e, dict)), {})
    return dict(example)
