"""Shaping: only some fields of an answer are shown to the agent.

Fields are named by those JSONPath expressions (RFC 9535) that can be followed in a schema:
`$.customer.email`, `$.items[*].price`, `$['odd name']`. `*` is every item or member, and `..name` a
member of that name at any depth.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from ..backend.response import Response
from ..values.jsontext import dump

REDACTED = "[redacted]"
FIELDS = "fields"
"""The argument that the part of that name gives to tools whose answers are wide."""
FIELDS_SCHEMA: Mapping[str, Any] = {
    "type": "array",
    "items": {"type": "string"},
    "description": "Fields to get.",
}
"""Its schema, by which it is told from an API's own argument of that name."""

_LONGEST, _MOST_STEPS, _MOST_ANYWHERE = 1000, 20, 2
"""Characters and steps of a path."""
_NOTHING = object()
_STEP = re.compile(
    r"(?P<anywhere>\.)?(?:"
    r"\.(?P<name>[^\s.\[\]'\"*$]+)|\.(?P<any>\*)"
    r"|(?P<bracket>\.?)\[(?:(?P<star>\*)|'(?P<single>[^']+)'|\"(?P<double>[^\"]+)\")\])"
)


@dataclass(frozen=True)
class Step:
    """One step of a path; without a name, it leads to every item or member."""

    name: str | None
    anywhere: bool = False
    """At any depth below."""


Path = tuple[Step, ...]
Places = frozenset[Path]
"""Where a walk is: what is left of each path that leads on from here; `()` is a path's end."""

END: Path = ()


def read_path(text: str) -> Path:
    """Read a path.

    Raises:
        ValueError: it is not a path; the message shows how a path looks.
    """
    if len(text) > _LONGEST:
        raise ValueError(f"must have at most {_LONGEST:,} characters")
    steps: list[Step] = []
    position = 1 if text.startswith("$") else len(text) + 1
    while position < len(text):
        match = _STEP.match(text, position)
        if match is None:
            break
        anywhere = bool(match["anywhere"] or match["bracket"])
        name = match["name"] or match["single"] or match["double"]
        if anywhere and name is None:
            break
        steps.append(Step(name, anywhere))
        position = match.end()
    if position != len(text) or not steps:
        raise ValueError("must be a path such as $.customer.email, $.items[*].id or $..token")
    if len(steps) > _MOST_STEPS or sum(step.anywhere for step in steps) > _MOST_ANYWHERE:
        raise ValueError(
            f"must have at most {_MOST_STEPS} steps, and `..` at most {_MOST_ANYWHERE} times"
        )
    return tuple(steps)


def start(texts: Iterable[str]) -> Places:
    """The parsed paths, as they apply at the top of an answer."""
    return frozenset(read_path(text) for text in texts)


def below(places: Places, key: str | None) -> Places:
    """The remaining paths after a step to the member `key`, or to an item if `key` is None."""
    named, others = _tails(places)
    return named.get(key, others)


@lru_cache(maxsize=256)
def _tails(places: Places) -> tuple[Mapping[str | None, Places], Places]:
    """The rest of each path after its first step: by that step's name, and for all other names."""
    tails: dict[str | None, set[Path]] = defaultdict(set)
    for path in filter(None, places):
        tails[path[0].name].add(path[1:])
    others = tails.pop(None, set()) | {path for path in places if path and path[0].anywhere}
    return {name: frozenset(others | each) for name, each in tails.items()}, frozenset(others)


@dataclass(frozen=True)
class Shape:
    """The visible part of a tool's answers; its paths are in the notation of `read_path`."""

    redact: Sequence[str] = ()
    """Fields whose value is masked."""
    fields: Sequence[str] = ()
    """The only fields that are kept of a success; empty: all."""

    def of_answer(self, response: Response[Any]) -> Response[Any]:
        """The API's answer after shaping; an answer that is not JSON is withheld."""
        if response.kind == "empty":
            return response
        if response.kind == "json":
            data = shape_value(response.data, self)
            misfits = response.misfits
            if shows_nothing(response.data, data):
                misfits = (*misfits, "it has none of this tool's visible fields")
            return replace(
                response,
                data=data,
                content=dump(data).encode(),
                content_type="application/json",
                verbatim=None,
                misfits=misfits,
            )
        what = f"{len(response.content):,} bytes of {response.content_type or 'unknown type'}"
        why = "this tool does not show every field of its answers, and these are not JSON"
        text = f"({what}, withheld: {why})"
        return replace(response, data=text, content=b"", content_type="text/plain", kind="text")

    def of_error(self, response: Response[Any]) -> Response[Any]:
        """A shaped error answer: fields are redacted, but the message is kept."""
        return Shape(redact=self.redact).of_answer(response) if self.redact else response

    def of_returned(self, value: Any) -> Any:
        """The handler's result with its data shaped.

        In a CallToolResult, that is the structured content and any JSON in text blocks.
        """
        if isinstance(value, Response):
            return self.of_answer(value)
        from mcp_types import CallToolResult, InputRequiredResult
        from pydantic_core import to_jsonable_python

        from ..results.returned import is_content

        if isinstance(value, CallToolResult):
            structured = value.structured_content
            data = None if structured is None else shape_value(structured, self)
            content = [_block(block, self) for block in value.content]
            return value.model_copy(update={"structured_content": data, "content": content})
        if value is None or isinstance(value, str | InputRequiredResult) or is_content(value):
            return value
        return shape_value(to_jsonable_python(value, by_alias=True), self)


def takes_fields(tool: Mapping[str, Any]) -> bool:
    """Whether a tool's argument `fields` chooses fields and is not an argument of the API."""
    properties = (tool.get("inputSchema") or {}).get("properties")
    return isinstance(properties, Mapping) and properties.get(FIELDS) == FIELDS_SCHEMA


def shape_value(value: Any, shape: Shape) -> Any:
    """The JSON value reduced to the shape's fields, if it has any; redacted fields are masked."""
    if shape.fields:
        value = _select(value, start(shape.fields))
    return _redacted(None if value is _NOTHING else value, start(shape.redact))


def shows_nothing(value: Any, rest: Any) -> bool:
    """Whether shaping has left nothing of a value that was not empty."""
    return rest in (None, {}, []) and value not in (None, {}, [])


def _block(block: Any, shape: Shape) -> Any:
    """A copy of a content block, with `shape` applied to the JSON in its text.

    JSON that is nested too deeply makes the call fail.
    """
    try:
        value = json.loads(getattr(block, "text", ""))
    except ValueError:
        return block
    if not isinstance(value, dict | list):
        return block
    # Python's own writer, which the text may be by, has NaN too.
    return block.model_copy(update={"text": dump(shape_value(value, shape), allow_nan=True)})


def _redacted(value: Any, places: Places) -> Any:
    if END in places:
        return REDACTED
    if not places:
        return value
    if isinstance(value, dict):
        return {key: _redacted(child, below(places, key)) for key, child in value.items()}
    if isinstance(value, list):
        inside = below(places, None)
        return [_redacted(child, inside) for child in value]
    return value


def _select(value: Any, places: Places) -> Any:
    """The value reduced to the parts at the paths; a null on the way to a part is kept."""
    if END in places or (value is None and places):
        return value
    if isinstance(value, dict):
        pairs = [(key, _select(child, below(places, key))) for key, child in value.items()]
        return {key: part for key, part in pairs if part is not _NOTHING} if places else _NOTHING
    if isinstance(value, list) and (inside := below(places, None)):
        return [part for child in value if (part := _select(child, inside)) is not _NOTHING]
    return _NOTHING
