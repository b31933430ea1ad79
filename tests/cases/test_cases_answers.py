"""What the API answers in generated tests, and what of it the agent has to see."""

import pytest
from cases_building import build, of_kind, tool
from msgspec.structs import replace
from tables import table

from mcpgen.api import Api, Example, HttpCall, Shape
from mcpgen.cases.expected_results import expected_result
from mcpgen.cases.mock_answers import mock_answers
from mcpgen.schemas import output_schema


def test_a_binary_answer_is_a_block_or_a_link():
    for links, kind, members in (
        (False, "resource", {"type", "mimeType", "blob"}),
        (True, "resource_link", {"type", "mimeType", "size"}),
    ):
        pdf = {"result": None, "result_media_type": "application/pdf", "links": links}
        (case,) = of_kind(build(tool(http=HttpCall("GET", "/a"), **pdf)), "full")
        (block,) = case["result"]["content"]
        assert (block["type"], block.keys()) == (kind, members)


@table(
    "media_type, blocks",
    ("application/json", 2),
    ("text/html", 2),
    ("image/png", 1),
    ("multipart/mixed", 1),
)
@pytest.mark.parametrize("is_declared", [True, False])
def test_a_redirect_is_told_with_what_text_it_has(media_type, blocks, is_declared):
    declared = media_type if is_declared else "application/*"
    one = tool(
        http=HttpCall("GET", "/a", accept=(declared,), statuses=("302",)),
        result_media_type=media_type,
    )
    note = not is_declared and media_type != "application/json"
    (case,) = of_kind(build(one), "full")
    assert case["result"] == {"content": [{"type": "text"}] * blocks, "note": note}


def test_errors_and_undeclared_successes():
    built = build(tool(http=HttpCall("GET", "/a", statuses=("200", "203"))))
    (error,) = of_kind(built, "error")
    assert error["answer"]["json"]["message"] in error["mentions"]
    (drift,) = of_kind(built, "drift")
    assert drift["answer"]["status"] == 201
    for open_to_all in (
        HttpCall("GET", "/a", statuses=("2XX",)),
        HttpCall("GET", "/a", statuses=("202",), poll={}),  # its end may have any status
    ):
        assert not of_kind(build(tool(http=open_to_all)), "drift")


@pytest.mark.parametrize(("required", "answers"), [((), [{}]), (("a",), [])])
def test_no_answer_relies_on_a_pattern_that_clients_alone_enforce(required, answers):
    """Clients throw away an answer that breaks a strict outputSchema, by their own engine."""
    text = {"type": "string", "pattern": "^(?=x)"}
    schema = {"type": "object", "properties": {"a": text}, "required": list(required)}
    made = {"result": schema, "output_schema": schema}
    built = build(tool(http=HttpCall("GET", "/a"), **made))
    assert [case["answer"]["json"] for case in of_kind(built, "full")] == answers
    assert ("t" in built["untested"]) is bool(required)


@table(
    "media_type, key, result",
    ("application/json", "json", {"structured": "object", "note": False}),
    ("application/problem+json", "json", {"structured": "object", "note": False}),
    ("text/csv", "text", {"content": [{"type": "text"}]}),
    ("image/*", "base64", {"content": [{"type": "image", "mimeType": "image/png"}]}),
    ("audio/wav", "base64", {"content": [{"type": "audio", "mimeType": "audio/wav"}]}),
    ("video/*", "base64", {"content": [{"type": "resource"}]}),
    ("font/*", "base64", {"content": [{"type": "resource"}]}),
    ("model/*", "base64", {"content": [{"type": "resource"}]}),
    ("application/*", "json", {"structured": "object", "note": False}),
    ("application/*+json", "json", {"structured": "object", "note": False}),
    ("*/*", "json", {"structured": "object", "note": False}),
    ("*", "json", {"structured": "object", "note": False}),
    ("application/pdf", "base64", {"content": [{"type": "resource"}]}),
    ("multipart/mixed", "text", {"content": [{"text": "first part"}, {"text": "second part"}]}),
)
def test_answers_of_every_kind(media_type, key, result):
    call = HttpCall("GET", "/a", accept=(media_type,))
    one = tool(http=call, result_media_type=media_type)
    assert key in mock_answers(Api("A", "1", tools=(one,)))["t"]
    (case,) = of_kind(build(one), "full")
    if "structured" in result:
        assert case["result"] == result
    else:
        assert case["result"]["note"] is False
        for block, members in zip(case["result"]["content"], result["content"], strict=True):
            assert block.items() >= members.items()


def test_answers_come_from_examples_that_fit():
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    shown = tuple(Example(201, "application/json", {"a": value}) for value in ("wrong", 5))
    one = tool(
        http=HttpCall("GET", "/a", statuses=("201",)),
        result=schema,
        output_schema=schema,
        examples=shown,
    )
    expected = {"status": 201, "content_type": "application/json", "json": {"a": 5}}
    assert mock_answers(Api("A", "1", tools=(one,)))["t"] == expected
    sampled = mock_answers(Api("A", "1", tools=(replace(one, examples=shown[:1]),)))["t"]
    assert isinstance(sampled["json"]["a"], int)
    never = replace(one, result=False, examples=shown[:1])
    assert mock_answers(Api("A", "1", tools=(never,)))["t"]["json"] == {}


@pytest.mark.parametrize("value", [None, [], [{"a": 1}, {"b": 2}], "a", {"a": "wrong"}])
@pytest.mark.parametrize("advertised", ["open", "none"])
def test_an_example_that_breaks_its_schema_is_left_out(value, advertised):
    """An answer that is no object is the structured content of no tool that declares an object."""
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}}
    one = tool(
        http=HttpCall("GET", "/a"),
        result=schema,
        output_schema=output_schema(schema, {}, advertised, 100_000),
        examples=(Example(200, "application/json", value),),
    )
    answer = mock_answers(Api("A", "1", tools=(one,)))["t"]
    assert isinstance(answer["json"]["a"], int)
    assert expected_result(answer, one)["note"] is False


def test_an_example_of_an_answer_that_is_no_object_stays():
    schema = {"type": "array", "items": {"type": "integer"}}
    one = tool(
        http=HttpCall("GET", "/a"),
        result=schema,
        output_schema=output_schema(schema, {}, "open", 100_000),
        examples=(Example(200, "application/json", [7, 8]),),
    )
    assert mock_answers(Api("A", "1", tools=(one,)))["t"]["json"] == [7, 8]


def test_an_answer_without_content_has_no_example():
    one = tool(
        http=HttpCall("GET", "/a", statuses=("200", "204")),
        result={"type": "object", "properties": {"a": {"const": 1}}},
        examples=(Example(204, "application/json", {}),),
    )
    found = mock_answers(Api("A", "1", tools=(one,)))["t"]
    assert (found["status"], found["json"]) == (200, {"a": 1})


@table(
    "member, described",
    ({"type": "object", "properties": {key: {"const": "x" * 10_000} for key in "cdef"}}, {}),
    ({"type": "integer"}, {"additionalProperties": False}),
)
def test_what_may_be_left_out_is_where_the_whole_is_too_long_or_no_answer(member, described):
    result = {"type": "object", "properties": {"a": {"const": 1}, "b": member}, "required": ["a"]}
    schema = {"type": "object", "properties": {"a": {"const": 1}}, **described}
    one = tool(http=HttpCall("GET", "/a"), result=result, output_schema=schema)
    assert mock_answers(Api("A", "1", tools=(one,)))["t"]["json"] == {"a": 1}


@pytest.mark.parametrize(("given", "expected"), [("a,b\n", "a,b\n"), ("", "id,name\n")])
def test_an_empty_text_is_no_example_of_an_answer(given, expected):
    """A call says of it that there was no content, which is not the text that it would be."""
    one = tool(
        http=HttpCall("GET", "/a", accept=("text/csv",)),
        result_media_type="text/csv",
        examples=(Example(200, "text/csv", given),),
    )
    (case,) = of_kind(build(one), "full")
    assert case["answer"]["text"].startswith(expected)


@table(
    "statuses, status, told",
    (("200", "202"), 202, "202"),
    (("200", "202"), 200, None),
    (("202",), 202, None),
)
@pytest.mark.parametrize("media_type", ["application/json", "text/csv"])
def test_which_of_several_successes_an_answer_is_is_told(statuses, status, told, media_type):
    one = tool(
        http=HttpCall("GET", "/a", accept=(media_type,), statuses=statuses),
        result_media_type=media_type,
        examples=(Example(status, media_type, '{"a": 1}'),),
    )
    (case,) = of_kind(build(one), "full")
    assert case["answer"]["status"] == status
    assert case["result"].get("told") == told


@table(
    "schema, text, expected",
    ({"type": "object", "properties": {"a": {"type": "integer"}}}, '{"a": 5}', {"a": 5}),
    ({"type": "array", "items": {"type": "integer"}}, "[5]", [5]),
    ({"type": "object", "properties": {"a": {"const": 7}}}, "An answer.", {"a": 7}),
    ({"type": ["object", "string"]}, '{"a": 5}', '{"a": 5}'),
)
def test_an_example_that_is_the_text_of_json_is_what_it_says(schema, text, expected):
    one = tool(
        http=HttpCall("GET", "/a"),
        result=schema,
        output_schema=output_schema(schema, {}),
        examples=(Example(200, "application/json", text),),
    )
    assert mock_answers(Api("A", "1", tools=(one,)))["t"]["json"] == expected


def test_a_tool_whose_only_answers_clients_refuse_is_not_tested():
    never = {"allOf": [{"type": "string"}, {"type": "null"}]}
    schema = {"type": "object", "properties": {"a": never}, "required": ["a"]}
    one = tool(http=HttpCall("GET", "/a"), result=schema, output_schema=schema)
    built = build(one)
    assert "outputSchema" in built["untested"]["t"]
    assert {case["kind"] for case in built["cases"]} == {"invalid"}
    opened = {"type": "object", "anyOf": [schema, {"type": "object"}]}
    assert build(replace(one, output_schema=opened))["untested"] == {}


@pytest.mark.parametrize("status", ["204", "302"])
def test_an_answer_without_data_that_clients_refuse_is_not_tested(status):
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    call = HttpCall("GET", "/a", statuses=(status,))
    one = tool(http=call, result=schema, output_schema=schema)
    assert "outputSchema" in build(one)["untested"]["t"]
    assert build(replace(one, output_schema={"type": "object"}))["untested"] == {}
    assert build(replace(one, output_schema={"type": "array"}))["untested"] == {}


@pytest.mark.parametrize("status", ["200", "302"])
def test_an_answer_of_which_nothing_is_shown_has_a_note(status):
    call = HttpCall("GET", "/a", statuses=(status,))
    result = {"type": "object", "properties": {"a": {"const": 1}}, "required": ["a"]}
    one = tool(http=call, result=result, shape=Shape(fields=("$.b",)))
    (case,) = of_kind(build(one), "full")
    assert case["result"]["note"] is True


def test_a_text_is_no_example_of_parts():
    one = tool(
        http=HttpCall("GET", "/a", accept=("multipart/mixed",)),
        result_media_type="multipart/mixed",
        examples=(Example(200, "multipart/mixed", "one part"),),
    )
    (case,) = of_kind(build(one), "full")
    assert case["answer"]["text"].count("boundary-of-parts") == 3


@pytest.mark.parametrize("http", [HttpCall("HEAD", "/a"), HttpCall("GET", "/a", statuses=("304",))])
def test_answers_without_a_body(http):
    found = mock_answers(Api("A", "1", tools=(tool(http=http),)))["t"]
    assert found["content_type"] is None


@table(
    "schema, answer, fits",
    ({"type": "array"}, {"result": [1]}, True),
    ({"type": "array"}, {"result": "x"}, False),
    ({"type": "object"}, {"result": {"result": {}}}, True),
    ({}, {}, True),
)
@pytest.mark.parametrize("mode", ["open", "strict"])
def test_an_object_whose_own_property_is_called_result_is_not_wrapped(schema, answer, fits, mode):
    whole = {"type": "object", "properties": {"result": schema}}
    made = {"result": whole, "output_schema": output_schema(whole, {}, mode)}
    one = tool(http=HttpCall("GET", "/a"), **made)
    reply = {"status": 200, "content_type": "application/json", "json": answer}
    expected = expected_result(reply, one)
    assert expected == {"structured": "object", "note": not fits}
