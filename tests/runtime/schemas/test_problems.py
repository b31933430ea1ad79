"""What is wrong with a value, in words that an agent can act on."""

from steps import steps
from tables import listed, table

from mcpgen.runtime.schemas.validation import misfit

from ..validating import STRING, refusal


@listed("schema, value, text", __file__, "one problem")
def test_one_problem(schema, value, text):
    assert text in refusal({"a": schema}, {"a": value})


@listed("schema, value, text", __file__, "the best branch speaks")
def test_the_best_branch_speaks(schema, value, text):
    assert text in refusal({"a": schema}, {"a": value})


@table(
    "properties, given, text",
    ({"a": STRING}, {"": 1}, 'Argument `[""]` is unknown; known here: a.'),
    ({"a": STRING}, {"": 1, "b": 1}, '- `[""]` is unknown; known here: a'),
    ({"": {"properties": {"a": STRING}}}, {"": {"a": 1}}, 'Argument `[""].a` must be a string'),
)
def test_an_empty_name_is_a_name(properties, given, text):
    """It is not all arguments together, nor none."""
    assert text in refusal(properties, given)


@listed("schema, text", __file__, "a pattern is told with the format that it spells out")
def test_a_pattern_is_told_with_the_format_that_it_spells_out(schema, text):
    assert text in refusal({"a": schema}, {"a": "x"})


def test_many_long_and_odd_values_are_told_short():
    text = refusal(
        {"limit": {"maximum": 10}, "name": {"type": "string"}, "a": {"type": "null"}, "b": False},
        {"limit": 11, "nme": "x", "a": 1, "b": 2},
        required=["name", "id"],
    )
    assert text.splitlines() == [
        "These arguments cannot be used as they are:",
        "- `limit` must be at most 10, and is 11",
        "- `a` must be null, and is the number 1",
        "- `b` is not allowed here",
        "- `nme` is unknown; did you mean `name`?",
        "- required, and missing: `name`, `id`",
    ]
    text = refusal({"a": {"type": "integer"}}, {"a": "x" * 100_000})
    assert len(text) < 200
    text = refusal({}, {"\ud800\n" + "y" * 1000: 1})
    text.encode()
    assert len(text) < 300
    assert "\n" not in text
    assert len(refusal({"a": {"enum": list(range(10_000))}}, {"a": -1})) < 300
    assert len(refusal({f"p{number}": {} for number in range(1000)}, {"zzzz": 1})) < 300


def test_a_long_value_is_compared_with_many_in_few_steps():
    """The call is refused on the event loop, where all others wait."""
    schema = {"enum": [f"value {number}" for number in range(100)]}
    short, long = (steps(lambda n=n: refusal({"a": schema}, {"a": "v" * n})) for n in (500, 50_000))
    assert long < 2 * short


@table(
    "schema, value, text",
    ({"items": [{}], "additionalItems": False}, [1, 2], "holds more items than are allowed"),
    ({"minimum": 0, "exclusiveMinimum": True}, 0, "`a` must be more than 0, and is 0"),
    ({"maximum": 1, "exclusiveMaximum": True}, 1, "`a` must be less than 1, and is 1"),
    ({"maximum": 1, "exclusiveMaximum": False}, 2, "`a` must be at most 1, and is 2"),
)
def test_old_dialects_have_words_too(schema, value, text):
    draft4 = {"$schema": "http://json-schema.org/draft-04/schema#", "properties": {"a": schema}}
    assert text in str(misfit(draft4, {"a": value}))
