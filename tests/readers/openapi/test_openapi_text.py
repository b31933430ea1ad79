"""Text on its way to an agent: bounded, never empty, and nothing said twice."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from openapi_reading import one, read_document

from mcpgen.operations.in_words import says_only_that

ORDER = {"$ref": "#/components/schemas/Order"}


@pytest.mark.parametrize(
    ("method", "path", "schema", "expected"),
    [
        ("get", "/orders/{id}", ORDER, "Reads /orders/{id}; answers Order."),
        (
            "get",
            "/orders",
            {"type": "array", "items": ORDER},
            "Reads /orders; answers a list of Order.",
        ),
        ("post", "/orders", {"type": "object"}, "Posts to /orders."),
        ("delete", "/orders/{id}", None, "Deletes /orders/{id}."),
    ],
)
def test_what_the_document_does_not_describe_is_told_in_plain_words(
    tmp_path: Path, method: str, path: str, schema: dict[str, Any] | None, expected: str
) -> None:
    content = {"application/json": {"schema": schema}} if schema else {}
    responses = {"200": {"description": "OK", "content": content}}
    schemas = {"Order": {"type": "object", "properties": {"note": {"type": "string"}}}}
    document = one(
        {"responses": responses}, method=method, path=path, components={"schemas": schemas}
    )
    tool = read_document(document, tmp_path).tool
    assert tool.description == expected
    assert says_only_that(tool.description)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("<b>Note:</b> one<br/> <br>two", "**Note:** one\n\ntwo"),
        ("<p>One &amp; <i>two</i></p><ul><li>a</li><li><code>b</code></li></ul>", None),
        (
            "<h2>H</h2>See <a class='x' href='https://x.test/a'>it</a>.",
            "## H\n\nSee [it](https://x.test/a).",
        ),
        ("See <a href='javascript:x()'>it</a>.", "See it."),
        ("Two:<ul> <li> <p> <b>a</b></p> </li>\n<li><p>b</p></li></ul>", "Two:\n\n- **a**\n\n- b"),
        ("`<b>x</b>` and <b>y</b>", "`<b>x</b>` and **y**"),
        ("a &lt;b&gt; &amp;lt; c", "a <b> &lt; c"),
        ("Get <id> and <b> of a < b", "Get <id> and <b> of a < b"),
        ("One\n <p>\n two.", "One\n\n two."),
        ("The one.<p>And two.", "The one.\n\nAnd two."),
        ("Pages are ?page=<p>, <p>x and <p> Y", "Pages are ?page=<p>, <p>x and <p> Y"),
        ("Two:<ol>\n  <li>\n    a\n  </li>\n <li> b</li></ol>", "Two:\n\n- a\n\n- b"),
        (
            "Two: <table class='x'>\n  <thead>\n    <tr>\n      <th>A</th>\n      <th>B</th>\n"
            "    </tr>\n  </thead>\n  <tbody>\n    <tr>\n      <td><code>a</code>\n      </td>\n"
            "      <td style='x'>one<br>\n        &amp; two</td>\n    </tr>\n"
            "    <tr><td></td><td>b</td></tr>\n  </tbody>\n</table>\nEnd",
            "Two: \n\n| A | B |\n| --- | --- |\n| `a` | one & two |\n|  | b |\n\nEnd",
        ),
        (
            "<table><tr></tr><tr><td nowrap>a | b</td>\n<td\n  data-x1='y'>c</td>\n</tr>"
            "<tr>d<td  class='x'>`|`</td></tr></table>",
            "| a \\| b | c |\n| d | `\\|` |",
        ),
        ("<TABLE><TR><TD>a</TD><TD>b</TD></TR></TABLE>", "| a | b |"),
        ("It is a&#58; b&#x2F;c, `&#58;` and &#x;.", "It is a: b/c, `&#58;` and &#x;."),
        (
            "See the [IDs](/docs/ids#all), [`a`](../a.md) and\n[b\nc](#b).",
            "See the IDs, `a` and\nb\nc.",
        ),
        ('See [it](./it "It") by [tag <b>x</b>](/x).', "See it by tag **x**."),
        (
            "`[a](/b)`, ![a](/b), [a](//b.test/c), [a](https://b.test), [a](b), [a][1]",
            "`[a](/b)`, ![a](/b), [a](//b.test/c), [a](https://b.test), [a](b), [a][1]",
        ),
        (
            "As [a-z](/[a-z]+)? says; use [that](/users/{id}) and [this](/users/all).",
            "As [a-z](/[a-z]+)? says; use [that](/users/{id}) and this.",
        ),
        ("As [it](#tag/pets/operation/getPet)", "As [it](#tag/pets/operation/getPet)"),
        ("Read<b> </b>it.<i></i><br>", "Read it."),
        ("<style>\n .a { color: red }\n</style>\nRead it.", "Read it."),
        ("<details>\n<summary>More</summary>\nIt.</details>", "More\n\nIt."),
        ("Read<b>\u200b</b> it<i>&nbsp;</i>now<code>&#8203; </code>.<br>", "Read it now ."),
        ("Read <b>a&amp;b</b> and <CODE>&lt;id&gt;</CODE>.", "Read **a&b** and `<id>`."),
    ],
)
def test_html_is_told_as_markdown(tmp_path: Path, given: str, expected: str | None) -> None:
    schema = {"type": "object", "properties": {"b": {"type": "string", "description": given}}}
    parameter = {"name": "a", "in": "query", "description": given, "schema": schema}
    document = {
        **one({"description": given, "parameters": [parameter]}),
        "info": {"title": "T", "version": "1", "description": given},
    }
    read = read_document(document, tmp_path)
    argument = read.tool.arguments[0]
    said = (read.api, read.tool, argument)
    texts = [each.description for each in said]
    inside = argument.schema["properties"]["b"]["description"]
    assert {*texts, inside} == {expected or "One & *two*\n\n- a\n- `b`"}


@pytest.mark.parametrize(
    "given",
    [
        *(character * 25_000 for character in ("[", "\n", " \n", "<", "`", "&")),
        *("</b>" + tag * 10_000 for tag in ("<b ", "<a href=", "<br>", "```")),
        "</b>" + "<tr>" * 2_000,  # each is looked for 3,000 characters ahead
        "</a>" + ("<a " + "href=http://x" * 13 + "y" * 500) * 150,
        *("</b>" + mark * 10_000 for mark in ("<style>", "<style ")),
        *(mark * 10_000 for mark in ("[a](/", "[](", "](#", "[a](/b 'c", "`[a](/b)")),
        *(word * 10_000 for word in ("ignore ", "<!--", "# a\n")),
    ],
)
def test_no_text_takes_long(tmp_path: Path, given: str) -> None:
    start = time.process_time()
    read_document(one({"summary": given, "description": given}), tmp_path)
    assert time.process_time() - start < 1
