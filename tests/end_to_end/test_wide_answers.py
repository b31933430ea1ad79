"""The argument `fields` of tools whose answers are wide, where each of them is listed."""

import re

import generated_tests

from .servers import of_document, openapi, packaged, read
from .upstream import Answer

NAMES = [f"n{number}" for number in range(16)]
OFFERED = {"type": "array", "items": {"type": "string"}, "description": "Fields to get."}
SETTINGS = '[tools.getStrict]\noutput_schema = "strict"\n[tools.listWide]\nredact = ["$..n1"]\n'
ROW = {name: f"{name} of it" for name in NAMES}
wide = of_document("wide", "--package", "wide_answers", "--surface", "search", settings=SETTINGS)


def test_it_is_offered_where_an_answer_is_wide_and_the_name_is_free(wide):
    found = {name: wide.arguments(name).get("fields") for name in wide.tools}
    own = found.pop("listOwn")
    assert own == {"type": "string"}
    assert found == {
        "listWide": OFFERED,
        "makeWide": None,
        "getWide": OFFERED,
        "getNarrow": None,
        "listLike": None,
        "getStrict": None,
        "listItems": OFFERED,
    }


def test_the_tests_of_a_server_know_the_argument(upstream, tmp_path):
    """A handler does not take it."""
    server = packaged(read("wide"), tmp_path, upstream, "--package", "wide_answers")
    assert "fields" in server.arguments("getWide")
    done = generated_tests.run(server.folder)
    assert done.returncode == 0, done.stdout


def test_a_server_without_wide_answers_lacks_the_part(upstream, tmp_path):
    document = openapi("Narrow", {"/narrow": read("wide")["paths"]["/narrow"]})
    server = packaged(document, tmp_path, upstream, "--package", "narrow_answers")
    assert "fields" not in (server.folder / server.package / "server.py").read_text()


def test_fields_of_wide_answers(wide):
    arguments = {"q": "a", "fields": ["n2", "$.items[*].n1"]}
    call = wide.call("listWide", arguments, Answer.of({"items": [ROW], "next": "x"}))
    assert call.data == {"items": [{"n1": "[redacted]", "n2": "n2 of it"}]}
    assert len(call.texts) == 1
    assert call.request.target == "/wide?q=a"
    one = wide.call("getWide", {"fields": ["n3", "_headers"]}, Answer.of(ROW))
    assert one.data == {"n3": "n3 of it"}
    assert len(one.texts) == 1
    listed = wide.call("listItems", {"fields": ["n3"]}, Answer.of([ROW] * 2))
    assert listed.data == {"result": [{"n3": "n3 of it"}] * 2}
    assert wide.call("listOwn", {"fields": "n1"}).request.target == "/own?fields=n1"
    call = wide.call("getWide", {"fields": ["n3", "state"]}, Answer.of(ROW))
    assert call.data == {"n3": "n3 of it"}
    assert call.texts[1].startswith("The answer has no field `state`. It has {n0, n1,")
    for wrong in ("state", "a b/c?d#e(", ""):
        call = wide.call("getWide", {"fields": [wrong]}, Answer.of(ROW))
        assert call.data == ROW
        assert len(call.texts) == 2
    text = wide.call("describe_tools", {"names": ["listWide", "listOwn"]}, surface="search").text
    assert "q?: string" in text
    assert text.count("fields?") == 1
    asked = {"name": "listWide", "arguments": {"fields": ["n3"]}}
    answer = Answer.of({"items": [ROW] * 3})
    call = wide.call("call_read_tool", asked, answer, surface="search")
    assert call.texts == ["items (3 rows):\nn3" + "\nn3 of it" * 3]
    # The search surface's own tools have it: as a word of most tools it would find nothing.
    found = wide.call("find_tools", {"query": "only fields"}, surface="search").text
    assert re.findall(r"(?m)^(\w+)\(", found) == ["listOwn", "listLike"]
