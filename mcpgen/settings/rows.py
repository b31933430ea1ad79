"""Reads the tables of settings: each annotated name of a class is a setting, with its row.

The docstring below a name is the meaning of the setting, as messages, help, pages and schemas show
it.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args, get_type_hints

from msgspec import Struct

from ..text import literals

GENERATING = ("from-openapi", "from-schema")


class Row(Struct, frozen=True):
    """The facts about a setting other than its name, type, default and meaning."""

    flag: str = ""
    """The flag and its value: `--include-tag NAME`."""
    commands: tuple[str, ...] = GENERATING
    """The commands that have the flag."""
    choices: tuple[str, ...] = ()
    least: int | None = None
    """The least value of a number."""
    above: float | None = None
    """The number that a value must exceed."""
    longest: int = 0
    """The most characters of a string; 0: no limit."""
    pattern: str = ""
    """A regular expression that a string, or each string in a list, must match completely."""
    excludes: tuple[str, ...] = ()
    """The keys that cannot be set together with this key; a boolean key excludes them only if
    true."""
    needs: str = ""
    """The key that must be set together with this key."""
    keys: tuple[str, ...] = ()
    """The only keys of a table whose values all have the same type."""
    table: type | None = None
    """The class of the keys, if the value is a table or an array of tables."""
    named: str = ""
    """For tables that users name: the kind of the name."""
    every: bool = False
    """Whether the key is allowed in the table for every tool."""
    several: bool = False
    """Whether the key is allowed in a table for several tools."""
    path: bool = False
    """Whether the value is a path or a list of paths."""
    of_urls: bool = False
    """Whether each path follows a URL and `=`."""
    shared: bool = True
    """Whether the servers of a workspace can share the setting."""
    server: str = ""
    """The setting of the running server whose initial value it is."""
    served: tuple[str, ...] = ()
    """The values that the running server gets; empty: all but the default."""


class Setting(Struct, frozen=True):
    """A setting: its `Row`, with the name, type and default that its class declares."""

    holder: type
    name: str
    """The key in `mcpgen.toml`."""
    field: str
    """The name of the attribute."""
    type: Any
    default: Any
    row: Row

    @property
    def meaning(self) -> str:
        """The setting's docstring, or an empty string."""
        return meanings(self.holder).get(self.name, "")


@cache
def settings_of(table: type) -> Mapping[str, Setting]:
    """The settings of a class by their keys, from the class's annotations."""
    settings = {}
    for field, hint in get_type_hints(table, include_extras=True).items():
        args = get_args(hint)
        row = next((each for each in args if isinstance(each, Row)), None)
        name = field.rstrip("_")
        default = getattr(table, field, {})
        kind = args[0] if row else hint
        settings[name] = Setting(table, name, field, kind, default, row or Row())
    return settings


def meanings(table: type) -> Mapping[str, str]:
    """The docstring of each annotated name of a class and its bases."""
    texts: dict[str, str] = {}
    for each in table.__mro__[-2::-1]:
        texts |= _docstrings(str(sys.modules[each.__module__].__file__)).get(each.__name__, {})
    return texts


@cache
def _docstrings(file: str) -> Mapping[str, Mapping[str, str]]:
    """For each class of a module, the docstrings below annotated names, each on one line."""
    texts: dict[str, dict[str, str]] = {}
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    for node in (each for each in tree.body if isinstance(each, ast.ClassDef)):
        for field, below in pairwise(node.body):
            match field, below:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(ast.Constant(str(text))):
                    about = literals.one_line(text)
                    texts.setdefault(node.name, {})[name.rstrip("_")] = about
    return texts
