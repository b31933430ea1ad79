"""`tests/cases.json`: each tool's calls, the requests that the API must get, and the results."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from msgspec.structs import replace

from ..api import Api, Tool
from ..runtime.parts.shaping import Shape as RuntimeShape
from ..runtime.parts.shaping import shape_value
from ..runtime.values.errors import ArgumentError
from ..samples.scalars import NoSample, number_of
from ..samples.shared import Samplers
from .arguments import Arguments
from .expected_results import expected_result, is_refused
from .mock_answers import mock_answers, visible_part
from .requests import Requests, base_urls, expanded, fixed_variables, sentinel

if TYPE_CHECKING:
    from ..python_names import Names

_ERRORS = (400, 404, 409, 422, 500)
_OTHER_SUCCESSES = (203, 200, 201, 202, 206)
_STRICT = json.JSONEncoder(allow_nan=False)
Case = dict[str, Any]


def build(
    api: Api,
    names: Names,
    answers: Mapping[str, Mapping[str, Any]] | None = None,
) -> dict[str, Any]:
    """Build the data of the generated tests; `answers` comes from `mock_answers`.

    In the result, `environment` has the variables that the tests set, `cases` has one entry per
    call, and `untested` gives the reasons why some tools have no sample arguments.
    """
    requests = {
        key: Requests(part, names.apis[key].env, names.apis[key].env_prefix)
        for key, part in api.parts.items()
    }
    builder = _Builder(api, requests, mock_answers(api) if answers is None else answers)
    cases = [case for tool in api.tools for case in builder.of_tool(tool)]
    further = [each for key, each in requests.items() if key]
    return {
        "environment": {
            variable: sentinel(variable)
            for each in requests.values()
            for roles in each.env.values()
            for variable in roles.values()
        },
        "fixed": fixed_variables(api) | base_urls(further),
        "base_url": requests[""].base_url,
        "python": [tool.name for tool in api.tools if tool.http is None],
        "untested": builder.untested,
        "cases": [*cases, *builder.security()],
    }


def to_json(data: Mapping[str, Any]) -> bytes:
    """The bytes of `cases.json`: ASCII, one case per line, for readable diffs."""
    head = {key: value for key, value in data.items() if key != "cases"}
    begin = f'{_STRICT.encode(head)[:-1]}, "cases": [\n'.encode()
    lines = (_STRICT.encode(case).encode() for case in data["cases"])
    return b"%b%b\n]}\n" % (begin, b",\n".join(lines))


def _case(tool: Tool, kind: str, **members: Any) -> Case:
    return {"tool": tool.name, "kind": kind, **members}


def _with_asked(tool: Tool) -> Tool:
    """A copy of the tool; the arguments that it may ask the user for are required."""
    names = [name for question in tool.questions for name in question.arguments]
    if not names:
        return tool
    schema = tool.input_schema
    needed = dict.fromkeys([*schema.get("required", ()), *names])
    return replace(
        tool,
        arguments=tuple(replace(a, required=a.name in needed) for a in tool.arguments),
        input_schema={**schema, "required": list(needed)},
    )


class _Builder:
    def __init__(
        self,
        api: Api,
        requests: Mapping[str, Requests],
        answers: Mapping[str, Mapping[str, Any]],
    ) -> None:
        self.api = api
        self.requests = requests
        self.untested: dict[str, str] = {}
        self._answers = answers
        self._minimal: dict[str, dict[str, Any]] = {}
        self._samplers = Samplers()

    def of_tool(self, tool: Tool) -> Iterator[Case]:
        """Every case of a tool, except those that test credentials."""
        arguments = Arguments(tool, self._samplers)
        if tool.http is not None:
            asked = _with_asked(tool)
            operation_arguments = arguments if asked is tool else Arguments(asked, self._samplers)
            yield from self._of_operation(tool, operation_arguments)
        for wrong in arguments.wrong():
            yield _case(tool, "invalid", arguments=wrong.arguments, mentions=wrong.mentions)

    def _of_operation(self, tool: Tool, arguments: Arguments) -> Iterator[Case]:
        """The test cases in which a call reaches the API."""
        if tool.task == "required":
            self.untested[tool.name] = "it runs as a task only"
            return
        try:
            full, full_request = self._sendable(tool, arguments, arguments.full)
            least, required = self._sendable(tool, arguments, arguments.required)
        except (NoSample, ArgumentError) as exc:
            self.untested[tool.name] = str(exc)
            return
        if is_refused(self._answers[tool.name], tool):
            self.untested[tool.name] = "no answer was found that fits its outputSchema"
            return
        self._minimal[tool.name] = least
        reply = self._answers[tool.name]
        result = expected_result(reply, tool)
        yield _case(tool, "full", arguments=full, request=full_request, answer=reply, result=result)
        yield _case(tool, "required", arguments=least, request=required)
        yield from self._null(tool, arguments)
        yield from self._media_types(tool, arguments)
        yield from self._drift(tool, least)
        yield self._error(tool, least)

    def _request(
        self, tool: Tool, arguments: Mapping[str, Any], available: list[str] | None = None
    ) -> dict[str, Any]:
        return self.requests[tool.api].expected(tool, arguments, available)

    def _sendable(
        self, tool: Tool, arguments: Arguments, make: Callable[[], dict[str, Any]]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Sample arguments that can be sent, and the request for them."""
        while True:
            chosen = make()
            try:
                return chosen, self._request(tool, chosen)
            except ArgumentError as problem:
                if not arguments.avoid(problem.argument):
                    raise

    def _null(self, tool: Tool, arguments: Arguments) -> Iterator[Case]:
        with suppress(NoSample, ArgumentError):
            chosen = arguments.nulls()
            if chosen is not None:
                request = self._request(tool, chosen)
                yield _case(tool, "null", arguments=chosen, request=request)

    def _media_types(self, tool: Tool, arguments: Arguments) -> Iterator[Case]:
        for chosen in arguments.media_types():
            with suppress(ArgumentError):
                request = self._request(tool, chosen)
                yield _case(tool, "media type", arguments=chosen, request=request)

    def _drift(self, tool: Tool, arguments: Mapping[str, Any]) -> Iterator[Case]:
        """A case with an undeclared success status: the agent gets the answer with a note."""
        declared = {status.upper() for status in tool.call.statuses}
        free = [status for status in _OTHER_SUCCESSES if str(status) not in declared]
        is_open = {"2XX", "DEFAULT"} & declared or tool.call.poll is not None
        if is_open or not free or tool.call.method == "HEAD":
            return
        value = {"drift": [1, None, "\u00e9"]}
        answer = {"status": free[0], "content_type": "application/json", "json": value}
        if is_refused(answer, tool):
            return
        extra = {"shown": visible_part(value, tool)} if tool.shape else {}
        mentions = [str(free[0])]
        yield _case(tool, "drift", arguments=arguments, answer=answer, mentions=mentions, **extra)

    def _error(self, tool: Tool, arguments: Mapping[str, Any]) -> Case:
        status = _ERRORS[number_of(tool.name) % len(_ERRORS)]
        body = {"message": f"no. {number_of(tool.name) % 1000}: this cannot be done"}
        answer = {"status": status, "content_type": "application/json", "json": body}
        mentions = [str(status)]
        if tool.call.method != "HEAD":
            mentions.append(str(shape_value(body, RuntimeShape(tool.shape.redact))["message"]))
        return _case(tool, "error", arguments=arguments, answer=answer, mentions=mentions)

    def security(self) -> Iterator[Case]:
        """Cases for each `security`: with each alternative alone, and without credentials."""
        keys: set[tuple[object, ...]] = set()
        for tool in self.api.tools:
            if tool.name not in self._minimal:
                continue
            requests = self.requests[tool.api]
            alternatives = requests.api.security_of(tool.call)
            if not requests.trusted(tool):
                if not tool.api:
                    yield self._allowed(tool)
                continue
            key = (tool.api, *(tuple(sorted(each)) for each in alternatives))
            if key in keys:
                continue
            keys.add(key)
            for alternative in alternatives:
                if alternative:
                    yield self._signed(tool, list(alternative))
            yield self._unsigned(tool)

    def _signed(self, tool: Tool, available: list[str]) -> Case:
        arguments = self._minimal[tool.name]
        return _case(
            tool,
            "security",
            environment=self._variables(tool, available),
            arguments=arguments,
            request=self._request(tool, arguments, available),
        )

    def _allowed(self, tool: Tool) -> Case:
        """A test case in which the operator lets the tool's own server receive credentials."""
        arguments = self._minimal[tool.name]
        return _case(
            tool,
            "security",
            environment=self._variables(tool, self.requests[tool.api].chosen(tool)),
            allow_hosts=[urlsplit(expanded(tool.call.servers[0])).hostname],
            arguments=arguments,
            request=self.requests[tool.api].expected(tool, arguments, allowed=True),
        )

    def _variables(self, tool: Tool, keys: list[str]) -> list[str]:
        env = self.requests[tool.api].env
        return [name for key in keys for name in env.get(key, {}).values()]

    def _unsigned(self, tool: Tool) -> Case:
        arguments = self._minimal[tool.name]
        requests = self.requests[tool.api]
        alternatives = requests.api.security_of(tool.call)
        case = _case(tool, "security", environment=[], arguments=arguments)
        if not alternatives or any(not each for each in alternatives):
            return {**case, "request": self._request(tool, arguments, [])}
        usable = [each for each in alternatives if all(map(requests.scheme, each))]
        roles = [requests.env[key] for each in usable for key in each]
        return {**case, "mentions": [next(iter(each.values())) for each in roles]}
