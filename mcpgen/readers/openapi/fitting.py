"""Makes a path key and its parameters agree: one parameter for each template expression."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ...api import In
from ...runtime.values.arguments import DEFAULT_LIMITS
from . import paths
from .operation_parts import Operation, Parameter, Unusable
from .versions import Version

if TYPE_CHECKING:
    from .reader_state import Reading

_JOINT = re.compile("[-_.]")


class Fitted(Struct, frozen=True):
    """What `fit` returns: the path template, its parameters, and the query in the path key."""

    path: str
    """The template as it is sent."""
    parameters: tuple[Parameter, ...]
    fixed_query: tuple[tuple[str, str | None], ...]


def fit(operation: Operation, parameters: Iterable[Parameter], reading: Reading) -> Fitted:
    """Fit the parameters to the path key.

    A placeholder without a parameter takes a path parameter without a placeholder that is spelled
    almost alike, or that ends alike if there is no other; else it becomes a required string. All
    other path parameters without a placeholder are left out. `/:b` is read as `/{b}` if `b` is
    declared or close to a declared name. `?a={b}` in a path key makes the declared `b` or `a` a
    query parameter that is sent as `a`. `?{b}` and `?{b}=1` make `b` a query parameter, and so does
    `{?b}` if `b` is declared. `/*` at the end is the parameter `*`, else the only path parameter
    without a placeholder, else a new one named `path`. Raises Unusable for braces without a name,
    and for a path that is longer than a URL may be.
    """
    if len(operation.path) > DEFAULT_LIMITS.url:
        raise Unusable("its path is longer than a URL may be", operation.node)
    key, parameters = _without_expansions(operation.path, list(parameters))
    carried = paths.query_pairs(key)
    declared = {p.name for p in parameters if p.location is In.PATH}
    template = paths.without_patterns(paths.sent(key), declared)
    rest, parameters = _rest(template, parameters, operation, reading)
    template = paths.with_rest(template, rest)
    path = paths.with_braces(template, declared | _routed(template, declared))
    spanning = paths.spanning(template, declared) | {rest}
    parameters = [_spanning(p) if p.name in spanning else p for p in parameters]
    parts = (path, *(value or "" for _, value in carried))
    if not all(paths.is_balanced(part) for part in parts):
        raise Unusable("the path has braces that belong to no parameter", operation.node)
    fixed = []
    for name, value in carried:
        if paths.template_names(name) == [name[1:-1]]:
            parameters = _templated(name[1:-1], name[1:-1], parameters, operation, reading)
        elif value is None or not paths.template_names(value):
            fixed.append((name, value))
        elif paths.template_names(value) == [value[1:-1]]:
            parameters = _templated(name, value[1:-1], parameters, operation, reading)
        else:
            raise Unusable(
                f"in the query `{name}={value}` of its path, a placeholder is only part of "
                "the value"
            )
    fixed_names = {name for name, _ in fixed}
    parameters = [p for p in parameters if p.location is not In.QUERY or p.name not in fixed_names]
    if reading.version is Version.V32 and (twice := paths.repeated_names(path)):
        message = (
            f"OpenAPI 3.2 does not allow `{twice[0]}` twice in the path; both get the same value"
        )
        reading.diagnostics.warning("path-parameter", message, operation.node)
    _report_literal(path, operation, reading)
    fitting = tuple(_path_parameters(path, parameters, operation, reading))
    return Fitted(path, fitting, tuple(fixed))


def _rest(
    template: str, parameters: list[Parameter], operation: Operation, reading: Reading
) -> tuple[str, list[Parameter]]:
    """The name given to the wildcard at the end of a path, and the parameters including it."""
    star = paths.rest(template)
    declared = {p.name for p in parameters if p.location is In.PATH}
    if not star or star in declared:
        return star, parameters
    placed = set(paths.template_names(paths.with_braces(template, declared)))
    lost = declared - placed - {v.name for s in reading.servers for v in s.variables}
    others = (placed - {star}) | paths.colon_names(template)
    if len(lost) == 1 and others <= declared:
        return lost.pop(), parameters
    name = "path"
    while name in placed:
        name += "_"
    if name in declared:
        return name, parameters
    message = f"the path ends in `{star}`, and no parameter is declared for it"
    reading.diagnostics.warning(
        "path-parameter", f"{message}; the string argument `{name}` is added", operation.node
    )
    return name, [*parameters, Parameter(name, In.PATH, required=True, schema={"type": "string"})]


def _routed(template: str, declared: set[str]) -> set[str]:
    """The names of segments such as `/:petId` that spell a declared parameter differently."""
    lost = declared.difference(paths.template_names(paths.with_braces(template, declared)))
    free = paths.colon_names(template) - declared
    is_pair = len(lost) == len(free) == 1
    return {name for name in free if any(_is_same(name, other, is_pair) for other in lost)}


def _report_literal(path: str, operation: Operation, reading: Reading) -> None:
    """Report `:name` in a path: OpenAPI sends it unchanged, but routers read a parameter."""
    for name in sorted(filter(str.isidentifier, paths.colon_names(path))):
        message = f"`:{name}` is sent as it is: no path parameter `{name}` is declared"
        hint = "If a value belongs there, declare it (`in: path`), or have an overlay do so."
        reading.diagnostics.warning("placeholder", message, operation.node, hint)


def _without_expansions(key: str, parameters: list[Parameter]) -> tuple[str, list[Parameter]]:
    """The path key without query expansions (`{?name}`), and the parameters.

    Parameters that an expansion names are changed to query parameters.
    """
    places = (In.PATH, In.QUERY)
    key, names = paths.without_expansions(key, {p.name for p in parameters if p.location in places})
    names -= set(paths.template_names(key))
    return key, [_in_query(p) if p.name in names else p for p in parameters]


def _in_query(parameter: Parameter) -> Parameter:
    """The parameter, moved from the path to the query."""
    if parameter.location is not In.PATH:
        return parameter
    return replace(parameter, location=In.QUERY, style=None, explode=None)


def _spanning(parameter: Parameter) -> Parameter:
    """A copy of a path parameter that allows slashes in its value; unchanged if it has a style."""
    styled = parameter.style is not None or parameter.media_type is not None
    if styled or parameter.location is not In.PATH:
        return parameter
    return replace(parameter, style="segments", allow_reserved=False)


def _templated(
    name: str, template: str, parameters: list[Parameter], operation: Operation, reading: Reading
) -> list[Parameter]:
    places = ((In.PATH, template), (In.QUERY, template), (In.QUERY, name))
    declared = {(p.location, p.name): p for p in reversed(parameters)}
    parameter = next((declared[place] for place in places if place in declared), None)
    if parameter is None:
        return [*parameters, _undeclared(name, In.QUERY, operation, reading)]
    moved = replace(_in_query(parameter), name=name, required=True)
    twin = declared.get((In.QUERY, name))
    return [moved if p is parameter else p for p in parameters if p is parameter or p is not twin]


def _path_parameters(
    path: str, parameters: list[Parameter], operation: Operation, reading: Reading
) -> Iterable[Parameter]:
    names = paths.template_names(path)
    declared = [p.name for p in parameters if p.location is In.PATH]
    missing = [name for name in names if name not in declared]
    is_pair = len(missing) == len(set(declared).difference(names)) == 1
    for parameter in parameters:
        if parameter.location is not In.PATH or parameter.name in names:
            yield parameter
            continue
        meant = next((n for n in missing if _is_same(n, parameter.name, is_pair)), "")
        fate = "left out"
        if meant:
            fate = f"taken for `{{{meant}}}`"
        elif any(v.name == parameter.name for s in reading.servers for v in s.variables):
            fate = "the server URL's, which is set for all calls"
        message = f"the path has no `{{{parameter.name}}}`; this path parameter is {fate}"
        reading.diagnostics.warning("path-parameter", message, operation.node)
        if meant:
            missing.remove(meant)
            yield replace(parameter, name=meant)
    for name in missing:
        yield _undeclared(name, In.PATH, operation, reading)


def _is_same(name: str, declared: str, is_pair: bool) -> bool:
    """Whether names differ only in spelling; with `is_pair`, one may end in the other (`petId`)."""
    long, short = sorted((_squash(name), _squash(declared)), key=len, reverse=True)
    return long == short or (is_pair and short != "" and long.endswith(short))


def _squash(name: str) -> str:
    return _JOINT.sub("", name).lower()


def _undeclared(name: str, location: In, operation: Operation, reading: Reading) -> Parameter:
    message = f"the parameter `{name}` of the path is not declared; it is treated as a string"
    reading.diagnostics.warning("path-parameter", message, operation.node)
    return Parameter(name, location, required=True, schema={"type": "string"})
