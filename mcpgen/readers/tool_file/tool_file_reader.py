"""Reads a tool file into an Api step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...api import Api, Tool
from ...diagnostics import Diagnostics, Severity, diagnostic
from ...operations.answer_headers import needed
from ...schemas import reachable
from ...schemas.definitions import Definitions
from ..typed_values import refused
from .advertised import check_shared
from .info import Home, read_frame
from .offers import read_prompts, read_resources
from .pool import Pool
from .structure import ToolFile, check, open_file
from .tool import Entry, make_tool, read_entry

if TYPE_CHECKING:
    from ...source.document import Document, Node


def read(document: Document, diagnostics: Diagnostics) -> Api:
    """Read a tool file, or a server's answer to `tools/list`.

    Raises GenerationError with every error found.
    """
    file = open_file(document.root)
    _check_kind(file, diagnostics)
    broken = check(file, diagnostics)
    frame, home = Api("", ""), Home()
    if f"{file.root.pointer}/server" not in broken:
        frame, home = read_frame(file, diagnostics)
    shared = file.root.get("$defs")
    if shared is not None and shared.pointer not in broken:
        check_shared(shared, diagnostics)
    else:
        shared = None
    pool = Pool()
    entries = _entries(file, broken, shared, pool, diagnostics)
    tools = needed([make_tool(entry, pool, home, diagnostics) for entry in entries])
    _check_values(pool, diagnostics)
    resources = read_resources(file.root, home, broken, diagnostics)
    prompts = read_prompts(file.root, home, broken, diagnostics)
    diagnostics.raise_if_errors()
    schemas = _used(tools, pool)
    api = replace(frame, tools=tools, resources=resources, prompts=prompts, schemas=schemas)
    _check_home(file, api, diagnostics)
    _check_sign_in(file, api, diagnostics)
    return api


def _check_kind(file: ToolFile, diagnostics: Diagnostics) -> None:
    """Raise an error for an OpenAPI document; warn about a list that has further pages."""
    for key in ("openapi", "swagger"):
        node = file.root.get(key)
        if node is not None and "tools" not in file.root:
            message = "this is an OpenAPI document, not a tool file"
            diagnostics.error("no-tool-file", message, node, "Use `mcpgen from-openapi`.")
            diagnostics.raise_if_errors()
    cursor = file.root.get("nextCursor")
    if cursor is not None and cursor.value:
        message = "this is one page of a longer list: the other tools are missing"
        hint = "Ask for the next page with this cursor, and put all tools into one file."
        diagnostics.warning("next-cursor", message, cursor, hint)


def _entries(
    file: ToolFile,
    broken: frozenset[str],
    shared: Node | None,
    pool: Pool,
    diagnostics: Diagnostics,
) -> list[Entry]:
    """The valid entries of `tools`; duplicate names are reported."""
    firsts: dict[str, Node] = {}
    entries = []
    for node in file.root.optional("tools").elements():
        name = node.get("name")
        if name is not None and isinstance(name.value, str):
            first = firsts.setdefault(name.value, name)
            if first != name:
                message = f"two tools are called {name.value!r}; the first is {first.location}"
                diagnostics.error("duplicate-tool", message, name)
        if node.pointer in broken:
            continue
        entry = read_entry(node, shared, pool, diagnostics)
        if entry is not None:
            entries.append(entry)
    return entries


def _check_values(pool: Pool, diagnostics: Diagnostics) -> None:
    """Report values that their own schemas refuse: an error, but in an outputSchema a warning."""
    for node, schema in pool.with_values:
        for keyword, at in refused(node, schema, pool.definitions):
            message = f"`{keyword}` has a value that its own schema refuses"
            severity = Severity.WARNING if "/outputSchema/" in at.pointer else Severity.ERROR
            hint = "Write it as the type that is declared, or leave it out."
            diagnostics.add(diagnostic(severity, "value", message, at, hint))


def _check_home(file: ToolFile, api: Api, diagnostics: Diagnostics) -> None:
    """Add a note if the HTTP tools have no address; it can still be set when the server runs."""
    http = [tool for tool in api.tools if tool.http is not None and not tool.http.servers]
    if http and not api.servers:
        message = "the file does not say where the API of its HTTP tools is"
        hint = "Give `server.baseUrl`, or set the server's base URL when it runs."
        diagnostics.note("server", message, file.root.get("server") or file.root, hint)


def _check_sign_in(file: ToolFile, api: Api, diagnostics: Diagnostics) -> None:
    """Report declared security schemes that no request uses."""
    offers = (offer.function for offer in (*api.resources, *api.prompts))
    functions = (*api.tools, *offers)
    requests = [each.http for each in functions if each is not None and each.http is not None]
    is_asked = any(request.security is not None for request in requests)
    schemes = api.security_schemes
    if not requests or not schemes or is_asked or "security" in file.root["server"]:
        return
    names = ", ".join(f"`{scheme.key}`" for scheme in schemes)
    message = f"no tool uses {names}: calls go out without credentials"
    first = schemes[0].key
    hint = f"Write `security: [{{ {first}: [] }}]` below `server`, or below the `http` of a tool."
    diagnostics.warning("security", message, file.root["server"]["securitySchemes"], hint)


def _used(tools: tuple[Tool, ...], pool: Pool) -> Definitions:
    used = [a.schema for tool in tools for a in tool.arguments]
    used += [tool.result for tool in tools if tool.result is not None]
    return Definitions(reachable(used, pool.definitions))
