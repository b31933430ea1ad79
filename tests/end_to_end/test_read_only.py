"""Bodies whose `readOnly` properties are required, listed or what tells alternatives apart."""

from tables import table

from .servers import of_document

read_only = of_document("read-only")


@table(
    "tool, value",
    ("either", {"x": "a"}),
    ("either", {"name": "a"}),
    ("told", {"a": "x"}),
    ("made", {"s": "x"}),
    ("all_made", {}),
    ("rows", [{"n": "x"}]),
    ("listed", {"p": {"n": "a"}}),
    ("named", {"p": {"n": "b"}}),
    ("fixed", {"p": {"n": "a"}, "q": "x"}),
    ("casing", {"name": "x"}),
    ("ghost", {"name": "x"}),
)
def test_what_only_answers_have_is_not_needed(read_only, tool, value):
    given = {"body": value} if "body" in read_only.arguments(tool) else value
    assert read_only.call(tool, given).request.json == value


@table(
    "tool, given, told",
    ("made", {"o": {}, "s": "x"}, "`o` is unknown"),
    ("rows", {"body": [{"id": 1, "n": "x"}]}, "`body[0].id` is unknown"),
    ("listed", {"p": {"n": "c"}}, '{"n": "a"}'),
    ("named", {"p": {"id": 1, "n": "a"}}, '{"n": "a"}'),
    ("casing", {"Name": "x"}, "`Name` is unknown"),
)
def test_what_only_answers_have_is_refused(read_only, tool, given, told):
    assert told in read_only.call(tool, given).refused


def test_a_parameter_is_sent_whatever_its_schema_says_of_answers(read_only):
    assert read_only.call("query", {"q": "x"}).request.target == "/q?q=x"
