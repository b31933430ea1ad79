"""Renders mcpgen's templates and the user's with Jinja2, and shows where one fails.

The user's templates run in a sandbox. Outside of their own folder, they can read only mcpgen's
templates.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from jinja2 import meta
from jinja2.sandbox import ImmutableSandboxedEnvironment

from ..bundled.contents import templates_folder
from ..diagnostics import Failure, GenerationError

OURS = "mcpgen"
"""`mcpgen/NAME` is mcpgen's template, even if NAME is replaced."""
TEXT = "utf-8-sig"
"""The encoding of a user's templates: some editors write a byte order mark."""

_OPTIONS: dict[str, Any] = {
    "undefined": jinja2.StrictUndefined,
    "trim_blocks": True,
    "lstrip_blocks": True,
    "keep_trailing_newline": True,
    "autoescape": False,
}


class TemplateError(Failure):
    """A template that cannot be rendered: its name, the line and the problem."""

    def __init__(self, name: str, line: int, reason: str) -> None:
        place = f"{name}, line {line}" if line else name
        super().__init__(f"template {place}: {reason}")


class Templates:
    """mcpgen's templates; the user's templates take precedence.

    Raises GenerationError if the user's folder does not exist.
    """

    def __init__(self, overrides: Path | None = None) -> None:
        if overrides is not None and not overrides.is_dir():
            message = f"{overrides}: this folder of templates does not exist"
            raise GenerationError.of("settings-value", message, setting=("templates",))
        self._folders = [*([overrides] if overrides else []), templates_folder()]
        self._environment = _own(overrides) if overrides else _plain(templates_folder())

    def text(self, name: str, **context: object) -> str:
        """Render a template; raises TemplateError."""
        return self._guarded(name, lambda: self._environment.get_template(name).render(context))

    def line(self, source: str, name: str, **context: object) -> str:
        """Render a string that belongs to the template `name`; raises TemplateError."""
        return self._guarded(
            name, lambda: self._environment.from_string(source).render(context), first=1
        )

    def is_own(self, name: str) -> bool:
        """Whether a template is in the user's folder."""
        return len(self._folders) > 1 and (self._folders[0] / name).is_file()

    def _guarded(self, name: str, work: Callable[[], str], first: int = 0) -> str:
        try:
            return work()
        except TemplateError:
            raise
        except jinja2.TemplateSyntaxError as error:
            place, line, reason = error.name or name, error.lineno, error.message or "syntax"
        except jinja2.TemplateNotFound as error:
            place, line = self._place(error, name, first)
            reason = f"there is no template {error.name}"
        except Exception as error:  # whatever an expression in a template raises
            place, line = self._place(error, name, first)
            reason = str(error) or type(error).__name__
        raise TemplateError(place, line, reason)

    def _place(self, error: BaseException, name: str, first: int) -> tuple[str, int]:
        """The template and line that were being rendered; `first` if the line is unknown."""
        place, trace = (name, first), error.__traceback__
        while trace is not None:
            file = Path(trace.tb_frame.f_code.co_filename)
            for folder in self._folders:
                if file.is_relative_to(folder):
                    place = (file.relative_to(folder).as_posix(), trace.tb_lineno)
            trace = trace.tb_next
        return place


def included(folder: Path) -> set[str | None]:
    """The names of the templates that the templates in a user's folder include.

    None stands for a name that is computed.
    """
    environment = _own(folder)
    names: set[str | None] = set()
    for path in folder.rglob("*"):
        if path.is_file() and not any(p.startswith(".") for p in path.relative_to(folder).parts):
            with suppress(UnicodeDecodeError, jinja2.TemplateSyntaxError):
                parsed = environment.parse(path.read_text(TEXT))
                names.update(meta.find_referenced_templates(parsed))
    return names


@cache
def _plain(folder: Path) -> jinja2.Environment:
    """The environment of mcpgen's templates, each compiled once per process."""
    return jinja2.Environment(loader=_ours(folder), **_OPTIONS)


def _own(overrides: Path) -> jinja2.Environment:
    """The Jinja environment for a user's templates together with mcpgen's."""
    loader = jinja2.ChoiceLoader([_Confined(overrides), _ours(templates_folder())])
    return ImmutableSandboxedEnvironment(loader=loader, **_OPTIONS)


def _ours(folder: Path) -> jinja2.BaseLoader:
    ours = jinja2.FileSystemLoader(folder)
    return jinja2.ChoiceLoader([ours, jinja2.PrefixLoader({OURS: ours})])


class _Confined(jinja2.FileSystemLoader):
    """A loader for a folder of templates; it refuses links that lead out of the folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, encoding=TEXT)
        self._folder = folder

    def get_source(
        self, environment: jinja2.Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        path = self._folder / template
        if path.exists() and not path.resolve().is_relative_to(self._folder.resolve()):
            raise TemplateError(template, 0, f"{path} leads out of the folder of templates")
        return super().get_source(environment, template)


def page(name: str, **values: object) -> str:
    """A page of HTML in one file: the template, style and script of `name` put together.

    The page may load nothing, and runs no script but its own (Content Security Policy Level 3,
    "Usage of hashes"). `values` are escaped, unless the template marks them as safe.
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
