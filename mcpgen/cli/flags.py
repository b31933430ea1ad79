"""The flags of settings: parameters of commands, made from the table of settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from inspect import Parameter, signature
from typing import Annotated, Any

import typer

from .. import settings
from ..settings import KEYS, Settings, headers
from ..settings.problems import Problem
from ..settings.rows import Setting

Function = Callable[..., Any]


_AS = {"serve": "from-openapi"}
"""Commands with the flags of another one."""
_FIXED = {"serve": ("page", "runtime")}
"""Settings that a command decides itself, so that it has no flag for them."""


def several(flag: str, metavar: str, text: str) -> Any:
    """A flag that may be given more than once."""
    return typer.Option(flag, metavar=metavar, help=f"{text}; repeatable.")


def with_settings(function: Function, command: str) -> Function:
    """The function of a command, extended by the flags of settings."""
    fixed, command = _FIXED.get(command, ()), _AS.get(command, command)
    with_flag = (each for key, each in KEYS.items() if each.row.flag and key not in fixed)
    settings = [each for each in with_flag if command in each.row.commands]
    return with_flags(function, settings) if settings else function


def with_flags(function: Function, settings: Iterable[Setting]) -> Function:
    """The function with the flags of settings in place of its `**flags`."""
    own = signature(function, eval_str=True)
    positional = Parameter.POSITIONAL_OR_KEYWORD
    parameters = [each for each in own.parameters.values() if each.kind is positional]
    parameters += map(_parameter, settings)
    function.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]  # functions have any
    return function


def _parameter(each: Setting) -> Parameter:
    """The parameter of a setting; its value is None if the flag is not given."""
    flag, _, metavar = each.row.flag.partition(" ")
    about, kind = each.meaning, each.type
    if each.default == ():
        kind, about = list[str], f"{about.rstrip('.')}; repeatable."
    option = typer.Option(flag, metavar=metavar or None, min=each.row.least, help=about)
    return Parameter(
        *(each.field, Parameter.KEYWORD_ONLY),
        default=None,
        annotation=Annotated[kind | None, option],
    )


def given(flags: Mapping[str, Any]) -> dict[str, Any]:
    """The flags that the user gave, by their keys in `mcpgen.toml`."""
    return {name.rstrip("_"): value for name, value in flags.items() if value not in (None, (), [])}


def asked(flags: Mapping[str, Any], sources: Iterable[str]) -> Settings:
    """The settings from the flags of a command that only reads documents.

    Raises GenerationError for invalid values.
    """
    values = given(flags)
    try:
        values |= {"header_env": headers.bound(values.get("header_env", ()), sources)}
    except Problem as problem:
        raise problem.error() from None
    return settings.override(Settings(), given(values))
