"""The commands for templates: list, eject and check."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..bundled.contents import CONTEXT_VERSION
from ..render import own_templates
from .output import complain, print_lines

app = typer.Typer(help="Replace single templates with your own.", no_args_is_help=True)


@app.command("list")
def list_templates() -> None:
    """List the built-in templates, and what each one generates."""
    names = own_templates.names()
    width = max(map(len, names))
    for name in names:
        print(f"{name.ljust(width)}  {own_templates.ABOUT.get(name, '')}".rstrip())


@app.command("eject")
def eject(
    name: Annotated[str, typer.Argument(help="A name from `mcpgen templates list`.")],
    to: Annotated[Path, typer.Option(metavar="DIR", help="Your folder of templates.")] = Path(
        "templates"
    ),
) -> None:
    """Copy a template into your folder. Change it there, and name the folder with `--templates`."""
    try:
        print(own_templates.eject(name, to))
    except (own_templates.TemplatesError, OSError) as error:
        complain([error])
        raise typer.Exit(1) from None


@app.command("context")
def context() -> None:
    """List the variables that templates can use, as Markdown."""
    from ..render import contexts

    print(contexts.markdown(), end="")


@app.command("check")
def check(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Your folder of templates.")] = Path(
        "templates"
    ),
) -> None:
    """List your templates made for an older mcpgen, and what changed in the built-in ones since."""
    if not folder.is_dir():
        complain([f"{folder} is not a folder"])
        raise typer.Exit(1)
    overrides = own_templates.overrides(folder)
    for override in overrides:
        version = f" (from mcpgen {override.version})" if override.version else ""
        target = f" -> {override.path}" if override.path else ""
        print_lines([f"{override.state}: {override.name}{version}{target}"])
        if override.context not in (0, CONTEXT_VERSION):
            origin = f"made for version {override.context} of the contexts"
            print(f"  {origin}; it is {CONTEXT_VERSION} now, see `mcpgen templates context`")
        print_lines(f"  {line}" for line in override.diff.splitlines())
    if any(override.state == "outdated" for override in overrides):
        raise typer.Exit(3)
