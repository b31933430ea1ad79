"""Text on its way to an agent: bounded, never empty, and nothing said twice."""

import time

from openapi_reading import one, read_document
from tables import table

from mcpgen.operations.in_words import says_only_that

ORDER = {"$ref": "#/components/schemas/Order"}


@table(
    "method, path, schema, expected",
    ("get", "/orders/{id}", ORDER, "Reads /orders/{id}; answers Order."),
    (
        "get",
        "/orders",
        {"type": "array", "items": ORDER},
        "Reads /orders; answers a list of Order.",
    ),
    ("post", "/orders", {"type": "object"}, "Posts to /orders."),
    ("delete", "/orders/{id}", None, "Deletes /orders/{id}."),
)
def test_what_the_document_does_not_describe_is_told_in_plain_words(
    tmp_path, method, path, schema, expected
):
    content = {"application/json": {"schema": schema}} if schema else {}
    responses = {"200": {"description": "OK", "content": content}}
    schemas = {"Order": {"type": "object", "properties": {"note": {"type": "string"}}}}
    document = one(
        {"responses": responses}, method=method, path=path, components={"schemas": schemas}
    )
    tool = read_document(document, tmp_path).tool
    assert tool.description == expected
    assert says_only_that(tool.description)


@table(
    "given",
    *(character * 25_000 for character in ("[", "\n", " \n", "<", "`", "&")),
    *("</b>" + tag * 10_000 for tag in ("<b ", "<a href=", "<br>", "```")),
    "</b>" + "<tr>" * 2_000,  # each is looked for 3,000 characters ahead
    "</a>" + ("<a " + "href=http://x" * 13 + "y" * 500) * 150,
    *("</b>" + mark * 10_000 for mark in ("<style>", "<style ")),
    *(mark * 10_000 for mark in ("[a](/", "[](", "](#", "[a](/b 'c", "`[a](/b)")),
    *(word * 10_000 for word in ("ignore ", "<!--", "# a\n")),
)
def test_no_text_takes_long(tmp_path, given):
    start = time.process_time()
    read_document(one({"summary": given, "description": given}), tmp_path)
    assert time.process_time() - start < 1
