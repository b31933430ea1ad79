"""Parts of a module that a person and the generator both changed, with their lines and texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider
from msgspec import Struct

from .lines import diff
from .parts import code


class Conflict(Struct, frozen=True):
    """A part that both sides changed."""

    definition: str
    part: str
    line: int
    """In the merged text."""
    diff: str
    """From what is there to what would be written now."""


@dataclass
class Unplaced:
    """A conflict whose line is not yet known."""

    key: str
    part: str
    there: cst.CSTNode | None
    new: cst.CSTNode | None
    at: str = ""
    """The definition whose line counts, if it is not that of `key`."""

    def placed(self, lines: Mapping[str, int]) -> Conflict:
        """A `Conflict` that also has the line of its definition, taken from `lines`."""
        line = lines.get(self.at or self.key, 1)
        return Conflict(self.key, self.part, line, _diff(self.there, self.new))


def lines_of(module: cst.Module, keys: Mapping[int, str]) -> dict[str, int]:
    """The line of each statement, by its key; `keys` maps the ids of statements to keys."""
    wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
    places = wrapper.resolve(PositionProvider)
    return {keys[id(each)]: places[each].start.line for each in module.body if id(each) in keys}


def _diff(there: cst.CSTNode | None, new: cst.CSTNode | None) -> str:
    texts = ["" if node is None else code(node).strip("\n") for node in (there, new)]
    return diff(*(text.splitlines() for text in texts))
