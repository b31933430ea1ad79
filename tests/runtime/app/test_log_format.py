"""The log as lines of JSON."""

import json
import logging
import sys

from mcpgen.runtime.app.logs import JsonFormatter


def test_an_event_is_one_line_and_a_request_its_parts():
    # No break of any kind is in it, in a traceback neither.
    said = "a\r\nERROR forged\u2028\x85\x1b[1A\udce9"
    try:
        raise ValueError(said)
    except ValueError:
        record = logging.LogRecord("shop", 40, "", 0, "%s", (said,), sys.exc_info())
    record.created = 0.25
    line = JsonFormatter().format(record)
    assert line.isascii()
    assert len(line.splitlines()) == 1
    event = json.loads(line)
    assert event.pop("message").startswith(f"{said}\nTraceback")
    assert event == {"time": "1970-01-01T00:00:00.250+00:00", "level": "ERROR", "logger": "shop"}
    args = ("127.0.0.1:5", "POST", "/mcp", "1.1", 200)
    record = logging.LogRecord("uvicorn.access", 20, "", 0, '%s - "%s %s HTTP/%s" %d', args, None)
    event = json.loads(JsonFormatter().format(record))
    assert event["message"] == '127.0.0.1:5 - "POST /mcp HTTP/1.1" 200'
    assert (event["method"], event["path"], event["status"]) == ("POST", "/mcp", 200)
