"""The interface through which a schema conversion queries the rest of its document."""

from __future__ import annotations

from typing import Any

from ..source.document import Node
from .dynamic_scope import Scope


class Host:
    """Answers questions about the rest of the document while one of its schemas is converted."""

    formats_are_types = False
    """Whether a numeric `format` implies a missing `type`."""
    closed_whole = False
    """Whether objects that forbid their own properties are read as closed as a whole."""

    def refer(self, node: Node, reference: str, scope: Scope, *, opened: bool = False) -> str:
        """The key of the definition that a reference at a node points to.

        `opened`: use a version that allows undeclared properties; the referring schema forbids them
        instead.
        """
        raise NotImplementedError  # each host has definitions of its own

    def dynamic(self, node: Node, reference: str, scope: Scope) -> str:
        """The key of the definition that a dynamic reference at a node points to."""
        return self.refer(node, reference, scope)

    def discriminate(self, node: Node, schema: dict[str, Any]) -> None:
        """Add the discriminator at a node to the converted schema, if it is useful."""

    def values_of(self, node: Node, base: Node) -> tuple[str, list[str]] | None:
        """A base's discriminator property and its values for the extension at `node`, or None."""
        return None

    def has_values(self, node: Node, schema: dict[str, Any]) -> None:
        """Note that a converted schema has an `enum`, default or examples to check later."""

    def refused(self, node: Node) -> dict[str, Any] | None:
        """The replacement for a schema with numbers that JSON lacks; None for other schemas."""
        return None

    def has_choice(self, node: Node, schema: dict[str, Any]) -> None:
        """Remember that a converted schema has a `oneOf`; its branches may overlap."""

    def meant(self, keyword: str) -> str:
        """The known keyword closest to an unknown one; empty if none is close."""
        return ""

    def warn(self, node: Node, message: str, hint: str = "", *, once: bool = False) -> None:
        """Report a keyword that is left out, or that is read differently from how it is written."""
