"""The data of the generated tests: calls that fit, calls that do not, and how they are written."""

import json

import pytest
from cases_building import Names, argument, build, of_kind, tool
from msgspec.structs import replace

from mcpgen import cases
from mcpgen.api import Api, Fixed, HttpCall, In, Question


def test_what_the_user_would_be_asked_for_is_given():
    asked = Question("Which size?", {"size": {"type": "string"}})
    size, color = (argument(name, In.QUERY) for name in ("size", "color"))
    one = tool(size, color, http=HttpCall("GET", "/a"), questions=(asked,))
    (case,) = of_kind(build(one), "required")
    assert set(case["arguments"]) == {"size"}


def test_wrong_arguments():
    number = argument("count", In.QUERY, {"type": "integer"}, required=True)
    found = of_kind(build(tool(number, http=HttpCall("GET", "/a"))), "invalid")
    assert [case["mentions"] for case in found] == [["count"], ["count"], ["no_such_argument"]]
    assert found[0]["arguments"] == {}


@pytest.mark.parametrize(("needed", "missing"), [("b", []), ("c", [["c"]])])
def test_a_wrong_call_leaves_out_what_an_argument_needs_and_no_call_has(needed, missing):
    taken = [argument("a", In.QUERY), argument("b", In.QUERY, required=True)]
    one = tool(*taken, argument("c", In.QUERY), http=HttpCall("GET", "/a"))
    schema = {**one.input_schema, "dependentRequired": {"a": [needed]}}
    found = of_kind(build(replace(one, input_schema=schema)), "invalid")
    told = [case["mentions"] for case in found if isinstance(case["arguments"].get("a"), str)]
    assert told == missing


def test_wrong_arguments_fit_no_branch():
    forms = [{"type": "object", "properties": {name: {"type": "string"}}} for name in "ab"]
    body = argument("body", In.QUERY, {"oneOf": forms})
    found = of_kind(build(tool(body, http=HttpCall("GET", "/a"))), "invalid")
    assert found[0]["arguments"] == {"body": [["wrong"]]}


def test_wrong_arguments_of_a_tool_without_samples_are_named_among_the_first_problems():
    never = {"allOf": [{"type": "string"}, {"type": "null"}]}
    names = [f"n{number}" for number in range(6)]
    many = [argument(name, In.QUERY, never, required=True) for name in names]
    found = of_kind(build(tool(*many, http=HttpCall("GET", "/a"))), "invalid")
    assert [case["mentions"] for case in found] == [["n0"]]
    few = of_kind(build(tool(*many[:3], http=HttpCall("GET", "/a"))), "invalid")
    assert [case["mentions"] for case in few] == [["n2"], ["n0"], ["no_such_argument"]]


def test_what_cannot_be_sampled_is_named():
    never = argument(
        "n", In.QUERY, {"allOf": [{"type": "string"}, {"type": "null"}]}, required=True
    )
    built = build(tool(never, http=HttpCall("GET", "/a")))
    assert "exclude" in built["untested"]["t"]
    assert {case["kind"] for case in built["cases"]} == {"invalid"}


def test_a_variable_may_be_text_for_one_tool_and_json_for_another():
    a = argument("a", In.QUERY)
    sent = [Fixed(a, env="X", parsed=parsed) for parsed in (False, True)]
    for order in (sent, sent[::-1]):
        tools = [
            replace(tool(http=HttpCall("GET", "/a"), fixed=(fixed,)), name=name)
            for name, fixed in zip("tu", order, strict=True)
        ]
        built = cases.build(Api("A", "1", tools=tuple(tools)), Names())
        number = int(built["fixed"]["X"])
        urls = {case["request"]["url"] for case in of_kind(built, "full")}
        assert {url.partition("?")[2] for url in urls} == {f"a={number}"}


def test_the_file_is_ascii_with_a_case_a_line():
    odd = argument("\u202e\u0007", In.QUERY, {"const": "\u2066\ud800"})
    text = cases.to_json(build(tool(odd, http=HttpCall("GET", "/a")))).decode()
    assert text.isascii()
    assert text.isprintable() or set(text) - {"\n"} == {c for c in text if c.isprintable()}
    assert text.count("\n") == len(json.loads(text)["cases"]) + 2
