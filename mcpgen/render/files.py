"""IR 2 -> {path: text}. Templates place what the plan decided; they decide nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

from ..package import Module, Package
from ..places import in_order, is_inside
from ..plan.features import MODULES, is_needed
from ..shipped import RUNTIME, templates_folder
from . import own_templates
from .templating import TemplateError, Templates

_HANDLERS = "package/handlers/module.py.jinja"
_FUNCTIONS = "package/functions.py.jinja"
"""Templates that are rendered once for each module."""
_ONLY_WITH = {
    "tests/test_resources.py.jinja": "resources",
    "tests/test_prompts.py.jinja": "prompts",
}
"""Templates of the servers that have a feature."""
_LATER = ("mcpgen.toml", "mcpgen.lock", ".mcpgen-update", "tests/cases.json")
_LATER_IN_PACKAGE = ("tools.json", "mock.json", "models", "models.py")
"""What other stages write."""


def render(
    package: Package, overrides: Path | None = None, without: Collection[str] = ()
) -> dict[str, str]:
    """Render every file of a server but the modules of handlers at the paths `without`.

    `overrides` is a folder in which a template of the same name replaces the built-in one, and one
    with a name of its own is written to the path that it declares. Raises TemplateError.
    """
    templates = Templates(overrides)
    files = dict(_rendered(templates, package, without))
    files |= {f"{package.name}/{path}": text for path, text in package.data.items()}
    files |= {f"{package.name}/_runtime/{p}": t for p, t in runtime_files(package.features).items()}
    reserved = [*files, *_LATER, *(f"{package.name}/{path}" for path in _LATER_IN_PACKAGE)]
    for name, declared in own_templates.extras(overrides) if overrides else ():
        path = templates.line(declared, name, package=package)
        _check(name, path, reserved)
        reserved.append(path)
        files[path] = templates.text(name, package=package)
    return files


def runtime_files(features: Collection[str] = tuple(MODULES)) -> dict[str, str]:
    """The vendored runtime of a server with these features, byte for byte, by path."""
    return {name: text for name, text in _runtime().items() if is_needed(name, features)}


@cache
def _runtime() -> dict[str, str]:
    return {
        path.relative_to(RUNTIME).as_posix(): path.read_text(encoding="utf-8")
        for path in in_order(RUNTIME.rglob("*"))
        if path.suffix == ".py" or path.name == "py.typed"
    }


def handlers_path(package: Package, module: Module) -> str:
    """Where a module of handlers is."""
    return f"{package.name}/handlers/{module.name}.py"


def _rendered(
    templates: Templates, package: Package, without: Collection[str]
) -> Iterator[tuple[str, str]]:
    for template, path in _targets(package):
        yield path, templates.text(template, package=package)
    for module in package.modules:
        if (path := handlers_path(package, module)) not in without:
            yield path, templates.text(_HANDLERS, package=package, module=module)
    for functions in package.functions:
        path = f"{package.name}/{functions.name}.py"
        yield path, templates.text(_FUNCTIONS, package=package, module=functions)


def _targets(package: Package) -> Iterator[tuple[str, str]]:
    """Template and target path; `package/` in a template's name is the import package's folder."""
    root = templates_folder()
    for path in in_order(root.rglob("*.jinja")):
        name = path.relative_to(root).as_posix()
        if name in (_HANDLERS, _FUNCTIONS):
            continue
        if name in _ONLY_WITH and _ONLY_WITH[name] not in package.features:
            continue
        target = name.removesuffix(".jinja")
        if target.startswith("package/"):
            target = package.name + target.removeprefix("package")
        yield name, target


def _check(name: str, path: str, reserved: Collection[str]) -> None:
    """Refuse a declared path that leaves the server's folder, or is a file's of ours."""
    odd = ":" in path or not path.isprintable()
    if odd or not is_inside(path) or any(part != part.strip() for part in path.split("/")):
        raise TemplateError(name, 1, f"{path!r} is no path in the server's folder")
    wanted = f"{path}/".lower()
    for other in reserved:
        there = f"{other}/".lower()
        if wanted.startswith(there) or there.startswith(wanted):
            raise TemplateError(name, 1, f"{path!r} is in the way of {other}, which mcpgen writes")
