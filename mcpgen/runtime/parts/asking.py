"""Asking the user in the middle of a call: MCP's elicitation.

With protocol version 2026-07-28, the client gets the question as the call's result and repeats the
call with the answer: the handler runs again from its start, and finds the earlier answers. Older
clients are asked while the handler waits.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from mcp.shared.exceptions import MCPError
from mcp_types import (
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from ..backend.response import ONE_ANSWER
from ..calls.context import InputNeeded, Reply
from ..results.revisions import wire
from ..values.display import visible
from ..values.errors import ToolError

if TYPE_CHECKING:
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
    from mcp.server.request_state import RequestStateBoundary
    from mcp_types import ClientCapabilities, InputResponseRequestParams

    from ..calls.server import ServerParts

_MAX_CHARACTERS = 200
"""Characters of what a client says that are passed on."""
_CAPABILITIES = {"sampling/createMessage": "sampling", "roots/list": "roots"}
_SINGLE = ("string", "number", "integer", "boolean")
_REQUIRED: dict[str, Any] = {"requiredCapabilities": {"elicitation": {"form": {}}}}


NEEDS = ("branches",)


def install(server: ServerParts) -> Installed:
    """Let handlers ask users, and encrypt the state that clients keep until the user answers."""
    keys = getattr(server.settings, "state_keys", ())
    server.server.middleware.append(Sealing(server.info.name, keys))
    return Installed()


class Installed:
    """What this part adds to a server's calls: the questions that they ask the user."""

    def questions_of(
        self, request: ServerRequestContext[Any], params: InputResponseRequestParams
    ) -> Asking:
        """The object through which a call asks the user its questions."""
        return Asking(request, params)


class Asking:
    """The questions of one call, and the user's answers so far."""

    def __init__(
        self, request: ServerRequestContext[Any], params: InputResponseRequestParams
    ) -> None:
        self._request = request
        self._responses = dict(params.input_responses or {})
        self._answers, self._digests = _state(params.request_state)
        self._count = 0
        self._names: set[str] = set()

    async def ask(self, message: str, schema: Mapping[str, Any], key: str | None) -> Reply:
        """Ask the user, or return the earlier answer to this question.

        Raises:
            MCPError: the client cannot ask its user.
            ToolError: the answer does not fit the schema, or an older client cannot ask.
            ValueError: `schema` does not describe a form.
        """
        params = form(message, schema)
        self._count += 1
        if self._request.protocol_version not in MODERN_PROTOCOL_VERSIONS:
            return await self._ask_now(params, schema)
        name = self._name(key or f"question-{self._count}")
        digest = _digest(params)
        if self._digests.get(name) == digest:
            if name not in self._answers and name in self._responses:
                self._answers[name] = _answer(self._responses[name])
            if name in self._answers:
                return _reply(self._answers[name], schema)
        if not can_ask(self._request.session.client_capabilities):
            raise cannot_ask()
        self._answers.pop(name, None)
        raise InputNeeded(self._question(name, params, digest))

    def _name(self, key: str) -> str:
        """A name that no other question of the call has, so that answers are not mixed up."""
        while key in self._names:
            key = f"{key}-{self._count}"
        self._names.add(key)
        return key

    async def _ask_now(self, params: ElicitRequestFormParams, schema: Mapping[str, Any]) -> Reply:
        if not _can_hear(self._request):
            raise ToolError(
                "This tool has to ask the user, and no question can be asked here: this client is "
                "served without a session, or in plain JSON."
            )
        if not can_ask(self._request.session.client_capabilities):
            raise ToolError("This tool has to ask the user, and this client has no way to do that.")
        from pydantic import ValidationError

        try:
            result = await self._request.session.elicit_form(
                params.message, params.requested_schema, self._request.request_id
            )
        except ValidationError:
            result = None
        except MCPError as refusal:  # the client's; as our own it would be about the call
            reason = visible(refusal.message[:_MAX_CHARACTERS])
            raise ToolError(
                f"This tool has to ask the user, and the client could not: {reason}"
            ) from None
        return answered(result, schema)

    def _question(self, key: str, params: ElicitRequestFormParams, digest: str) -> dict[str, Any]:
        digests = {name: self._digests[name] for name in self._answers if name in self._digests}
        state = {"answers": self._answers, "asked": {**digests, key: digest}}
        return {
            "resultType": "input_required",
            "inputRequests": {key: question(params)},
            "requestState": json.dumps(state),
        }


def form(message: str, schema: Mapping[str, Any]) -> ElicitRequestFormParams:
    """The form that the user sees: fields for values and choices (MCP, form mode elicitation).

    Raises:
        ValueError: `schema` does not describe a form.
    """
    fields = schema.get("properties")
    if schema.get("type") != "object" or not isinstance(fields, Mapping):
        raise ValueError("a form needs a schema such as {'type': 'object', 'properties': {...}}")
    for name, field_schema in fields.items():
        if not _is_field(field_schema):
            raise ValueError(f"a form has single values and lists of choices: {name!r} is neither")
    return ElicitRequestFormParams(message=message, requested_schema=dict(schema))


def _is_field(schema: Any) -> bool:
    if not isinstance(schema, Mapping):
        return False
    items = schema.get("items")
    choices = isinstance(items, Mapping) and ("enum" in items or "anyOf" in items)
    return schema.get("type") in _SINGLE or (schema.get("type") == "array" and choices)


def can_ask(capabilities: ClientCapabilities | None) -> bool:
    """Whether a client can show its user a form."""
    declared = capabilities.elicitation if capabilities is not None else None
    return declared is not None and (declared.form is not None or declared.url is None)


def _can_hear(request: ServerRequestContext[Any]) -> bool:
    """Whether a question can reach the client of the request and be answered."""
    scope = getattr(request.request, "scope", {})
    return request.session.can_send_request and not scope.get(ONE_ANSWER)


def cannot_ask() -> MCPError:
    """The protocol error for a client that cannot show a form."""
    message = "This needs an answer from the user, and this client cannot ask the user"
    return MCPError(MISSING_REQUIRED_CLIENT_CAPABILITY, message, _REQUIRED)


def question(params: ElicitRequestFormParams) -> dict[str, Any]:
    """A form as an entry of a result's `inputRequests`."""
    return wire(ElicitRequest(params=params))


def _state(text: str | None) -> tuple[dict[str, Any], dict[str, str]]:
    """The answers in a request's state, and the digests of the questions asked so far."""
    try:
        state = json.loads(text or "{}")
        return dict(state.get("answers", {})), dict(state.get("asked", {}))
    except (ValueError, TypeError, AttributeError):
        return {}, {}


def _digest(params: ElicitRequestFormParams) -> str:
    text = json.dumps(wire(params), sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def answered(result: ElicitResult | None, schema: Mapping[str, Any]) -> Reply:
    """The user's reply; raises ToolError if the answer does not fit the form."""
    return _reply(_answer(result), schema)


def _answer(result: Any) -> dict[str, Any]:
    if not isinstance(result, ElicitResult):
        raise ToolError("The client did not answer the question that the user was asked.")
    return {"action": result.action, "content": dict(result.content or {})}


def _reply(answer: Mapping[str, Any], schema: Mapping[str, Any]) -> Reply:
    reply = Reply(answer["action"], answer["content"])
    if reply.accepted:
        from ..schemas.validation import misfit

        problem = misfit(schema, dict(reply.content))
        if problem:
            raise ToolError(f"The user's answer cannot be used: {problem}.")
    return reply


class Sealing:
    """A middleware that seals the state of a call that asks its user, since the client keeps that
    state.

    Without a configured key, a random key is used while the process lives; several processes that
    serve the same clients must share a key. The cryptography is imported when a call first needs
    it.
    """

    def __init__(self, name: str, keys: Sequence[str]) -> None:
        """`name` is the server's name. The first of `keys` encrypts; each of them decrypts."""
        self._name = name
        self._keys = keys

    async def __call__(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        """Decrypt the state in a request, and encrypt the state in its result.

        Raises:
            MCPError: the client cannot answer the result's question. `ctx.ask` checks this itself,
                but a handler may return an `InputRequiredResult` without a check.
        """
        if ctx.params is not None and ctx.params.get("requestState") is not None:
            return await self._boundary(ctx, partial(_declared, call_next=call_next))
        result = await _declared(ctx, call_next)
        if not isinstance(result, Mapping) or result.get("requestState") is None:
            return result

        async def ready(_: ServerRequestContext[Any, Any]) -> HandlerResult:
            return result

        return await self._boundary(ctx, ready)

    @cached_property
    def _boundary(self) -> RequestStateBoundary:
        from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity

        keys = self._keys
        security = RequestStateSecurity(keys=keys) if keys else RequestStateSecurity.ephemeral()
        return RequestStateBoundary(security, default_audience=self._name)


async def _declared(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    result = await call_next(ctx)
    if isinstance(result, Mapping) and result.get("resultType") == "input_required":
        missing: dict[str, Any] = {}
        for request in (result.get("inputRequests") or {}).values():
            missing |= _missing(request, ctx.session.client_capabilities)
        if missing:
            message = f"The client did not declare what this needs: {', '.join(missing)}"
            data = {"requiredCapabilities": missing}
            raise MCPError(MISSING_REQUIRED_CLIENT_CAPABILITY, message, data)
    return result


def _missing(request: Mapping[str, Any], declared: ClientCapabilities | None) -> dict[str, Any]:
    """The client capability that a question needs; empty if the client has declared it."""
    name = _CAPABILITIES.get(request["method"])
    if name is not None:
        return {} if getattr(declared, name, None) is not None else {name: {}}
    if request.get("params", {}).get("mode") == "url":
        elicitation = getattr(declared, "elicitation", None)
        url = getattr(elicitation, "url", None)
        return {} if url is not None else {"elicitation": {"url": {}}}
    return {} if can_ask(declared) else {"elicitation": {"form": {}}}
