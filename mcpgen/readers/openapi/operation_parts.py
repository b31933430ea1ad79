"""The data of one operation, in the same form for all versions of OpenAPI."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from .media import Kind, kind

if TYPE_CHECKING:
    from ...api import Encoding, In, Schema, SecurityRequirement, Server
    from ...source.document import Node
    from .extensions import Extension


HeaderPlaces = Mapping[tuple[str, str], "Node"]
"""The nodes of `x-mcp-header`, keyed by the location and name of the parameter or property."""


class Unusable(Exception):
    """Raised if an operation cannot become a tool: the reason, and `at`, the node to report."""

    def __init__(self, reason: str, at: Node | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.at = at


class Parameter(Struct, frozen=True):
    """A parameter, with its schema in JSON Schema 2020-12."""

    name: str
    location: In
    required: bool
    schema: Schema
    description: str = ""
    style: str | None = None
    explode: bool | None = None
    inner: str = ""
    allow_reserved: bool = False
    allow_empty_value: bool = False
    media_type: str | None = None
    encoding: Mapping[str, Encoding] = field(default_factory=dict)
    deprecated: bool = False
    examples: tuple[Any, ...] = ()
    pointer: str = ""


class Media(Struct, frozen=True):
    """One media type of a request body or an answer."""

    media_type: str
    schema: Schema | None = None
    encoding: Mapping[str, Encoding] = field(default_factory=dict)
    open_parts: bool = False
    """A part with an empty schema may be bytes (OpenAPI 3.1, Encoding Object)."""
    examples: tuple[Any, ...] = ()
    outline: str = ""
    """An outline of its XML, if it is XML."""
    by_schema: Kind | None = None
    """The kind of content, if the schema shows it and the media type does not."""

    @property
    def kind(self) -> Kind:
        """The kind of this media type's content."""
        return kind(self.media_type) if self.by_schema is None else self.by_schema

    @property
    def schema_or_any(self) -> Schema:
        """The schema; True, which allows anything, if there is none."""
        return True if self.schema is None else self.schema


class RequestBody(Struct, frozen=True):
    """The request body of an operation."""

    required: bool
    media: tuple[Media, ...]
    description: str = ""
    pointer: str = ""


class Answer(Struct, frozen=True):
    """A response that an operation declares."""

    status: str
    media: tuple[Media, ...] = ()
    description: str = ""


class Operation(Struct, frozen=True):
    """An operation of the document, before it becomes a tool."""

    method: str
    path: str
    """The key under `paths`, unchanged."""
    node: Node
    fields: Mapping[str, Node]
    item: Mapping[str, Node]
    operation_id: str
    tags: tuple[str, ...]
    extension: Extension

    @property
    def key(self) -> str:
        """`METHOD /path`, which identifies an operation in the lock and in messages."""
        return f"{self.method} {self.path}"


class Details(Struct, frozen=True):
    """All facts about an operation that are needed to make its tool."""

    operation: Operation
    path: str
    """The path template as it is sent."""
    parameters: tuple[Parameter, ...]
    body: RequestBody | None
    answers: tuple[Answer, ...]
    security: tuple[SecurityRequirement, ...] | None
    servers: tuple[Server, ...]
    fixed_query: tuple[tuple[str, str | None], ...] = ()
    answer_headers: tuple[str, ...] = ()
    """The headers that its responses declare."""
    headers: HeaderPlaces = field(default_factory=dict)
    """The places that ask for an argument to be sent to the MCP server in a header too."""
