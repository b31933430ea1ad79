"""The server's resources: the lists, the texts, and the error for an unknown URI."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError
from mcp.shared.uri_template import UriTemplate

pytestmark = pytest.mark.anyio

DATA: dict[str, Any] = json.loads(files("lighthouse_mcp").joinpath("resources.json").read_bytes())

TEXTS = [uri for uri, served in DATA["served"].items() if "text" in served]


async def test_lists(client: Client) -> None:
    """The lists have the resources and templates of `resources.json`, in its order."""
    resources = (await client.list_resources()).resources
    assert [each.uri for each in resources] == [each["uri"] for each in DATA["resources"]]
    templates = (await client.list_resource_templates()).resource_templates
    expected = [each["uriTemplate"] for each in DATA["resourceTemplates"]]
    assert [each.uri_template for each in templates] == expected


@pytest.mark.parametrize("uri", TEXTS)
async def test_text(uri: str, client: Client) -> None:
    """A text of `resources.json` is read with the values of the template's variables in it."""
    template = UriTemplate.parse(uri)
    values = dict.fromkeys(template.variable_names, "some-value")
    (content,) = (await client.read_resource(template.expand(values))).contents
    expected = DATA["served"][uri]["text"]
    for name in values:
        expected = expected.replace(f"{{{name}}}", "some-value")
    assert getattr(content, "text", None) == expected


@pytest.mark.parametrize("missing", ["no-such:resource", "file:///etc/passwd", ""])
async def test_unknown(missing: str, client: Client, older_client: Client) -> None:
    """An unknown URI is an error, with the code of the client's protocol version."""
    for session, code in ((client, -32602), (older_client, -32002)):
        with pytest.raises(MCPError) as caught:
            await session.read_resource(missing)
        assert caught.value.error.code == code
        assert caught.value.error.data == {"uri": missing}
