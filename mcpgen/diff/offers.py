"""The changes between two lists of resources or prompts, in terms that users know."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from ..lock import digest_of
from ..operations.matching import renamed, shape
from .changes import Change

Entry = Mapping[str, Any]
"""A resource, a template or a prompt as a list answers it."""
FILES: Mapping[str, Mapping[str, str]] = {
    "prompts.json": {"prompts": "name"},
    "resources.json": {"resources": "uri", "resourceTemplates": "uriTemplate"},
}
"""Of a server's package: the lists in each, and what tells their entries apart."""
_RULED = frozenset(
    {"name", "title", "description", "arguments", "uri", "uriTemplate", "mimeType", "size"}
)
_QUERY = re.compile(r"\{[?&]([^{}]*)\}")


def entries(name: str, text: str | bytes) -> list[Any]:
    """The entries in one of `FILES`; none for an empty string.

    Raises ValueError, TypeError or RecursionError if the text is not in this format.
    """
    kinds = FILES[name]
    held = json.loads(text) if text else {}
    lists = [held.get(kind, ()) for kind in kinds] if isinstance(held, dict) else [[held]]
    offers = [each for entries in lists for each in entries]
    if not all(_is_entry(each, kinds.values()) for each in offers):
        raise ValueError(f"{name} lists something that is neither a prompt nor a resource")
    return offers


def _is_entry(value: object, keys: Collection[str]) -> bool:
    """Whether a value has a name and one of the given keys, and its arguments have names."""
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        return False
    arguments = value.get("arguments") or []
    return (
        any(isinstance(value.get(key), str) for key in keys)
        and isinstance(arguments, list)
        and all(_is_entry(each, ["name"]) for each in arguments)
    )


def prompts(old: Sequence[Entry], new: Sequence[Entry]) -> Iterator[Change]:
    """The changes between two versions of a server's prompts."""
    before, after = ({each["name"]: each for each in listed} for listed in (old, new))
    moved = _moved(before, after, digest_of)
    for name, prompt in before.items():
        now = moved.get(name, name)
        if name in moved:
            yield Change("prompt-renamed", name, detail=f"now {now}")
        elif name not in after:
            yield Change("prompt-removed", name)
            continue
        yield from _texts(prompt, after[now], now)
        yield from _arguments(prompt, after[now], now)
    yield from (Change("prompt-added", n) for n in _came(before, after, moved))
    yield from order(list(before), list(after), "", "prompts")


def resources(old: Sequence[Entry], new: Sequence[Entry]) -> Iterator[Change]:
    """The changes for clients that read a resource or fill in a template's URI."""
    before, after = ({_place(each): each for each in listed} for listed in (old, new))
    moved = _moved(before, after, lambda each: each["name"])
    for place, resource in before.items():
        now = moved.get(place, place)
        if place in moved:
            code = "resource-uri-widened" if _covers(now, place) else "resource-uri-changed"
            yield Change(code, place, detail=f"now {now}")
        elif place not in after:
            yield Change("resource-removed", place)
            continue
        was, then = resource.get("mimeType"), after[now].get("mimeType")
        if was != then:
            detail = f"{was or 'none'} -> {then or 'none'}"
            yield Change("resource-type-changed", now, detail=detail)
        if resource["name"] != after[now]["name"]:
            detail = f"{resource['name']} -> {after[now]['name']}"
            yield Change("resource-renamed", now, detail=detail)
        yield from _texts(resource, after[now], now)
    yield from (Change("resource-added", n) for n in _came(before, after, moved))
    yield from order(list(before), list(after), "", "resources")


def _place(resource: Entry) -> str:
    return str(resource.get("uri") or resource["uriTemplate"])


def _moved(
    before: Mapping[str, Entry], after: Mapping[str, Entry], known_by: Callable[[Entry], str]
) -> dict[str, str]:
    """The new keys of entries that were renamed, recognized by what `known_by` returns."""
    was, now = ({key: known_by(e) for key, e in entries.items()} for entries in (before, after))
    return renamed(was, now)


def _came(
    before: Mapping[str, Entry], after: Mapping[str, Entry], moved: Mapping[str, str]
) -> list[str]:
    return [key for key in after if key not in before and key not in moved.values()]


def order(before: list[str], after: list[str], name: str, detail: str = "") -> Iterator[Change]:
    """Report a changed order of the entries that both versions have; `name` may be empty."""
    common = [key for key in before if key in after]
    if common != [key for key in after if key in before]:
        yield Change("order-changed", name, detail=detail)


def _covers(new: str, old: str) -> bool:
    """Whether the new URI template matches every URI that the old one matches.

    Query variables are optional, so the new template may have more of them.
    """
    plain = (shape(_QUERY.sub("", template)) for template in (old, new))
    was, now = ({n for names in _QUERY.findall(t) for n in names.split(",")} for t in (old, new))
    return len(set(plain)) == 1 and was <= now


def _texts(old: Entry, new: Entry, name: str) -> Iterator[Change]:
    for key in ("title", "description"):
        texts = (old.get(key) or "", new.get(key) or "")
        if texts[0] != texts[1]:
            yield Change(f"{key}-changed", name, texts=texts)
    others = sorted((old.keys() | new.keys()) - _RULED)
    others = [key for key in others if old.get(key) != new.get(key)]
    if others:
        yield Change("tool-changed", name, detail=", ".join(others))


def _arguments(old: Entry, new: Entry, name: str) -> Iterator[Change]:
    before, after = (
        {argument["name"]: argument for argument in prompt.get("arguments") or ()}
        for prompt in (old, new)
    )
    for key, argument in before.items():
        if key not in after:
            yield Change("argument-removed", name, key)
            continue
        needed, needs = bool(argument.get("required")), bool(after[key].get("required"))
        if needed != needs:
            yield Change("argument-required" if needs else "argument-optional", name, key)
        if any(argument.get(text) != after[key].get(text) for text in ("title", "description")):
            yield Change("argument-description-changed", name, key)
    for key, argument in after.items():
        if key not in before:
            needs = bool(argument.get("required"))
            yield Change("argument-required" if needs else "argument-added", name, key)
    yield from order(list(before), list(after), name)
