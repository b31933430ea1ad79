"""A document of one or more files. Its nodes know their location and can follow references."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from ..diagnostics import Diagnostic, Location, Severity, diagnostic
from ..text import pointer as pointers
from . import suggestions
from .files import Files
from .identifiers import Identifiers
from .limits import ReadProblem
from .numerals import holds
from .sourcefile import SourceFile

_MAX_HOPS = 16
"""The most references that are followed along one pointer; a chain may have any length."""
_MAX_NAMES_OF_A_CHAIN = 12
Place = tuple[str, str, str]
"""A reference's file, its resource and its text, which together determine its target."""


class ReferenceProblem(Exception):
    """A dangling reference, which makes the object that contains it unreadable."""

    def __init__(
        self, at: Node, reference: str, why: str, hint: str = "", missing: Missing | None = None
    ) -> None:
        super().__init__(f"the reference {reference!r} leads nowhere: {why}")
        self._at = at
        self._reference = reference
        self._hint = hint
        self._missing = missing

    @cached_property
    def diagnostic(self) -> Diagnostic:
        """The problem as a warning at the reference."""
        hint = (
            self._hint or suggestions.hint(self._suggestion()) or "Check the reference's spelling."
        )
        site = self._at.reference_site
        return diagnostic(Severity.WARNING, "dangling-reference", str(self), site, hint)

    def _suggestion(self) -> str:
        if self._missing is not None:
            node, tokens = self._missing
            if node.document.files[node.file].borrowed:
                return ""
            if path := suggestions.near(node.value, tokens):
                return f"#{pointers.join(node.pointer, *path)}"
        whole = self._at.document.node(self._at.file, "")
        return suggestions.component(whole.value, self._reference)


class LoopProblem(ReferenceProblem):
    """References that form a loop."""

    def __init__(self, chain: Sequence[Node]) -> None:
        """`chain`: the nodes of the references; its last node also occurs earlier, so it is
        a loop.
        """
        loop = chain[chain.index(chain[-1]) : -1]
        first = min(range(len(loop)), key=lambda i: (loop[i].file, loop[i].pointer))
        loop = [*loop[first:], *loop[: first + 1]]
        super().__init__(loop[0], loop[0].reference, "")
        is_far = len({node.file for node in loop}) > 1
        names = [f"{node.file if is_far else ''}#{node.pointer}" for node in loop]
        if len(names) > _MAX_NAMES_OF_A_CHAIN:
            middle = f"... {len(names) - _MAX_NAMES_OF_A_CHAIN} more ..."
            names = [*names[: _MAX_NAMES_OF_A_CHAIN - 1], middle, names[-1]]
        self._text = f"references that lead only to each other: {' -> '.join(names)}"

    def __str__(self) -> str:
        return self._text

    @cached_property
    def diagnostic(self) -> Diagnostic:
        """The problem as a warning at the first reference of the loop."""
        message = f"{self}; what uses them is left out"
        hint, site = "Put a schema in place of one of them.", self._at.reference_site
        return diagnostic(Severity.WARNING, "reference-loop", message, site, hint)


class Missing(NamedTuple):
    """A pointer that leads nowhere: its last existing node, and the tokens after that node."""

    node: Node
    tokens: tuple[str, ...]


class Document:
    """All files of a document; a file is read when the first reference to it is followed."""

    def __init__(
        self, files: Files, root: SourceFile | None = None, overlays: Iterable[SourceFile] = ()
    ) -> None:
        self._root = root or files.root
        self._reader = files
        self.overlays = tuple(overlays)
        """The files that changed the first file."""
        self._files: dict[str, SourceFile] = {self._root.name: self._root}
        self._identifiers = Identifiers()
        self._identifiers.add(self._root)
        self._resolved: dict[tuple[str, str], Node | LoopProblem] = {}
        self._followed: dict[Place, Node] = {}
        self._following: set[Place] = set()
        self.entries: set[Place] | None = None
        """The references that may lead into a borrowed file, once all are checked."""
        self.referred_schemas: set[tuple[str, str]] = set()
        """File and pointer of each schema that a reference names, once all are checked."""

    @property
    def root(self) -> Node:
        """The root node of the first file."""
        return Node(self, self._root.name, "", self._root.value)

    @property
    def files(self) -> Mapping[str, SourceFile]:
        """Every file that was read, by its name."""
        return self._files

    @property
    def size(self) -> int:
        """The number of characters in all files."""
        return sum(len(file.text) for file in self._files.values())

    @property
    def sha256(self) -> str:
        """The hash of a single file, or of the sorted list of hashes of several files."""
        if len(self._files) == 1:
            return self._root.sha256
        lines = sorted(
            f"{file.sha256}  {file.relative_to(self._root)}\n" for file in self._files.values()
        )
        return hashlib.sha256("".join(lines).encode()).hexdigest()

    @property
    def hashes(self) -> Mapping[str, str]:
        """The hash of each file, by path relative to the first file; empty for a missing file."""
        read = {f.relative_to(self._root): f.sha256 for f in self._files.values()}
        return {**dict.fromkeys(self._reader.missing, ""), **read}

    def node(self, file: str, pointer: str) -> Node:
        """The node at a pointer of a file; raises KeyError if there is none."""
        node = Node(self, file, "", self._files[file].value)
        for token in pointers.split(pointer):
            node = node.child(token)
        return node

    def find(self, pointer: str) -> Node | None:
        """The node at a pointer in the first file; None if there is none."""
        try:
            return self.node(self._root.name, pointer)
        except (KeyError, ValueError):
            return None

    def admit(self, entries: set[Place]) -> None:
        """From now on, follow a reference into a neighbouring folder only if it is in `entries`."""
        self.entries = entries
        self._resolved.clear()

    def check(self, start: Node, reference: str) -> None:
        """Raise `access.Refused` if `reference` at the node `start` must not be followed."""
        uri = reference.partition("#")[0]
        if self._identifiers.find(start.file, start.pointer, uri) is None:
            self._reader.check(self._files[start.file], reference)

    def follow(self, start: Node, reference: str) -> Node:
        """The target of `reference` at the node `start`.

        If a file lacks the target of its own `#/...`, the first file is searched: some files are
        written for a tool that pastes them into the first. From a file in a neighbouring folder,
        only values that were checked to be parts of an API description are taken.
        """
        node = self._target(start, reference)
        enters = self._files[node.file].borrowed and node.file != start.file
        entries = self.entries
        if enters and entries is not None and self.place(start, reference) not in entries:
            why = f"from {node.file}, only parts of an API description may be used"
            raise ReferenceProblem(start, reference, why, "Copy its target to this place.")
        return node

    def place(self, start: Node, reference: str) -> Place:
        """What identifies a reference's target: file, resource, reference; `start` is its node."""
        resource = self._identifiers.resource_of(start.file, start.pointer)
        return start.file, resource, reference

    def _target(self, start: Node, reference: str) -> Node:
        key = self.place(start, reference)
        if key in self._followed:
            return self._followed[key]
        if key in self._following or len(self._following) >= _MAX_HOPS:
            raise ReferenceProblem(start, reference, "it leads back to itself")
        self._following.add(key)
        try:
            node = self._followed[key] = self._follow(start, reference)
        finally:
            self._following.discard(key)
        return node

    def _follow(self, start: Node, reference: str) -> Node:
        file, base = self._resource(start, reference)
        fragment = reference.partition("#")[2]
        decoded = pointers.from_fragment(fragment)
        if decoded and not decoded.startswith("/"):
            anchor = self._identifiers.anchor(file.name, base, decoded)
            if anchor is None:
                why = f"{file.name} has no $anchor {decoded!r}"
                raise ReferenceProblem(start, reference, why)
            return self.node(file.name, anchor)
        spellings = [decoded, fragment]
        if decoded == "/" and not reference.startswith("#"):
            spellings.append("")  # `pet.yaml#/` can only mean the whole file
        for prefix in dict.fromkeys([base, ""]):
            for spelling in dict.fromkeys(spellings):
                node = self._walk(self.node(file.name, prefix), spelling)
                if isinstance(node, Node):
                    return node
                missing = node
        if reference.startswith("#") and file is not self._root and len(self._following) == 1:
            node = self._walk(self.root, decoded)
            if isinstance(node, Node):
                return node
            missing = max(missing, node, key=lambda each: len(each.node.pointer))
        why = f"{file.name} has nothing at {fragment!r}"
        raise ReferenceProblem(start, reference, why, missing=missing)

    def _resource(self, start: Node, reference: str) -> tuple[SourceFile, str]:
        uri = reference.partition("#")[0]
        place = self._identifiers.find(start.file, start.pointer, uri)
        if place is not None:
            return self._files[place[0]], place[1]
        here = self._files[start.file]
        try:
            file = self._reader.open(here, reference, start.reference_site)
        except ReadProblem as problem:
            raise ReferenceProblem(start, reference, problem.message, problem.hint) from None
        if file.name not in self._files:
            self._files[file.name] = file
            self._identifiers.add(file)
        return file, ""

    def _walk(self, node: Node, pointer: str) -> Node | Missing:
        """The node at a pointer; references on the way are followed."""
        try:
            tokens = pointers.split(pointer)
        except ValueError:
            return Missing(node, ())
        for position, token in enumerate(tokens):
            child = node.get(token)
            try:
                for _ in range(_MAX_HOPS):
                    if child is not None or not node.is_ref:
                        break
                    node = node.target()
                    child = node.get(token)
            except ReferenceProblem:
                return Missing(node, tokens[position:])
            if child is None:
                return Missing(node, tokens[position:])
            node = child
        return node

    def resolve(self, start: Node) -> Node:
        """Follow references from `start` to the first node that is not a reference."""
        chain: dict[tuple[str, str], Node] = {}
        current: Node | LoopProblem = start
        while isinstance(current, Node) and current.is_ref:
            key = (current.file, current.pointer)
            if key in self._resolved:
                current = self._resolved[key]
            elif key in chain:
                current = LoopProblem([*chain.values(), current])
            else:
                chain[key] = current
                current = current.target()
        self._resolved |= dict.fromkeys(chain, current)
        if isinstance(current, LoopProblem):
            raise current
        return current


@dataclass(slots=True, unsafe_hash=True)  # never changed; a frozen one takes thrice as long to make
class Node:
    """A JSON value of a document with its place; nodes at the same place are equal."""

    document: Document = field(repr=False, compare=False)
    file: str
    pointer: str
    value: Any = field(repr=False, compare=False)

    @property
    def location(self) -> Location:
        """The place of the node in its text; for a member, the place of its key."""
        return self.document.files[self.file].location(self.pointer)

    @property
    def value_location(self) -> Location:
        """The place of the node's value in its text; for a member, after its key."""
        return self.document.files[self.file].value_location(self.pointer)

    @property
    def written(self) -> str:
        """A number, boolean or null as the text spells it, such as the version `1.10`."""
        return self.document.files[self.file].written(self.pointer)

    @property
    def has_odd_numbers(self) -> bool:
        """Whether the node contains numbers that JSON does not have."""
        odd = self.document.files[self.file].odd
        return bool(odd) and holds(self.value, odd)

    @property
    def key(self) -> str:
        """The last token of the node's pointer; empty at the root."""
        return pointers.split(self.pointer)[-1] if self.pointer else ""

    def get(self, key: str | int) -> Node | None:
        """The member or element `key`; None if there is none."""
        value = self.value
        if isinstance(value, dict):
            name = str(key)
            if name in value:
                pointer = f"{self.pointer}/{pointers.escape(name)}"
                return Node(self.document, self.file, pointer, value[name])
        elif isinstance(value, list):
            index = _index(key)
            if index is not None and index < len(value):
                return Node(self.document, self.file, f"{self.pointer}/{index}", value[index])
        return None

    def child(self, key: str | int) -> Node:
        """The member or element `key`; raises KeyError if there is none."""
        node = self.get(key)
        if node is None:
            raise KeyError(key)
        return node

    __getitem__ = child

    def optional(self, key: str) -> Node:
        """The member `key`, or a null node if there is none."""
        child = self.get(key)
        if child is None:
            child = Node(self.document, self.file, pointers.join(self.pointer, key), None)
        return child

    def below(self, *path: str) -> Node | None:
        """The node at the end of a path of keys; None if there is none."""
        node: Node | None = self
        for key in path:
            node = node.get(key) if node is not None else None
        return node

    def nearest(self, path: Iterable[str | int]) -> Node:
        """The node at a path, or the last node on the path that exists."""
        node = self
        for key in path:
            child = node.get(key)
            if child is None:
                break
            node = child
        return node

    def with_value(self, value: Any) -> Node:
        """The node with another value, as if that value were in the document there."""
        return Node(self.document, self.file, self.pointer, value)

    def __contains__(self, key: object) -> bool:
        return isinstance(self.value, dict) and key in self.value

    def items(self) -> Iterator[tuple[str, Node]]:
        """The members of an object in the document's order; empty for any other value."""
        if isinstance(self.value, dict):
            document, file, start, escape = self.document, self.file, self.pointer, pointers.escape
            for key, value in self.value.items():
                yield key, Node(document, file, f"{start}/{escape(key)}", value)

    def elements(self) -> Iterator[Node]:
        """The elements of an array; empty for any other value."""
        if isinstance(self.value, list):
            for index, value in enumerate(self.value):
                yield Node(self.document, self.file, f"{self.pointer}/{index}", value)

    @property
    def is_ref(self) -> bool:
        """Whether the node is a reference: an object with a string `$ref`."""
        return isinstance(self.value, dict) and isinstance(self.value.get("$ref"), str)

    @property
    def reference(self) -> str:
        """The text of the node's `$ref`; empty if the node is not a reference."""
        return self.value["$ref"] if self.is_ref else ""

    @property
    def reference_site(self) -> Node:
        """The node's `$ref` member, for messages about the reference; else the node itself."""
        return self["$ref"] if self.is_ref else self

    def target(self) -> Node:
        """The target of the node's `$ref`, which may be a reference too; else the node itself.

        Raises ReferenceProblem for a dangling reference.
        """
        return self.document.follow(self, self.value["$ref"]) if self.is_ref else self

    def resolve(self) -> Node:
        """Follow references to the first node that is not a reference.

        Raises ReferenceProblem for a dangling reference or a loop.
        """
        return self.document.resolve(self) if self.is_ref else self

    def follow(self, reference: str) -> Node:
        """The target of a reference in this node, such as a `$dynamicRef` or an `operationRef`."""
        return self.document.follow(self, reference)


def _index(key: str | int) -> int | None:
    """The list index of a token (RFC 6901 4); None if the token is not an index."""
    if isinstance(key, int):
        return key if key >= 0 else None
    if key.isascii() and key.isdigit() and (key == "0" or key[0] != "0") and len(key) < 10:
        return int(key)
    return None
