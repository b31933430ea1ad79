"""Templates: IR 2 -> {path: text}. Templates place what the plan decided; they decide nothing."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import jinja2

from .diagnostics import Failure
from .features import MODULES, is_needed
from .package import Package
from .shipped import RUNTIME, templates_folder


class TemplateError(Failure):
    """A template that cannot be rendered: its name, the line and what is wrong."""

    def __init__(self, name: str, line: int, reason: str) -> None:
        super().__init__(f"template {name}, line {line}: {reason}")


def render(package: Package, overrides: Path | None = None) -> dict[str, str]:
    """Render every file of a server.

    `overrides` is a folder in which a template of the same name replaces the built-in one. Raises
    TemplateError.
    """
    folders = [*([overrides] if overrides else []), templates_folder()]
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folders),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    files = dict(_rendered(environment, package))
    files |= {f"{package.name}/{path}": text for path, text in package.data.items()}
    files |= {f"{package.name}/_runtime/{p}": t for p, t in runtime_files(package.features).items()}
    return files


def page(name: str, **values: object) -> str:
    """A page of HTML in one file: the template, style and script of `name` put together.

    The page may load nothing, and runs no script but its own (Content Security Policy Level 3,
    "Usage of hashes"). `values` are escaped, except what is marked safe in the template.
    """
    folder = templates_folder() / name
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder), undefined=jinja2.StrictUndefined, autoescape=True
    )
    style, script = ((folder / f"page.{kind}").read_text("utf-8") for kind in ("css", "js"))
    return environment.get_template("page.html.j2").render(
        style=style,
        style_hash=_csp_hash(style),
        script=script,
        script_hash=_csp_hash(script),
        **values,
    )


def _csp_hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def runtime_files(features: Collection[str] = tuple(MODULES)) -> dict[str, str]:
    """The vendored runtime of a server with these features, byte for byte, by path."""
    return {
        name: path.read_text(encoding="utf-8")
        for path in sorted(RUNTIME.rglob("*"))
        if path.suffix == ".py" or path.name == "py.typed"
        if is_needed(name := path.relative_to(RUNTIME).as_posix(), features)
    }


def _rendered(environment: jinja2.Environment, package: Package) -> Iterator[tuple[str, str]]:
    for template, path in _targets(package.name):
        yield path, _text(environment, template, {"package": package})
    for module in package.modules:
        context = {"package": package, "module": module}
        path = f"{package.name}/handlers/{module.name}.py"
        yield path, _text(environment, "package/handlers/module.py.jinja", context)


def _targets(package: str) -> Iterator[tuple[str, str]]:
    """Template and target path; `package/` in a template's name is the import package's folder."""
    root = templates_folder()
    for path in sorted(root.rglob("*.jinja")):
        name = path.relative_to(root).as_posix()
        if name == "package/handlers/module.py.jinja":
            continue
        target = name.removesuffix(".jinja")
        if target.startswith("package/"):
            target = package + target.removeprefix("package")
        yield name, target


def _text(environment: jinja2.Environment, name: str, context: Mapping[str, Any]) -> str:
    try:
        return environment.get_template(name).render(context)
    except jinja2.TemplateSyntaxError as error:
        raise TemplateError(error.name or name, error.lineno, error.message or "syntax") from None
    except jinja2.UndefinedError as error:
        raise TemplateError(name, _line(error), error.message or "undefined value") from None


def _line(error: BaseException) -> int:
    line, trace = 0, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.endswith(".jinja"):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
