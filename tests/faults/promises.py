"""What every tool promises: values that its own validator takes, and schemas that clients can."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from mcpgen.bundled.parts import offer_all
from mcpgen.runtime.schemas.validation import ArgumentValidator
from mcpgen.schemas.subschemas import LISTS, MAPS, SINGLE

offer_all()
NODE = shutil.which("node")
_COMPILE = """
const broken = [];
for (const text of JSON.parse(require('fs').readFileSync(0, 'utf8'))) {
  try { new RegExp(text, 'u'); } catch (error) { broken.push(text); }
}
console.log(JSON.stringify(broken));
"""
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_VALUES = ("enum", "const", "default", "examples")
Path = tuple[str | int, ...]


class Broken(NamedTuple):
    """A promise that is not kept."""

    tool: str
    place: str
    what: str

    def __str__(self) -> str:
        return f"{self.tool} {self.place}: {self.what}"


def broken(tools: Iterable[Mapping[str, Any]], *, names: bool = True) -> list[Broken]:
    """The promises that tools, as `tools/list` answers them, do not keep.

    `names`: those of arguments are looked at too.
    """
    found: list[Broken] = []
    patterns: dict[str, tuple[str, str]] = {}
    for tool in tools:
        for key in ("inputSchema", "outputSchema"):
            schema = tool.get(key)
            if schema is None:
                continue
            judge = ArgumentValidator(schema)
            for place, part in _parts(schema):
                at = "/".join(map(str, (key, *place)))
                found += (Broken(tool["name"], at, what) for what in _refused(judge, part, place))
                if _is_array(part) and "items" not in part:
                    found.append(Broken(tool["name"], at, "an array without items"))
                for text in (*part.get("patternProperties", ()), part.get("pattern")):
                    if text is not None:
                        patterns.setdefault(text, (tool["name"], at))
        for name in tool["inputSchema"].get("properties", {}) if names else ():
            if not _NAME.fullmatch(name):
                found.append(Broken(tool["name"], "inputSchema", f"the name {name!r}"))
    found += (Broken(*patterns[text], f"the pattern {text}") for text in uncompiled(patterns))
    return found


def uncompiled(patterns: Iterable[str]) -> list[str]:
    """The expressions that node does not compile with the flag `u`; none where there is no node."""
    if NODE is None:
        return []
    given = json.dumps(list(patterns))
    done = subprocess.run([NODE, "-e", _COMPILE], input=given, capture_output=True, text=True)
    result: list[str] = json.loads(done.stdout)
    return result


def _parts(schema: Any) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """Every schema in a schema, with its place."""
    stack: list[tuple[Path, Any]] = [((), schema)]
    while stack:
        place, part = stack.pop()
        if not isinstance(part, Mapping):
            continue
        yield place, part
        for keyword, value in part.items():
            if keyword in SINGLE:
                stack.append(((*place, keyword), value))
            elif keyword in LISTS:
                stack += (((*place, keyword, at), each) for at, each in enumerate(value))
            elif keyword in MAPS or keyword == "$defs":
                stack += (((*place, keyword, name), each) for name, each in value.items())


def _refused(judge: ArgumentValidator, part: Mapping[str, Any], place: Path) -> Iterator[str]:
    for keyword in _VALUES:
        if keyword in part:
            values = part[keyword] if keyword in ("enum", "examples") else [part[keyword]]
            for value in values:
                if not judge.fits(value, *place):
                    yield f"`{keyword}` has {json.dumps(value)[:80]}, which is refused"


def _is_array(part: Mapping[str, Any]) -> bool:
    return "array" in (
        [part["type"]] if isinstance(part.get("type"), str) else part.get("type", ())
    )
