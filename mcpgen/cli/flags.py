"""The flags that stand for settings: parameters of commands, made of the rows of settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from inspect import Parameter, signature
from typing import Annotated, Any

import typer

from .. import settings
from ..settings import KEYS, Settings, headers
from ..settings.problems import Problem
from ..settings.rows import Setting


def several(flag: str, metavar: str, text: str) -> Any:
    """A flag that may be given more than once."""
    return typer.Option(flag, metavar=metavar, help=f"{text}; repeatable.")


def with_settings(command: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """What gives a function the flags of a command in place of its `**flags`."""
    with_flag = (each for each in KEYS.values() if each.row.flag)
    return partial(with_flags, settings=[s for s in with_flag if command in s.row.commands])


def with_flags(function: Callable[..., Any], settings: Iterable[Setting]) -> Callable[..., Any]:
    """The function with the flags of settings in place of its `**flags`."""
    own = signature(function, eval_str=True)
    parameters = [each for each in own.parameters.values() if each.kind is not each.VAR_KEYWORD]
    parameters += map(_parameter, settings)
    function.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
    return function


def _parameter(each: Setting) -> Parameter:
    """The parameter of a setting; None where its flag is not given."""
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
    """The flags that are given, by their keys in `mcpgen.toml`."""
    return {name.rstrip("_"): value for name, value in flags.items() if value not in (None, (), [])}


def asked(flags: Mapping[str, Any], sources: Iterable[str]) -> Settings:
    """The settings that the flags of a command that reads documents stand for.

    Raises GenerationError for values that are none.
    """
    values = given(flags)
    try:
        values |= {"header_env": headers.bound(values.get("header_env", ()), sources)}
    except Problem as problem:
        raise problem.error() from None
    return settings.override(Settings(), given(values))
