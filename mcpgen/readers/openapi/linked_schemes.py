"""Security schemes of other documents, which requirements name by a URI (OpenAPI 3.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...diagnostics import GenerationError
from ...source.document import ReferenceProblem
from ...text.words import numbered
from .security import is_component, is_uri, key_places, read_requirements, read_scheme
from .servers import start_of
from .versions import Version

if TYPE_CHECKING:
    from ...source.document import Node
    from .operation_parts import Operation
    from .reader_state import Reading


def with_requirements(operations: Iterable[Operation], reading: Reading) -> Reading:
    """Add the document's own security requirements, and the schemes they link to.

    A scheme of another document is called by its name there, or by the document's name if it is the
    whole document; a number is added if that is taken.
    """
    root = reading.document.root
    schemes = {scheme.key: scheme for scheme in reading.schemes}
    linked: dict[tuple[str, str], str] = {}
    arrays = [root.get("security"), *(each.fields.get("security") for each in operations)]
    targets = _targets(arrays, reading) if reading.version >= Version.V32 else ()
    others = {(each.file, each.pointer): each for each in targets if not is_component(each)}
    # In no order of operations: where one is moved, none has another name.
    for place in sorted(others):
        target = others[place]
        name = target.key or PurePosixPath(target.file).stem
        key = numbered(name, schemes, "{}_{}")
        start = start_of(reading.servers)
        scheme = read_scheme(key, target, reading.version, start, reading.diagnostics)
        if scheme is not None:
            schemes[key], linked[place] = scheme, key
    usable = tuple(schemes.values())
    requirements = read_requirements(
        root.get("security"), usable, reading.version, reading.diagnostics, linked
    )
    if not requirements and (added := reading.settings.security_schemes):
        requirements = tuple({scheme.key: ()} for scheme in usable if scheme.key in added)
    return replace(
        reading,
        schemes=usable,
        key_places=key_places(usable),
        linked=linked,
        security=requirements,
    )


def _targets(arrays: Iterable[Node | None], reading: Reading) -> Iterator[Node]:
    """The nodes that URIs in requirements lead to."""
    keys = {scheme.key for scheme in reading.schemes}
    for array in arrays:
        for requirement in array.elements() if array is not None else ():
            for name, _ in requirement.items():
                if name in keys or not is_uri(name):
                    continue
                try:
                    yield requirement.follow(name)
                except (ReferenceProblem, GenerationError):
                    continue  # reported where the requirement is read
