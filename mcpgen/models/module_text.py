"""Puts the types together into modules."""

from __future__ import annotations

import keyword
import textwrap
from collections.abc import Collection, Iterable, Iterator, Mapping

from msgspec import Struct

from ..text.import_order import import_order
from ..text.literals import docstring
from .written_types import ANYTHING, Type

WIDTH = 88
_LONG_KEY = 60
_TYPING = frozenset(
    {"Any", "Literal", "NotRequired", "Optional", "TypeAlias", "TypedDict", "Union"}
)
"""Names that types need: a field of that name would take their place in its class."""
_AMBIGUOUS = frozenset({"I", "O", "l"})
"""Names that linters refuse in a class (E741)."""


class Definition(Struct, frozen=True):
    """One type of the models: a class, or an alias."""

    name: str
    about: str = ""
    fields: Mapping[str, Type] | None = None
    alias: Type = ANYTHING

    @property
    def types(self) -> Collection[Type]:
        """The types of the class's fields; for an alias, the type that it stands for."""
        return [self.alias] if self.fields is None else self.fields.values()

    @property
    def uses(self) -> set[str]:
        """The other types that the definition names."""
        return {name for each in self.types for name in each.uses}

    @property
    def is_class(self) -> bool:
        """Whether the type is written as a class; its annotations may name types defined later."""
        return self.fields is not None and all(map(_is_name, self.fields))

    @property
    def noqa(self) -> Iterator[str]:
        """The ruff rules that the names of the class's fields break."""
        if self.fields is not None and not self.is_class:
            if any(len(key) > _LONG_KEY for key in self.fields):
                yield "E501"
            if all(key.isidentifier() and not keyword.iskeyword(key) for key in self.fields):
                yield "UP013"

    def written(self, defined: Collection[str]) -> tuple[str, set[str]]:
        """The definition's source code, and the names from `typing` that it uses.

        `defined` are the types that come before it in the module.
        """
        if not self.is_class:
            return self._evaluated(self.uses.difference(defined))
        assert self.fields is not None
        body = [f"{key}: {each.text}" for key, each in self.fields.items()]
        if self.about:
            text = docstring(self.about)
            body.insert(0, f'"""\n{text[3:-3]}\n"""' if "\n" in text else text)
        lines = textwrap.indent("\n".join(body or ["pass"]), "    ")
        typing = {name for each in self.fields.values() for name in each.typing}
        return f"class {self.name}(TypedDict):\n{lines}", typing | {"TypedDict"}

    def _evaluated(self, late: Collection[str]) -> tuple[str, set[str]]:
        """The source of a `TypedDict` call or an alias, whose types are evaluated at import.

        The second value is the set of its names from `typing`.
        """
        types = [each.quoted(late) for each in self.types]
        typing = {name for each in types for name in each.typing}
        if self.fields is None:
            return f"{self.name}: TypeAlias = {types[0].text}", typing | {"TypeAlias"}
        about = textwrap.indent(f"{self.about}\n", "# ") if self.about else ""
        pairs = zip(self.fields, types, strict=True)
        items = "".join(f"    {key!r}: {each.text},\n" for key, each in pairs)
        text = f"{about}{self.name} = TypedDict({self.name!r}, {{\n{items}}})"
        return text, typing | {"TypedDict"}


def _is_name(key: str) -> bool:
    """Whether a class body can have a field with this name, and linters accept it.

    Python would normalise names that are not ASCII (PEP 3131), and mangle those that begin with two
    underscores.
    """
    harmless = key.isascii() and len(key) <= _LONG_KEY and not key.startswith("__")
    is_word = key.isidentifier() and not keyword.iskeyword(key)
    return harmless and is_word and key not in _TYPING | _AMBIGUOUS


def module(about: str, definitions: Iterable[Definition], home: Mapping[str, str]) -> str:
    """The source of a module of types; `home` maps types to the sibling modules that define
    them.
    """
    definitions = list(definitions)
    own = {definition.name for definition in definitions}
    defined: set[str] = set()
    body = []
    typing: set[str] = set()
    elsewhere: dict[str, set[str]] = {}
    for definition in definitions:
        text, needs = definition.written(defined)
        typing |= needs
        body.append(text)
        defined.add(definition.name)
        for name in definition.uses - own:
            elsewhere.setdefault(home[name], set()).add(name)
    if not body:
        return f'"""{about}"""\n'
    if elsewhere:
        typing.add("TYPE_CHECKING")
    noqa = sorted({code for definition in definitions for code in definition.noqa})
    head = [f"# ruff: noqa: {', '.join(noqa)}\n"] if noqa else []
    head += [f'"""{about}"""\n', "from __future__ import annotations\n"]
    head += [_import("typing", typing)] if typing else []
    if elsewhere:
        lines = [f"    {_import(f'.{other}', elsewhere[other])}" for other in sorted(elsewhere)]
        head.append("if TYPE_CHECKING:\n" + "".join(lines))
    gap = "\n\n" if body[0].startswith("class ") else "\n"
    return "\n".join(head) + gap + "\n\n\n".join(body) + "\n"


def package(about: str, modules: Iterable[str]) -> str:
    """The `__init__` of a package of types, which re-exports the names of all its modules."""
    lines = [f"from .{name} import *  # noqa: F403\n" for name in modules]
    return f'"""{about}"""\n\n{"".join(lines)}'


def _import(source: str, names: Iterable[str]) -> str:
    return f"from {source} import {', '.join(sorted(names, key=import_order))}\n"
