"""What is advertised is accepted: values that another validator takes, given to the server's own.

    python -m bench.values DOCUMENT... [--each 5]

A value is built at random from a tool's inputSchema, and counts if jsonschema-rs takes it, formats
included. Exit code 1: a server refuses one.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import jsonschema_rs

from mcpgen import source
from mcpgen.api import Tool
from mcpgen.bundled.parts import offer_all
from mcpgen.diagnostics import Diagnostics, GenerationError
from mcpgen.patterns.texts import UnreadablePattern, text_for
from mcpgen.readers.all_sources import source_options
from mcpgen.readers.openapi import read
from mcpgen.runtime.schemas.validation import ArgumentValidator
from mcpgen.runtime.values.errors import ArgumentError
from mcpgen.settings import Settings

_TRIES = 20
_DEEPEST = 6
_FORMATS = {
    "date": "2026-02-28",
    "date-time": "2026-02-28T12:30:00Z",
    "duration": "P1DT2H",
    "email": "ada@example.com",
    "hostname": "api.example.com",
    "ipv4": "192.0.2.7",
    "ipv6": "2001:db8::7",
    "time": "12:30:00Z",
    "uri": "https://example.com/a?b=c",
    "uuid": "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
}
_ALL = ("string", "integer", "number", "boolean", "object", "array", "null")


class Builder:
    """Builds values that may fit a schema; nothing here is shared with the samples of tests."""

    def __init__(self, root: Mapping[str, Any], seed: str) -> None:
        self._definitions: Mapping[str, Any] = root.get("$defs", {})
        self._random = random.Random(seed)

    def value(self, schema: Any, depth: int = 0) -> Any:
        """A value for a schema, or None where it asks for too much."""
        if not isinstance(schema, Mapping):
            return self._random.choice(["text", 7, True])
        rules = self._merged(schema, 0)
        if "const" in rules:
            return rules["const"]
        if rules.get("enum"):
            return self._random.choice(rules["enum"])
        types = rules.get("type") or ("object" if "properties" in rules else "string")
        kind = types if isinstance(types, str) else self._random.choice(types)
        return getattr(self, f"_{kind}")(rules, depth)

    def _merged(self, schema: Any, depth: int) -> dict[str, Any]:
        """The keywords of a schema, its references, its `allOf` and one of its alternatives."""
        if not isinstance(schema, Mapping) or depth > 2 * _DEEPEST:
            return {}
        merged = dict(schema)
        inner = [*merged.pop("allOf", ())]
        if "$ref" in merged:
            inner.append(self._definitions.get(merged.pop("$ref").removeprefix("#/$defs/"), {}))
        for keyword in ("anyOf", "oneOf"):
            if merged.get(keyword):
                inner.append(self._random.choice(merged.pop(keyword)))
        for each in inner:
            for key, rule in self._merged(each, depth + 1).items():
                merged[key] = _both(key, merged[key], rule) if key in merged else rule
        return merged

    def _string(self, rules: Mapping[str, Any], depth: int) -> str:
        if "pattern" in rules:
            try:
                return text_for(rules["pattern"], extra=self._random.randrange(3), salt=depth)
            except UnreadablePattern:
                return ""
        text = _FORMATS.get(rules.get("format", "")) or self._random.choice(["a", "Ärger 7", "x-y"])
        text = text.ljust(min(int(rules.get("minLength", 0)), 5_000), "z")
        return text[: int(rules.get("maxLength", len(text)))]

    def _number(self, rules: Mapping[str, Any], depth: int) -> float:
        return self._integer(rules, depth) + (0 if "multipleOf" in rules else 0.5)

    def _integer(self, rules: Mapping[str, Any], depth: int) -> int:
        low = max(rules.get("minimum", -9), rules.get("exclusiveMinimum", -10) + 1)
        high = min(rules.get("maximum", low + 9), rules.get("exclusiveMaximum", low + 10) - 1)
        number = self._random.randint(int(low), max(int(low), int(high)))
        step = rules.get("multipleOf", 1)
        return number - number % step if step >= 1 else number

    def _boolean(self, rules: Mapping[str, Any], depth: int) -> bool:
        return self._random.random() < 0.5

    def _null(self, rules: Mapping[str, Any], depth: int) -> None:
        return None

    def _array(self, rules: Mapping[str, Any], depth: int) -> list[Any]:
        first = rules.get("prefixItems", [])
        most = 0 if depth > _DEEPEST else int(rules.get("maxItems", 3))
        count = max(int(rules.get("minItems", 0)), self._random.randint(0, min(most, 3)))
        schemas = [*first, *[rules.get("items", True)] * count][: min(count, 50)]
        return [self.value(each, depth + 1) for each in schemas]

    def _object(self, rules: Mapping[str, Any], depth: int) -> dict[str, Any]:
        required = rules.get("required", ())
        chance = 0.0 if depth > _DEEPEST else self._random.choice([0.1, 0.5, 1.0])
        members = {
            name: self.value(schema, depth + 1)
            for name, schema in rules.get("properties", {}).items()
            if name in required or self._random.random() < chance
        }
        more = rules.get("additionalProperties", True)
        members |= {name: self.value(more, depth + 1) for name in required if name not in members}
        if isinstance(more, Mapping) and depth <= _DEEPEST:
            members |= {f"key{at}": self.value(more, depth + 1) for at in range(2)}
        return members


def _both(key: str, one: Any, other: Any) -> Any:
    """What two schemas say under a keyword, together as far as that is plain."""
    if key == "properties":
        return {**other, **one}
    if key == "required":
        return [*one, *other]
    return one


def refused(tool: Tool, count: int) -> Iterator[tuple[Any, str]]:
    """Each value that another validator takes, and why the server refuses it, or nothing."""
    schema = dict(tool.input_schema)
    judge = jsonschema_rs.Draft202012Validator(schema, validate_formats=True)
    own, builder = ArgumentValidator(schema), Builder(schema, tool.name)
    for _ in range(_TRIES * count):
        if count == 0:
            return
        value = builder.value(schema)
        if not judge.is_valid(value):
            continue
        count -= 1
        try:
            own.check(json.loads(json.dumps(value)))
        except ArgumentError as problem:
            yield value, str(problem)
        else:
            yield value, ""


def tools_of(document: Path) -> tuple[Tool, ...]:
    """The tools of a document; none where it cannot be read."""
    found, settings = Diagnostics(), Settings()
    try:
        loaded = source.load(str(document), options=source_options(settings), diagnostics=found)
        return read(loaded, settings, found).tools
    except GenerationError as problem:
        print(f"{document.name}: {problem}"[:200])
        return ()


def main() -> int:
    """Judge every tool of the documents; print a line for each document."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("documents", type=Path, nargs="+")
    parser.add_argument("--each", type=int, default=5, help="values for each tool")
    arguments = parser.parse_args()
    offer_all()
    bad = 0
    for document in arguments.documents:
        tools = tools_of(document)
        values, without = 0, 0
        for tool in tools:
            judged = list(refused(tool, arguments.each))
            values, without = values + len(judged), without + (not judged)
            for value, why in judged:
                if why:
                    bad += 1
                    print(f"  {tool.name}: {why[:300]}\n    {json.dumps(value)[:300]}")
        print(f"{document.name}: {len(tools)} tools, {values} values, {without} without any")
    print(f"{bad} refused")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
