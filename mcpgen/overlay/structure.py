"""Reads an overlay, and refuses an invalid one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ..bundled.contents import overlay_schema
from ..diagnostics import Diagnostics, did_you_mean
from ..schemas.violations import Form
from ..schemas.wording import Terms, around, words
from ..source.sourcefile import SourceFile
from ..text import pointer as pointers
from . import jsonpath
from .overlaid import Origin

if TYPE_CHECKING:
    from jsonpath_rfc9535.query import JSONPathQuery

_VERSION = re.compile(r"1\.([0-2])(?:\.\d+)?")
_HAS = "mcpgen applies Overlays 1.0, 1.1 and 1.2."
_SINCE = {"copy": 1, "$ref": 2, "$self": 2, "components": 2}
"""Members that came with a later version: 2 of 1.2.0."""
_REFERENCE = "#/components/actions/"


class Action(Struct, frozen=True):
    """One change: its targets, and what to do with them."""

    target: JSONPathQuery
    at: Origin
    """Where the target is written."""
    path: str
    """The target as it is written."""
    remove: bool = False
    update: tuple[Any, Origin] | None = None
    copy: tuple[JSONPathQuery, Origin] | None = None


class Overlay(Struct, frozen=True):
    """An overlay document, with its actions in order."""

    file: SourceFile
    minor: int
    """Of its version: 1 of 1.1.0."""
    actions: tuple[Action, ...]
    extends: str
    """The document that it is for, empty for any."""
    base: str
    """Its own URI, empty where it says none."""


def is_overlay(value: Any) -> bool:
    """Whether a document is an overlay, judged by its members."""
    has = set(value) if isinstance(value, Mapping) else set()
    return "overlay" in has and has.isdisjoint({"openapi", "swagger", "tools"})


def read(file: SourceFile, diagnostics: Diagnostics) -> Overlay | None:
    """The overlay in a file; None, with errors reported, if it breaks the specification."""
    return _Reader(file, diagnostics).read()


class _Reader:
    def __init__(self, file: SourceFile, diagnostics: Diagnostics) -> None:
        self._file = file
        self._diagnostics = diagnostics
        self._root = Origin(file, "")
        self._errors = 0
        self._broken: frozenset[str] = frozenset()

    def _error(self, code: str, message: str, at: Origin, hint: str = "") -> None:
        self._errors += 1
        self._diagnostics.error(code, message, at, hint)

    def read(self) -> Overlay | None:
        """The overlay; None if it breaks the specification."""
        value = self._file.value
        minor = self._version(value)
        if minor is None:
            return None
        self._check(value, minor)
        actions = tuple(self._actions(value))
        if self._errors:
            return None
        names = {key: value.get(key, "") for key in ("extends", "$self")}
        return Overlay(self._file, minor, actions, names["extends"], names["$self"])

    def _version(self, value: Mapping[str, Any]) -> int | None:
        at = self._root.child("overlay")
        if "overlay" not in value:
            message = "this is not an overlay: it has no `overlay: 1.1.0`"
            hint = "An overlay has `overlay`, `info` and `actions`; a document does not."
            self._error("overlay", message, self._root, hint)
            return None
        text = value["overlay"]
        match = _VERSION.fullmatch(self._file.written("/overlay") or str(text))
        match = match or (_VERSION.fullmatch(text) if isinstance(text, str) else None)
        if match is None:
            self._error("overlay-version", f"unknown version of overlays, {text!r}", at, _HAS)
            return None
        if not isinstance(text, str) or text.count(".") < 2:
            full = f"1.{match[1]}.0"
            message = f"the version of the overlay is incomplete; it is read as {full}"
            self._diagnostics.warning("overlay-version", message, at, f'Write "{full}".')
        return int(match[1])

    def _check(self, value: Mapping[str, Any], minor: int) -> None:
        """Report violations of the schema of an overlay version."""
        terms = Terms("the overlay", f"Overlay 1.{minor} has no `{{}}` here")
        places = []
        for each in _form(minor).violations(value):
            said = words(each, terms)
            since = _SINCE.get(str(each.path[-1])) if each.keyword == "unexpected" else None
            hint = f"It came with a later version: write `overlay: 1.{since}.0`."
            at = Origin(self._file, pointers.join("", *each.path))
            self._error("overlay", said.message, at, said.hint if since is None else hint)
            places.append(at.pointer)
        self._broken = around(places)

    def _actions(self, value: Mapping[str, Any]) -> Iterator[Action]:
        """The actions that are valid."""
        at = self._root.child("actions")
        listed: Any = value.get("actions")
        for index, each in enumerate(listed if isinstance(listed, list) else ()):
            if each in listed[:index]:
                message = "this action is in the list twice"
                self._diagnostics.warning("overlay-repeated", message, at.child(index))
            if at.child(index).pointer not in self._broken:
                action = self._action(each, at.child(index), value.get("components", {}))
                if action is not None:
                    yield action

    def _action(self, each: Any, at: Origin, components: Any) -> Action | None:
        places = {name: at.child(name) for name in each}
        if "$ref" in each:
            shared = self._referred(each["$ref"], at.child("$ref"), components)
            if shared is None:
                return None
            fields, beside = shared
            places = {**{name: beside.child(name) for name in fields}, **places}
            each = {**fields, **each}
        return self._build(each, places, at)

    def _referred(
        self, text: str, at: Origin, components: Any
    ) -> tuple[dict[str, Any], Origin] | None:
        """The fields of the reusable action that `text` refers to, and their place in the file.

        None if they cannot be read, which is reported (Overlay 1.2, "Components Object").
        """
        hint = f"It is written as `{_REFERENCE}name`, `/` in the name as `~1` and `~` as `~0`."
        token = text.removeprefix(_REFERENCE)
        try:
            name = pointers.unescape(pointers.from_fragment(token))
        except ValueError:
            name = ""
        if not text.startswith(_REFERENCE) or "/" in token or not name:
            self._error("overlay", f"`$ref` names no reusable action: {text!r}", at, hint)
            return None
        if "/components" in self._broken:
            return None
        actions = components.get("actions", {})
        if name not in actions:
            hint = did_you_mean(name, list(actions), hint)
            self._error("overlay", f"there is no reusable action `{name}`", at, hint)
            return None
        place = Origin(self._file, pointers.join("/components/actions", name, "fields"))
        return actions[name].get("fields", {}), place

    def _build(
        self, each: Mapping[str, Any], places: Mapping[str, Origin], at: Origin
    ) -> Action | None:
        target = self._path(each["target"], places["target"])
        copied = self._path(each["copy"], places["copy"]) if "copy" in each else None
        if target is None or (copied is None and "copy" in each):
            return None
        remove = each.get("remove", False)
        changes = {"update", "copy"} & set(each)
        if not remove and len(changes) != 1:
            why = "both `update` and `copy`" if changes else "no change"
            message = f"this action has {why}, so it does nothing"
            hint = "Write one of `update`, `copy` and `remove: true`."
            self._diagnostics.warning("overlay-no-effect", message, at, hint)
            return None
        return Action(
            target,
            places["target"],
            each["target"],
            remove,
            (each["update"], places["update"]) if "update" in each and not remove else None,
            (copied, places["copy"]) if copied is not None and not remove else None,
        )

    def _path(self, text: str, at: Origin) -> JSONPathQuery | None:
        try:
            return jsonpath.compiled(text)
        except jsonpath.PathProblem as problem:
            message = f"{text!r} is not a JSONPath: {problem}"
            hint = "Write it as RFC 9535 does, such as `$.paths['/pets'].get['x-a']`."
            self._error("overlay-path", message, at, hint)
            return None


@cache
def _form(minor: int) -> Form:
    """The schema of an overlay version."""
    schema = json.loads(overlay_schema())
    for each in (schema, schema["$defs"]["action"]):
        for name, since in _SINCE.items():
            if since > minor:
                each["properties"].pop(name, None)
    if minor < 2:
        del schema["$defs"]["uri"]["pattern"]
    return Form(schema)
