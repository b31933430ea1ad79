"""Features of tools that models' APIs, clients and agent frameworks refuse.

One such tool makes them refuse the whole request. Each rule cites a report with the words of the
error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from ..schemas.graphs import strongly_connected
from ..text import pointer
from ..text.prose import CUT_AT

Wire = Mapping[str, Any]


class Refusal(NamedTuple):
    """A client's rule that a tool breaks."""

    code: str
    where: str = ""
    """The place in the tool's schema."""
    detail: str = ""


class Rule(Struct, frozen=True):
    """A client's rule for tools, with its source and a remedy for tools that break it."""

    meaning: str
    source: str
    remedy: str
    refuses: bool = True
    """Tools are lost; else they are shown worse."""


RULES = {
    "claude-name": Rule(
        "Anthropic's API accepts only names of 1 to 128 characters: A-Z, a-z, 0-9, `_` and `-`",
        "https://github.com/home-assistant/core/issues/147760",
        "`name` in [tools.X]",
    ),
    "claude-property": Rule(
        "Anthropic's API accepts only argument names of 1 to 64 characters: A-Z, a-z, 0-9, `_`, "
        "`.` and `-`",
        "https://github.com/anthropics/claude-code/issues/79418",
        "`name` in [tools.X.arguments.Y]",
    ),
    "claude-root": Rule(
        "Anthropic's API refuses oneOf, anyOf and allOf at the root of a schema",
        "https://github.com/anthropics/claude-code/issues/40075",
        "a body that is a plain object",
    ),
    "claude-cut": Rule(
        "Claude Code cuts a description, or a server's instructions, after 2,048 characters",
        "https://github.com/anthropics/claude-code/issues/41593",
        "`description` in [tools.X], or `description_limit`",
        refuses=False,
    ),
    "openai-name": Rule(
        "OpenAI's API accepts only names of 1 to 64 characters: A-Z, a-z, 0-9, `_` and `-`",
        "https://github.com/NobleMathews/mayil-ai-tests/issues/64",
        "`name` in [tools.X]",
    ),
    "openai-tools": Rule(
        "OpenAI's API refuses more than 128 tools",
        "https://github.com/zed-industries/zed/issues/32946",
        '`surface = "search"`, or `include_tags`',
    ),
    "openai-root": Rule(
        "OpenAI's API refuses oneOf, anyOf, allOf, enum, const and not at the root of a schema",
        "https://github.com/langchain-ai/langchainjs/issues/9804",
        "a body that is a plain object",
    ),
    "openai-items": Rule(
        "OpenAI's API refuses an array without items",
        "https://github.com/docker/mcp-gateway/pull/265",
        "`items` in the document's schema",
    ),
    "openai-long": Rule(
        "Azure's OpenAI, and older models at OpenAI's API, refuse a description over 1,024 "
        "characters",
        "https://github.com/langchain-ai/open_deep_research/issues/80",
        "`description` in [tools.X], or `description_limit`",
    ),
    "gemini-name": Rule(
        "Gemini's API accepts only names of 1 to 64 characters, A-Z, a-z, 0-9, `_`, `.`, `:` and "
        "`-`, that begin with a letter or `_`",
        "https://github.com/google-gemini/gemini-cli/issues/7869",
        "`name` in [tools.X]",
    ),
    "gemini-enum": Rule(
        "Gemini's API refuses enums of anything but strings",
        "https://github.com/directus/directus/issues/27100",
        "`type: string` in the document's schema",
    ),
    "gemini-empty": Rule(
        "Gemini's API refuses an empty string in an enum",
        "https://github.com/Bobsilvio/ha-claude/pull/32",
        "an enum without the empty string in the document",
    ),
    "gemini-type": Rule(
        "Gemini's API refuses a schema without a type",
        "https://github.com/danny-avila/LibreChat/issues/6971",
        "`type` in the document's schema",
    ),
    "gemini-items": Rule(
        "Gemini's API refuses an array without items",
        "https://github.com/kkrishnan90/gemini-desktop/pull/7",
        "`items` in the document's schema",
    ),
    "gemini-format": Rule(
        "Gemini's API refuses every format of a string except `enum` and `date-time`",
        "https://github.com/google-gemini/gemini-cli/issues/3178",
        "`format` left out in the document's schema",
    ),
    "gemini-const": Rule(
        "Gemini's API refuses const",
        "https://github.com/zed-industries/zed/issues/44875",
        "`enum` with one value in the document's schema",
    ),
    "gemini-required": Rule(
        "Gemini's API refuses a required property that is not declared",
        "https://github.com/iBUHub/AIStudioToAPI/issues/154",
        "`properties` in the document's schema",
    ),
    "gemini-dependent": Rule(
        "Gemini's API refuses dependentRequired",
        "https://github.com/danny-avila/LibreChat/pull/13850",
        "the condition as text in the document",
    ),
    "gemini-types": Rule(
        "Gemini's API refuses a list of types in `parameters`",
        "https://github.com/zed-industries/zed/issues/53919",
        "one type in the document's schema, or a client that sends `parametersJsonSchema`",
    ),
    "gemini-keyword": Rule(
        "Gemini's API refuses the keywords in `parameters` that its own schemas do not have",
        "https://github.com/pizza-bot-app/pizza-bot/issues/62",
        "the rule as text in the document, or a client that sends `parametersJsonSchema`",
    ),
    "kimi-name": Rule(
        "Kimi's API refuses a name that begins with a digit",
        "https://github.com/MoonshotAI/kimi-cli/issues/2531",
        "`name` in [tools.X]",
    ),
    "kimi-union": Rule(
        "Kimi's API refuses `type` beside anyOf or oneOf: it belongs in each alternative",
        "https://github.com/FTShare-Lab/FTShare-MCP/issues/7",
        "`type` inside `anyOf` in the document's schema",
    ),
    "llamacpp-pattern": Rule(
        "llama.cpp and LM Studio refuse a pattern that does not begin with ^ and end with $",
        "https://github.com/ggml-org/llama.cpp/issues/26930",
        "`pattern` between ^ and $ in the document's schema",
    ),
    "llamacpp-length": Rule(
        "llama.cpp and LM Studio refuse maxLength and maxItems of 2,000 or more; nested "
        "limits multiply",
        "https://github.com/ggml-org/llama.cpp/issues/26596",
        "a smaller bound, or none, in the document's schema",
    ),
    "frameworks-boolean": Rule(
        "Google's Gen AI SDK for Python breaks on additionalProperties that is true or false: give "
        "it the schema as `parameters_json_schema`",
        "https://github.com/googleapis/python-genai/issues/2393",
        "`parameters_json_schema` in the code of the agent",
    ),
    "frameworks-name": Rule(
        "CrewAI loses all tools of a server if one argument begins with `_`",
        "https://github.com/Softeria/ms-365-mcp-server/issues/25",
        "`name` in [tools.X.arguments.Y]",
    ),
    "frameworks-recursion": Rule(
        "LlamaIndex, smolagents and mcp-use break on a schema that contains itself",
        "https://github.com/OpenHands/software-agent-sdk/issues/1955",
        "`input_schema_bytes` in the settings",
    ),
    "frameworks-types": Rule(
        "AutoGen, mcp-use and Semantic Kernel lose all tools of a server if one schema lists types",
        "https://github.com/microsoft/autogen/issues/6723",
        "`anyOf`, or one type, in the document's schema",
    ),
    "inspector-root": Rule(
        "the MCP Inspector shows no fields where anyOf or oneOf is at the root of a schema",
        "https://github.com/modelcontextprotocol/inspector/issues/2123",
        "a body that is a plain object",
        refuses=False,
    ),
    "inspector-type": Rule(
        "the MCP Inspector asks for raw JSON for an argument without a type",
        "https://github.com/modelcontextprotocol/inspector/issues/1928",
        "`type` in the document's schema",
        refuses=False,
    ),
}
_CLAUDE_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
_OPENAI_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_GEMINI_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}")
_PROPERTY = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
_UNIONS = ("oneOf", "anyOf", "allOf")
_MAX_CHARACTERS = 1024
"""Characters of a description that all of OpenAI's APIs take."""
_GEMINI_KEYWORDS = frozenset(
    {"anyOf", "default", "description", "enum", "example", "format", "items", "nullable"}
    | {"pattern", "properties", "propertyOrdering", "required", "title", "type"}
    | {"maxItems", "maxLength", "maxProperties", "maximum"}
    | {"minItems", "minLength", "minProperties", "minimum"}
)
"""The members of a schema of Gemini's API (v1beta, Schema)."""
_GEMINI_ELSEWHERE = frozenset({"const", "dependentRequired", "additionalProperties", "$schema"})
"""Keywords of rules of their own, and those that every client takes out."""
_MAX_REPETITIONS = 2000
"""llama.cpp's most repetitions in a grammar (MAX_REPETITION_THRESHOLD)."""


def refused_list(
    tools: Sequence[Wire], client: str, instructions: str | None = None
) -> Iterator[Refusal]:
    """The client's rules that the list as a whole or the server's instructions break."""
    if client == "claude" and len(instructions or "") > CUT_AT:
        yield Refusal("claude-cut", "instructions", f"{len(instructions or ''):,}")
    if client == "openai" and len(tools) > 128:
        yield Refusal("openai-tools", detail=f"{len(tools)}")
    if client == "frameworks":
        count = sum(1 for tool in tools if _has_boolean(tool["inputSchema"]))
        if count:
            yield Refusal("frameworks-boolean", detail=f"{count} of {len(tools)} tools")


def _claude(tool: Wire) -> Iterator[Refusal]:
    if not _CLAUDE_NAME.fullmatch(tool["name"]):
        yield Refusal("claude-name")
    yield from _root(tool, "claude-root", _UNIONS)
    if len(tool.get("description", "")) > CUT_AT:
        yield Refusal("claude-cut", detail=f"{len(tool['description']):,}")
    for argument in _properties(tool["inputSchema"]):
        if not _PROPERTY.fullmatch(argument):
            yield Refusal("claude-property", argument)


def _openai(tool: Wire) -> Iterator[Refusal]:
    if not _OPENAI_NAME.fullmatch(tool["name"]):
        yield Refusal("openai-name")
    if len(tool.get("description", "")) > _MAX_CHARACTERS:
        yield Refusal("openai-long", detail=f"{len(tool['description']):,}")
    yield from _root(tool, "openai-root", (*_UNIONS, "enum", "const", "not"))
    for where, inner in _walk(tool["inputSchema"]):
        if _may_be(inner, "array") and "items" not in inner:
            yield Refusal("openai-items", where)


def _gemini(tool: Wire) -> Iterator[Refusal]:
    if not _GEMINI_NAME.fullmatch(tool["name"]):
        yield Refusal("gemini-name")
    for where, inner in _walk(tool["inputSchema"]):
        if any(not isinstance(value, str) for value in inner.get("enum", ())):
            yield Refusal("gemini-enum", where)
        if "" in inner.get("enum", ()):
            yield Refusal("gemini-empty", where)
        if not inner.keys() & {"type", "$ref", *_UNIONS}:
            yield Refusal("gemini-type", where)
        if _may_be(inner, "array") and "items" not in inner:
            yield Refusal("gemini-items", where)
        if _may_be(inner, "string") and inner.get("format", "enum") not in ("enum", "date-time"):
            yield Refusal("gemini-format", where, f"{inner['format']}")
        if "const" in inner:
            yield Refusal("gemini-const", where)
        if "dependentRequired" in inner:
            yield Refusal("gemini-dependent", where)
        if isinstance(inner.get("type"), list):
            yield Refusal("gemini-types", where)
        if others := sorted(inner.keys() - _GEMINI_KEYWORDS - _GEMINI_ELSEWHERE):
            yield Refusal("gemini-keyword", where, ", ".join(others))
        for name in inner.get("required", ()):
            if name not in _properties(inner):
                yield Refusal("gemini-required", where, f"{name}")


def _kimi(tool: Wire) -> Iterator[Refusal]:
    if tool["name"][:1].isdigit():
        yield Refusal("kimi-name")
    for where, inner in _walk(tool["inputSchema"]):
        if "type" in inner and inner.keys() & {"anyOf", "oneOf"}:
            yield Refusal("kimi-union", where)


def _llamacpp(tool: Wire) -> Iterator[Refusal]:
    for where, inner in _walk(tool["inputSchema"]):
        pattern = inner.get("pattern")
        if isinstance(pattern, str) and not (pattern.startswith("^") and pattern.endswith("$")):
            yield Refusal("llamacpp-pattern", where, pattern)
    for where, times in _repetitions(tool["inputSchema"]):
        if times >= _MAX_REPETITIONS:
            yield Refusal("llamacpp-length", where, f"{times:,}")


def _frameworks(tool: Wire) -> Iterator[Refusal]:
    schema = tool["inputSchema"]
    for argument in _properties(schema):
        if argument.startswith("_"):
            yield Refusal("frameworks-name", argument)
    for where, inner in _walk(schema):
        if isinstance(inner.get("type"), list):
            yield Refusal("frameworks-types", where)
    for place in _recursive(schema):
        yield Refusal("frameworks-recursion", place)


def _inspector(tool: Wire) -> Iterator[Refusal]:
    yield from _root(tool, "inspector-root", ("anyOf", "oneOf"))
    for argument, inner in _properties(tool["inputSchema"]).items():
        has_type = isinstance(inner, Mapping) and inner.keys() & {"type", "$ref", "enum", "const"}
        if not has_type:
            yield Refusal("inspector-type", argument)


CLIENTS: Mapping[str, Callable[[Wire], Iterator[Refusal]]] = {
    "claude": _claude,
    "frameworks": _frameworks,
    "gemini": _gemini,
    "inspector": _inspector,
    "kimi": _kimi,
    "llamacpp": _llamacpp,
    "openai": _openai,
}
"""What finds the rules of a client that one tool breaks."""


def _root(tool: Wire, code: str, keywords: Sequence[str]) -> Iterator[Refusal]:
    keywords_there = [keyword for keyword in keywords if keyword in tool["inputSchema"]]
    if keywords_there:
        yield Refusal(code, detail=", ".join(keywords_there))


def _may_be(schema: Wire, kind: str) -> bool:
    kinds = schema.get("type", ())
    return kind == kinds or (isinstance(kinds, list) and kind in kinds)


def _has_boolean(schema: Wire) -> bool:
    return any(isinstance(inner.get("additionalProperties"), bool) for _, inner in _walk(schema))


def _recursive(schema: Wire) -> Iterator[str]:
    """The place of one reference in each cycle of references."""
    parts = {"#": schema}
    for holder in ("$defs", "definitions"):
        defs = schema.get(holder)
        for name, inner in defs.items() if isinstance(defs, Mapping) else ():
            parts[pointer.join("#", holder, name)] = inner
    leads = {
        place: {f"{inner['$ref']}" for _, inner in _walk(part) if "$ref" in inner}
        for place, part in parts.items()
    }
    return (min(loop).lstrip("#/") for loop in strongly_connected(leads))


def _properties(schema: Wire) -> Mapping[str, Any]:
    properties: Mapping[str, Any] = schema.get("properties", {})
    return properties


def _repetitions(schema: Any) -> Iterator[tuple[str, int]]:
    """Each `maxLength` and `maxItems` with its place, multiplied by `maxItems` of outer arrays."""
    stack = [("", schema, 1)]
    while stack:
        place, node, around = stack.pop()
        if not isinstance(node, Mapping):
            continue
        for keyword in ("maxLength", "maxItems"):
            if isinstance(node.get(keyword), int):
                yield place, around * node[keyword]
        inside = around * max(1, node["maxItems"]) if _is_bounded(node) else around
        for at, inner in _below(place, node):
            stack.append((at, inner, inside if inner is node.get("items") else around))


def _is_bounded(schema: Wire) -> bool:
    return isinstance(schema.get("maxItems"), int)


def _walk(schema: Any) -> Iterator[tuple[str, Wire]]:
    """A schema and all schemas inside it, each with its place."""
    stack = [("", schema)]
    while stack:
        place, node = stack.pop()
        if isinstance(node, Mapping):
            yield place, node
            stack += _below(place, node)


def _below(place: str, node: Wire) -> Iterator[tuple[str, Any]]:
    """The values of a schema's keywords that contain subschemas, each with its place."""
    for key in ("properties", "$defs", "definitions"):
        members = node.get(key)
        for name, inner in members.items() if isinstance(members, Mapping) else ():
            yield f"{place}.{name}".lstrip(".") if key == "properties" else f"{key}/{name}", inner
    for key in ("items", "additionalProperties"):
        yield f"{place}[]" if key == "items" else f"{place}.*", node.get(key)
    for key in _UNIONS:
        yield from ((place, inner) for inner in node.get(key, ()))
