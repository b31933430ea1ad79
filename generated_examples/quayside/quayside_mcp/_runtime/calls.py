"""One `tools/call`: arguments checked, the handler run, its answer or failure mapped."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS

from .catalogue import Catalogue
from .content import Result, error_result, to_result
from .context import Context, InputNeeded, Response
from .errors import ProtocolError, ToolError
from .http import ApiClient
from .revisions import result_for

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp_types import CallToolRequestParams

    from .app import Session

logger = logging.getLogger(__name__)


async def call_tool(
    catalogue: Catalogue,
    session: Session,
    request: ServerRequestContext[Any],
    params: CallToolRequestParams,
) -> Result:
    """Answer a call.

    Raises:
        MCPError: the tool is unknown, or the handler raised ProtocolError.
    """
    tool = catalogue.get(params.name)
    if tool is None:
        raise MCPError(code=INVALID_PARAMS, message=f"Unknown tool: {params.name[:200]}")
    try:
        result = await _answer(catalogue, session, request, tool, params)
        return result_for(request.protocol_version, result)
    except InputNeeded as question:
        return question.result
    except ToolError as problem:
        logger.info("%s: %s", params.name, problem.message)
        return error_result(problem.message)
    except ProtocolError as problem:
        raise MCPError(code=problem.code, message=problem.message) from None
    except MCPError:
        raise
    except Exception:
        logger.exception("%s: the call failed inside this server", params.name)
        return error_result(
            f"The tool {params.name} failed inside this server; the reason is in the server's log. "
            "Calling again with the same arguments is unlikely to help."
        )


async def _answer(
    catalogue: Catalogue,
    session: Session,
    request: ServerRequestContext[Any],
    tool: Mapping[str, Any],
    params: CallToolRequestParams,
) -> Result:
    name = tool["name"]
    arguments = catalogue.validator(name).check(params.arguments or {})
    backend = session.backend
    caller = getattr(request.request, "headers", None)
    report = request.session.report_progress
    context = Context(
        api=ApiClient(backend, name, report, caller),
        state=session.state,
        tool=name,
        request=request,
        params=params,
        apis={k: ApiClient(b, name, report, caller) for k, b in session.further.items()},
    )
    value = await catalogue.handler(name)(context, arguments)
    settings, prefix = backend.settings, backend.api.env_prefix
    limit, variable = settings.max_result_bytes, f"{prefix}_MAX_RESULT_BYTES"
    if isinstance(value, Response):
        return to_result(value, tool, limit, variable)
    from .returned import from_handler

    return from_handler(value, tool, limit, variable)
