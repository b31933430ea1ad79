"""What converting a schema needs to know about the rest of its document."""

from __future__ import annotations

from typing import Any

from ..source.document import Node
from .dynamic_scope import Scope


class Host:
    """What a conversion needs to know about the rest of the document."""

    formats_are_types = False
    """Whether a `format` of numbers stands for a `type` that is not said."""
    closed_whole = False
    """Whether objects that forbid what they have are read as closed as a whole."""

    def refer(self, node: Node, reference: str, scope: Scope, *, opened: bool = False) -> str:
        """The key of the definition that a reference standing at a node names.

        `opened`: of a form of it that closes no object; what refers to it says which properties
        there are.
        """
        raise NotImplementedError  # each host has definitions of its own

    def dynamic(self, node: Node, reference: str, scope: Scope) -> str:
        """The key of the definition that a dynamic reference standing at a node names."""
        return self.refer(node, reference, scope)

    def discriminate(self, node: Node, schema: dict[str, Any]) -> None:
        """Give the converted schema the discriminator that stands at a node, if it is of use."""

    def values_of(self, node: Node, base: Node) -> tuple[str, list[str]] | None:
        """A base's discriminator, and its values that mean what extends it, if they are known."""
        return None

    def has_values(self, node: Node, schema: dict[str, Any]) -> None:
        """Note that the converted schema has values, which are judged by all that it says."""

    def refused(self, node: Node) -> dict[str, Any] | None:
        """What stands for a schema that cannot be read as JSON; None for any other."""
        return None

    def has_choice(self, node: Node, schema: dict[str, Any]) -> None:
        """Note that the converted schema has a `oneOf`, whose branches may overlap."""

    def meant(self, keyword: str) -> str:
        """The keyword that was probably meant by one that nothing knows; empty for none."""
        return ""

    def warn(self, node: Node, message: str, hint: str = "", *, once: bool = False) -> None:
        """Report what is left out or read otherwise than it is written."""
