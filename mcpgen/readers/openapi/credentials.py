"""Operations' credentials that the document declares as parameters, or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...api import SecurityRequirement, SecurityScheme
from ...diagnostics import Diagnostics
from ...source.document import ReferenceProblem
from ..http_names import place_key
from . import fields
from .operation_parts import Unusable
from .parameters import parameter_nodes
from .prose_reports import scheme_line
from .security import AUTHORIZATION, key_places, place_of

if TYPE_CHECKING:
    from ...source.document import Node
    from .operation_parts import Details, Operation
    from .reader_state import Reading


def with_authorization(operations: Iterable[Operation], reading: Reading) -> Reading:
    """The `Reading`, with a scheme for the `Authorization` header if only parameters declare it.

    A document that declares security schemes already says how to sign in, and gets no scheme.
    """
    silent = replace(reading, diagnostics=Diagnostics())
    declared = () if reading.schemes else _authorizations(operations, silent)
    node = next(iter(declared), None)
    if node is None:
        return reading
    about = silent.described(node)
    scheme = SecurityScheme(
        "Authorization", "apiKey", name="Authorization", location="header", description=about
    )
    return replace(reading, schemes=(scheme,), key_places=key_places((scheme,)))


def _authorizations(operations: Iterable[Operation], reading: Reading) -> Iterator[Node]:
    for operation in operations:
        try:
            nodes = parameter_nodes(operation, reading)
        except (ReferenceProblem, Unusable):
            continue
        yield from (node for place, node in nodes.items() if place_key(*place) == AUTHORIZATION)


def asked_by_parameters(
    stated: tuple[SecurityRequirement, ...] | None,
    nodes: Mapping[tuple[str, str], Node],
    reading: Reading,
) -> tuple[SecurityRequirement, ...] | None:
    """An operation's security requirements, including credentials declared as parameters.

    A required credential is added to every alternative, unless one of them sends a credential in
    the same place. An optional credential is used only if neither the operation nor the API has a
    `security`.
    """
    requirements = reading.security if stated is None else stated
    places = {scheme.key: place_of(scheme) for scheme in reading.schemes}
    sent = {places[key] for requirement in requirements or () for key in requirement}
    by_place = {place_key(*place): node for place, node in nodes.items()}
    keys = {reading.key_places[p]: node for p, node in by_place.items() if p in reading.key_places}
    asked = {key: node for key, node in keys.items() if places[key] not in sent}
    required = [key for key, node in asked.items() if fields.flag(node, "required")]
    if required:
        return tuple({**each, **dict.fromkeys(required, ())} for each in requirements or ({},))
    if asked and requirements is None:
        return (*({key: ()} for key in asked), {})
    return stated


def signed_everywhere(
    details: Sequence[Details], reading: Reading
) -> tuple[list[Details], Reading]:
    """Give the API a default credential for operations that have no security requirement.

    Returns the operations and the `Reading`, both changed. The default comes from the document,
    else from the schemes in the settings, else from other operations, else from any declared
    scheme.
    """
    asked = (each.security or () for each in details)
    added = reading.settings.security_schemes
    ways: tuple[SecurityRequirement, ...] = next(
        filter(
            any,
            (
                reading.security or (),
                tuple({each.key: ()} for each in reading.schemes if each.key in added),
                tuple({str(way): way for ways in asked for way in ways if way}.values()),
                tuple({each.key: ()} for each in reading.schemes),
            ),
        ),
        (),
    )
    if not ways:
        message = 'mcpgen.toml: `security = "all"`, but nothing says how to sign in'
        hint = f"Add a scheme: `{scheme_line(reading)[0]}`."
        reading.diagnostics.warning("settings-no-effect", message, hint=hint, setting=("security",))
    own = (each if any(each.security or ()) else replace(each, security=None) for each in details)
    return list(own), replace(reading, security=ways)
