"""References that lead only to each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ..diagnostics import GenerationError, Located

_CHAIN_SHOWN = 12


class Referring(Located, Protocol):
    """A node that is a reference."""

    file: str

    @property
    def reference_site(self) -> Located:
        """Where its `$ref` is."""
        ...


def reference_loop(chain: Sequence[Referring]) -> GenerationError:
    """The error for a chain whose last node was in it before, with the nodes between."""
    loop = chain[chain.index(chain[-1]) : -1]
    first = min(range(len(loop)), key=lambda i: (loop[i].file, loop[i].pointer))
    loop = [*loop[first:], *loop[: first + 1]]
    is_far = len({node.file for node in loop}) > 1
    names = [f"{node.file if is_far else ''}#{node.pointer}" for node in loop]
    if len(names) > _CHAIN_SHOWN:
        middle = f"... {len(names) - _CHAIN_SHOWN} more ..."
        names = [*names[: _CHAIN_SHOWN - 1], middle, names[-1]]
    return GenerationError.of(
        "reference-loop",
        f"references that lead only to each other: {' -> '.join(names)}",
        loop[0].reference_site,
        "Put a schema in place of one of them.",
    )
