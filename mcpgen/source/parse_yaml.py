"""Parses the core schema of YAML 1.2: no tags, limited aliases, no duplicate keys."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, TypeVar

import yaml

from .limits import Limits, ParseProblem, Repeated, one_of_two, surrogate, too_deep, too_many
from .numerals import NotFinite, as_spelled, finite, integer, not_finite

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""libyaml's parser if PyYAML was built with it, else Python's parser with the same events."""

_NULL = frozenset(["", "~", "null", "Null", "NULL"])
_TRUE = frozenset(["true", "True", "TRUE"])
_FALSE = frozenset(["false", "False", "FALSE"])
_LOOKS_SPECIAL = re.compile(r"[-+.0-9~]|[nNtTfF][A-Za-z]{3,4}\Z|\Z")
"""Beginnings, or whole forms, of unquoted scalars that may not be strings."""
_INTEGER = re.compile(r"[-+]?[0-9]+\Z")
_OCTAL_OR_HEX = re.compile(r"0o[0-7]+\Z|0x[0-9a-fA-F]+\Z")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)\Z|\.(?:nan|NaN|NAN)\Z")
_NOT_ALLOWED = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_CORE_TAGS = {
    f"tag:yaml.org,2002:{name}": name
    for name in ("str", "int", "float", "bool", "null", "map", "seq")
}
_SCALAR_TYPES: dict[str, tuple[type, ...]] = {
    "int": (int,),
    "float": (int, float),
    "bool": (bool,),
    "null": (type(None),),
}
_MERGE_TAG = "tag:yaml.org,2002:merge"
"""A tag that some programs write before `<<`, although it is not needed."""
_COLON = "found unexpected ':'"
_KEY = "while scanning a simple key"
_HINT = "Check the indentation, the quotes and that no tab is used to indent."
_HINTS = {
    "mapping values are not allowed": (
        "Check the indentation, and put a value that contains `: ` in quotes."
    ),
    "cannot start any token": ("Put a value that begins with this character in quotes."),
    "could not find expected ':'": "Check that a colon and a blank follow the key.",
}
"""Hints for messages of the two parsers, whose words differ slightly."""
_GetEvent = Callable[[], Any]
T = TypeVar("T")
_NO_KEY: Any = object()
_MERGE: Any = object()


class Built(NamedTuple):
    """The value of a YAML text, its repeated keys, and its numbers that are not finite."""

    value: Any
    """The JSON value; None for an empty text."""
    repeated: tuple[Repeated, ...] = ()
    """Its repeated keys."""
    odd: tuple[NotFinite, ...] = ()
    """Its numbers that are not finite."""


def parse_yaml(text: str, limits: Limits) -> Built:
    """The JSON value that a YAML text contains.

    Raises ParseProblem.
    """
    refused = _NOT_ALLOWED.search(text)
    if refused:
        raise ParseProblem(
            "yaml-syntax",
            f"the character U+{ord(refused.group()):04X} is not allowed in YAML",
            refused.start(),
            'Write it as an escape in a "double-quoted" string.',
        )
    try:
        return of_events(text, partial(_parsed, limits))
    except yaml.MarkedYAMLError as error:
        raise _syntax_problem(error, text, limits) from None


def of_events(text: str, make: Callable[[_GetEvent], T]) -> T:
    """The result of `make` for the events of a YAML text.

    A text such as `{a:[1]}`, where a key ends right before a bracket (YAML 1.2.2, 7.3.3), is parsed
    by PyYAML's own parser, since libyaml refuses it.
    """
    try:
        return _of_events(LOADER(text), make)
    except yaml.MarkedYAMLError as error:
        if error.problem != _COLON:
            raise
        return _of_events(yaml.SafeLoader(text), make)


def _of_events(loader: Any, make: Callable[[_GetEvent], T]) -> T:
    try:
        return make(loader.get_event)
    finally:
        loader.dispose()


def _parsed(limits: Limits, get_event: _GetEvent) -> Built:
    builder = _Builder(get_event, limits)
    return Built(builder.build(), tuple(builder.repeated), tuple(builder.odd))


def _syntax_problem(error: yaml.MarkedYAMLError, text: str, limits: Limits) -> ParseProblem:
    mark = error.problem_mark or error.context_mark
    problem, context = error.problem or "", error.context or ""
    if "maximum nesting depth" in problem:  # libyaml reads ahead, to its own limit
        return too_deep(limits, mark.index if mark is not None else None)
    start = error.context_mark
    if context == _KEY and start is not None:
        mark = start  # what comes after a key without a colon is not what is wrong
    elif start is not None and mark is not None and start.line < mark.line:
        context += f", which begins in line {start.line + 1},"
    parts = [part for part in (context, problem) if part]
    offset = mark.index if mark is not None else None
    is_tab = offset is not None and text[offset : offset + 1] == "\t"
    hints = (hint for phrase, hint in _HINTS.items() if phrase in problem and not is_tab)
    hint = next(hints, _HINT)
    return ParseProblem("yaml-syntax", f"this is not YAML: {' '.join(parts)}", offset, hint)


class _Frame:
    """A mapping or sequence that is still being filled."""

    __slots__ = (
        "anchor",
        "before",
        "height",
        "is_object",
        "key",
        "merged",
        "places",
        "repeats",
        "value",
    )

    def __init__(self, value: Any, anchor: str | None, before: int) -> None:
        self.value = value
        self.is_object = type(value) is dict
        self.anchor = anchor
        self.before = before
        self.height = 1
        self.key: Any = _NO_KEY
        self.repeats: Repeated | None = None
        """The repetition of the key whose value comes next."""
        self.places: dict[str, int] = {}
        self.merged: list[dict[str, Any]] = []


class _Builder:
    """Builds a value from the parser's events, without recursion."""

    def __init__(self, get_event: _GetEvent, limits: Limits) -> None:
        self.get_event = get_event
        self.limits = limits
        self.stack: list[_Frame] = []
        self.anchors: dict[str, tuple[Any, int, int]] = {}
        self.open_anchors: set[str] = set()
        self.count = 0
        self.documents = 0
        self.root: Any = None
        self.repeated: list[Repeated] = []
        self.odd: list[NotFinite] = []

    def build(self) -> Any:
        handlers = {
            yaml.ScalarEvent: self.on_scalar,
            yaml.MappingStartEvent: self.on_mapping,
            yaml.SequenceStartEvent: self.on_sequence,
            yaml.MappingEndEvent: self.on_end,
            yaml.SequenceEndEvent: self.on_end,
            yaml.AliasEvent: self.on_alias,
            yaml.DocumentStartEvent: self.on_document,
        }
        while (event := self.get_event()) is not None:
            handler = handlers.get(type(event))
            if handler is not None:
                handler(event)
        return self.root

    def on_document(self, event: Any) -> None:
        self.documents += 1
        if self.documents > 1:
            raise ParseProblem(
                "yaml-documents",
                "the file holds more than one YAML document",
                event.start_mark.index,
                "Keep one document per file: remove what follows the second `---`.",
            )

    def on_scalar(self, event: Any) -> None:
        stack = self.stack
        if stack and stack[-1].key is _NO_KEY and stack[-1].is_object:
            self.on_key(stack[-1], event)
            return
        value = scalar(event, self.odd)
        self.grow(1, event)
        if event.anchor is not None:
            self.anchors[event.anchor] = (value, 1, 0)
        self.add(value, 0, event)

    def on_key(self, frame: _Frame, event: Any) -> None:
        text = event.value
        is_plain = event.tag is None and event.implicit[0]
        if text == "<<" and (is_plain or event.tag == _MERGE_TAG):
            frame.key = _MERGE
            return
        key = _key(event)
        if event.anchor is not None:
            self.anchors[event.anchor] = (key, 1, 0)
        self.set_key(frame, key, event)

    def set_key(self, frame: _Frame, key: str, event: Any) -> None:
        offset = event.start_mark.index
        first = frame.places.setdefault(key, offset)
        frame.repeats = Repeated(key, first, offset) if first != offset else None
        frame.key = key

    def on_mapping(self, event: Any) -> None:
        self.push({}, event)

    def on_sequence(self, event: Any) -> None:
        self.push([], event)

    def push(self, value: Any, event: Any) -> None:
        tag = event.tag
        expected = "map" if type(value) is dict else "seq"
        if tag is not None and tag != "!" and _CORE_TAGS.get(tag) != expected:
            raise _tag_problem(event)
        if self.stack and self.stack[-1].key is _NO_KEY and self.stack[-1].is_object:
            raise _key_problem(event, "a list" if expected == "seq" else "an object")
        if len(self.stack) >= self.limits.max_depth:
            raise too_deep(self.limits, event.start_mark.index)
        self.grow(1, event)
        if event.anchor is not None:
            self.open_anchors.add(event.anchor)
        self.stack.append(_Frame(value, event.anchor, self.count - 1))

    def on_end(self, event: Any) -> None:
        frame = self.stack.pop()
        value = frame.value
        if frame.merged:
            value = {}
            for other in reversed(frame.merged):
                value.update(other)
            value.update(frame.value)
        if frame.anchor is not None:
            self.open_anchors.discard(frame.anchor)
            self.anchors[frame.anchor] = (value, self.count - frame.before, frame.height)
        self.add(value, frame.height, event)

    def on_alias(self, event: Any) -> None:
        name = event.anchor
        if name in self.open_anchors:
            raise ParseProblem(
                "yaml-alias",
                f"the alias *{name} is inside its own anchor",
                event.start_mark.index,
            )
        if name not in self.anchors:
            raise ParseProblem(
                "yaml-alias",
                f"the alias *{name} has no anchor before it",
                event.start_mark.index,
                "Put a value that begins with `*` in quotes.",
            )
        value, size, height = self.anchors[name]
        frame = self.stack[-1]
        if frame.key is _NO_KEY and frame.is_object:
            if type(value) is not str:
                raise _key_problem(event, "an alias")
            self.set_key(frame, value, event)
            return
        if len(self.stack) + height > self.limits.max_depth:
            raise too_deep(self.limits, event.start_mark.index)
        self.grow(size, event)
        self.add(value, height, event)

    def grow(self, size: int, event: Any) -> None:
        self.count += size
        if self.count > self.limits.max_values:
            raise too_many(self.limits, event.start_mark.index)

    def add(self, value: Any, height: int, event: Any) -> None:
        if not self.stack:
            self.root = value
            return
        frame = self.stack[-1]
        if height >= frame.height:
            frame.height = height + 1
        if not frame.is_object:
            frame.value.append(value)
            return
        if frame.key is _MERGE:
            frame.merged += _merged(value, event)
        elif (repeat := frame.repeats) is not None:
            self.repeated.append(repeat)
            frame.value[repeat.key] = one_of_two(
                repeat, frame.value[repeat.key], value, self.limits
            )
        else:
            frame.value[frame.key] = value
        frame.key = _NO_KEY


def _merged(value: Any, event: Any) -> list[dict[str, Any]]:
    values = value if type(value) is list else [value]
    if not all(type(item) is dict for item in values):
        raise ParseProblem(
            "yaml-merge",
            "the value of the merge key << must be an object or a list of objects",
            event.start_mark.index,
        )
    return values


def _key(event: Any) -> str:
    """The key as written: OpenAPI reads keys by YAML's failsafe schema (3.1.1, "Format")."""
    value = scalar(event)
    if value is None and not event.value:
        raise _key_problem(event, "null")
    text: str = event.value
    return text


def _key_problem(event: Any, what: str) -> ParseProblem:
    return ParseProblem(
        "key-not-text",
        f"an object key must be text, this one is {what}",
        event.start_mark.index,
        "Put the key in quotes.",
    )


def _tag_problem(event: Any) -> ParseProblem:
    tag = event.tag.replace("tag:yaml.org,2002:", "!!")
    return ParseProblem(
        "yaml-tag",
        f"the YAML tag {tag} is not allowed: only JSON's types are",
        event.start_mark.index,
        "Remove the tag.",
    )


def scalar(event: Any, odd: list[NotFinite] | None = None) -> Any:
    """The JSON value of a scalar event: YAML 1.2.2 section 10.3.2.

    A number that is not finite is added to `odd`, or refused if `odd` is not given.
    """
    text: str = event.value
    if event.style == '"' and _SURROGATE.search(text):
        raise surrogate(event.start_mark.index)
    if event.tag is not None and event.tag != "!":
        return _tagged(event, text)
    if event.tag is not None or not event.implicit[0]:
        return text
    if odd is not None and _NOT_FINITE.match(text):
        odd.append(NotFinite(as_spelled(text), not_finite(text, event.start_mark.index)))
        return odd[-1].value
    return plain(text, event.start_mark.index)


def _tagged(event: Any, text: str) -> Any:
    name = _CORE_TAGS.get(event.tag)
    if name == "str":
        return text
    value = plain(text, event.start_mark.index)
    if name is None or type(value) not in _SCALAR_TYPES.get(name, ()):
        raise _tag_problem(event)
    return finite(str(value), event.start_mark.index) if name == "float" else value


def plain(text: str, offset: int | None = None) -> Any:
    """The JSON value of an unquoted YAML scalar.

    A number too large for a 64-bit float is returned as text, since it may be the hash of a commit:
    `600e27371700` looks like a number.
    """
    if not _LOOKS_SPECIAL.match(text):
        return text
    if text in _NULL:
        return None
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    if _INTEGER.match(text):
        return integer(text, offset)
    if _OCTAL_OR_HEX.match(text):
        return integer(text, offset, base=0)
    if _FLOAT.match(text):
        value = float(text)
        return text if math.isinf(value) else value
    if _NOT_FINITE.match(text):
        raise not_finite(text, offset)
    return text
