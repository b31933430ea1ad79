"""A FastAPI application as people write it: the names and titles that its author would give.

`fastapi_shop.json` is what `app.openapi()` of FastAPI 0.165 gave.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import run
from openapi_reading import read_text

DOCUMENT = Path(__file__).with_name("fastapi_shop.json")
TOOLS = {
    "root": "Root",
    "health": "Health",
    "version": "Version",
    "login": "Login",
    "list_orders": "List Orders",
    "create_order": "Create Order",
    "search_orders": "Search Orders",
    "cancel_orders": "Cancel Orders",
    "get_order": "Get Order",
    "replace_order": "Replace Order",
    "delete_order": "Delete Order",
    "pay_order": "Pay Order",
    "download_invoice": "Download Invoice",
    "set_note": "Set Note",
    "get_order_line": "Get Order Line",
    "list_products": "Products",
    "create_product": "Create Product",
    "export": "Export",
    "get_product": "Get Product",
    "update_product": "Update",
    "upload_image": "Upload Image",
    "set_tags": "Set Tags",
    "list_customers": "List Customers",
    "read_current_customer": "Read Current Customer",
    "getCustomer": "Get Customer",
    "list_orders_customers": "List Orders",
}
"""The title of each tool; two functions of one name have what tells their paths apart."""


def test_tools_are_called_as_their_author_called_the_functions(tmp_path: Path) -> None:
    tools = read_text(DOCUMENT.read_text(), tmp_path).api.tools
    assert {tool.name: tool.title for tool in tools} == TOOLS
    told = {tool.name: tool.description for tool in tools}
    assert told["health"] == "Health\n\nReads /health; answers Health."
    assert told["update_product"] == (
        "Update\n\nChanges /api/v1/products/{product_id}; answers Product."
    )
    assert told["list_products"].endswith("Reads /api/v1/products/; answers a list of Product.")


BODIES = {"cancel_orders": "order_ids", "set_note": "note", "set_tags": "tags"}
"""The tools whose body is an array or a text, with what the author calls it."""


def bodies(folder: Path) -> dict[str, str]:
    """The last argument of each of them in a server."""
    (path,) = folder.glob("*/tools.json")
    tools = {tool["name"]: tool for tool in json.loads(path.read_text())["tools"]}
    return {name: [*tools[name]["inputSchema"]["properties"]][-1] for name in BODIES}


@pytest.mark.parametrize("is_older", [False, True])
def test_a_body_is_called_as_its_schema_and_keeps_its_name(tmp_path: Path, is_older: bool) -> None:
    """A server whose lock knows nothing of it was generated when each was called `body`."""
    source, folder = tmp_path / "shop.json", tmp_path / "server"
    source.write_text(DOCUMENT.read_text())
    asked = ("from-openapi", str(source), "-o", str(folder), "--runtime", "package")
    assert run(*asked).exit_code == 0
    assert bodies(folder) == BODIES
    lock = folder / "mcpgen.lock"
    if is_older:
        lock.write_text(json.dumps({**json.loads(lock.read_text()), "arguments": {}}))
    source.write_text(source.read_text().replace('"Order Ids"', '"Numbers"'))
    assert run("update", str(folder)).exit_code == 0
    assert bodies(folder) == (dict.fromkeys(BODIES, "body") if is_older else BODIES)


def test_a_server_keeps_the_names_that_its_lock_has(tmp_path: Path) -> None:
    text = DOCUMENT.read_text()
    tools = read_text(text, tmp_path).api.tools
    before = {tool.operation: tool.operation_id for tool in tools}
    kept = read_text(text, tmp_path, names=before).api.tools
    assert {tool.operation: tool.name for tool in kept} == before
