"""Reads the files of a document for the names that their parts have, before one is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from ..diagnostics import GenerationError

if TYPE_CHECKING:
    from .document import Document, Node

_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")


def is_uri(reference: str) -> bool:
    """Whether a reference begins with a scheme, so that it may be a name and no place."""
    return _URI.match(reference) is not None


def read_all(document: Document) -> None:
    """Read every file that relative references lead to, from the first one on.

    What cannot be read is told where a reference to it is followed.
    """
    from .document import ReferenceProblem

    names = [document.root.file]
    for name in names:
        for node in _referring(document.node(name, "")):
            with suppress(GenerationError, ReferenceProblem):
                found = document.read(node, node.value["$ref"]).name
                names += [found] if found not in names else []


def _referring(node: Node) -> Iterator[Node]:
    """The nodes of a file with a relative reference to another one."""
    stack = [node]
    while stack:
        each = stack.pop()
        stack += each.elements()
        stack += (child for _, child in each.items())
        if (
            each.is_ref
            and not each.value["$ref"].startswith("#")
            and not is_uri(each.value["$ref"])
        ):
            yield each
