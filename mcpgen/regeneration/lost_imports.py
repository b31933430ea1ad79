"""Finds hand-written imports of names that the generated modules no longer have."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache

from msgspec import Struct

from ..bundled.contents import RUNTIME
from ..bundled.runtime_wheel import IMPORT_NAME
from .names_used_elsewhere import Taken, only_types

_MODELS = "models"
_RUNTIME = "_runtime"
_HANDLERS = "handlers"


class Modules:
    """The modules that a server has after a run.

    `ours` are the paths of the generated modules, and `gone` those of modules that are no longer
    generated. `text` returns the text of a file after the run, or None if there is none.
    """

    def __init__(
        self, ours: Iterable[str], gone: Iterable[str], text: Callable[[str], str | None]
    ) -> None:
        self._ours = {dotted(path): path for path in ours if path.endswith(".py")}
        self._gone = {dotted(path): path for path in gone if path.endswith(".py")}
        self.text = cache(text)
        self._defined = cache(self._read)

    def lost(self, taken: Iterable[Taken], classes: Collection[str]) -> dict[str, Taken]:
        """A message for each missing name, with the first place that uses the name.

        `classes` are the names of the classes in the generated models.
        """
        losses: dict[str, Taken] = {}
        for each in taken:
            if message := self._message(each, classes):
                losses.setdefault(message, each)
        return losses

    def _message(self, taken: Taken, classes: Collection[str]) -> str:
        module, name = taken.module, taken.name
        if not self._is_there(module):
            is_known = module in self._gone or self._is_runtime(module)
            is_folder = bool(name) and self._is_there(f"{module}.{name}")
            is_known = is_known or (self._is_of(module, _HANDLERS) and not is_folder)
            return self._moved(module) if is_known and taken.imported else ""
        defined = self._defined(module) if name and module in self._ours else None
        if _MODELS in module.split("."):
            is_known = module not in self._ours or name in ("", *classes)
            gone = not is_known and not (defined and name in defined.typed)
            gone = gone and not self._is_there(f"{module}.{name}")
            return f"imports `{name}`, which `{_MODELS}` no longer has" if gone else ""
        if defined is None or name in (defined.typed if taken.typed else defined.all):
            return ""
        if self._is_there(f"{module}.{name}"):
            return ""
        path, submodule = self._ours[module], f"{module}.{name}"
        is_package = path.endswith("/__init__.py")
        if submodule in self._gone or (is_package and self._places(module, name)):
            return self._moved(submodule)
        if is_package and f".{_RUNTIME}." not in f".{module}.":
            return ""  # it may be a module that only a build puts there
        return f"uses `{name}` of `{path}`, which does not have it{self._elsewhere(taken)}"

    def _is_runtime(self, module: str) -> bool:
        """Whether a module's name places it in the server's runtime."""
        return self._is_of(module, _RUNTIME)

    def _is_of(self, module: str, folder: str) -> bool:
        """Whether a module's name places it in a generated folder of the server's package."""
        package = f"{module.partition('.')[0]}.{folder}"
        return package in self._ours and module.startswith(f"{package}.")

    def _is_there(self, module: str) -> bool:
        if module in self._ours:
            return True
        place = module.replace(".", "/")
        return any(self.text(f"{place}{end}") is not None for end in (".py", "/__init__.py"))

    def _moved(self, module: str) -> str:
        package, _, name = module.rpartition(".")
        path = self._gone.get(module, module.replace(".", "/") + ".py")
        places = self._places(package, name)
        now = f"which is `{places[0]}` now" if len(places) == 1 else "which is gone"
        return f"imports `{path}`, {now}"

    def _places(self, package: str, name: str) -> list[str]:
        """The paths of the runtime's modules that are called `name`."""
        before, runtime, _ = f"{package}.".partition(f".{_RUNTIME}.")
        start = f"{before}{runtime}"
        ours = self._ours.items() if runtime else ()
        return [p for m, p in ours if m.startswith(start) and m.rpartition(".")[2] == name]

    def _elsewhere(self, taken: Taken) -> str:
        """A phrase for the one module that now defines the name; empty if there is none or
        several.
        """
        top = taken.module.partition(".")[0]
        near = [m for m in self._ours if m.startswith(f"{top}.") and _MODELS not in m.split(".")]
        by_module = {m: defined for m in near if (defined := self._defined(m))}
        homes = [m for m, defined in by_module.items() if taken.name in defined.own]
        public = f"{top}.{_RUNTIME}"
        if public in by_module and taken.name in by_module[public].all:
            homes = [public]
        return f"; `{self._ours[homes[0]]}` has it" if len(homes) == 1 else ""

    def _read(self, module: str) -> _Defined | None:
        """The names in a generated module; None if they cannot be determined."""
        text = self.text(self._ours[module]) or ""
        if f"from {IMPORT_NAME} import *" in text:
            text = (RUNTIME / "__init__.py").read_text(encoding="utf-8")
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError):
            return None
        return _defined(tree)


class _Defined(Struct, frozen=True):
    """The names that a module defines or imports."""

    own: frozenset[str]
    """The names that it defines."""
    all: frozenset[str]
    """The same, and the names that it imports or exports."""
    typed: frozenset[str]
    """The same, and the names that only type checkers see."""


def _defined(tree: ast.Module) -> _Defined | None:
    own: set[str] = set()
    imported: set[str] = set()
    typed: set[str] = set()
    for node, is_typed in _outside_of_functions(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            own.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            own.add(node.id)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names = {(a.asname or a.name).partition(".")[0] for a in node.names}
            (typed if is_typed else imported).update(names)
    is_lazy = "__getattr__" in own
    if "*" in imported or (is_lazy and "__all__" not in own):
        return None
    there, names = own | imported, own | imported | typed
    return _Defined(frozenset(own), frozenset(names if is_lazy else there), frozenset(names))


def _outside_of_functions(node: ast.AST, is_typed: bool = False) -> Iterator[tuple[ast.AST, bool]]:
    """The nodes of a module outside of functions, each with whether only type checkers see it."""
    for child in ast.iter_child_nodes(node):
        typed = is_typed or only_types(node, child)
        yield child, typed
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield from _outside_of_functions(child, typed)


def dotted(path: str) -> str:
    """The dotted name of the module at a path, starting from the server's folder."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def runtime_names(taken: Iterable[Taken]) -> set[str]:
    """The names that are imported from the runtime, whether they still exist there or not."""
    return {each.name for each in taken if f".{_RUNTIME}." in f".{each.module}."}
