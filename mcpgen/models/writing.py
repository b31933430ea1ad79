"""The Python types of an API, written by datamodel-code-generator.

Few schemas are one module, `models.py`; many are a package with a module for each initial, written
by worker processes while the caller goes on.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping
from functools import cached_property

from ..api import Api, Schema
from ..diagnostics import Diagnostics
from ..lifting.lifter import Lifter
from ..lifting.shapes import Place
from ..lifting.simple import Simple, substitute
from ..naming import Names
from .annotations import Annotation, annotate
from .text import WIDTH, Definition, import_order, module, package
from .workers import Runs, Worker

FOLDER_SIZE = 300
"""More types than this are a package."""

_ABOUT = "The types of the API's arguments and answers."


class Models:
    """The models' source, and what it calls the types of arguments and results."""

    def __init__(self, api: Api, names: Names, runs: Runs) -> None:
        self._names = names
        self._pool = api.schemas
        self._runs = runs

    @cached_property
    def files(self) -> Mapping[str, str]:
        """Source by path in the package; waits for the worker processes."""
        definitions = list(self._runs.definitions())
        initials = {definition.name[0].lower() for definition in definitions}
        if len(definitions) <= FOLDER_SIZE or len(initials) == 1:
            return {"models.py": module(_ABOUT, definitions, {})}
        return _folder(definitions)

    def annotate(self, schema: Schema, hint: str) -> Annotation:
        """The Python type of a schema; `hint` is `<tool> <argument>` or `<tool> result`."""
        classes = self._names.classes
        candidates = self._names.lifted.roots.get(hint, ())
        for known, simple in candidates:
            if known is schema:
                return annotate(simple, classes)
        for known, simple in candidates:
            if known == schema:
                return annotate(simple, classes)
        simple = Lifter(self._pool).value(schema, Place("", ""))
        unknown = {"type": "object", "additionalProperties": {}}
        named = substitute(simple, lambda key: {"$ref": key} if key in classes else unknown)
        return annotate(named, classes)


def generate(
    api: Api,
    names: Names,
    diagnostics: Diagnostics | None = None,
    *,
    workers: int | None = None,
    worker: Worker | None = None,
) -> Models:
    """Start writing the types that `names` has names for.

    `workers`: processes at most; by default two where the schemas are many, else none. `worker` is
    one that was started already. A schema that cannot be written becomes `Any` and a warning.
    """
    classes = names.classes
    schemas = {classes[key]: _named(s, classes) for key, s in names.lifted.schemas.items()}
    return Models(api, names, Runs(schemas, diagnostics, workers, worker))


def _named(simple: Simple, classes: Mapping[str, str]) -> Simple:
    """A lifted schema in OpenAPI's form: with class names for places, and a docstring's text."""
    out: Simple = {}
    for key, value in simple.items():
        match key:
            case "$ref":
                out[key] = f"#/components/schemas/{classes[value]}"
            case "anyOf":
                out[key] = [_named(part, classes) for part in value]
            case "properties":
                out[key] = {name: _named(part, classes) for name, part in value.items()}
            case "items" | "additionalProperties":
                out[key] = _named(value, classes)
            case "description":
                out[key] = describe(value)
            case _:
                out[key] = value
    return out


def describe(text: str) -> str:
    """The first paragraph of a description, what does not print left out, wrapped."""
    paragraph = re.split(r"\n\s*\n", text.strip(), maxsplit=1)[0]
    line = "".join(char if char.isprintable() else " " for char in paragraph)
    short = textwrap.shorten(line, 400, placeholder=" ...")
    width = WIDTH if line.isascii() else WIDTH // 2
    return textwrap.fill(short, width, break_long_words=False, break_on_hyphens=False)


def _folder(definitions: Iterable[Definition]) -> dict[str, str]:
    """A module for each initial, so that a type's module depends on nothing but its own name."""
    ordered = sorted(definitions, key=lambda definition: import_order(definition.name)[1:])
    home = {definition.name: definition.name[0].lower() for definition in ordered}
    initials = sorted(set(home.values()))
    files = {"models/__init__.py": package(_ABOUT, initials)}
    for initial in initials:
        inside = [definition for definition in ordered if home[definition.name] == initial]
        about = f"Types that start with {initial.upper()}."
        files[f"models/{initial}.py"] = module(about, inside, home)
    return files
