"""The state shared by all steps of reading one document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct, field

from ...source.document import Node
from . import fields
from .agent_text import clean
from .cleaning import clean_schema
from .html_text import as_markdown
from .operation_parts import Unusable
from .versions import Version

if TYPE_CHECKING:
    from ...api import Schema, SecurityRequirement, SecurityScheme, Server
    from ...diagnostics import Diagnostics
    from ...lock import Lock
    from ...settings import Settings
    from ...source.document import Document
    from ..dialect import SchemaPool


class _Referent(Node):
    """The target of a reference, with the summary and description beside the reference."""

    __slots__ = ("_texts",)

    def __init__(self, target: Node, texts: Mapping[str, Node]) -> None:
        super().__init__(target.document, target.file, target.pointer, target.value)
        self._texts = texts

    def get(self, key: str | int) -> Node | None:
        return self._texts.get(str(key)) or super().get(key)


def referent(node: Node, version: Version) -> Node:
    """The target of a Reference Object, with the reference's own summary and description.

    These are allowed since 3.1. In a chain of references, the first summary and the first
    description count.
    """
    target = node.resolve()
    texts: dict[str, Node] = {}
    while version >= Version.V31 and node.is_ref:
        own = {key: node.optional(key) for key in ("summary", "description")}
        texts = {key: each for key, each in own.items() if isinstance(each.value, str)} | texts
        node = node.target()
    return _Referent(target, texts) if texts else target


class Reading(Struct, frozen=True):
    """The state while one document is read."""

    document: Document
    version: Version
    pool: SchemaPool
    diagnostics: Diagnostics
    settings: Settings
    """Filters and limits; globs are matched as by `fnmatch`, case-sensitive."""
    lock: Lock
    """The names from the last run that stay."""
    servers: tuple[Server, ...] = ()
    schemes: tuple[SecurityScheme, ...] = ()
    key_places: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """The schemes by the place of their credentials: location and name (headers in lower case)."""
    security: tuple[SecurityRequirement, ...] | None = None
    """The document's default security for operations; None if it has none."""

    def schema(self, node: Node, *, parameter: bool = False) -> Schema:
        """The schema at a node, as JSON Schema 2020-12.

        Raises Unusable if the schema reaches a dangling reference.
        """
        schema = self.pool.add(node, parameter=parameter)
        broken = self.pool.broken(schema)
        if broken is not None:
            raise Unusable(broken.message, node)
        return self._cleaned(schema, node)

    def open_schema(self, node: Node) -> Schema:
        """The schema of a response, a JSON value or a styled parameter; references may dangle.

        A dangling reference allows any value, so that the operation can still be called. This is
        safe, since JSON and the styles do not depend on the schema, and a response is passed on
        unchanged.
        """
        return self._cleaned(self.pool.add(node), node)

    def described(self, node: Node, field: str = "description") -> str:
        """The cleaned text in the member `field` of a node, as Markdown."""
        child = fields.referred(node, field, self.diagnostics)
        if child is None or not isinstance(child.value, str):
            return ""
        return self.clean(as_markdown(child.value), child)

    def clean(self, text: str, at: Node) -> str:
        """A text of the document, cleaned for agents; what is removed or cut is reported."""
        return clean(text, at, self.settings.description_limit, self.diagnostics)

    def _cleaned(self, schema: Schema, node: Node) -> Schema:
        limit = self.settings.description_limit
        return clean_schema(schema, node, limit, self.diagnostics)
