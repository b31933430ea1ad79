"""What a handler tells its client of a call while it runs."""

import json
from types import SimpleNamespace
from typing import Any

import pytest
from mcp_types import LoggingMessageNotification, LoggingMessageNotificationParams
from tables import table

from mcpgen.runtime import Context, ToolError
from mcpgen.runtime.parts.loglevels import LogLevels
from mcpgen.runtime.parts.resources import Resources

CIRCLE: list[Any] = []
CIRCLE.append(CIRCLE)
DEEP: dict[str, Any] = {}
for _ in range(2000):
    DEEP = {"a": DEEP}


@table(
    "data, sent",
    ("half\ud800", "half\ufffd"),
    ({"a": ["half\ud800"], 1: None}, {"a": ["half\ufffd"], "1": None}),
    ({"problem": ValueError("no tide")}, {"problem": "no tide"}),
    (KeyError("tide"), "'tide'"),
    (b"\xff", "_w=="),
    (SimpleNamespace(a=1), "namespace(a=1)"),
    (CIRCLE, "<list>"),
    (DEEP, "<dict>"),
    ({"half\ud800": 1}, "<dict>"),
)
async def test_no_line_of_the_log_fails_its_call(data, sent):
    """It would do so only for clients that read the log."""
    lines = []

    async def send_log_message(level, data, *_):
        params = LoggingMessageNotificationParams(level=level, data=data)
        lines.append(LoggingMessageNotification(params=params).model_dump_json())

    features = SimpleNamespace(able=lambda _: LogLevels())
    session = SimpleNamespace(send_log_message=send_log_message)
    request = SimpleNamespace(
        lifespan_context=features, session=session, request=None, request_id=1
    )
    params = None
    api = None
    await Context(api, None, "t", request, params).log("info", data)
    (line,) = lines
    assert json.loads(line)["params"]["data"] == sent


async def test_a_resource_that_asks_the_user_is_not_read_by_a_handler():
    """Its question would have no answer: the call that is repeated with one is the handler's."""

    class Asking(Resources):
        def __init__(self):
            pass

        async def read(self, *_):
            return {"resultType": "input_required", "inputRequests": {}}

    session = SimpleNamespace(able=lambda _: Asking(), parts={})
    request = SimpleNamespace(lifespan_context=session)
    params = None
    api = SimpleNamespace(report=None)
    with pytest.raises(ToolError, match="shop://a asks the user"):
        await Context(api, None, "t", request, params).read_resource("shop://a")
