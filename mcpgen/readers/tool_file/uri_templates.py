"""URI templates (RFC 6570) against which a URI can be matched."""

from __future__ import annotations

import re

from msgspec import Struct

from ...runtime.parts.content.static_content import is_uri

_EXPRESSION = re.compile(r"\{([^{}]*)\}")
_INSIDE = re.compile(r"([+/?&]?)([A-Za-z0-9_]+(?:,[A-Za-z0-9_]+)*)")
_SUPPORTED = "`{name}`, `{+name}`, `{/name}`, `{?name,other}` and `{&name}` can be used"


class Variable(Struct, frozen=True):
    """A variable of a template."""

    name: str
    required: bool
    """False for variables of a query, which may be left out."""


def uri_problem(uri: str) -> str:
    """Why a string cannot be the URI of a resource (RFC 3986); empty if it can."""
    if set("{}") & set(uri):
        return "a URI has no braces; one with variables is a `uriTemplate` of `resourceTemplates`"
    if not is_uri(uri):
        return "a URI has a scheme, as in `docs://guides/start`; a blank in it is `%20` (RFC 3986)"
    return ""


def variables(template: str) -> tuple[Variable, ...]:
    """The variables of a template, in order.

    Raises:
        ValueError: it is not a template, or URIs would not show where each value ends.
    """
    if set("{}") & set(_EXPRESSION.sub("", template)):
        raise ValueError("its braces are not balanced")
    problem = uri_problem(_EXPRESSION.sub("x", template))
    if problem:
        raise ValueError(problem)
    out: list[Variable] = []
    spans = 0
    end = -1
    for match in _EXPRESSION.finditer(template):
        inside = _INSIDE.fullmatch(match[1])
        if inside is None:
            raise ValueError(f"`{match[0]}` cannot be used: {_SUPPORTED}")
        operator, names = inside[1], inside[2].split(",")
        if match.start() == end and not operator.strip("+"):
            raise ValueError(
                f"`{match[0]}` follows another variable without a character between them"
            )
        if operator == "&" and "{?" not in template[: match.start()]:
            raise ValueError(f"`{match[0]}` must follow a `{{?name}}`, which begins the query")
        spans += operator == "+"
        out += [Variable(name, operator not in ("?", "&")) for name in names]
        end = match.end()
    if spans > 1:
        raise ValueError("only one variable can be written `{+name}`, as it matches any characters")
    names = [variable.name for variable in out]
    if not out or len(set(names)) < len(names):
        raise ValueError("it has a variable twice" if out else "it has no variable; use `uri`")
    return tuple(out)
