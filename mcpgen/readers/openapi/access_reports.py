"""Reports what is missing or unusual about where an API is and how to sign in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from . import fields
from .servers import base_of, names_a_host

if TYPE_CHECKING:
    from ...api import Api, Tool
    from .operation_parts import Operation
    from .reader_state import Reading

_INNER = (".local", ".localhost", ".internal", ".lan")
"""How the names of hosts end that are not on the internet."""
_SAY_IT = "Say it with `security`, or give servers the header in the variable `..._EXTRA_HEADERS`."


def report_access(
    chosen: list[tuple[Tool, Operation]],
    operations: Iterable[Operation],
    api: Api,
    reading: Reading,
) -> None:
    """Report on servers and security; `chosen` are the tools, each with its operation."""
    tools = [tool for tool, _ in chosen]
    _report_no_host(tools, api, reading)
    _report_clear_text(tools, api, reading)
    _report_other_hosts(chosen, api, reading)
    _report_unasked(tools, operations, reading)
    _report_refusing(chosen, api, reading)


def _report_no_host(tools: Iterable[Tool], api: Api, reading: Reading) -> None:
    """Report that the API does not say where it is served, and not all operations do."""
    if any(urlsplit(s.url).netloc or s.url.startswith("{") for s in api.servers):
        return
    if not all(any(map(names_a_host, tool.call.servers[:1])) for tool in tools):
        message = "the document does not say at which host the API is"
        hint = "Give its address with --base-url."
        declared = fields.member(reading.document.root, "servers")
        reading.diagnostics.note("server", message, declared, hint)


def _report_clear_text(tools: Iterable[Tool], api: Api, reading: Reading) -> None:
    """Report that credentials would cross the internet unencrypted."""
    base = base_of(api.servers)
    host = "" if reading.settings.base_url else _public_host(base)
    signed = (any(api.security_of(tool.call)) for tool in tools if not tool.call.servers)
    if host and any(signed):
        message = f"{host} is reached by http, so that its credentials travel unencrypted"
        https = urlsplit(base)._replace(scheme="https", netloc=host.removesuffix(":80")).geturl()
        hint = f"If it serves https too, give its address: --base-url {https}"
        root = reading.document.root
        declared = fields.member(root, "servers") or fields.member(root, "schemes")
        reading.diagnostics.note("server", message, declared, hint)


def _public_host(url: str) -> str:
    """Host and port of a URL of http whose host is on the internet; empty for any other URL."""
    parts = urlsplit(url)
    name = (parts.hostname or "").rstrip(".")
    is_public = "." in name and not name.endswith(_INNER) and not name[-1].isdigit()
    return parts.netloc if parts.scheme == "http" and is_public else ""


def _report_other_hosts(
    chosen: Iterable[tuple[Tool, Operation]], api: Api, reading: Reading
) -> None:
    """Report hosts, other than the API's, on which operations need credentials."""
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
    tools: Iterable[Tool], operations: Iterable[Operation], reading: Reading
) -> None:
    """Report schemes that nothing in the document asks for."""
    places = (reading.document.root.value, *(each.fields for each in operations))
    asked = bool(reading.security) or any(tool.call.security for tool in tools)
    if asked or any("security" in place for place in places) or not reading.schemes:
        return
    names = ", ".join(f"`{scheme.key}`" for scheme in reading.schemes)
    message = f"{names}: no operation asks for that, so calls go out without credentials"
    at = reading.document.root.get("components") or reading.document.root
    reading.diagnostics.note("security", message, at, _SAY_IT)


def _report_refusing(chosen: Iterable[tuple[Tool, Operation]], api: Api, reading: Reading) -> None:
    """Report operations that say nothing of credentials, and that callers without are refused.

    A single one may be that which signs in: only more than those that ask are an oversight.
    """
    if "security" in reading.document.root.value:
        return
    asking, refusing = 0, []
    for tool, operation in chosen:
        if api.security_of(tool.call):
            asking += 1
        elif tool.call.security is None and _refuses(operation):
            refusing.append(operation)
    if 0 < asking < len(refusing):
        first = refusing[0]
        message = f"{len(refusing)} operations, such as {first.key}, answer 401 and do not say"
        message += " which credentials they ask for, so calls go out without"
        reading.diagnostics.note("security", message, first.node, _SAY_IT)


def _refuses(operation: Operation) -> bool:
    responses = operation.fields.get("responses")
    return responses is not None and fields.member(responses, "401") is not None
