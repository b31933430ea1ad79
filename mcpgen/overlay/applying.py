"""Applies the actions of overlays, one after the other (Overlay 1.2.0, "Action Object")."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..diagnostics import Diagnostics, GenerationError
from ..source.limits import Limits
from ..source.sourcefile import measure
from ..text.kinds import json_type
from . import jsonpath
from .jsonpath import Match, Steps
from .overlaid import Origin, Overlaid
from .structure import Action, Overlay

if TYPE_CHECKING:
    from jsonpath_rfc9535.query import JSONPathQuery

_OBJECT, _LIST, _PLAIN = "an object", "a list", "a plain value"


def apply(
    overlay: Overlay, to: Overlaid, steps: Steps, limits: Limits, diagnostics: Diagnostics
) -> None:
    """Apply an overlay to a document; an action that cannot be applied is an error."""
    run = _Run(overlay, to, steps, limits, diagnostics)
    for action in overlay.actions:
        if steps.left < 0:
            break
        try:
            run.perform(action)
        except GenerationError as error:
            diagnostics.extend(error.diagnostics)


class _Run:
    def __init__(
        self,
        overlay: Overlay,
        to: Overlaid,
        steps: Steps,
        limits: Limits,
        diagnostics: Diagnostics,
    ) -> None:
        self._minor = overlay.minor
        self._to = to
        self._steps = steps
        self._limits = limits
        self._diagnostics = diagnostics
        self._left = limits.max_values

    def perform(self, action: Action) -> None:
        """Apply one action; raises GenerationError if it cannot be applied."""
        matches = self._matches(action.target, action.path, action.at)
        if not matches:
            message = f"`{action.path}` selects nothing in {self._to.name}"
            hint = "Has the document changed? Mend the target, or remove the action."
            self._diagnostics.warning("overlay-no-match", message, action.at, hint)
        elif action.remove:
            self._remove(matches, action)
        else:
            self._change(matches, action)

    def _matches(self, query: JSONPathQuery, path: str, at: Origin) -> Sequence[Match]:
        try:
            return jsonpath.matches(query, self._to.value, self._steps)
        except jsonpath.PathProblem as problem:
            message = f"{path!r} cannot be followed: {problem}"
            raise GenerationError.of("overlay-path", message, at) from None

    def _remove(self, matches: Sequence[Match], action: Action) -> None:
        if any(match.holder is None for match in matches):
            message = f"`{action.path}` selects the whole document, which cannot be removed"
            hint = "Select something in it, such as `$.paths.*`."
            raise GenerationError.of("overlay-target", message, action.at, hint)
        places = [self._to.origin(match.path[:-1]) for match in matches]
        for match, here in reversed([*zip(matches, places, strict=True)]):
            self._to.remove(match.holder, here, match.path[-1])

    def _change(self, matches: Sequence[Match], action: Action) -> None:
        value, origin = self._value(action)
        kinds = {_kind(match.value): match for match in reversed(matches)}
        if len(kinds) > 1:
            several = " and ".join(f"{kind} ({kinds[kind].text})" for kind in sorted(kinds))
            message = (
                f"`{action.path}` selects {several}; an action can change only one kind of value"
            )
            hint = "Write an action for each kind."
            raise GenerationError.of("overlay-target", message, action.at, hint)
        for match in matches:
            self._merge(match, value, origin, action)

    def _value(self, action: Action) -> tuple[Any, Origin]:
        """The value that is merged into the targets."""
        if action.copy is None:
            assert action.update is not None
            return action.update
        query, at = action.copy
        copied = self._matches(query, str(query), at)
        if len(copied) != 1:
            count = "nothing" if not copied else f"{len(copied)} values"
            message = f"`copy` needs exactly one value, but this path selects {count}"
            hint = "Actions before this one may have removed it." if not copied else ""
            raise GenerationError.of("overlay-target", message, at, hint)
        # As it is now: what is merged into a part of it must not grow with it.
        return self._to.copy(copied[0].value), self._to.origin(copied[0].path)

    def _merge(self, match: Match, value: Any, origin: Origin, action: Action) -> None:
        here = self._to.origin(match.path)
        target = match.value
        written = action.copy[1] if action.copy is not None else origin
        if isinstance(target, dict) and isinstance(value, dict):
            self._merge_object(target, here, value, origin, written, match.text)
        elif isinstance(target, list):
            self._extend(target, here, value, origin, written)
        elif _kind(target) == _kind(value) == _PLAIN and match.holder is not None:
            if not self._minor:
                message = f"`{action.path}` selects a plain value, which Overlay 1.0 cannot change"
                hint = "Write `overlay: 1.1.0`, or select the object around it."
                raise GenerationError.of("overlay-target", message, action.at, hint)
            self._set(match, value, origin)
        else:
            _refuse(match.text, target, here, value, written)

    def _set(self, match: Match, value: Any, origin: Origin) -> None:
        key = match.path[-1]
        if isinstance(match.holder, list):
            around = self._to.origin(match.path[:-1])
            self._to.replace(match.holder, around, int(key), value, origin)
        else:
            self._to.put(match.holder, str(key), value, origin)

    def _merge_object(
        self,
        target: dict[str, Any],
        here: Origin,
        value: dict[str, Any],
        origin: Origin,
        written: Origin,
        path: str,
    ) -> None:
        for key, new in value.items():
            at = self._to.origin_in(value, origin, key)
            site = at if written is origin else written
            old = target.get(key)
            inner = self._to.origin_in(target, here, key)
            inner_path = f"{path}[{key!r}]"
            if key not in target or _kind(old) == _kind(new) == _PLAIN:
                self._spend(new, site)
                self._to.put(target, key, new, at)
            elif isinstance(old, dict) and isinstance(new, dict):
                same = at if written is origin else written
                self._merge_object(old, inner, new, at, same, inner_path)
            elif isinstance(old, list) and isinstance(new, list):
                self._extend(old, inner, new, at, site)
            else:
                _refuse(inner_path, old, inner, new, site)

    def _extend(
        self, target: list[Any], here: Origin, value: Any, origin: Origin, written: Origin
    ) -> None:
        """Append to a list: each element of `value` if it is a list, or else `value` itself."""
        self._spend(value, written)
        if isinstance(value, list):
            for index, each in enumerate(value):
                self._to.append(target, here, each, self._to.origin_in(value, origin, index))
        else:
            self._to.append(target, here, value, origin)

    def _spend(self, value: Any, at: Origin) -> None:
        """Check the limits on size and depth, since overlays can double a document."""
        count, depth = measure(value)
        self._left -= count
        if self._left < 0 or depth > self._limits.max_depth:
            message = "the overlay makes the document larger or deeper than mcpgen reads"
            hint = "Raise the limit with --max-source-values, if this is intended."
            raise GenerationError.of("too-many-values", message, at, hint)


def _kind(value: Any) -> str:
    if isinstance(value, dict):
        return _OBJECT
    return _LIST if isinstance(value, list) else _PLAIN


def _refuse(path: str, old: Any, here: Origin, new: Any, written: Origin) -> None:
    place = here.location
    message = (
        f"{path} is {json_type(old)} ({place.file}:{place.line}), "
        f"and {json_type(new)} cannot be merged into it"
    )
    hint = "Remove it with an earlier action, then add it again in the object around it."
    raise GenerationError.of("overlay-target", message, written, hint)
