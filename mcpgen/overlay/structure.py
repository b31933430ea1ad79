"""Reads what an overlay says, and refuses what none may say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ..diagnostics import Diagnostics, did_you_mean
from ..source.sourcefile import SourceFile
from ..text import pointer as pointers
from . import jsonpath
from .overlaid import Origin

if TYPE_CHECKING:
    from jsonpath_rfc9535.query import JSONPathQuery

_VERSION = re.compile(r"1\.([0-2])(?:\.\d+)?")
_HAS = "mcpgen applies Overlays 1.0, 1.1 and 1.2."
_ROOT = ({"overlay", "info", "extends", "actions"}, {"$self", "components"})
"""The members of an overlay, and those that came with 1.2."""
_ACTION = ("target", "description", "update", "copy", "remove")
_REFERENCE = "#/components/actions/"
_KINDS: dict[str, tuple[type, str]] = {
    "target": (str, "text"),
    "description": (str, "text"),
    "copy": (str, "text"),
    "remove": (bool, "true or false"),
    "$ref": (str, "text"),
}


class Action(Struct, frozen=True):
    """One change: the places that it is for, and what happens there."""

    target: JSONPathQuery
    at: Origin
    """Where the target is written."""
    path: str
    """The target as it is written."""
    remove: bool = False
    update: tuple[Any, Origin] | None = None
    copy: tuple[JSONPathQuery, Origin] | None = None


class Overlay(Struct, frozen=True):
    """A list of actions."""

    file: SourceFile
    minor: int
    """Of its version: 1 of 1.1.0."""
    actions: tuple[Action, ...]
    extends: str
    """The document that it is for, empty for any."""
    base: str
    """Its own URI, empty where it says none."""


def is_overlay(value: Any) -> bool:
    """Whether a document is an overlay: seen by its members."""
    has = set(value) if isinstance(value, Mapping) else set()
    return "overlay" in has and has.isdisjoint({"openapi", "swagger", "tools"})


def read(file: SourceFile, diagnostics: Diagnostics) -> Overlay | None:
    """What an overlay says; None, with errors, where it breaks the specification."""
    return _Reader(file, diagnostics).read()


class _Reader:
    def __init__(self, file: SourceFile, diagnostics: Diagnostics) -> None:
        self._file = file
        self._diagnostics = diagnostics
        self._root = Origin(file, "")
        self._errors = 0

    def _error(self, code: str, message: str, at: Origin, hint: str = "") -> None:
        self._errors += 1
        self._diagnostics.error(code, message, at, hint)

    def read(self) -> Overlay | None:
        """The overlay; None where it breaks the specification."""
        value = self._file.value
        minor = self._version(value)
        if minor is None:
            return None
        early, late = _ROOT
        self._members(value, early | (late if minor >= 2 else set()), self._root, late)
        self._info(value.get("info"))
        actions = tuple(self._actions(value, minor))
        names = {key: self._uri(value, key, minor) for key in ("extends", "$self")}
        if self._errors:
            return None
        return Overlay(self._file, minor, actions, names["extends"], names["$self"])

    def _version(self, value: Mapping[str, Any]) -> int | None:
        at = self._root.child("overlay")
        if "overlay" not in value:
            message = "this is no overlay: it has no `overlay: 1.1.0`"
            hint = "An overlay has `overlay`, `info` and `actions`; a document is no overlay."
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
            message = f"the version of the overlay is not a whole one; it is read as {full}"
            self._diagnostics.warning("overlay-version", message, at, f'Write "{full}".')
        return int(match[1])

    def _members(
        self, value: Mapping[str, Any], names: Set[str], at: Origin, late: Set[str] = frozenset()
    ) -> None:
        """Refuse members that nothing is known of."""
        for name in value:
            if name in names or name.startswith("x-"):
                continue
            hint = did_you_mean(name, sorted(names), f"Known: {', '.join(sorted(names))}, x-...")
            if name in late:
                hint = f"It came with a later version: write `overlay: {_since(name)}`."
            message = f"`{name}` is no member of {_what(at)} of this version"
            self._error("overlay", message, at.child(name), hint)

    def _info(self, info: Any) -> None:
        at = self._root.child("info")
        if not isinstance(info, Mapping):
            self._error("overlay", "an overlay has an object `info`", at, _INFO)
            return
        self._members(info, {"title", "version", "description"}, at)
        for name in ("title", "version"):
            if name not in info:
                self._error("overlay", f"`info` has no `{name}`", at, _INFO)
        for name in {"title", "version", "description"} & set(info):
            if not isinstance(info[name], str):
                hint = f'Write it in quotes: `{name}: "{info[name]}"`.'
                self._error("overlay", f"`{name}` of `info` is no text", at.child(name), hint)

    def _uri(self, value: Mapping[str, Any], name: str, minor: int) -> str:
        uri = value.get(name, "")
        at = self._root.child(name)
        if not isinstance(uri, str):
            self._error("overlay", f"`{name}` is no text", at, "Write the URI of a document.")
            return ""
        if "#" in uri and minor >= 2:
            message = f"`{name}` names a whole document, and has a fragment"
            self._error("overlay", message, at, "Leave out what begins with `#`.")
        return uri

    def _actions(self, value: Mapping[str, Any], minor: int) -> Iterator[Action]:
        at = self._root.child("actions")
        listed = value.get("actions")
        if not isinstance(listed, list) or not listed:
            hint = "Each has a `target`, and `update`, `copy` or `remove`."
            self._error("overlay", "`actions` is a list of at least one action", at, hint)
            return
        reusable = self._reusable(value.get("components"), minor)
        for index, each in enumerate(listed):
            if each in listed[:index]:
                message = "this action is in the list twice"
                self._diagnostics.warning("overlay-repeated", message, at.child(index))
            action = self._action(each, at.child(index), minor, reusable)
            if action is not None:
                yield action

    def _reusable(self, components: Any, minor: int) -> dict[str, tuple[dict[str, Any], Origin]]:
        """The fields of the reusable actions, by name (1.2, "Components Object")."""
        at = self._root.child("components")
        if components is None or minor < 2:
            return {}
        if not isinstance(components, Mapping):
            self._error("overlay", "`components` is no object", at)
            return {}
        self._members(components, {"actions"}, at)
        listed = components.get("actions", {})
        if not isinstance(listed, Mapping):
            self._error("overlay", "`actions` of `components` is no object", at.child("actions"))
            return {}
        actions = {}
        for name, each in listed.items():
            place = at.child("actions").child(name)
            fields = each.get("fields", {}) if isinstance(each, Mapping) else None
            if not isinstance(each, Mapping) or not isinstance(fields, Mapping):
                hint = "Write `fields:` with `update`, `copy` or `remove` in it."
                self._error("overlay", f"the reusable action `{name}` is no object", place, hint)
                continue
            self._members(each, {"description", "fields"}, place)
            if "target" in fields:
                hint = "Write it beside each `$ref`."
                message = "a reusable action has no `target`"
                self._error("overlay", message, place.child("fields").child("target"), hint)
            self._fields(fields, place.child("fields"), minor, frozenset())
            actions[str(name)] = (dict(fields), place.child("fields"))
        return actions

    def _fields(self, each: Mapping[str, Any], at: Origin, minor: int, more: Set[str]) -> bool:
        """Whether the fields of an action are what they may be."""
        names = {name for name in _ACTION if name != "copy" or minor >= 1} | more
        before = self._errors
        self._members(each, names, at, {"copy", "$ref"})
        for name in set(each) & set(_KINDS):
            kind, words = _KINDS[name]
            if name in names and not isinstance(each[name], kind):
                self._error("overlay", f"`{name}` of an action is {words}", at.child(name))
        return self._errors == before

    def _action(
        self,
        each: Any,
        at: Origin,
        minor: int,
        reusable: Mapping[str, tuple[dict[str, Any], Origin]],
    ) -> Action | None:
        if not isinstance(each, Mapping):
            self._error("overlay", "an action is an object", at, "Begin with `target:`.")
            return None
        if not self._fields(each, at, minor, {"$ref"} if minor >= 2 else set()):
            return None
        places = {name: at.child(name) for name in each}
        if "$ref" in each:
            shared = self._referred(each["$ref"], at.child("$ref"), reusable)
            if shared is None:
                return None
            fields, around = shared
            places = {**{name: around.child(name) for name in fields}, **places}
            each = {**fields, **each}
        if "target" not in each:
            self._error("overlay", "an action has no `target`", at, "Such as `$.info`.")
            return None
        return self._build(each, places, at)

    def _referred(
        self, text: str, at: Origin, reusable: Mapping[str, tuple[dict[str, Any], Origin]]
    ) -> tuple[dict[str, Any], Origin] | None:
        hint = f"It is written as `{_REFERENCE}name`, `/` in the name as `~1` and `~` as `~0`."
        token = text.removeprefix(_REFERENCE)
        try:
            name = pointers.unescape(pointers.from_fragment(token))
        except ValueError:
            name = ""
        if not text.startswith(_REFERENCE) or "/" in token or not name:
            self._error("overlay", f"`$ref` names no reusable action: {text!r}", at, hint)
            return None
        if name not in reusable:
            hint = did_you_mean(name, list(reusable), hint)
            self._error("overlay", f"there is no reusable action `{name}`", at, hint)
            return None
        return reusable[name]

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
            why = "`update` and `copy`, neither of which holds then" if changes else "no change"
            message = f"this action has {why}: it does nothing"
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
            message = f"{text!r} is no JSONPath: {problem}"
            hint = "Write it as RFC 9535 does, such as `$.paths['/pets'].get['x-a']`."
            self._error("overlay-path", message, at, hint)
            return None


_INFO = 'Write `info: { title: "...", version: "1.0.0" }`.'


def _since(name: str) -> str:
    return "1.1.0" if name == "copy" else "1.2.0"


def _what(at: Origin) -> str:
    """What a place in an overlay is, in words."""
    if not at.pointer:
        return "an overlay"
    return "an action" if at.pointer.startswith("/actions") else f"`{at.pointer[1:]}`"
