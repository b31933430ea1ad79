"""The Python types of an API, written by datamodel-code-generator.

A small number of schemas makes one module, `models.py`; a large number makes a package with a
module per initial letter. A large document's types are written by a worker process while the caller
goes on.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from functools import cached_property
from unicodedata import east_asian_width

from ..api import Api, Schema
from ..diagnostics import Diagnostics
from ..lifting.lifter import Lifter
from ..lifting.shapes import Place
from ..lifting.simple import Simple, substitute
from ..python_names import Names
from ..text.literals import paragraph
from .annotations import Annotation, annotate
from .module_text import WIDTH
from .modules import EarlierText, Modules
from .references import dependencies_first
from .worker import Generation, Worker


class Models:
    """The source text of the types, and the Python types of arguments and results."""

    def __init__(self, api: Api, names: Names, generation: Generation, modules: Modules) -> None:
        self._names = names
        self._pool = api.schemas
        self._generation = generation
        self._modules = modules

    @property
    def earlier_modules(self) -> Mapping[str, str]:
        """The formatted modules that an earlier run wrote, by path in the package."""
        return self._modules.earlier

    @cached_property
    def files(self) -> Mapping[str, str]:
        """The source of the modules that no earlier run wrote, by path; waits for the worker
        process.
        """
        return self._modules.written({each.name: each for each in self._generation.definitions()})

    @property
    def keys(self) -> dict[str, str]:
        """The keys by which a later run can reuse the modules; waits for the worker process."""
        assert self.files is not None
        return self._modules.keys(self._generation.failed)

    def annotate(self, schema: Schema, tool: str, part: str) -> Annotation:
        """The Python type of a tool's schema; `part` is an argument's name, or `result`."""
        classes = self._names.classes
        candidates = self._names.lifted.roots.get(tool, {}).get(part, ())
        for candidate, simple in candidates:
            if candidate is schema:
                return annotate(simple, classes)
        for candidate, simple in candidates:
            if candidate == schema:
                return annotate(simple, classes)
        simple = Lifter(self._pool).value(schema, Place("", ""))
        unknown = {"type": "object", "additionalProperties": {}}
        simple = substitute(simple, lambda key: {"$ref": key} if key in classes else unknown)
        return annotate(simple, classes)


def generate(
    api: Api,
    names: Names,
    diagnostics: Diagnostics | None = None,
    *,
    worker: Worker | None = None,
    written: bool = True,
    earlier_text: EarlierText = lambda path, key: None,
) -> Models:
    """Start generating the types named in `names`; with `written=False`, none are generated.

    `worker` is a process that is already running; without one, the work is done in this process. A
    schema that the generator cannot handle becomes `Any`, with a warning.
    """
    classes = names.classes
    schemas = {
        classes[key]: _with_class_names(s, classes) for key, s in names.lifted.schemas.items()
    }
    modules = Modules(dependencies_first(schemas) if written else {}, earlier_text)
    return Models(api, names, Generation(modules.missing, diagnostics, worker), modules)


def _with_class_names(simple: Simple, classes: Mapping[str, str]) -> Simple:
    """A copy of a lifted schema in OpenAPI's notation, with class names in its references."""
    out: Simple = {}
    for key, value in simple.items():
        match key:
            case "$ref":
                out[key] = f"#/components/schemas/{classes[value]}"
            case "anyOf":
                out[key] = [_with_class_names(part, classes) for part in value]
            case "properties":
                out[key] = {name: _with_class_names(part, classes) for name, part in value.items()}
            case "items" | "additionalProperties":
                out[key] = _with_class_names(value, classes)
            case "description":
                out[key] = describe(value)
            case _:
                out[key] = value
    return out


def describe(text: str) -> str:
    """The first paragraph of a description as plain text, wrapped.

    Text without spaces between its words may be broken anywhere.
    """
    line = paragraph(text, 400)
    wide = any(east_asian_width(char) in "FW" for char in line)
    width = WIDTH if line.isascii() else WIDTH // 2
    return textwrap.fill(line, width, break_long_words=wide, break_on_hyphens=False)
