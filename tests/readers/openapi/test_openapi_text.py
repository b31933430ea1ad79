"""Text on its way to an agent: bounded, never empty, and nothing said twice."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from openapi_reading import OK, argument, one, read_document

from mcpgen.operations.in_words import says_only_that

ORDER = {"$ref": "#/components/schemas/Order"}


def test_a_text_that_says_nothing_is_none(tmp_path: Path) -> None:
    empty = {"type": "string", "description": "", "title": "\u200b"}
    named = {"type": "object", "properties": {"description": empty, "title": empty}}
    parameters = [{"name": "q", "in": "query", "schema": named}]
    tool = read_document(one({"parameters": parameters}), tmp_path).tool
    text = {"type": "string"}
    assert tool.input_schema["properties"]["q"] == {
        "type": "object",
        "properties": {"description": text, "title": text},
    }


def test_a_long_description_is_cut(tmp_path: Path) -> None:
    read = read_document(one({"description": "word " * 5000}), tmp_path, description_limit=100)
    assert len(read.tool.description) <= 100
    assert read.tool.description.endswith("…")
    assert "text-cut" in read.codes


@pytest.mark.parametrize(
    ("limit", "end"),
    [
        (200, "word…\n\nReturns: A pet.\n\nDeprecated: use another tool where there is one."),
        (100, "word word…"),
    ],
)
def test_a_long_description_is_cut_before_what_is_told_besides(
    tmp_path: Path, limit: int, end: str
) -> None:
    """Whoever wants short descriptions has agents call what is deprecated otherwise."""
    answers = {"200": {"description": "A pet."}}
    operation = {"description": "word " * 500, "deprecated": True, "responses": answers}
    read = read_document(one(operation), tmp_path, description_limit=limit)
    assert limit - 10 < len(read.tool.description) <= limit
    assert read.tool.description.startswith("word word")
    assert read.tool.description.endswith(end)
    assert "text-cut" in read.codes


@pytest.mark.parametrize(
    ("summary", "description", "expected"),
    [
        ("Get a pet", "", "Get a pet"),
        ("", "Gets a pet.", "Gets a pet."),
        ("Get a pet", "Get a pet, with its owner.", "Get a pet, with its owner."),
        ("Get a pet", "By its id.", "Get a pet\n\nBy its id."),
        ("Get a pet", "Gets the pet of an owner.", "Gets the pet of an owner."),
        ("Search pets.", "Searches for pets.", "Search pets.\n\nSearches for pets."),
        ("Search pets.", "Searches pets.", "Searches pets."),
        ("Get a pet", "By id.\nGets a pet.", "Get a pet\n\nBy id.\nGets a pet."),
        ("Delete a pet", "Success", "Delete a pet"),
        ("", "Success", "Success"),
        ("Pets", "", "Pets\n\nReads /pets."),
        ("Get a pet", "https://example.com/pets", "Get a pet\n\nhttps://example.com/pets"),
        ("Get a pet", "Gets a petition.", "Get a pet\n\nGets a petition."),
        ("Op", "What it does.", "What it does."),
        ("op", "What it does.", "What it does."),
        ("", "", "Reads /pets."),
        (" ", "\u200b", "Reads /pets."),
    ],
)
def test_descriptions(tmp_path: Path, summary: str, description: str, expected: str) -> None:
    document = one({"summary": summary, "description": description})
    assert read_document(document, tmp_path).tool.description == expected


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


def test_what_is_returned_is_said_once(tmp_path: Path) -> None:
    answer = {"200": {"description": "Returns the pet."}}
    tool = read_document(one({"summary": "Get a pet", "responses": answer}), tmp_path).tool
    assert tool.description == "Get a pet\n\nReturns the pet."


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        ("Successfully retrieved the requested pets.", False),
        ("The pets were successfully retrieved.", False),
        ("A successful pets GET response", False),
        ("Example response", False),
        ("Pet found.", True),
        ("A pet list was successfully returned to its owner", True),
        ("Successfully retrieved the pets and their owners.", True),
        ("The pets", True),
        ("The pets were not retrieved.", True),
        ("Nothing if no pets were retrieved", True),
        ("Successfully retrieved 50 pets.", True),
        ("200 Successfully retrieved pets.", False),
    ],
)
def test_that_it_was_done_is_not_what_is_returned(tmp_path: Path, answer: str, kept: bool) -> None:
    """What the tool is said to do and that it succeeds tells nobody what comes back."""
    operation = {"summary": "Get pets", "responses": {"200": {"description": answer}}}
    tool = read_document(one(operation), tmp_path).tool
    assert tool.description == ("Get pets\n\nReturns: " + answer if kept else "Get pets")


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("The pet to add.", ""),
        ("Request body for adding pets", ""),
        ("The pet and its owner", "\n\nRequest body: The pet and its owner"),
        ("Request body with the owner", "\n\nRequest body with the owner"),
        ("The 5 pets to add", "\n\nRequest body: The 5 pets to add"),
        ("No pet", "\n\nRequest body: No pet"),
    ],
)
def test_a_body_is_told_where_that_says_more_than_the_tool(
    tmp_path: Path, body: str, told: str
) -> None:
    schema = {"type": "object", "properties": {"name": {"type": "string"}}}
    content = {"application/json": {"schema": schema}}
    given = {"description": body, "required": True, "content": content}
    document = one({"summary": "Add a pet", "requestBody": given}, method="post")
    assert read_document(document, tmp_path).tool.description == "Add a pet" + told


def test_what_is_too_long_is_cut_between_words(tmp_path: Path) -> None:
    def told(text: str) -> str:
        document = one({"summary": "Get", "responses": {"200": {"description": text}}})
        return read_document(document, tmp_path).tool.description.removeprefix("Get\n\nReturns: ")

    assert told("word " * 100) == "word " * 59 + "word…"
    assert told("all of https://example.com/" + "x" * 150 + " " + "y" * 200).endswith("xx…")
    assert told("字" * 400) == "字" * 299 + "…"


_LONG = "The books on the shelf are given as they stand there, from left to right and top to down"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (f"{_LONG}. {_LONG}. Use the [next shelf](x), {_LONG} {_LONG}", f"{_LONG}. {_LONG}."),
        (f"{_LONG}. {_LONG}. {_LONG}, e.g. {_LONG}.", f"{_LONG}. {_LONG}."),
        (f"{_LONG}. {_LONG}:\n- {_LONG}\n- {_LONG}", f"{_LONG}. {_LONG}:\n- {_LONG}"),
        (f"{_LONG}\n\n{_LONG}. See:\n\n{_LONG} {_LONG}", f"{_LONG}\n\n{_LONG}."),
        ("Books by shelf. They have these fields:", "Books by shelf."),
    ],
)
def test_what_is_too_long_ends_with_a_sentence_that_is_whole(
    tmp_path: Path, given: str, told: str
) -> None:
    """Half of a sentence, of a link, or the announcement of a list tells an agent nothing."""
    document = one({"summary": "Get", "responses": {"200": {"description": given}}})
    tool = read_document(document, tmp_path).tool
    assert tool.description == f"Get\n\nReturns: {told}"


@pytest.mark.parametrize("place", ["requestBody", "responses"])
def test_what_only_announces_is_not_told(tmp_path: Path, place: str) -> None:
    text = {"description": "Files can be given in two ways:"}
    content = {"content": {"application/json": {"schema": {"type": "array"}}}}
    value = {**text, **content} if place == "requestBody" else {"200": text}
    document = one({"summary": "Send files", place: value}, method="post")
    assert read_document(document, tmp_path).tool.description == "Send files"


@pytest.mark.parametrize("limit", [1, 2, 3, 9])
def test_a_description_may_be_as_short_as_wanted(tmp_path: Path, limit: int) -> None:
    parameter = {"name": "a", "in": "query", "description": "A word.", "schema": {}}
    document = one({"description": "One by its number.", "parameters": [parameter]})
    tool = read_document(document, tmp_path, description_limit=limit).tool
    assert 1 <= len(tool.description) <= limit
    assert 1 <= len(tool.arguments[0].description) <= limit


def test_deprecation_is_said_once(tmp_path: Path) -> None:
    silent = read_document(one({"deprecated": True, "summary": "Old"}), tmp_path).tool
    assert silent.deprecated
    assert "Deprecated" in silent.description
    said = read_document(one({"deprecated": True, "summary": "Deprecated: old"}), tmp_path).tool
    assert said.description == "Deprecated: old"


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


def test_a_path_items_text_is_used_where_the_operation_has_none(tmp_path: Path) -> None:
    item = {"summary": "All pets", "get": {"operationId": "a", "responses": OK}}
    assert read_document({"paths": {"/a": item}}, tmp_path).tool.title == "All pets"


@pytest.mark.parametrize(
    ("description", "whole"),
    [("funds", "Get the list of funds"), ("All funds.", "Get the list of funds\n\nAll funds.")],
)
def test_a_description_within_the_summary_is_not_said_again(
    tmp_path: Path, description: str, whole: str
) -> None:
    operation = {"summary": "Get the list of funds", "description": description}
    assert read_document(one(operation), tmp_path).tool.description == whole


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


def test_html_of_body_and_answer_is_told_as_markdown_too(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"name": {"type": "string"}}}
    body = {
        "description": "<p>The <b>new</b> pet</p>",
        "required": True,
        "content": {"application/json": {"schema": schema}},
    }
    answer = {"description": "<i>Status</i>: 201<br>The pet as it is kept."}
    operation = {"summary": "Add it", "requestBody": body, "responses": {"201": answer}}
    said = read_document(one(operation, method="post"), tmp_path).tool.description
    assert said == (
        "Add it\n\nRequest body: The **new** pet\n\nReturns: *Status*: 201\nThe pet as it is kept."
    )


@pytest.mark.parametrize(
    ("version", "said"), [("3.0.4", "Theirs."), ("3.1.2", "Mine."), ("3.2.0", "Mine.")]
)
def test_a_reference_may_have_a_description_of_its_own(
    tmp_path: Path, version: str, said: str
) -> None:
    """OpenAPI 3.1.0, 4.8.23: it overrides that of the component; until 3.0 it is ignored."""
    schema = {"type": "string"}
    theirs = {
        "parameters": {"Word": {"in": "query", "name": "word", "schema": schema}},
        "requestBodies": {"Text": {"content": {"application/json": {"schema": schema}}}},
        "responses": {"Done": {}},
        "securitySchemes": {"far": {"type": "http", "scheme": "basic"}},
    }
    components: dict[str, Any] = {
        kind: {name: {**one, "description": "Theirs."} for name, one in named.items()}
        for kind, named in theirs.items()
    }

    def referred(kind: str, name: str) -> dict[str, Any]:
        return {"$ref": f"#/components/{kind}/{name}", "description": "Mine."}

    # A reference to a reference: the first that says something wins
    components["responses"]["Near"] = referred("responses", "Done")
    components["securitySchemes"]["near"] = referred("securitySchemes", "far")
    operation = {
        "parameters": [referred("parameters", "Word")],
        "requestBody": referred("requestBodies", "Text"),
        "responses": {"200": {"$ref": "#/components/responses/Near"}},
    }
    document = {"openapi": version, **one(operation, method="post", components=components)}
    api = read_document(document, tmp_path).api
    (tool,) = api.tools
    assert argument(tool, "word").description == said
    assert argument(tool, "body").description == said
    assert tool.description == f"Posts to /pets.\n\nReturns: {said}"
    assert [scheme.description for scheme in api.security_schemes] == ["Theirs.", said]


def test_a_response_may_have_a_summary_alone(tmp_path: Path) -> None:
    """OpenAPI 3.2.0, Response Object: neither is required."""
    response = {"summary": "The pets of one owner"}
    near = {"$ref": "#/components/responses/Pets"}
    for given, said in (
        (response, "The pets of one owner"),
        ({**response, "description": "All pets."}, "All pets."),
        (near, "The pets of one owner"),
        ({**near, "summary": "Some pets"}, "Some pets"),
    ):
        components = {"responses": {"Pets": response}}
        document = one({"responses": {"200": given}}, openapi="3.2.0", components=components)
        tool = read_document(document, tmp_path).tool
        assert tool.description == f"Reads /pets.\n\nReturns: {said}"
