"""Answers that are not as their document says: they come whole, and how they differ is named."""

import json
from typing import Any

import pytest
from tables import listed, table

from mcpgen.runtime import Response
from mcpgen.runtime.results.content import to_result
from mcpgen.runtime.results.limits import ResultLimit

from ..mapping import DESCRIBED, LIMIT, PLAIN, STRING, result_of, texts

STRICT: dict[str, Any] = {**PLAIN, "outputSchema": STRING}


DRIFT = [
    (b'{"a": ', "application/json", "not well-formed JSON at character 6", '{"a": '),
    (b"<html>login</html>", "application/json", "not well-formed", "<html>login</html>"),
    (b"<html>login</html>", "text/html", "it is text/html", "<html>login</html>"),
    (b'{"a":NaN}', "application/json", "holds NaN", '{"a":NaN}'),
    (b'{"a":-Infinity}', "application/json", "holds -Infinity", '{"a":-Infinity}'),
    (b'{"a":1e999}', "application/json", "beyond the range", '{"a":1e999}'),
    (b"9" * 5000, "application/json", "too many digits", "9" * 5000),
    (b'{"a":"1","a":"2"}', "application/json", "repeats a key", '{"a":"1","a":"2"}'),
    (b"0.10000000000000000001", "application/json", "more digits", "0.10000000000000000001"),
    (b'{"a":"\xff"}', "application/json", "ISO-8859-1", '{"a":"ÿ"}'),
    (b'{"a":"x"}', "application/json; charset=x-evil", "charset is unknown", '{"a":"x"}'),
    (b'{"a":"x"}', "application/json; charset=rot13", "charset is unknown", '{"a":"x"}'),
    (b'{"a":"x"}', "text/plain", "text/plain although it is JSON", '{"a":"x"}'),
    (b'{"a":"x"}', "application/octet-stream", "although it is JSON", '{"a":"x"}'),
    (b'{"a":"x"}', "application/x-text", "although it is JSON", '{"a":"x"}'),
    (b"a,b\r\n1,\xc3\xa9", "application/x-csv", "and not the declared", "a,b\r\n1,\xe9"),
    (b"just text", "application/octet-stream", "and not the declared", "just text"),
    (b'{"a":"x"}', None, "Content-Type is missing", '{"a":"x"}'),
    (b'{"a":"x"}', "not a type;;", "Content-Type cannot be read", '{"a":"x"}'),
    (b"just text", None, "Content-Type is missing", "just text"),
    (b"a,b", "text/csv", "it is text/csv and not the declared application/json", "a,b"),
    (b"[" * 100_000, "application/json", "nested too deeply|well-formed", "[" * 100_000),
    (b"[" * 150 + b"]" * 150, "application/json", "deeper than 100", "[" * 150 + "]" * 150),
    (b'{"a":1}', "application/json", "`a` must be a string", '{"a":1}'),
]


@pytest.mark.parametrize(("body", "content_type", "note", "text"), DRIFT)
async def test_drift_loses_nothing_and_is_named(body, content_type, note, text, caplog):
    result = await result_of(body, content_type, tool=DESCRIBED)
    found = texts(result)
    assert found[0] == text
    assert len(found) == 2
    assert found[1].startswith("The call succeeded, but")
    import re

    assert re.search(note, found[1])
    assert re.search(note, caplog.text)


@table(
    "inside, wanted",
    ({"type": "array", "items": {"type": "integer"}}, "an array"),
    ({"$ref": "#/$defs/Names"}, "an array or null"),
    ({"oneOf": [{"type": "array"}, {"type": "string"}]}, "another value"),
)
async def test_an_object_where_none_is_declared_is_called_that(inside, wanted, caplog):
    """Its document knows no `result`: that is where structured content has a list."""
    wrapped = {"type": "object", "properties": {"result": inside}, "required": ["result"]}
    output = {
        "type": "object",
        "anyOf": [wrapped, {"type": "object"}],
        "$defs": {"Names": {"type": ["array", "null"]}},
    }
    result = await result_of(b'{"items":[1]}', tool={**DESCRIBED, "outputSchema": output})
    said = f"it is an object without `result`, where {wanted} is declared."
    assert texts(result)[1].endswith(said)
    assert said in caplog.text
    assert result["structuredContent"] == {"items": [1]}


@table(
    "body, found",
    (b"[1]", "an array of 1"),
    (b'"a"', 'the string "a"'),
    (b"5", "the number 5"),
    (b"null", "null"),
)
async def test_what_is_no_object_where_one_is_declared_is_named(body, found):
    """Structured content has it in an object, which is none of the document's."""
    declared = {"type": "object", "properties": {"items": {"type": "array"}}}
    output = {"type": "object", "anyOf": [declared, {"type": "object"}]}
    result = await result_of(body, tool={**DESCRIBED, "outputSchema": output})
    assert texts(result)[1].endswith(f"it must be an object, and is {found}.")
    assert result["structuredContent"] == {"result": json.loads(body)}


@table(
    "answer, told",
    ({"ag": 1}, "`ag` is unknown"),
    ({"kindness": 1, "more": {}}, "`kindness` is unknown; `more` is unknown"),
    ({"kind": "cats"}, '`kind` must be one of "cat", "dog", and is the string "cats"'),
)
async def test_no_advice_is_given_about_what_an_api_answers(answer, told):
    known = {"kind": {"enum": ["cat", "dog"]}, "age": {"type": "integer"}}
    closed = {"type": "object", "properties": known, "additionalProperties": False}
    output = {"type": "object", "anyOf": [closed, {"type": "object"}]}
    result = await result_of(
        json.dumps(answer).encode(), tool={**DESCRIBED, "outputSchema": output}
    )
    assert texts(result)[1].endswith(f"is not as its document says: {told}.")


@pytest.mark.parametrize("body", [b"[1]", b'{"items": [1]}', b'{"result": [1]}'])
async def test_an_object_or_an_array_where_both_are_declared_fits(body):
    declared = {"type": ["object", "array"], "properties": {"items": {"type": "array"}}}
    wrapped = {"type": "object", "properties": {"result": declared}, "required": ["result"]}
    output = {"type": "object", "anyOf": [{"anyOf": [declared, wrapped]}, {"type": "object"}]}
    result = await result_of(body, tool={**DESCRIBED, "outputSchema": output})
    assert len(texts(result)) == 1


@table(
    "more, said",
    ({"required": []}, "`items` is unknown"),
    ({"properties": {"result": {}, "more": {}}}, "`result` is required, and missing"),
)
async def test_an_object_that_has_a_result_of_its_own_is_judged_as_one(more, said):
    own = {
        "type": "object",
        "properties": {"result": {"type": "array"}},
        "required": ["result"],
        "additionalProperties": False,
    }
    output = {"type": "object", "anyOf": [{**own, **more}, {"type": "object"}]}
    result = await result_of(b'{"items":[1]}', tool={**DESCRIBED, "outputSchema": output})
    assert said in texts(result)[1]


@listed("schema, shown, logged", __file__, "the log shows no value of an answer")
async def test_the_log_shows_no_value_of_an_answer(schema, shown, logged, caplog):
    """The agent may see what its call was answered; who reads the log need not be allowed to."""
    described = {"type": "object", "properties": {"a": schema}}
    tool = {**PLAIN, "outputSchema": {"type": "object", "anyOf": [described, {"type": "object"}]}}
    result = await result_of(b'{"a":"ada@home.example"}', "application/json", tool=tool)
    assert shown in texts(result)[1]
    assert "ada@home.example" not in caplog.text.replace('"ada@home.exampl"', "")
    assert caplog.messages[0].endswith(logged)


@table(
    "body, limit, said",
    (b'{"a":["\\ud800","\xe2\x80\xae"]}', LIMIT, 'and is the string "\\ud800"'),
    (b'{"a":["\xe2\x80\xae"]}', LIMIT, 'and is the string "\\u202e"'),
    (b'{"\\ud800":[%s]}' % b",".join([b"12345"] * 99), 200, "items of `\\ud800`"),
)
async def test_what_is_said_of_an_answer_shows_its_values_and_names_as_text_blocks_do(
    body, limit, said
):
    described = {"properties": {"a": {"items": {"type": "integer"}}}}
    tool = {**PLAIN, "outputSchema": {"type": "object", "anyOf": [described, {"type": "object"}]}}
    assert said in texts(await result_of(body, tool=tool, limit=limit))[1]


async def test_a_strict_schema_that_the_answer_misses_does_not_lose_the_answer():
    fits = await result_of(b'{"a":"x"}', tool=STRICT)
    assert "isError" not in fits
    misses = await result_of(b'{"a":1}', tool=STRICT)
    assert misses["isError"]
    assert texts(misses)[0] == '{"a":1}'
    assert "strict output schema" in texts(misses)[1]


def test_what_checks_the_answers_of_tools_that_were_replaced_is_not_kept_for_ever(monkeypatch):
    monkeypatch.setattr("mcpgen.runtime.results.content._validators", kept := {})
    monkeypatch.setattr("mcpgen.runtime.results.content._MOST_VALIDATORS", 3)
    tools = [{**DESCRIBED, "outputSchema": dict(DESCRIBED["outputSchema"])} for _ in range(5)]
    for tool in [*tools, tools[0], tools[4]]:
        result = to_result(Response({"id": "none"}), tool, ResultLimit(LIMIT, ""))
        assert "not as its document says" in texts(result)[1]
    assert len(kept) == 3


@table(
    "declared, sent, is_told",
    ("application/octet-stream", "application/pdf", False),
    ("application/octet-stream", "text/csv", False),
    ("application/pdf", "application/octet-stream", False),
    ("text/plain", "text/csv", False),
    ("text/csv", "application/xml", False),
    ("application/pdf", "image/png", True),
    ("text/plain", "application/pdf", True),
    ("text/plain", "application/octet-stream", True),
    ("application/json", "text/html", True),
    ("text/plain", "application/json", True),
)
async def test_another_type_is_told_where_an_agent_needs_it(declared, sent, is_told, caplog):
    """Any bytes are `application/octet-stream`, and one text is as good as another."""
    body = b"{}" if "json" in sent else b"a,b"
    found = texts(await result_of(body, sent, accept=declared))
    said = f"it is {sent} and not the declared {declared}"
    assert any(said in text for text in found) == is_told
    assert caplog.text.count(said) == 1


async def test_half_a_surrogate_pair_stays_in_the_text_and_harms_no_one():
    result = await result_of(b'{"a":"x\\ud800"}', tool=DESCRIBED)
    assert texts(result)[0] == '{"a":"x\\ud800"}'
    assert result["structuredContent"] == {"a": "x\ufffd"}
    assert "surrogate" in texts(result)[1]
