"""Reports on the API's address and on authentication: what is missing, and what is unusual."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ...diagnostics import line_of_settings
from . import fields
from .prose_reports import report_identifiers, scheme_line
from .security import SIGN_ALL
from .servers import BASE_URL, LOCAL, base_of, document_url, names_a_host

if TYPE_CHECKING:
    from ...api import Api, SecurityRequirement, Server, Tool
    from .operation_parts import Operation
    from .reader_state import Reading

_INNER = (".local", ".localhost", ".internal", ".lan")
"""The endings of host names that are not on the internet."""
_TRIAL = re.compile(r"\b(?:dev|mock|qa|sandbox|stage|staging|test|testing|uat)\b", re.IGNORECASE)
"""Words in the names and descriptions of servers that are only for trying out."""
_PLACEHOLDER = re.compile(
    r"your(?:[-_][a-z0-9_-]+|account|api|app|company|domain|host|instance|org|server|shop|site"
    r"|store|subdomain|tenant)",
    re.IGNORECASE,
)
"""A label in a host name that readers are meant to replace."""


def report_access(
    chosen: list[tuple[Tool, Operation]],
    operations: Iterable[Operation],
    api: Api,
    reading: Reading,
) -> None:
    """Report problems with servers and security.

    `chosen` has the tools, each with its operation.
    """
    tools = [tool for tool, _ in chosen]
    _report_no_host(tools, api, reading)
    _report_odd_host(tools, api, reading)
    _report_clear_text(tools, api, reading)
    _report_other_hosts(chosen, api, reading)
    _report_unasked(tools, operations, reading)
    _report_refusing(chosen, api, reading)
    report_identifiers(chosen, reading)


def _report_no_host(tools: Iterable[Tool], api: Api, reading: Reading) -> None:
    """Report that the API names no host, unless each operation names one."""
    if any(urlsplit(s.url).netloc or s.url.startswith("{") for s in api.servers):
        return
    if not all(any(map(names_a_host, tool.call.servers[:1])) for tool in tools):
        message = "the document does not say at which host the API is"
        hint = line_of_settings(BASE_URL.format("api.example.com"), "with its address")
        declared = fields.member(reading.document.root, "servers")
        _report_of_no_call(reading)("server", message, declared, hint)


def _report_of_no_call(reading: Reading) -> Callable[..., None]:
    """How to report that no call can succeed: as a warning in strict mode, else as a note."""
    return reading.diagnostics.warning if reading.settings.strict else reading.diagnostics.note


def _report_odd_host(tools: Iterable[Tool], api: Api, reading: Reading) -> None:
    """Report that the host of the API is probably not the one that users should call."""
    if reading.settings.base_url or all(tool.call.servers for tool in tools) or not api.servers:
        return
    first, root = api.servers[0], reading.document.root
    declared = fields.member(root, "servers") or fields.member(root, "host")
    if unset := [each.name for each in first.variables if each.default is None]:
        names = ", ".join(f"`{name}`" for name in unset)
        message = f"calls go to {first.url}, and the document has no value for {names}"
        line = BASE_URL.format(first.url.partition("://")[2] or first.url)
        hint = line_of_settings(
            line,
            "with the values. README.md lists the environment variables that can set them instead",
        )
        reading.diagnostics.note("server", message, declared, hint)
        return
    url, others = base_of([first]), [base_of([each]) for each in api.servers[1:]]
    host = urlsplit(url).netloc
    is_home = host == urlsplit(document_url(reading)).netloc and not LOCAL.match(host)
    if is_home or not (reason := _oddity(first, url)):
        return
    better = [u for u, s in zip(others, api.servers[1:], strict=True) if u and not _oddity(s, u)]
    message = f"calls go to {url}, {reason}"
    if better:
        hint = line_of_settings(f'base_url = "{better[0]}"', "for another of its servers")
    else:
        hint = line_of_settings(BASE_URL.format("api.example.com"), "with the API's address")
    reading.diagnostics.note("server", message, declared, hint)


def _oddity(server: Server, url: str) -> str:
    """Why a server's URL is probably not the API's address; empty if it probably is."""
    host = urlsplit(url).hostname or ""
    if LOCAL.match(urlsplit(url).netloc):
        return "which is this machine"
    if label := next(filter(_PLACEHOLDER.fullmatch, host.split(".")), ""):
        return f"where `{label}` stands for a name of yours"
    own = host.rpartition(".")[0].replace("_", "-")  # the domain `.test` is for documentation
    is_trial = _TRIAL.search(own) or _TRIAL.search(server.description)
    return "a sandbox for trials" if is_trial else ""


def _report_clear_text(tools: Iterable[Tool], api: Api, reading: Reading) -> None:
    """Report that credentials would be sent over the internet unencrypted."""
    base = base_of(api.servers)
    host = "" if reading.settings.base_url else _public_host(base)
    signed = (any(api.security_of(tool.call)) for tool in tools if not tool.call.servers)
    if host and any(signed):
        message = f"{host} is reached by http, so that its credentials travel unencrypted"
        https = urlsplit(base)._replace(scheme="https", netloc=host.removesuffix(":80")).geturl()
        hint = line_of_settings(f'base_url = "{https}"', "if it serves https too")
        root = reading.document.root
        declared = fields.member(root, "servers") or fields.member(root, "schemes")
        reading.diagnostics.note("server", message, declared, hint)


def _public_host(url: str) -> str:
    """Host and port of an `http:` URL whose host is on the internet; empty for any other URL."""
    parts = urlsplit(url)
    name = (parts.hostname or "").rstrip(".")
    is_public = "." in name and not name.endswith(_INNER) and not name[-1].isdigit()
    return parts.netloc if parts.scheme == "http" and is_public else ""


def _report_other_hosts(
    chosen: Iterable[tuple[Tool, Operation]], api: Api, reading: Reading
) -> None:
    """Report operations on hosts other than the API's: those hosts get no credentials."""
    hosts = {urlsplit(server.url).netloc for server in api.servers}
    if not any(hosts):
        return
    for tool, operation in chosen:
        servers = tool.call.servers
        host = urlsplit(servers[0].url).netloc if servers else ""
        if host and host not in hosts and api.security_of(tool.call):
            hosts.add(host)
            message = f"{operation.key} is served by {host}, which gets no credentials"
            hint = "If it may have them, name it in the server's ALLOW_HOSTS variable."
            reading.diagnostics.note("server-host", message, operation.node, hint)


def _report_unasked(
    tools: Sequence[Tool], operations: Iterable[Operation], reading: Reading
) -> None:
    """Report security schemes that no operation uses; those from the settings also if only
    some do.
    """
    places = (reading.document.root.value, *(each.fields for each in operations))
    asking = [tool for tool in tools if any(_asked(tool, reading))]
    at = reading.document.root.get("components") or reading.document.root
    if (own := reading.settings.security_schemes) and len(asking) < len(tools):
        used = sum(any(key in own for way in _asked(t, reading) for key in way) for t in tools)
        message = f"mcpgen.toml: only {used} of {len(tools)} operations use `security_schemes`"
        hint = line_of_settings(SIGN_ALL, "for all")
        reading.diagnostics.note("security", message, hint=hint, setting=("security_schemes",))
    elif not (asking or any("security" in place for place in places)) and reading.schemes:
        names = ", ".join(f"`{scheme.key}`" for scheme in reading.schemes)
        message = f"no operation uses {names}, so calls carry no credentials"
        reading.diagnostics.note("security", message, at, line_of_settings(SIGN_ALL))


def _asked(tool: Tool, reading: Reading) -> tuple[SecurityRequirement, ...]:
    """The security requirements that apply to a tool's call."""
    own = tool.call.security
    return (reading.security or ()) if own is None else own


def _report_refusing(chosen: Sequence[tuple[Tool, Operation]], api: Api, reading: Reading) -> None:
    """Report operations that declare a 401 answer but require no credential."""
    refusing = [o for tool, o in chosen if not any(api.security_of(tool.call)) and _refuses(o)]
    scheme, is_described = scheme_line(reading)
    line = SIGN_ALL if reading.schemes else f"{SIGN_ALL}` and `{scheme}"
    if not refusing:
        if is_described and not reading.schemes:
            message = "only the API's description mentions a credential: calls go without one"
            at = reading.document.root.get("info")
            reading.diagnostics.note("security", message, at, line_of_settings(line))
        return
    none_asks = len(refusing) == len(chosen)
    message = f"{len(refusing)} of {len(chosen)} operations, such as {refusing[0].key}, answer 401"
    message += " and ask for no credential, so calls go out without one"
    report = _report_of_no_call(reading) if none_asks else reading.diagnostics.note
    report("security", message, refusing[0].node, line_of_settings(line))


def _refuses(operation: Operation) -> bool:
    responses = operation.fields.get("responses")
    return responses is not None and fields.member(responses, "401") is not None
