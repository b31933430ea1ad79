"""The keys under which a document's schemas are kept in the pool."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from ..source.document import Document, Node
from ..text import pointer as pointers

_SAFE = re.compile(r"[A-Za-z0-9._-]{1,100}")
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
SCHEMA_HOLDERS = (("components", "schemas"), ("definitions",))
"""The members with named schemas, in OpenAPI 3.x and in 2.0."""
_STRUCTURE = frozenset(
    {"components", "schemas", "definitions", "$defs", "properties", "paths", "schema", "content"}
    | {"responses", "parameters", "requestBodies", "headers", "requestBody"}
)
_MAX_LENGTH = 100

Place = tuple[str, str]
"""A file and a pointer in it."""


class SchemaKeys:
    """Makes keys for schemas (`A-Za-z0-9._-`): a component's name, or one made from the location.

    A component of the main file keeps its name if it has only these characters. Any other schema
    whose key is taken gets a hash of its location. All references of the document are considered at
    once, so that no key depends on the order of reading.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._main = document.root.file
        self._keys: dict[Place, str] = {}
        self._taken: dict[str, Place] = {}
        self._reserved = {name for name in _component_names(document.root) if _SAFE.fullmatch(name)}
        self._key_counts: Counter[str] | None = None

    def key(self, file: str, pointer: str) -> str:
        """The key of the schema at a pointer of a file."""
        place = (file, pointer)
        if place not in self._keys:
            self._keys[place] = key = self._new(place)
            self._taken[key] = place
        return self._keys[place]

    def derived(self, key: str, suffix: str) -> str:
        """The key for a schema that is derived from the schema with `key`."""
        return self.key(f"\0{key}", f"/{suffix}")

    def file_name(self, file: str) -> str:
        """A file's path relative to the main file (on any machine); empty for the main file."""
        files = self._document.files
        if file == self._main:
            return ""
        return files[file].relative_to(files[self._main]) if file in files else file

    def _new(self, place: Place) -> str:
        file, pointer = place
        if file.startswith("\0"):
            key = f"{file[1:]}_{pointer[1:]}"
        else:
            tokens = pointers.split(pointer)
            if self._keeps_name(file, tokens):
                return tokens[-1]
            key = _readable(file, tokens)
            if self._key_counts is None:
                self._key_counts = Counter(self._candidates())
        clash = key in self._reserved or key in self._taken
        if clash or (self._key_counts is not None and self._key_counts[key] > 1):
            key = f"{key}_{self._digest(file, pointer)}"
        return key

    def _keeps_name(self, file: str, tokens: tuple[str, ...]) -> bool:
        """Whether a schema is a component of the main file, with a name that can be its key."""
        is_component = file == self._main and tokens[:-1] in SCHEMA_HOLDERS
        return is_component and tokens[-1] in self._reserved

    def _digest(self, file: str, pointer: str) -> str:
        """Eight hexadecimal digits that identify a schema's location, equal on every machine."""
        text = f"{self.file_name(file)}#{pointer}"
        return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:8]

    def _candidates(self) -> Iterator[str]:
        """The keys, without hashes, of all schemas that the document refers to."""
        for file, pointer in self._document.referred_schemas:
            tokens = pointers.split(pointer)
            if not self._keeps_name(file, tokens):
                yield _readable(file, tokens)


def _component_names(root: Node) -> Iterator[str]:
    for holder in SCHEMA_HOLDERS:
        node = root.below(*holder)
        if node is not None and isinstance(node.value, Mapping):
            yield from node.value


def _readable(file: str, tokens: tuple[str, ...]) -> str:
    names = [token for token in tokens if token not in _STRUCTURE] or [*tokens[-1:]]
    if not names:
        names = [PurePosixPath(file).name.split(".")[0]]
    text = _UNSAFE.sub("_", "_".join(names)).strip("_.-")
    return text[-_MAX_LENGTH:].strip("_.-") or "Schema"
