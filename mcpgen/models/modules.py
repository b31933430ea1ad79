"""Decides which module each type is in, and which modules of an earlier run to reuse."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping

from .. import __version__
from ..format import version
from ..hashes import fingerprint
from ..lifting.simple import Simple
from ..text.import_order import import_order
from .module_text import Definition, module, package

FOLDER_SIZE = 300
"""More types than this are a package, with a module for each initial."""

EarlierText = Callable[[str, str], str | None]
"""The text of a module by its path and its key, where an earlier run has left it."""

_ABOUT = "The types of the API's arguments and answers."
_GENERATOR = "datamodel-code-generator"


class Modules:
    """Divides types among modules; in a package, only a type's name decides its module."""

    def __init__(self, schemas: Mapping[str, Simple], earlier_text: EarlierText) -> None:
        initials = sorted({name[0].lower() for name in schemas})
        self._single = len(schemas) <= FOLDER_SIZE or len(initials) == 1
        self._initials = [] if self._single else initials
        self._inside: dict[str, list[str]] = {}
        if self._single:
            self._inside["models.py"] = list(schemas)
        else:
            for name in sorted(schemas, key=lambda name: import_order(name)[1:]):
                self._inside.setdefault(f"models/{name[0].lower()}.py", []).append(name)
        self._keys = {
            path: _key({name: schemas[name] for name in names}, self._single)
            for path, names in self._inside.items()
        }
        texts = {path: earlier_text(path, key) for path, key in self._keys.items()}
        self.earlier = {path: text for path, text in texts.items() if text is not None}
        gone = {name for path in self.earlier for name in self._inside[path]}
        self.missing = {name: schema for name, schema in schemas.items() if name not in gone}
        """The schemas of the modules that are to be written."""

    def written(self, definitions: Mapping[str, Definition]) -> dict[str, str]:
        """The source of each module that cannot be reused from an earlier run, by path."""
        if self._single:
            return {} if self.earlier else {"models.py": module(_ABOUT, definitions.values(), {})}
        home = {name: name[0].lower() for names in self._inside.values() for name in names}
        files = {"models/__init__.py": package(_ABOUT, self._initials)}
        for path, names in self._inside.items():
            if path not in self.earlier:
                about = f"Types that start with {names[0][0].upper()}."
                files[path] = module(about, [definitions[name] for name in names], home)
        return files

    def keys(self, failed: Collection[str]) -> dict[str, str]:
        """The keys, by path, of the modules in which every type was written.

        Modules without a key are written again in a later run.
        """
        return {
            path: key
            for path, key in self._keys.items()
            if not any(name in failed for name in self._inside[path])
        }


def _key(schemas: Mapping[str, Simple], single: bool) -> str:
    makers = [__version__, version(_GENERATOR), single]
    return fingerprint(json.dumps([makers, schemas]), 16)
