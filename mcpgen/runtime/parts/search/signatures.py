"""A tool as agents read it: a TypeScript signature with facts from its schema."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from ..shaping import FIELDS, takes_fields
from . import texts
from .bounds import bounds

Schema = Any
"""A JSON Schema: an object, true or false."""

_STEPS = ((8, 200), (6, 160), (4, 120), (3, 80), (2, 60), (2, 0), (1, 0))
"""How deep a signature shows objects, and how much of each text, until it fits."""
_BARE = (8, 0)
"""All objects, without texts: where there is no room for these, nothing whole fits."""
_MAX_VALUES = 24
_MAX_VALUE_CHARACTERS = 300
"""Values of an enum that are shown, and about how many characters of them."""
_MIN_REPEATED_CHARACTERS = 80
"""Characters of values from which on they are said once."""
_OUTLINE = range(7)
_MAX_OUTLINE_BYTES = 800
_MAX_LINE_LENGTH = 700
"""Characters of a line that is cut."""
_MIN_SHARED = 40
"""Characters of a text from which on it is said once an answer."""
_MAX_EXAMPLE = 50
_SAID = frozenset({"enum", "const", "properties"})
"""Keywords that say more than an example."""
_PARTED = ("array", "object")
_BYTES_PER_TOKEN = 4
_MAX_STEPS = 6000
"""Schemas that one text tells of; the rest is `…`, for each level may have twice as many."""
CUT = "describe_tools with `path` shows a part"
"""Says that a signature lacks lines."""
_UNREAD: Mapping[str, Any] = {"type": "…"}
_LONGEST, _LONGEST_PATH = 20_000, 1000
"""Characters of a text, and of a path."""
_OF_OUTLINES = re.compile(r"[{}\[\],:\"…]|^$")


def tokens_in(text: str) -> int:
    """The approximate number of tokens in a text; the exact number depends on the model."""
    return len(json.dumps(text, ensure_ascii=False).encode()) // _BYTES_PER_TOKEN


class Told:
    """Texts and outlines that an answer has already given, so that they are not repeated."""

    def __init__(self) -> None:
        """Start without any texts or answers."""
        self.texts: set[tuple[str, str]] = set()
        """Texts that are long, each with the name that it is of."""
        self.answers: dict[str, str] = {}
        """Outlines, each with the tool that answers so."""


def described(
    tool: Mapping[str, Any],
    effect: str,
    most: int,
    *,
    path: str = "",
    answer: str = "",
    hints: Mapping[str, str] = MappingProxyType({}),
    told: Told | None = None,
    whole: bool = False,
) -> str:
    """The signature of a tool, or of the value at a path in its schemas, in at most `most` tokens.

    `answer` is the outline of the tool's answer, if it is known better than from its outputSchema;
    `hints` are notes on arguments. Texts in `told` are not repeated. With `whole`, the result is
    empty if not all arguments fit.

    Raises:
        ValueError: the path leads to nothing.
    """
    if path:
        root = (tool.get("outputSchema") if path.startswith("$") else tool["inputSchema"]) or {}
        return _fitting(root, at_path(root, path), path, most)
    told = told or Told()
    about = texts.about(tool.get("description") or tool.get("title") or "")
    head = f"{tool['name']} [{effect}]" + (f"\n{about}" if about else "")
    if not answer:
        answer = outline(tool["outputSchema"]) if tool.get("outputSchema") else "no JSON"
    same = tool["name"]
    if len(answer) > _MIN_SHARED:
        same = told.answers.setdefault(answer, same)
    tail = f"answers {answer}" if same == tool["name"] else f"answers as {same}"
    room = most - tokens_in(f"{head}\n{tail}")
    schema = called(tool["inputSchema"], effect)
    if whole and _is_cut(_fitting(schema, schema, "arguments", room, steps=(_BARE,))):
        return ""
    body = _fitting(schema, schema, "arguments", room, hints, told)
    return "" if whole and _is_cut(body) else f"{head}\n{body}\n{tail}"


def _is_cut(text: str) -> bool:
    return "{…}" in text or CUT in text


def called(schema: Mapping[str, Any], effect: str) -> Mapping[str, Any]:
    """The schema without `fields`; also requires arguments that a write needs to do anything."""
    if takes_fields({"inputSchema": schema}):  # as the calling tools themselves do
        names = {n: each for n, each in schema["properties"].items() if n != FIELDS}
        schema = {**schema, "properties": names}
    if effect != "write":
        return schema
    names = schema.get("properties", {})
    needed: set[str] = set()
    needs = schema.get("dependentRequired")
    if isinstance(needs, Mapping) and needs:
        first = [name for name in names if all(name == key or name in needs[key] for key in needs)]
        needed.update(first, *(needs.get(name, ()) for name in first))
    if "body" in names and (_is_the_rest(schema) or _has_needs(schema, names["body"])):
        needed.add("body")
    required = dict.fromkeys([*schema.get("required", ()), *(n for n in names if n in needed)])
    return {**schema, "required": [*required]} if needed else schema


def _is_the_rest(root: Mapping[str, Any]) -> bool:
    """Whether the body, an array or text, is the tool's only optional argument."""
    forms = Signature(root, 1, 0).forms(root["properties"]["body"])
    types = {str(form.get("type")) for form in forms if not _alternatives(form)}
    is_only = root["properties"].keys() - {*root.get("required", ())} == {"body"}
    return is_only and types <= {"array", "string"}


def _has_needs(root: Mapping[str, Any], body: Schema) -> bool:
    """Whether every alternative of the body requires members, and no such member is an argument."""
    forms = [form for form in Signature(root, 1, 0).forms(body) if not _alternatives(form)]
    needs = [{*form.get("required", ())} for form in forms]
    return all(needs) and root["properties"].keys().isdisjoint(set().union(*needs))


def _fitting(
    root: Schema,
    part: Schema,
    name: str,
    most: int,
    hints: Mapping[str, str] = MappingProxyType({}),
    told: Told | None = None,
    steps: Sequence[tuple[int, int]] = _STEPS,
) -> str:
    """The most detailed declaration within `most` tokens; if none fits, the shortest, cut off."""
    text = ""
    told = told or Told()
    for step in steps:
        writer = Signature(root, *step, hints=hints, told=told.texts)
        text = writer.written(part, name)
        if not writer.is_over and tokens_in(text) <= most:
            told.texts |= writer.texts
            return text
    lines: list[str] = []
    room = most * _BYTES_PER_TOKEN - 80
    for line in text.splitlines():
        shown = line if len(line) <= _MAX_LINE_LENGTH else f"{line[:_MAX_LINE_LENGTH]}…"
        room -= len(json.dumps(shown, ensure_ascii=False).encode()) + 2
        if room < 0:
            break
        lines.append(shown)
    rest = len(text.splitlines()) - len(lines)
    more = f"{rest} more lines" if rest else "the rest of long lines"
    return "\n".join([*lines, f"  … {more}: {CUT}"])


def ordered(schema: Mapping[str, Any], common: Container[str]) -> list[str]:
    """The arguments of a tool: required ones first, those in `common` last."""
    required = schema.get("required", ())
    names = schema.get("properties", {})
    return sorted(names, key=lambda name: 0 if name in required else 2 if name in common else 1)


def in_line(schema: Mapping[str, Any], common: Container[str] = (), most: int = 120) -> str:
    """The arguments of a tool on one line, with their types and short enums."""
    writer = Signature(schema, 1, 0)
    required = schema.get("required", ())
    properties = schema.get("properties", {})
    names = ordered(schema, common)
    parts: list[str] = []
    for name in names:
        kind = writer.short(properties[name])
        kind = kind if len(kind) <= most else "…"
        parts.append(f"{_key(name, name in required)}: {kind}")
        if len(", ".join(parts)) > most:
            return ", ".join([*parts[:-1], f"+{len(names) - len(parts) + 1}"])
    return ", ".join(parts)


def outline(schema: Schema) -> str:
    """The names in a tool's answer, in the syntax of the argument `fields`."""
    text = ""
    for deep in _OUTLINE:
        deeper = Signature(schema, deep, 0).names(schema)
        if len(deeper) > _MAX_OUTLINE_BYTES or deeper == text:
            break
        text = deeper
    return text or f"{deeper[:_MAX_OUTLINE_BYTES]}…"


def at_path(root: Schema, path: str) -> Schema:
    """The schema at a path such as `data.items[].price`; raises ValueError if there is none.

    If a tool's only argument has members, a path may begin with one of them.
    """
    path = path[:_LONGEST_PATH]
    writer = Signature(root, 1, 0)
    schema = root
    for name in path.removeprefix("$").replace("[*]", ".[]").replace("[]", ".[]").split("."):
        if not name:
            continue
        members = _members(writer, schema)
        inner = writer.whole(schema).get("items") if name == "[]" else members.get(name)
        is_argument = schema is root and not path.startswith("$")
        if inner is None and is_argument and len(members) == 1:
            inner = _members(writer, *members.values()).get(name)
        if inner is None:
            names = ", ".join(f"`{each}`" for each in members) or "nothing known"
            if is_argument:
                raise ValueError(f"there is no argument `{name}`; arguments: {names}")
            raise ValueError(f"`{path}` has no `{name}`; it has: {names}")
        schema = inner
    return schema


def _members(writer: Signature, schema: Schema) -> dict[str, Schema]:
    """The members of an object and of an array's items, from all of their alternatives."""
    forms = list(writer.forms(schema))
    items = [form for each in forms for form in writer.forms(each.get("items"))]
    members: dict[str, Schema] = {}
    for each in (*forms, *items):
        for name, inner in each.get("properties", {}).items():
            members.setdefault(name, inner)
    return members


def _keeping(write: Callable[..., str]) -> Callable[..., str]:
    """A decorator that caches the text for a `$ref`; `…` replaces a text that is too long."""

    def writing(self: Signature, schema: Schema, *rest: Any) -> str:
        key = write, *_refs(schema), *rest
        if len(key) == 1 + len(rest) or len(schema) > 1 or key not in self.kept:
            text = write(self, schema, *rest)
            self.is_over |= len(text) > _LONGEST
            self.kept[key] = text if len(text) <= _LONGEST else "…"
        return self.kept[key]

    return writing


class Signature:
    """Writes the schemas of one tool as TypeScript declarations."""

    def __init__(
        self,
        root: Schema,
        depth: int,
        text: int,
        *,
        hints: Mapping[str, str] = MappingProxyType({}),
        told: Container[tuple[str, str]] = (),
    ) -> None:
        """`depth` limits the levels of objects, and `text` the characters of each description.

        `hints` are added to the outermost members; texts in `told` are left out.
        """
        self._hints = hints
        self._told = told
        self.texts: set[tuple[str, str]] = set()
        self._examples: set[str] = set()
        self._root = root
        self._depth = depth
        self._text = text
        self._left = _MAX_STEPS
        self.is_over = False
        """Whether there were more schemas than may be looked at."""
        self.kept: dict[Any, str] = {}

    def written(self, schema: Schema, name: str) -> str:
        """The TypeScript declaration of a name with this schema."""
        note = self._note(schema)
        text = f"{name}: {self._type(schema, '', self._depth, ())}" + (note and f"  // {note}")
        return _with_values_once(text)

    def whole(self, schema: Schema, refs: tuple[str, ...] = ()) -> Mapping[str, Any]:
        """The schema with its references resolved and the members of `allOf` merged.

        A reference in `refs`, or a reference that leads back to itself, is left out.
        """
        self._left -= 1
        if self._left < 0:
            self._left, self.is_over = 0, True
            return _UNREAD
        here: Mapping[str, Any] = schema if isinstance(schema, Mapping) else {}
        while isinstance(ref := here.get("$ref"), str):
            beside = {key: value for key, value in here.items() if key != "$ref"}
            target = self._resolve(ref) if ref not in refs else {}
            here = {**(target if isinstance(target, Mapping) else {}), **beside}
            refs = (*refs, ref)
            self._left -= 1
        if not isinstance(here.get("allOf"), list):
            return here
        merged: dict[str, Any] = {key: value for key, value in here.items() if key != "allOf"}
        for each in here["allOf"]:
            for key, value in self.whole(each, refs).items():
                if key == "properties":
                    merged[key] = {**value, **merged.get(key, {})}
                elif key == "required":
                    merged[key] = [*value, *merged.get(key, ())]
                else:
                    merged.setdefault(key, value)
        return merged

    def forms(self, schema: Schema, refs: tuple[str, ...] = ()) -> Iterator[Mapping[str, Any]]:
        """The resolved schema, and each of its alternatives at any depth."""
        here, refs = self.whole(schema, refs), (*refs, *_refs(schema))
        yield here
        for each in _alternatives(here):
            yield from self.forms(each, refs)

    @_keeping
    def short(self, schema: Schema, refs: tuple[str, ...] = ()) -> str:
        """A type in a word or two; a short enum with its values."""
        here, refs = self.whole(schema, refs), (*refs, *_refs(schema))
        values = here.get("enum", [here["const"]] if "const" in here else [])
        if 0 < len(values) <= 6:
            return " | ".join(map(_literal, values))
        if here.get("type") == "array":
            return f"{self.short(here.get('items'), refs)}[]"
        if "properties" in here or here.get("type") == "object":
            return "object"
        kinds = [self.short(each, refs) for each in _alternatives(here)]
        return " | ".join(dict.fromkeys(kinds)) if kinds else _types(here)

    def names(self, schema: Schema) -> str:
        """The names of members, without their types."""
        return self._names(schema, self._depth, ())

    def _names(self, schema: Schema, deep: int, inside: tuple[str, ...]) -> str:
        refs = (*inside, *_refs(schema))
        forms = list(self.forms(schema))
        if not any(each.keys() & {"properties", "items", "additionalProperties"} for each in forms):
            return "value"
        if len({*refs}) < len(refs) or deep < 0:
            return "{…}"
        members: dict[str, str] = {}
        for each in forms:
            if isinstance(each.get("items"), dict):
                return f"[{self._names(each['items'], deep, refs)}]"
            for name, inner in each.get("properties", {}).items():
                text = self._names(inner, deep - 1, refs)
                members.setdefault(name, "" if text == "value" else f": {text}")
            more = each.get("additionalProperties")
            if isinstance(more, dict) and more:
                members.setdefault("*", f": {self._names(more, deep - 1, refs)}")
        names = [f"{_plain_name(n)}{text}" for n, text in members.items()]
        return f"{{{', '.join(names)}}}" if names else "value"

    def _resolve(self, ref: str) -> Schema:
        """The target of a reference within the schema."""
        place = self._root
        for part in ref.removeprefix("#").split("/")[1:]:
            key = part.replace("~1", "/").replace("~0", "~")
            if not isinstance(place, Mapping) or key not in place:
                return {}
            place = place[key]
        return place

    @_keeping
    def _type(self, schema: Schema, indent: str, deep: int, inside: tuple[str, ...]) -> str:
        refs = (*inside, *_refs(schema))
        here = self.whole(schema)
        is_again = len({*refs}) < len(refs)
        if "const" in here:
            return _literal(here["const"])
        if isinstance(here.get("enum"), list):
            return _enum(here["enum"])
        forms = _alternatives(here)
        if forms and not is_again:
            return self._union(here, forms, indent, deep, refs)
        if "properties" in here or here.get("type") == "object":
            return "{…}" if is_again else self._object(here, indent, deep, refs)
        if here.get("type") == "array" or "items" in here:
            inner = "…" if is_again else self._type(here.get("items", {}), indent, deep, refs)
            return f"({inner})[]" if " | " in inner and inner[0] != "{" else f"{inner}[]"
        return _types(here)

    def _union(
        self, here: Mapping[str, Any], forms: list[Schema], indent: str, deep: int, refs: Any
    ) -> str:
        common = {
            key: value for key, value in here.items() if key not in ("oneOf", "anyOf", "type")
        }
        written = dict.fromkeys(self._type(each, indent, deep, refs) for each in forms)
        text = " | ".join(written)
        if not common.get("properties") or isinstance(here.get("type"), list):
            return text
        return f"{self._object(common, indent, deep, refs)} & ({text})"

    def _object(self, here: Mapping[str, Any], indent: str, deep: int, refs: Any) -> str:
        properties = here.get("properties", {})
        more = here.get("additionalProperties")
        if not properties:
            if isinstance(more, dict) and more:
                return f"{{[name]: {self._type(more, indent, deep - 1, refs)}}}"
            return "{}" if more is False else "object"
        required = here.get("required", ())
        if deep <= 0:
            return "{…}"
        lines = []
        for name in sorted(properties, key=lambda name: name not in required):
            kind = self._type(properties[name], f"{indent}  ", deep - 1, refs)
            hint = "" if indent else self._hints.get(name, "")
            note = self._note(properties[name], name, self._depth - deep)
            note = "; ".join(filter(None, (note, hint)))
            key = _key(name, name in required)
            lines.append(f"{indent}  {key}: {kind}" + (f"  // {note}" if note else ""))
        if isinstance(more, dict) and more:
            lines.append(f"{indent}  [name]: {self._type(more, f'{indent}  ', deep - 1, refs)}")
        return "\n".join(["{", *lines, f"{indent}}}"])

    def _note(self, schema: Schema, name: str = "", level: int = 0) -> str:
        """The note after a value's type: its description, limits, and default or example."""
        here = self.whole(schema)
        items = self.whole(here.get("items"))
        most = 2 * self._text // (2 + level)
        text = texts.gist(str(here.get("description") or ""), most) if most else ""
        parts = [] if (name, text) in self._told else [text]
        if len(text) > _MIN_SHARED:
            self.texts.add((name, text))
        parts += [*bounds(here, text), *bounds(items, text)]
        if "default" in here:
            parts.append(f"default {_literal(here['default'])}")
        elif self._text:
            parts.append(self._example(here, text) or self._example(items, text))
        return "; ".join(filter(None, parts))

    def _example(self, here: Mapping[str, Any], text: str) -> str:
        """A note with the first example of a value whose type says too little; no example twice."""
        examples = here.get("examples")
        if not isinstance(examples, list) or not examples or here.keys() & _SAID:
            return ""
        literal = _literal(examples[0])
        if len(literal) > _MAX_EXAMPLE or literal[0] not in '"[{' or literal in self._examples:
            return ""
        self._examples.add(literal)
        return "" if literal.strip('"') in text else f"e.g. {literal}"


def _plain_name(name: str) -> str:
    """A name in an outline; it is quoted as JSON if it contains the outline's own characters."""
    return json.dumps(name, ensure_ascii=False) if _OF_OUTLINES.search(name) else name


def _with_values_once(text: str) -> str:
    """A declaration in which the second use of a long list of values refers to the first use."""
    before: dict[str, str] = {}
    lines = text.split("\n")
    for place, line in enumerate(lines):
        key, _, rest = line.partition(": ")
        kind, slashes, note = rest.partition("  // ")
        if len(kind) <= _MIN_REPEATED_CHARACTERS or '" | "' not in kind or '"' in key:
            continue
        if kind in before:
            lines[place] = f"{key}: as {before[kind]} above{slashes}{note}"
        else:
            before[kind] = key.strip().rstrip("?")
    return "\n".join(lines)


def _alternatives(here: Mapping[str, Any]) -> list[Schema]:
    """The branches of a schema; a list of types with `object` or `array` is split into branches."""
    branches = [each for key in ("oneOf", "anyOf") for each in here.get(key, ())]
    kinds = here.get("type")
    if not branches and isinstance(kinds, list) and {*_PARTED} & {*kinds} and len(kinds) > 1:
        return [{**here, "type": kind} if kind in _PARTED else {"type": kind} for kind in kinds]
    return branches


def _refs(schema: Schema) -> tuple[str, ...]:
    ref = schema.get("$ref") if isinstance(schema, Mapping) else None
    return (ref,) if isinstance(ref, str) else ()


def _types(schema: Mapping[str, Any]) -> str:
    kinds = schema.get("type", "any")
    return " | ".join(kinds) if isinstance(kinds, list) else str(kinds)


def _enum(values: list[Any]) -> str:
    parts: list[str] = []
    for value in values[:_MAX_VALUES]:
        parts.append(_literal(value))
        if sum(map(len, parts)) > _MAX_VALUE_CHARACTERS:
            break
    more = [f"…{len(values) - len(parts)} more"] if len(parts) < len(values) else []
    return " | ".join([*parts, *more])


def _literal(value: Any) -> str:
    return texts.one_line(json.dumps(value, ensure_ascii=False), 120)


def _key(name: str, required: bool) -> str:
    text = name if name.replace("_", "a").replace("-", "a").isalnum() else _literal(name)
    return text if required else f"{text}?"
