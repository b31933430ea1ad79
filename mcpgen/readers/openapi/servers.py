"""Servers: the addresses of the API that a document gives, as far as they are usable."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from msgspec.structs import replace

from ...api import Server, ServerVariable
from ...diagnostics import Diagnostics, GenerationError, did_you_mean, line_of_settings
from ...runtime.values.urls import is_path
from ...source.access import is_url
from . import fields
from .agent_text import strip_hidden
from .versions import Version

if TYPE_CHECKING:
    from ...source.document import Node
    from .operation_parts import Operation
    from .reader_state import Reading

BASE_URL = 'base_url = "https://{}"'
"""The line of `mcpgen.toml` for the API's address."""
SCHEMES = ("https", "http")
"""The schemes that a server may have, best first."""
_VARIABLE = re.compile(r"\{([^{}]+)\}")
_ORIGIN = re.compile(r"([^/]+://[^/]*)(.*)", re.DOTALL)
"""The scheme, authority and path of an absolute URL; the first two may be variables."""
_WITH_SCHEME = re.compile(r"\A(?:(https?)://)?(.*)", re.DOTALL | re.IGNORECASE)
_HOST = re.compile(
    r"(?:[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?\.?|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?"
)
_LIKE_HOST = re.compile(
    r"(?:(?:[a-z0-9-]+\.)+(?!(?:aspx?|ashx|cgi|do|html?|json|jsp|php|svc|ya?ml)(?:[:/]|\Z))[a-z]{2,}"
    r"|localhost|127(?:\.[0-9]{1,3}){3})(?::[0-9]{1,5})?(?:/|\Z)",
    re.IGNORECASE,
)
"""The beginning of a URL that only lacks its scheme: a host, not a file name."""
LOCAL = re.compile(r"(?:localhost|127(?:\.[0-9]{1,3}){3}|\[::1\])(?=[:/]|\Z)", re.IGNORECASE)
_SAFE = re.compile(r"[!#-;=?-\[\]_a-z~\\]+")
"""Characters that a URL may have (RFC 3986, 2), and the backslash, which is reported separately."""


def servers_of(node: Node | None, base: str, diagnostics: Diagnostics) -> tuple[Server, ...]:
    """The usable Server Objects of an array; those with a variable without default come last.

    `base` is the URL of the document, if it has one.
    """
    if node is None or node.value is None:
        return ()
    listed = fields.resolved(node, diagnostics)
    if not isinstance(listed.value, list):
        fields.wrong_type(node, "servers", "an array", diagnostics)
        return ()
    each = (fields.resolved(child, diagnostics) for child in listed.elements())
    servers = (_server(child, base, diagnostics) for child in each)
    return best_first(server for server in servers if server is not None)


def best_first(servers: Iterable[Server]) -> tuple[Server, ...]:
    """The servers: those that need no setting come first, and https comes before http."""
    own = tuple(servers)
    places: dict[str, int] = {}
    for at, server in enumerate(own):
        places.setdefault(_without_scheme(server), at)

    def rank(server: Server) -> tuple[bool, int, bool]:
        needs_setting = any(variable.default is None for variable in server.variables)
        return needs_setting, places[_without_scheme(server)], server.url.startswith("http:")

    return tuple(sorted(own, key=rank))


def _without_scheme(server: Server) -> str:
    return re.sub(r"\Ahttps?:", "", server.url)


def own_servers(operation: Operation, base: str, reading: Reading) -> tuple[Server, ...]:
    """The servers of an operation, or else of its path item; a server without a host is left out.

    Relative URLs are resolved against the document's URL, or else against the API's first server
    with a host. If the API has no such server, they stay paths, and the person who runs the server
    sets the host.
    """
    start, below = _first_with_host(reading.servers), _path_of_api(reading.servers)
    for holder in () if reading.settings.base_url else (operation.fields, operation.item):
        node = holder.get("servers")
        servers = servers_of(node, base, reading.diagnostics)
        if start is not None:
            servers = tuple(_absolute(start, s) if _is_relative(s) else s for s in servers)
        elif below:
            servers = tuple(_at_path(below, s) if _is_relative(s) else s for s in servers)
        usable = tuple(s for s in servers if names_a_host(s) or (below and is_path(s.url)))
        if len(usable) < len(servers):
            message = "a server of an operation must name a host; left out"
            reading.diagnostics.warning("server", message, node)
        if usable:
            return usable
    return ()


def _absolute(start: Server, relative: Server) -> Server:
    """A relative server, resolved against one with a host; variables are kept if possible."""
    filled = _fill(start.url, start.variables)
    [(origin, below)] = _ORIGIN.findall(start.url) or _ORIGIN.findall(filled)
    variables = {v.name: v for v in (*relative.variables, *start.variables)}
    stays = not relative.url.startswith("{") and set(relative.variables) <= set(variables.values())
    path = relative.url if stays else _fill(relative.url, relative.variables)
    host = "https://x"
    url = origin + urljoin(f"{host}{below}", path).removeprefix(host)
    names = dict.fromkeys(_VARIABLE.findall(url))
    return replace(relative, url=url, variables=tuple(variables[name] for name in names))


def _path_of_api(servers: Iterable[Server]) -> str:
    """The path of an API whose servers have no host; empty if one of them has a host."""
    urls = [_fill(server.url, server.variables) for server in servers] or ["/"]
    return urls[0] if all(map(is_path, urls)) else ""


def _at_path(start: str, relative: Server) -> Server:
    url = relative.url if relative.url.startswith("/") else _fill(relative.url, relative.variables)
    names = _VARIABLE.findall(url)
    variables = tuple(each for each in relative.variables if each.name in names)
    return replace(relative, url=urljoin(start, url), variables=variables)


def _is_relative(server: Server) -> bool:
    """Whether a server's URL is relative: it has no scheme and no host."""
    filled = _fill(server.url, server.variables)
    starts_elsewhere = filled.startswith("//") or _starts_unknown(server.url, server.variables)
    return not (starts_elsewhere or names_a_host(server))


def names_a_host(server: Server) -> bool:
    """Whether a server's URL has a scheme and a host once its variables have their defaults."""
    parts = urlsplit(_fill(server.url, server.variables))
    return bool(parts.scheme and parts.netloc)


def api_servers(reading: Reading) -> tuple[Server, ...]:
    """The API's servers: `base_url`, else the declared servers, else the document's own origin."""
    if asked := reading.settings.base_url:
        return (_asked(asked),)
    root, base = reading.document.root, document_url(reading)
    declared = fields.member(root, "servers")
    if reading.version is Version.V20:
        return read_swagger_servers(root, base, reading)
    if base and (declared is None or declared.value == []):
        return (Server(urljoin(base, "/")),)
    return servers_of(declared, base, reading.diagnostics)


def _asked(url: str) -> Server:
    server = Server(url)
    problem = problem_of(url) or ("" if names_a_host(server) else f"{url!r} names no host")
    if problem:
        hint = "Write it in full, such as https://api.example.com/v1."
        message = f"`base_url`: {problem}"
        setting = ("base_url", url) if url.isprintable() else ("base_url",)
        raise GenerationError.of("settings-value", message, hint=hint, setting=setting)
    return server


def base_of(servers: Iterable[Server]) -> str:
    """The URL against which relative URLs are resolved: that of the first server with a host."""
    first = _first_with_host(servers)
    return _fill(first.url, first.variables) if first is not None else ""


def start_of(servers: Sequence[Server]) -> Server:
    """The server against which relative URLs of security schemes are resolved.

    Its URL is empty if no server has a host. If the URL's scheme is a variable, all variables are
    replaced by their defaults.
    """
    first = _first_with_host(servers)
    return first if first is not None and is_url(first.url) else Server(base_of(servers))


def _first_with_host(servers: Iterable[Server]) -> Server | None:
    complete = (s for s in servers if all(v.default is not None for v in s.variables))
    return next(filter(names_a_host, complete), None)


def read_swagger_servers(root: Node, base: str, reading: Reading) -> tuple[Server, ...]:
    """The servers from 2.0's `schemes`, `host` and `basePath`, with https first.

    Names in braces are variables, as in 3.x: Azure's documents describe them in the extension
    `x-ms-parameterized-host`.
    """
    diagnostics = reading.diagnostics
    path = fields.string(root, "basePath", diagnostics)
    path = "/" + path.strip("/") if path.strip("/") else ""
    host, at = fields.string(root, "host", diagnostics), fields.member(root, "host") or root
    template = fields.object_at(root, "x-ms-parameterized-host", diagnostics)
    variables: dict[str, ServerVariable] = {}
    if template is not None:
        host, at = fields.string(template, "hostTemplate", diagnostics), template
        variables = {each.name: each for each in _host_parameters(template, diagnostics)}
    if not host and not base:
        return (Server(path or "/"),)
    origin = urlsplit(base)
    declared = [each.lower() for each in fields.strings(root, "schemes", diagnostics)]
    if template is not None and fields.boolean(template, "useSchemePrefix") is False:
        starts = [""]
    else:  # a host has no scheme, but one that has can mean nothing else
        [(scheme, host)] = _WITH_SCHEME.findall(host.rstrip("/"))
        schemes = [each for each in SCHEMES if each in declared]
        starts = [f"{s}://" for s in schemes or [scheme.lower() or origin.scheme or "https"]]
    urls = (f"{start}{host or origin.netloc}{path}" for start in starts)
    servers = (_usable(url, variables, at, base, diagnostics) for url in urls)
    return best_first(server for server in servers if server is not None)


def _host_parameters(template: Node, diagnostics: Diagnostics) -> Iterator[ServerVariable]:
    for each in fields.elements(template, "parameters", diagnostics):
        parameter = fields.resolved(each, diagnostics)
        allowed = fields.texts(parameter, "enum", diagnostics)
        default = fields.text(parameter.optional("default")) or None
        if default is None and len(allowed) == 1:
            default = allowed[0]
        if allowed and default not in allowed:
            default = None
        description = strip_hidden(fields.string(parameter, "description"))
        yield ServerVariable(fields.string(parameter, "name"), default, allowed, description)


def document_url(reading: Reading) -> str:
    """The URL that the document was loaded from; empty if it was a file."""
    document = reading.document
    home = document.files[document.root.file].home
    return home if isinstance(home, str) else ""


def problem_of(url: str) -> str:
    """Why a URL (with its variables replaced) cannot be a server; empty if it can."""
    if not _SAFE.fullmatch(url):
        return "a server's URL holds characters that a URL cannot hold"
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return "this is not a URL"
    if parts.scheme not in ("", "http", "https"):
        return f"a server must be reached by http or https, not by `{parts.scheme}:`"
    if parts.query or parts.fragment or "?" in url or "#" in url:
        return "a server's URL must not hold a query or a fragment"
    if "@" in parts.netloc:
        return "a server's URL must not hold credentials"
    if (parts.scheme and not parts.netloc) or (parts.netloc and not _HOST.fullmatch(parts.netloc)):
        return "a server's URL must name a host"
    if "\\" in url or (parts.netloc and ".." in parts.path.split("/")):
        return "a server's URL must not hold `\\` or the segment `..`"
    return ""


def _server(node: Node, base: str, diagnostics: Diagnostics) -> Server | None:
    url = node.value.get("url") if isinstance(node.value, dict) else None
    if not isinstance(url, str):
        diagnostics.warning("server", "a server must have a `url`; left out", node)
        return None
    variables = {each.name: each for each in _variables(node, diagnostics)}
    _tell_unknown(node, set(_VARIABLE.findall(url)), set(variables), diagnostics)
    url = _with_scheme(url.strip() or "/", variables.values(), node, diagnostics)
    server = _usable(url, variables, node, base, diagnostics)
    if server is None:
        return None
    return replace(server, description=strip_hidden(fields.string(node, "description")))


def _with_scheme(
    url: str, variables: Iterable[ServerVariable], node: Node, diagnostics: Diagnostics
) -> str:
    """The URL; if it starts with a host, `https://` is added, or `http://` for this machine."""
    filled = _fill(url, variables)
    if not _LIKE_HOST.match(filled) or _starts_unknown(url, variables):
        return url
    whole = f"{'http' if LOCAL.match(filled) else 'https'}://{url}"
    message = f"the server `{url}` has no scheme: calls go to {whole}"
    hint = "To use another, set `base_url` in mcpgen.toml."
    diagnostics.note("server", message, node["url"], hint)
    return whole


def _tell_unknown(node: Node, used: set[str], names: set[str], diagnostics: Diagnostics) -> None:
    """Report undeclared placeholders in a URL that may be misspelt names of unused variables."""
    if not names - used:
        return
    for name in sorted(used - names):
        message = f"`{{{name}}}` in the URL is not declared in `variables`, so it has no default"
        hint = did_you_mean(name, sorted(names - used), "")
        diagnostics.warning("server", message, node["url"], hint)


def _usable(
    url: str,
    by_name: Mapping[str, ServerVariable],
    node: Node,
    base: str,
    diagnostics: Diagnostics,
) -> Server | None:
    """The server at a URL, or None, with a warning, if it cannot be one.

    Undeclared placeholders become variables without a default.
    """
    names = dict.fromkeys(_VARIABLE.findall(url))
    variables = tuple(by_name.get(name, ServerVariable(name, None)) for name in names)
    problem = _problem(url, variables, base)
    without = tuple(replace(variable, default=None) for variable in variables)
    if problem and not _problem(url, without, base):
        message = f"the defaults of the variables of server {url} are not used: {problem}"
        diagnostics.warning("server", message, node)
        variables, problem = without, ""
    if problem:
        hint = line_of_settings(BASE_URL.format("api.example.com"), "with the API's address")
        diagnostics.warning("server", f"{problem}; left out", node, hint)
        return None
    filled = _fill(url, variables)
    if base and not urlsplit(filled).scheme and not _starts_unknown(url, variables):
        # In a path from the root the variables can stay.
        url = urljoin(base, url if url.startswith("/") else filled)
    elif url.startswith("//"):
        url = f"https:{url}"
    used = set(_VARIABLE.findall(url))
    return Server(url, variables=tuple(v for v in variables if v.name in used))


def _problem(url: str, variables: Iterable[ServerVariable], base: str) -> str:
    filled = _fill(url, variables)
    return problem_of(urljoin(base, filled) if base else filled)


def _starts_unknown(url: str, variables: Iterable[ServerVariable]) -> bool:
    """Whether a URL starts with a variable that has no default; its scheme is then unknown."""
    return url.startswith(tuple(f"{{{v.name}}}" for v in variables if v.default is None))


def _variables(node: Node, diagnostics: Diagnostics) -> Iterable[ServerVariable]:
    for name, entry in fields.members(node, "variables", diagnostics):
        child = fields.resolved(entry, diagnostics)
        allowed = fields.texts(child, "enum", diagnostics)
        value = fields.text(child.optional("default"))
        if value is None and len(allowed) == 1:
            value = allowed[0]
        if allowed and value is not None and value not in allowed:
            diagnostics.warning("server", f"the default of `{name}` is not in its `enum`", child)
            allowed = (value, *allowed)
        yield ServerVariable(
            name, value, allowed, strip_hidden(fields.string(child, "description"))
        )


def _fill(url: str, variables: Iterable[ServerVariable]) -> str:
    """The URL with its variables' defaults, or with dummies such as `x` where there are none."""
    defaults = {v.name: v.default for v in variables}

    def value(match: re.Match[str]) -> str:
        default = defaults.get(match.group(1), "")
        if default is not None:
            return default
        if url.startswith("://", match.end()):
            return "https"
        return "1" if url[: match.start()].endswith(":") else "x"

    return _VARIABLE.sub(value, url)
