"""A document's first file with overlays applied; it records where each value was written."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..diagnostics import Location
from ..source.sourcefile import SourceFile
from ..text import pointer as pointers


class Origin(NamedTuple):
    """The file and the pointer that a value came from."""

    file: SourceFile
    pointer: str

    def child(self, key: str | int) -> Origin:
        """The origin of a member or element that comes from the same file as its container."""
        return Origin(self.file, pointers.join(self.pointer, key))

    @property
    def location(self) -> Location:
        """The line and column of the value in its file."""
        return self.file.location(self.pointer)


class Overlaid(SourceFile):
    """A file with a changed value; it keeps the name, place and hash of the original."""

    def __init__(self, first: SourceFile) -> None:
        self.name = first.name
        self.home = first.home
        self.borrowed = first.borrowed
        self.sha256 = first.sha256
        self.text = first.text
        self.odd = first.odd
        self._first = first
        self._origins: dict[int, tuple[Any, dict[str, Origin] | list[Origin]]] = {}
        """By the identity of an object or a list: itself, and the origins of what is in it.

        Of an object those of the members that came from elsewhere, of a list all.
        """
        self.value = self.copy(first.value)

    def origin(self, tokens: tuple[str | int, ...]) -> Origin:
        """The origin of the value at a path."""
        here, value = Origin(self._first, ""), self.value
        for token in tokens:
            here = self.origin_in(value, here, token)
            if isinstance(value, dict):
                value = value.get(str(token))
            elif isinstance(value, list) and str(token).isdigit() and int(token) < len(value):
                value = value[int(token)]
            else:
                value = None
        return here

    def origin_in(self, holder: Any, here: Origin, key: str | int) -> Origin:
        """The origin of a member or element in a container whose own origin is `here`."""
        _, origins = self._origins.get(id(holder), (None, None))
        if isinstance(origins, list):
            index = int(key) if str(key).isdigit() else len(origins)
            return origins[index] if index < len(origins) else here
        return (origins or {}).get(str(key)) or here.child(key)

    def put(self, holder: dict[str, Any], key: str, value: Any, origin: Origin) -> None:
        """Set a member of an object to a copy of the value."""
        holder[key] = self.copy(value)
        _, origins = self._origins.setdefault(id(holder), (holder, {}))
        assert isinstance(origins, dict)
        origins[key] = origin

    def replace(self, holder: list[Any], here: Origin, index: int, value: Any, at: Origin) -> None:
        """Replace an element of the list `holder` with a copy of a value whose origin is `at`."""
        holder[index] = self.copy(value)
        self._elements(holder, here)[index] = at

    def append(self, holder: list[Any], here: Origin, value: Any, origin: Origin) -> None:
        """Append a copy of the value to a list."""
        elements = self._elements(holder, here)
        holder.append(self.copy(value))
        elements.append(origin)

    def remove(self, holder: Any, here: Origin, key: str | int) -> None:
        """Remove a member or an element."""
        if isinstance(holder, list):
            del self._elements(holder, here)[int(key)]
            del holder[int(key)]
        else:
            del holder[key]

    def _elements(self, holder: list[Any], here: Origin) -> list[Origin]:
        if id(holder) not in self._origins:
            origins = [here.child(index) for index in range(len(holder))]
            self._origins[id(holder)] = (holder, origins)
        own_origins = self._origins[id(holder)][1]
        assert isinstance(own_origins, list)
        return own_origins

    def copy(self, value: Any) -> Any:
        """A deep copy, so that a change at one YAML alias or target does not change the others."""
        result: Any = value
        if isinstance(value, dict):
            result = {key: self.copy(inner) for key, inner in value.items()}
        elif isinstance(value, list):
            result = [self.copy(inner) for inner in value]
        if id(value) in self._origins:
            origins = self._origins[id(value)][1]
            self._origins[id(result)] = (result, origins.copy())
        return result

    def location(self, at: str) -> Location:
        """The place where the value at a pointer was written, in the document or an overlay."""
        return self.origin(pointers.split(at)).location

    def value_location(self, at: str) -> Location:
        """The place where the value itself begins; for an object's member, after its key."""
        file, pointer = self.origin(pointers.split(at))
        return file.value_location(pointer)

    def written(self, at: str) -> str:
        """A number, boolean or null as it is spelled in its file."""
        file, pointer = self.origin(pointers.split(at))
        return file.written(pointer)
