"""Any document gives a server that lists and answers its tools, or located problems."""

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given
from mcp import Client
from mcp_types import CallToolResult

from mcpgen.diagnostics import Diagnostics, GenerationError, render
from mcpgen.generate import generate
from mcpgen.settings import Settings

from . import grammar
from .budget import tries
from .hosting import Hosted, hosted

PACKAGE = "fuzzed_mcp"


def judge(document: Any) -> None:
    """Generate; import, list and call what came of it, or look at what was said instead."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "api.json")
        source.write_text(json.dumps(document, default=str), encoding="utf-8")
        asked = Settings(source=str(source), package=PACKAGE)
        diagnostics = Diagnostics()
        try:
            made = generate(asked, Path(folder, "out"), diagnostics)
        except GenerationError as refused:
            problems, made = refused.diagnostics, None
        else:
            problems = tuple(diagnostics.warnings)
    for problem in problems:
        assert problem.location is not None, problem
        assert render(problem)
    if made is None:
        assert problems
        return
    with hosted(made.files, PACKAGE) as server:
        server.use(lambda client: answers(server, client))


async def answers(server: Hosted, client: Client) -> None:
    """Every tool is listed, and takes the arguments that its own tests give it."""
    listed = (await client.list_tools()).tools
    assert [tool.name for tool in listed] == [tool["name"] for tool in server.tools]
    for case in server.cases:
        if case["kind"] in ("full", "required", "invalid"):
            result = await server.call(client, case["tool"], case["arguments"])
            assert not server.logged, server.logged[0]
            assert isinstance(result, CallToolResult), result
            expected = [] if case["kind"] == "invalid" else [case["request"]["method"]]
            assert [request.method for request in server.requests] == expected, result


@tries(6)
@given(grammar.documents())
def test_documents_of_the_grammar(document):
    judge(document)


@tries(6)
@given(grammar.changed())
def test_documents_with_pieces_changed(document):
    judge(document)
