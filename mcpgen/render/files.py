"""IR 2 -> {path: text}. Templates put the plan's decisions into text; they decide nothing."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from ..bundled.contents import templates_folder
from ..diagnostics import Diagnostics, Location, Severity, diagnostic, did_you_mean
from ..package import Package
from ..paths import in_order, is_inside
from . import own_templates
from .templating import TemplateError, Templates, included

_HANDLERS = "package/handlers/module.py.jinja"
_FUNCTIONS = "package/functions.py.jinja"
"""Templates that are rendered once for each module."""
_RUNTIME = "package/_runtime/__init__.py.jinja"
"""The template of servers that depend on the runtime as a package."""
_TESTS_OF = {
    "tests/test_resources.py.jinja": "resources",
    "tests/test_prompts.py.jinja": "prompts",
    "tests/test_search.py.jinja": "search",
    "tests/questions.toml.jinja": "search",
}
"""The templates of tests of a part."""
_LATER = (
    *("mcpgen.toml", "mcpgen.lock", ".mcpgen-update", "tests/cases.json", "server.json"),
    "tests/search_cases.json",
)
_LATER_IN_PACKAGE = ("tools.json", "search.json", "mock.json", "models", "models.py", "_runtime")
"""Files that other stages write, and folders that are reserved for mcpgen."""
_DECLARE = "A file of its own begins with its path, as in `{#- path: docs/tools.md #}`."


def render(package: Package, overrides: Path | None = None) -> dict[str, str]:
    """Render every file of a server.

    `overrides` is a folder of templates. A template with the name of a built-in one replaces it;
    any other template is written to the path that it declares. Raises TemplateError.
    """
    templates = Templates(overrides)
    files = _own_files(package, templates)
    later = (*_LATER, *(f"{package.name}/{path}" for path in _LATER_IN_PACKAGE))
    reserved = dict.fromkeys((*files, *later), "mcpgen")
    for name, declared in own_templates.extras(overrides) if overrides else ():
        path = templates.line(declared, name, package=package)
        _check(name, path, reserved)
        reserved[path] = name
        files[path] = _text(templates, name, path, package=package)
    return files


def tell_unused(overrides: Path, diagnostics: Diagnostics) -> None:
    """Note the user's templates that have no effect.

    They replace no template of mcpgen, declare no path, and no template includes them.
    """
    parts = {each.name for each in own_templates.overrides(overrides) if each.state == "part"}
    names = included(overrides) if parts else set()
    for part in sorted(parts - names) if None not in names else ():
        reason = "replaces no template of mcpgen's, declares no path, and no template includes it"
        hint = f"{did_you_mean(part, own_templates.names(), '')} {_DECLARE}".strip()
        place = Location(str(overrides / part), 1, 1)
        note = Severity.NOTE, "template-unused", f"`{part}` {reason}"
        diagnostics.add(diagnostic(*note, hint=hint, location=place))


def _own_files(package: Package, templates: Templates) -> dict[str, str]:
    """The text of each file that mcpgen has a template or data for, keyed by path."""
    files: dict[str, str] = {}
    for template, path in _targets(package):
        files[path] = _text(templates, template, path, package=package)
    for each in package.functions:
        path = f"{package.name}/{each.name}.py"
        files[path] = _text(templates, _FUNCTIONS, path, package=package, module=each)
    for name, text in package.data.items():
        files[f"{package.name}/{name}"] = text
    for module in package.modules:
        path = f"{package.name}/handlers/{module.name}.py"
        files[path] = _text(templates, _HANDLERS, path, package=package, module=module)
    return files


def _text(templates: Templates, name: str, path: str, **context: object) -> str:
    """The text that a template makes for a file.

    Raises TemplateError if a user's template makes a module that is not valid Python. The message
    shows the faulty line, since no file is written.
    """
    text = templates.text(name, **context)
    if path.endswith(".py") and templates.is_own(name):
        try:
            with warnings.catch_warnings(action="ignore"):  # that is for the user's linter
                ast.parse(text)
        except SyntaxError as error:
            line = (error.text or "").strip()
            subject = f"line {error.lineno} of {path}, {line!r}, is not valid Python"
            raise TemplateError(name, 0, f"{subject}: {error.msg}") from None
    return text


def _targets(package: Package) -> Iterator[tuple[str, str]]:
    """Each template with its target path; `package/` is replaced by the name of the import
    package.
    """
    for name in _templates(templates_folder()):
        if name in (_HANDLERS, _FUNCTIONS):
            continue
        if name in _TESTS_OF and _TESTS_OF[name] not in package.parts:
            continue
        if name == _RUNTIME and not package.runtime:
            continue
        target = name.removesuffix(".jinja")
        if target.startswith("package/"):
            target = package.name + target.removeprefix("package")
        yield name, target


@cache
def _templates(folder: Path) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in in_order(folder.rglob("*.jinja"))]


def _check(name: str, path: str, reserved: Mapping[str, str]) -> None:
    """Refuse a template's declared path if it is outside the server's folder or already taken.

    `reserved` maps each taken path to the name of what writes it.
    """
    odd = ":" in path or not path.isprintable()
    if odd or not is_inside(path) or any(part != part.strip() for part in path.split("/")):
        raise TemplateError(name, 1, f"{path!r} is not a path inside the server's folder")
    place = f"{path}/".lower()
    for other, who in reserved.items():
        there = f"{other}/".lower()
        if place.startswith(there) or there.startswith(place):
            raise TemplateError(name, 1, f"{path!r} collides with {other}, which comes from {who}")
