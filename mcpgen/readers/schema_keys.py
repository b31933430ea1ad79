"""The key under which a schema of a document goes into the pool."""

from __future__ import annotations

import hashlib
import re
from pathlib import PurePosixPath

from .. import pointer as pointers

_SAFE = re.compile(r"[A-Za-z0-9._-]{1,100}")
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_CONTAINERS = {("components", "schemas"), ("definitions",)}
_STRUCTURE = frozenset(
    {"components", "schemas", "definitions", "$defs", "properties", "paths", "schema", "content"}
    | {"responses", "parameters", "requestBodies", "headers", "requestBody"}
)
_LENGTH = 100


class SchemaKeys:
    """Keys of the characters `A-Za-z0-9._-`: a component's own name, else one made from its place.

    Where two places would have the same key, each gets a hash of its place, except a component of
    the main file: its name is its own.
    """

    def __init__(self, main_file: str, component_names: list[str]) -> None:
        self._main = main_file
        self._places: dict[str, tuple[str, str]] = {}
        self._keys: dict[tuple[str, str], str] = {}
        self._reserved = {name for name in component_names if _SAFE.fullmatch(name)}

    def key(self, file: str, pointer: str) -> str:
        """The key of the schema at a pointer of a file."""
        place = (file, pointer)
        if place not in self._keys:
            self._keys[place] = self._new(place)
            self._places[self._keys[place]] = place
        return self._keys[place]

    def _new(self, place: tuple[str, str]) -> str:
        file, pointer = place
        tokens = pointers.split(pointer)
        if file == self._main and tokens[:-1] in _CONTAINERS and tokens[-1] in self._reserved:
            return tokens[-1]
        key = _readable(file, tokens)
        if key in self._reserved or key in self._places:
            digest = hashlib.sha256(f"{file}#{pointer}".encode("utf-8", "replace")).hexdigest()
            key = f"{key}_{digest[:8]}"
        return key


def _readable(file: str, tokens: tuple[str, ...]) -> str:
    names = [token for token in tokens if token not in _STRUCTURE]
    if not names:
        names = [*tokens[-1:]] or [PurePosixPath(file).name.split(".")[0]]
    text = _UNSAFE.sub("_", "_".join(names)).strip("_.-")
    return text[-_LENGTH:].strip("_.-") or "Schema"
