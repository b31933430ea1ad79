"""What a schema conversion has to ask the rest of its document."""

from __future__ import annotations

from typing import Any

from ..source.document import Node
from .dynamic_scope import Scope


class Host:
    """The document's answers to questions from the conversion of its schemas."""

    formats_are_types = False
    """Whether a numeric `format` implies a missing `type`."""
    closed_whole = False
    """Whether objects that forbid their own properties are read as closed as a whole."""

    def refer(self, node: Node, reference: str, scope: Scope, *, opened: bool = False) -> str:
        """The key of the definition that a reference at a node leads to.

        `opened`: the definition in a form that closes no object; the schema that refers to it
        closes the object.
        """
        raise NotImplementedError  # each host has definitions of its own

    def dynamic(self, node: Node, reference: str, scope: Scope) -> str:
        """The key of the definition that a dynamic reference at a node leads to."""
        return self.refer(node, reference, scope)

    def discriminate(self, node: Node, schema: dict[str, Any]) -> None:
        """Add the discriminator of a node to the converted schema, if it is useful."""

    def values_of(self, node: Node, base: Node) -> tuple[str, list[str]] | None:
        """A base's discriminator and the values that select its extensions, if known."""
        return None

    def has_values(self, node: Node, schema: dict[str, Any]) -> None:
        """Note that the values in a converted schema must be checked against the whole schema."""

    def refused(self, node: Node) -> dict[str, Any] | None:
        """The replacement for a schema that cannot be read as JSON; None for any other schema."""
        return None

    def has_choice(self, node: Node, schema: dict[str, Any]) -> None:
        """Note that the converted schema has a `oneOf`, whose branches may overlap."""

    def meant(self, keyword: str) -> str:
        """The known keyword that an unknown keyword was probably meant to be; empty if there is
        none.
        """
        return ""

    def warn(self, node: Node, message: str, hint: str = "", *, once: bool = False) -> None:
        """Report a part that is left out, or that is read differently from how it is written."""
