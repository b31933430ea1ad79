"""The names of a document's own parts: `$id`, `$self`, `$anchor`, `$dynamicAnchor`.

Until draft-07, the fragment of an `$id` served as an `$anchor`; this is supported too.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag, urljoin

from ..text.pointer import escape, parent
from .refscan import GRAMMAR
from .sourcefile import SourceFile

_KEYWORD = re.compile(r"\$(?:id|self|anchor|dynamicAnchor)")
_DATA = frozenset(["example", "examples", "default", "enum", "const", "value"])
_NAMING = frozenset(
    key for keys in GRAMMAR.values() for key, (shape, _) in keys.items() if shape == "map"
)
"""Keywords whose members have arbitrary names: a member called `default` is not data."""


class Identifiers:
    """The names of resources and anchors in all files of a document (JSON Schema 2020-12, 8.2)."""

    def __init__(self) -> None:
        self._resources: dict[str, tuple[str, str]] = {}
        self._bases: dict[str, dict[str, str]] = {}
        self._anchors: dict[tuple[str, str | None, str], str] = {}

    def add(self, file: SourceFile) -> None:
        """Add the names in a file; of two equal names, the one that was added first counts."""
        base = file.home.as_uri() if isinstance(file.home, Path) else file.home or ""
        self.add_value(file.name, base, file.value if _KEYWORD.search(file.text) else None)

    def add_value(self, file: str, base: str, value: Any) -> None:
        """Add the names in a value as if it were a file with the URI `base`."""
        bases = self._bases[file] = {"": base}
        stack: list[tuple[str, str, Any, bool]] = [("", "", value, False)]
        while stack:
            pointer, resource, value, node = stack.pop()
            if isinstance(value, list):
                stack += [(f"{pointer}/{i}", resource, item, False) for i, item in enumerate(value)]
            elif isinstance(value, dict):
                resource = self._read(file, pointer, resource, value, bases)
                stack += [
                    (f"{pointer}/{escape(key)}", resource, item, not node and key in _NAMING)
                    for key, item in value.items()
                    if (node or key not in _DATA) and isinstance(item, (dict, list))
                ]

    def _read(
        self, file: str, pointer: str, resource: str, value: dict[str, Any], bases: dict[str, str]
    ) -> str:
        name = value.get("$id")
        if not isinstance(name, str) and pointer == "":
            name = value.get("$self")
        url, plain = urldefrag(name) if isinstance(name, str) else ("", "")
        uri = _join(bases[resource], url)
        if url and not (plain and uri == bases[resource]):
            bases[pointer] = uri
            self._resources.setdefault(uri, (file, pointer))
            resource = pointer
        for anchor in (plain, value.get("$anchor"), value.get("$dynamicAnchor")):
            if anchor and isinstance(anchor, str):
                self._anchors.setdefault((file, resource, anchor), pointer)
                self._anchors.setdefault((file, None, anchor), pointer)
        return resource

    def find(self, file: str, pointer: str, uri: str) -> tuple[str, str] | None:
        """The file and pointer of the schema resource to which `uri`, written at `pointer`,
        refers.
        """
        resource = self.resource_of(file, pointer)
        if not uri:
            return file, resource
        if not self._resources:
            return None
        return self._resources.get(_join(self._bases[file][resource], uri))

    def anchor(self, file: str, resource: str, name: str) -> str | None:
        """The pointer of an anchor in a resource, or else of the same anchor elsewhere in
        the file.
        """
        own = self._anchors.get((file, resource, name))
        return own if own is not None else self._anchors.get((file, None, name))

    def resource_of(self, file: str, pointer: str) -> str:
        """The pointer of the schema resource that `pointer` is in: the place of the nearest
        `$id`.
        """
        bases = self._bases[file]
        if len(bases) == 1:
            return ""
        while pointer and pointer not in bases:
            pointer = parent(pointer)
        return pointer


def _join(base: str, uri: str) -> str:
    try:
        return urljoin(base, uri)
    except ValueError:
        return uri
